"""What is a question without its mark, and what asks for a thing whatever it denies."""

from __future__ import annotations

import pytest

from toolgym.sandbox.language.dialogue_acts import parse_act
from toolgym.sandbox.language.questions import is_question, opens_question


@pytest.mark.parametrize("text", ["what's the name on the booking", "hey where should it go", "which one is it?"])
def test_a_question_needs_no_mark(text: str) -> None:
    assert is_question(text)


@pytest.mark.parametrize("text", ["what i would do is wait", "when it is done, i write.", "where we are: step two"])
def test_a_statement_that_begins_like_one_is_none(text: str) -> None:
    assert not is_question(text)


def test_what_is_denied_in_a_question_is_no_refusal() -> None:
    assert opens_question("which card pays what the credit doesn't cover?")
    assert not parse_act("Which card pays what the credit doesn't cover?").refuses


def test_a_kind_request_is_one() -> None:
    assert parse_act("Kindly share the number of the booking.").asked
