"""Questions that nothing of the wish answers, or only a part of it: what a sensible person says to them."""

from __future__ import annotations

import bank
import pytest

from toolgym.sandbox.language.dialogue_acts import parse_act
from toolgym.sandbox.language.nlg_templates import is_act
from toolgym.sandbox.users.asking import asks_further, asks_more_of_it, asks_second_choice, without_further
from toolgym.sandbox.users.asking_words import asks_key
from toolgym.sandbox.users.refusal_reading import leaves_it

_HEADPHONES, _SHOES, _CANCEL = "retail-test-0-0010", "retail-test-0-0044", "retail-test-0-0016"
_FOUND = "I found order #W6695036 with the Dumbbell Set and the Webcam. What changes would you like? "
_OPTIONS = "For the Dumbbell Set we have coating (rubber, vinyl, chrome) and set (fixed, adjustable)."
_VARIANT = "We have black, size {}, trail for $120. Is this the variant you're after?"


def _replies(name: str, *says: str, wish: int = 1, style: str = "terse") -> list[str]:
    part = bank.Bank(bank.FOLDER, "tune")
    return bank.talk(part.task({"task": name, "wish": wish}), says, style)[1:]


@pytest.mark.parametrize("style", bank.STYLES)
def test_options_told_with_a_question_are_no_report(style):
    assert "chrome" in _replies("retail-test-0-0019", _FOUND + _OPTIONS, style=style)[-1]


def test_a_message_that_names_nothing_is_no_proposal_though_all_is_told():
    said = _replies(
        _CANCEL,
        "To confirm: you ordered #W8157235 by mistake and want it cancelled?",
        "Let me check that… one moment please.",
        "And do you happen to know the exact date you placed it?",
    )
    assert is_act(said[1], "wait")
    assert is_act(said[2], "unknown")


def test_nobody_says_yes_to_what_it_does_not_want_any_of():
    says = "1. Will anyone need checked bags (and how many)?\n2. Would you like travel insurance at $30 per passenger?"
    said = _replies("airline-test-0-0022", f"A few questions:\n{says}", style="chatty")[-1]
    assert "no checked bags" in said
    assert not is_act(said, "yes_fact")
    assert "Uma Delgado" not in said


def test_a_question_for_more_is_for_no_fact():
    assert is_act(_replies(_CANCEL, "Are there any other orders you'd like me to look at?")[-1], "only")
    said = _replies("retail-test-0-0096", "Would you like to exchange just this, or anything else of that order?")[-1]
    assert is_act(said, "only")
    assert asks_more_of_it("should i take him off this one time only, or the whole series?")
    assert not asks_further("is there any other color that you'd prefer instead?")
    heard = parse_act("Is there anything further you'd like to return? Where should the refund go?")
    assert without_further(heard, has_scope=False).asked.startswith("where")


def test_whoever_knows_what_it_wants_has_a_preference():
    table = "| Color | Type |\n|---|---|\n| white | over-ear |\n| blue | over-ear |\nWhich one would you like?"
    assert "blue" in _replies(_HEADPHONES, table)[-1]


def test_the_number_of_an_order_is_told_where_options_are_asked_for_as_well():
    said = _replies("retail-test-0-0061", "I need the order number and the options you'd like, please.")[-1]
    assert "#W6379537" in said


def test_a_question_for_what_is_untold_refuses_nothing():
    says = "Your order with the headphones has been delivered to you. How would you like to pay instead?"
    assert "PayPal" in _replies(_HEADPHONES, says)[-1]


def test_a_second_choice_comes_when_it_is_asked_for_after_any_no():
    said = _replies(_HEADPHONES, "I'm not able to get you the blue ones. You had a second choice, what is it?")[-1]
    assert "white" in said
    assert "white" not in _replies(_HEADPHONES, "I'll look for the blue ones. What else would you like to know?")[-1]
    assert asks_second_choice("is there something else that you'd like?")


def test_to_leave_it_is_no_wish():
    assert leaves_it("so shall we leave it here?")
    assert leaves_it("shall i leave it like that?")
    assert not leaves_it("shall i leave the blue one and return the red one?")
    said = _replies(_CANCEL, "It is #W8157235, ordered by mistake. So shall I leave it as it is?")[-1]
    assert is_act(said, "insist")


def test_of_two_ways_that_it_does_not_name_a_user_prefers_none():
    says = "Before I go on - how should I sort the list?\n1. alphabetically or by number?\n2. ascending or descending?"
    assert is_act(_replies(_CANCEL, "What is your e-mail, and which order is it?", says)[-1], "no_preference")


def test_a_sort_of_order_is_no_number():
    assert asks_key("what is its number?")
    assert not asks_key("alphabetically or by number?")


def test_what_one_does_not_have_one_does_not_know():
    says = "Should there be a note on it? And please give me your passcode so that I can go on."
    said = _replies(_CANCEL, "What is your e-mail, and which order is it?", says)[-1]
    assert is_act(said, "unknown")
    assert said.endswith("my passcode.")
