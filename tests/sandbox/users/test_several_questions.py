"""Several questions in one message, and what is not so without being in the way."""

from __future__ import annotations

import bank
import pytest

from toolgym.sandbox.language.nlg_templates import is_act
from toolgym.sandbox.users.asking import how_many_asked


def _reply(name: str, wish: int, says: str, style: str = "terse") -> str:
    part = bank.Bank(bank.FOLDER, "tune_25")
    return bank.talk(part.task({"task": name, "wish": wish}), [says], style)[-1]


def test_one_question_gets_its_answer_alone():
    said = _reply("retail_chain-v2-dev-0-0093", 1, "How many do you need?")
    assert "Tucson" not in said
    assert how_many_asked("how many do you need?") == 1
    assert how_many_asked("which folder, and where to?") == 2
    assert how_many_asked("please go ahead.") == 0


def test_nobody_knows_nothing_of_its_own_wish():
    said = _reply("marketplace-v2-dev-0-0014", 2, "What is your limit?")
    assert "$150" in said


@pytest.mark.parametrize("says", ["It hasn't been picked or shipped yet.", "There is no hold on it."])
def test_what_is_not_so_refuses_no_wish_that_can_be_had(says):
    assert not is_act(_reply("retail_chain-v2-dev-0-0008", 2, says), "insist")


@pytest.mark.parametrize(
    "says", ["Sorry, that is not possible.", "A transfer like this may not be called off any more."]
)
def test_what_may_not_be_done_is_a_refusal(says):
    assert is_act(_reply("retail_chain-v2-dev-0-0008", 2, says), "insist")
