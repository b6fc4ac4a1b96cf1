"""What is reported after a yes and is not the wish: the user objects by name, and the wish stays open."""

from __future__ import annotations

from pathlib import Path

import bank
import pytest

import domains
from sandbox.kit.message import STOP
from sandbox.kit.task import read_tasks

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
