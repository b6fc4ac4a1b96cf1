"""What is only made sure of, left to choose, asked in two parts or for a purpose, and how what is left is asked for."""

from __future__ import annotations

import re
from pathlib import Path

import bank
import pytest

from toolgym import domains
from toolgym.sandbox.kit.goal import Tell
from toolgym.sandbox.kit.message import STOP
from toolgym.sandbox.kit.task import read_tasks
from toolgym.sandbox.language.consent import is_no, is_yes
from toolgym.sandbox.users.asking import leaves_choice, parts_of, without_purpose
from toolgym.sandbox.users.slot_words import question_of
from toolgym.sandbox.users.topics import of_the_wish

PHOTO, SLIPPERS, BILL = "email-v2-dev-0-0073", "shopping-v2-dev-0-0016", "budget-v2-dev-0-0083"


def later(task: str, wish: int, *lines: str) -> list[str]:
    """The replies of a published task from a wish on."""
    dev = Path(domains.__file__).parent / task.split("-")[0] / "splits" / "v2" / "dev.jsonl.gz"
    found = next(each for each in read_tasks(dev) if each.id == task)
    return bank.talk(found.model_copy(update={"goals": found.goals[wish - 1 :]}), lines, "terse")


def test_the_right_one_made_sure_of_is_confirmed_and_stays_named() -> None:
    said = later(PHOTO, 2, "Two fit. You mean the mail of January 29, right?", "I'll label it Confidential. Shall I?")
    assert said[1].startswith("Yes.") and "January 29" in said[1] and is_yes(said[2])


def test_the_wrong_one_made_sure_of_is_not() -> None:
    assert not is_yes(later(PHOTO, 2, "Two fit. You mean the mail of January 27, right?")[1])


def test_what_is_so_now_is_heard_as_done() -> None:
    assert STOP in later(SLIPPERS, 3, "A pair of grey Indra slippers, medium, is in your cart now. That is $49.")[1]
    assert STOP not in later(SLIPPERS, 3, "I will put a pair of grey Indra slippers, medium, in your cart.")[1]


def test_after_a_yes_the_whole_wish_with_a_next_one_is_heard_as_done() -> None:
    agreed = "I'd put a pair of grey Indra slippers, medium, in your cart. Shall I?"
    named = "A pair of grey Indra slippers, medium, in the cart"
    assert "What is the total?" in later(SLIPPERS, 3, agreed, f"{named}, nobody was told. Anything else?")[2]
    for line in (f"{named}: that failed. Anything else?", f"{named}: nothing has been changed. Anything else?"):
        assert "total" not in later(SLIPPERS, 3, agreed, line)[2]


def test_a_choice_that_holds_the_wish_is_no_offer() -> None:
    reply = later(BILL, 2, "Stonebridge Insurance: shall I move the next date to April 7 or pause it for a week?")[1]
    assert not is_no(reply) and "April 7" in reply


@pytest.mark.parametrize(
    ("asked", "is_left"),
    [
        ("shall i move the date or pause the bill?", True),
        ("would you like one refunded or all exchanged?", True),
        ("shall i move the date or not?", False),
        ("shall i move the date?", False),
    ],
)
def test_what_leaves_a_choice(asked: str, is_left: bool) -> None:
    assert leaves_choice(asked) == is_left


def test_nothing_is_done_where_something_is_still_asked_for() -> None:
    asked = "Please tell me your user ID and how you'd like any fare difference settled."
    assert STOP not in later("airline-v2-dev-0-0093", 1, asked)[1]


def test_a_list_of_questions_is_answered_line_by_line() -> None:
    asked = "Sure! Two quick things first:\n1. Your user ID\n2. Travel insurance, yes or no?"
    reply = later("airline-v2-dev-0-0098", 1, asked)[1]
    assert "anika_abbott_2474" in reply and "insurance" in reply


def test_who_looks_something_up_is_waited_for() -> None:
    for said in ("I'll search them all. One moment.", "Looking at it now, give me a second..."):
        reply = later("banking-v2-dev-0-0086", 1, said)[1]
        assert not is_yes(reply) and "charge" not in reply


def test_a_choice_of_two_actions_gets_the_wish() -> None:
    reply = later("banking-v2-dev-0-0096", 3, "Do you want K-140 (1) frozen for now, or (2) blocked for good?")[1]
    assert "freeze card K-140" in reply and not is_no(reply)


def test_nobody_can_use_it_now_is_no_refusal() -> None:
    assert STOP in later("banking-v2-dev-0-0096", 3, "K-140 is frozen, reason: lost. Nobody can pay with it now.")[1]


def test_a_request_asks_for_nothing_that_it_is_only_meant_for() -> None:
    assert "reservation" not in without_purpose("may i have your user id so i can locate your reservation?")
    assert "trip" not in without_purpose("before i can pull up your trip, who is it?")
    assert "order" in without_purpose("could you tell me more to find your order?")


def test_who_one_is_belongs_to_no_wish() -> None:
    assert "name" not in of_the_wish("may i have your full name first?")
    assert "name" in of_the_wish("and the name of the file?")


def test_two_questions_with_and_are_two() -> None:
    assert len(parts_of("how much should i send, and could you give me the pin?")) == 2
    assert len(parts_of("is it the one from omaha and atlanta?")) == 1


def test_a_name_is_told_whoever_asks_for_it_in_whatever_way() -> None:
    for question in ("Who's asking, please?", "Who am I chatting with?", "Sure. And you are?"):
        assert "Omar Patel" in later("banking-v2-dev-0-0069", 1, question)[1]


@pytest.mark.parametrize(
    ("tell", "question"),
    [
        (Tell("next_on"), "When is the next one?"),
        (Tell("expires_at"), "When does it expire?"),
        (Tell("saved_card_digits"), "What are the saved card digits?"),
        (Tell("moved", near=("mail", "mails")), "How many mails were moved?"),
        (Tell("left_cents", near=("left",)), "How much is left?"),
        (Tell("status"), "What is the status?"),
        (Tell("total_cents", near=("total", "come", "comes")), "What is the total?"),
        (Tell("refund_cents", near=("refund", "back")), "How much is the refund?"),
        (Tell("price_cents", near=("alert", "price")), "At what price is the alert?"),
        (Tell("difference", kind="number", near=("difference", "piece")), "By how many pieces does it differ?"),
        (Tell("to.0", kind="text"), "Who did it go to?"),
    ],
)
def test_what_is_left_is_asked_for_in_plain_words(tell: Tell, question: str) -> None:
    assert question_of(tell) == question


def test_a_secret_is_not_told_for_a_word_that_holds_its_name() -> None:
    said = later("trading-v2-dev-0-0097", 1, "What portion of the Marlow Shipping holding do you want to sell?", "PIN?")
    pin = re.findall(r"\d{4,}", said[2])
    assert pin and pin[0] not in said[1]
