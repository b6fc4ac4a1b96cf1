"""What is reported after a yes and is not the wish: the user objects by name, and the wish stays open."""

from __future__ import annotations

from pathlib import Path

import bank
import pytest

from toolgym import domains
from toolgym.sandbox.kit.message import STOP
from toolgym.sandbox.kit.task import read_tasks

LUNCH = "calendar-v2-dev-0-0092"
"""Its second wish is to cancel one event of a series on April 9 without a message."""
YES = "Budget lunch, April 9, 4:45 pm, one guest (Naomi Andersson). Cancelling only this one, without a message - ok?"


def after_yes(*lines: str) -> list[str]:
    """The replies to what is said after the yes to that wish."""
    dev = Path(domains.__file__).parent / "calendar" / "splits" / "v2" / "dev.jsonl.gz"
    found = next(each for each in read_tasks(dev) if each.id == LUNCH)
    return bank.talk(found.model_copy(update={"goals": found.goals[1:]}), (YES, *lines), "terse")[2:]


def test_the_wish_done_is_settled() -> None:
    assert STOP in after_yes("I've cancelled the lunch on April 9, and Naomi was not told. Anything else?")[0]


@pytest.mark.parametrize(
    ("line", "not_that"),
    [
        ("I have cancelled the whole series. Anything else?", "whole series"),
        ("The Budget lunch on April 16 is cancelled. Anything else?", "April 16"),
        ("I've cancelled the room. Is there anything else I can do for you?", "room"),
    ],
)
def test_another_thing_done_is_objected_to_by_name(line: str, not_that: str) -> None:
    objected, settled = after_yes(line, "Sorry! I put that right: the lunch on April 9 alone is cancelled now.")
    assert STOP not in objected and not_that in objected
    assert STOP in settled


@pytest.mark.parametrize(
    "line",
    [
        "Sorry, the calendar is down. Anything else I can do?",
        "The lunch is opened, and I'm cancelling it now.",
        "The calendar rejected the cancellation of the Budget lunch. Have a great day!",
        "I've passed it on, and a colleague will cancel the lunch on April 9 within the hour. Have a great day!",
    ],
)
def test_what_failed_or_is_in_hand_leaves_it_open(line: str) -> None:
    assert STOP not in after_yes(line)[0]


@pytest.mark.parametrize(
    ("name", "wish", "plan", "told", "words"),
    [
        (
            "retail-train-0-1040",
            2,
            "I'll return the Bath Towel and the Yoga Mat from #W6839842; you get $83.78 back. Do you agree?",
            "I have returned the Bath Towel, the Yoga Mat and the Rain Jacket for you.",
            "rain jacket",
        ),
        (
            "airline-train-0-1225",
            1,
            "SPLZU2 moves to GYM056 on May 28, economy; $39 is refunded to the card ending in 8107. Shall I?",
            "SPLZU2 has been moved to May 29, GYM056, economy.",
            "May 29",
        ),
        (
            "budget-v2-test-0-0004",
            2,
            "I'd correct the Kite Mobile expense of February 21 to $85.35. Is that what you want?",
            "Kite Mobile on February 21 has been updated to $83.55.",
            "$83.55",
        ),
        (
            "payments-v2-test-0-0057",
            1,
            "Draft for Pacheco Legal (Ecuador): 4 × coffee machine at $392.50, due April 12, 2026. Create it?",
            "I created INV-11556 with a total of $392.50 for one coffee machine.",
            "one coffee machine",
        ),
    ],
)
def test_other_values_than_the_wished_ones_are_objected_to(
    name: str, wish: int, plan: str, told: str, words: str
) -> None:
    task = bank.Bank(bank.FOLDER, "tune").tasks[name]
    said = bank.talk(task.model_copy(update={"goals": task.goals[wish - 1 :]}), [plan, told], "terse")[-1]
    assert words in said


@pytest.mark.parametrize(
    "line",
    [
        "I have forwarded your request to the calendar team, who will look at it within two days.",
        "Naomi has been told. The cancellation of the lunch was rejected, I'm afraid.",
    ],
)
def test_what_is_handed_on_or_turned_down_leaves_it_open(line: str) -> None:
    assert STOP not in after_yes(line)[0]
