"""What becomes of a wish: reports without a yes before, questions that go on with it, and what turns it down."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path

import bank
import pytest

from toolgym import domains
from toolgym.sandbox.kit.message import STOP
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.nlg_templates import is_act


@cache
def train(name: str) -> Task:
    """A published task to train on, by its name."""
    world = name.split("-")[0]
    version = "v2" if "-v2-" in name else "v1"
    path = Path(domains.__file__).parent / world / "splits" / version / "train.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return Task(**next(json.loads(line) for line in lines if f'"{name}"' in line))


def last(name: str, wish: int, *lines: str) -> str:
    """The user's reply to the last of some lines, from one of its wishes on."""
    task = train(name)
    return bank.talk(task.model_copy(update={"goals": task.goals[wish - 1 :]}), lines, "chatty")[-1]


REPORTED = [
    (
        "retail_chain-v2-train-0-1400",
        2,
        ["T-3571 is cancelled as well, so the 2 Osprey shirts stay with us. Is there more I can take care of?"],
    ),
    (
        "trading-v2-train-0-1075",
        1,
        [
            "The limit of O-90488 would go up by $0.25, to $32.55. If that's right, please give me your PIN.",
            "All set: the limit of O-90488 is now $32.55, and the order for 60 Brannock Pharma is still open.",
        ],
    ),
    (
        "marketplace-v2-train-0-1904",
        2,
        [
            "The Solano hedge trimmer in Richmond costs $80.50 plus $12.50 postage. Buy it now?",
            "The hedge trimmer is yours! You paid $80.50 plus $12.50 postage, and have $166.95 left.",
        ],
    ),
]


@pytest.mark.parametrize(("name", "wish", "lines"), REPORTED)
def test_what_has_been_done_is_not_asked_for_again(name: str, wish: int, lines: list[str]) -> None:
    task, said = train(name), last(name, wish, *lines)
    following = task.goals[wish:]
    assert (following[0].utterance in said) if following else (STOP in said)


def test_the_verb_of_the_wish_refuses_nothing() -> None:
    done = (
        "Done: celeste_95 gets the Kestrel armchair for $153.00, and the other two offers are declined. Anything else?"
    )
    assert is_act(last("marketplace-v2-train-0-1904", 3, done), "left_open")


def test_what_was_done_without_a_yes_is_heard() -> None:
    planned = "I'd refund $50.00 of the payment for INV-11428 to the card, reason: fraud. Correct?"
    done = "Sorry, I've already refunded the $50.00 (reason: fraud), before I had your yes. Anything more?"
    assert is_act(last("payments-v2-train-0-0748", 3, planned, done), "left_open")


def test_before_a_yes_an_open_question_reports_nothing() -> None:
    asked = "What changes would you like? For the Umbrella we have color (red, black), opening set (manual, automatic)."
    assert STOP not in last("retail-v2-train-0-0361", 1, "I'd send it to 478 Bluebell Way. OK?", asked)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "retail-v2-train-0-0774",
            [
                "I found #W5615979, delivered to Nashville, so this would be an exchange. Which options (color, "
                "capacity, sleeve / color, shelves, width) would you like for each of them instead?"
            ],
        ),
        (
            "retail-v2-train-0-0361",
            [
                "I'd change its shipping address to 478 Bluebell Way, Apt 36, Kansas City, MO 64157, USA. Shall I?",
                "You want to change the Umbrella, which is in #W9427818 (striped, automatic, full size). What would "
                "you like instead? Items of an order can be changed only once.",
            ],
        ),
        (
            "calendar-v2-train-0-1037",
            ["Wendell Laurent is its only guest. Should I take him off this one time only, or of the other ones too?"],
        ),
    ],
)
def test_a_question_that_goes_on_with_the_wish_is_no_refusal(name: str, lines: list[str]) -> None:
    said = last(name, 1, *lines)
    assert not is_act(said, "insist") and not is_act(said, "accept")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        (
            "marketplace-v2-train-0-1915",
            "The next bid must be at least $60.06, so a maximum of $60.00 won't be accepted. Would you like to go up "
            "to $60.06? If so, what should your maximum be?",
        ),
        (
            "filesystem-v2-train-0-0502",
            "You only have 8,921,426 bytes free, so a full copy doesn't fit. You said there was something else you'd "
            "settle for - what would that be?",
        ),
        (
            "payments-v2-train-0-0135",
            "It is only $153.50, so $155 can't be refunded. Would you like me to refund $153.50, as fraud?",
        ),
        (
            "payments-v2-train-0-0135",
            "$155 is more than was paid, so I can't send back that much. Should I refund the full $153.50 instead? And "
            "what's the reason for the refund?",
        ),
        (
            "banking-v2-train-0-1344",
            "Without your PIN I'm not able to send any payment. You mentioned a second choice, what would that be?",
        ),
    ],
)
def test_what_is_turned_down_beside_a_question_is_given_up(name: str, line: str) -> None:
    task, said = train(name), last(name, 1, line)
    fallback = task.goals[0].fallback
    assert (fallback.utterance in said) if fallback else (is_act(said, "accept") or is_act(said, "insist"))


def test_what_was_told_in_bold_or_beside_a_count_was_told() -> None:
    task = train("filesystem-v2-train-0-1026")
    told = "Your **reports** folder has **5 files**, together **478 bytes**. Anything else you'd like to know?"
    assert task.goals[1].utterance in bank.talk(task, [told], "chatty")[-1]
    assert STOP in last("filesystem-v2-train-0-1026", 2, "In one line: line 4. Want me to change anything?")


def test_what_is_asked_after_a_report_is_not_told() -> None:
    planned = "T-3589, 3 Fjord raincoats (white, M) from Detroit to Newport: approve it?"
    told = "Done, T-3589 is approved: 3 Fjord raincoats (white, M) for Newport. Should I mark it as shipped, too?"
    assert STOP in last("retail_chain-v2-train-0-1867", 1, planned, told)
