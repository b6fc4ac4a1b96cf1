"""Slots that are told by their parts: people by first names, places by codes, choices as the tool calls them."""

from __future__ import annotations

import bank
import pytest

from toolgym.sandbox.language.consent import is_yes
from toolgym.sandbox.runtime.registry import get_domain

TASKS = bank.Bank(bank.FOLDER, "tune_11")
TRIP = {"task": "airline-train-9311-0004", "wish": 1}
TEAM = {"task": "airline-train-9311-0003", "wish": 3}
RETURN = {"task": "shopping-train-9311-0007", "wish": 2}
RAISE = {"task": "trading-train-9311-0003", "wish": 1}


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (
            TRIP,
            "One way PHL to JFK on the 22nd of May with one stop, the first one of the day, in basic econ, no checked "
            "bags and no insurance, paid with your gift card. Shall I book it?",
        ),
        (
            TEAM,
            "I'd book Atlanta to Dallas on May 19 and back on May 22, direct, first flights of the day, in economy for "
            "you, Stella and Naomi, 1 checked bag, insurance included; your certificate goes first, the rest is on "
            "9550. Okay?",
        ),
        (RETURN, "I'd cancel FH-70353 with the Korva frying pan since you changed your mind. May I?"),
        (RAISE, "O-90476: new limit $26.72. Fine?"),
    ],
)
def test_what_is_told_by_its_parts_gets_a_yes(row: dict[str, object], says: str) -> None:
    for style in bank.STYLES:
        assert is_yes(bank.talk(TASKS.task(row), [says], style)[-1])


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (
            TRIP,
            "One way JFK to PHL on the 22nd of May with one stop, in basic econ, no checked bags, no insurance, paid "
            "with your gift card. Shall I book it?",
        ),
        (
            TEAM,
            "I'd book Dallas to Atlanta on May 19 and back on May 22, direct, first flights of the day, in economy for "
            "you, Stella and Naomi, 1 checked bag, insurance included; your certificate goes first, the rest is on "
            "9550. Okay?",
        ),
        (
            TEAM,
            "I'd book Atlanta to Dallas on May 19 and back on May 22, direct, first flights of the day, in economy for "
            "you and Stella, 1 checked bag, insurance included; your certificate first, the rest is on 9550. Okay?",
        ),
        (RETURN, "I'd cancel FH-70353 with the Korva frying pan since you found it cheaper. May I?"),
        (RAISE, "O-90476: new limit $26.42. Fine?"),
    ],
)
def test_parts_turned_round_left_out_or_of_another_value_get_none(row: dict[str, object], says: str) -> None:
    for style in bank.STYLES:
        assert not is_yes(bank.talk(TASKS.task(row), [says], style)[-1])


def test_a_birthday_is_no_day_on_which_anything_is_done() -> None:
    task = get_domain("airline").task("airline-v2-test-0-0039", "v2")
    swap = task.model_copy(update={"goals": task.goals[1:]})
    says = (
        "I can replace Kaito Mendez with Dalia Jacobs (born 2002-11-27) on your May 20 trip from Charlotte to Los "
        "Angeles. Shall I?"
    )
    for style in bank.STYLES:
        assert is_yes(bank.talk(swap, [says], style)[-1])
