"""What is not understood is asked back as a closed question, which gives nothing away and needs a plain yes."""

from __future__ import annotations

import bank
import pytest

from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.consent import asks_back, is_no, is_yes

SKIP = 'Only the occurrence on April 17 of "Design planning round" drops out. Would you like me to do so?'
SEND = "We take two hundred ten dollars from A-20828 and add it to A-20827. Let me know and I'll send it through."


def task(name: str, part: str = "tune_8") -> Task:
    return bank.Bank(bank.FOLDER, part).tasks[name]


TRANSFER, ROUND, END = "banking-dev-777-0003", "calendar-dev-777-0043", "banking-dev-777-0040"


PAY = task("banking-v2-test-0-0068", "tune_16")
AND_CLOSE = "I'm about to cancel the scheduled payment to Simone Arnold and close your savings account. Go?"


def second(task: Task) -> Task:
    return task.model_copy(update={"goals": task.goals[1:]})


@pytest.mark.parametrize("style", ["terse", "chatty", "polite", "impatient"])
@pytest.mark.parametrize(
    "answer", ["Yes.", "Yes, just that, nothing else.", "Right, without closing the account.", "Yes. Sorry about that."]
)
def test_what_is_beside_the_wish_is_declined_and_the_wish_alone_asked_for(answer: str, style: str) -> None:
    said = bank.talk(second(PAY), [AND_CLOSE, answer], style)
    assert is_no(said[1]) and asks_back(said[1]) and "cancel the scheduled payment" in said[1]
    assert is_yes(said[2]) and "clos" not in said[2]


@pytest.mark.parametrize("answer", ["Yes, and I'd close the account.", "Yes. I'll close the account, too.", AND_CLOSE])
def test_what_was_declined_gets_no_yes_the_second_time(answer: str) -> None:
    assert not any(map(is_yes, bank.talk(second(PAY), [AND_CLOSE, answer], "terse")))


def test_whoever_repeats_what_was_corrected_is_asked() -> None:
    says = "I'd move $310 from A-20828 to A-20827. Do you confirm?"
    said = bank.talk(task(TRANSFER), [says, says, "Yes."], "terse")
    assert "not $310" in said[1] and not asks_back(said[1])
    assert "not $310" in said[2] and "move $210" in said[2] and asks_back(said[2]) and is_yes(said[3])


def test_a_fact_that_is_told_on_request_is_not_given_away() -> None:
    held = task(END)
    assert [fact.name for fact in held.goals[0].facts if fact.on_request] == ["last_on"]
    for says in ("Keiko Mori's order S-323: shall I do that?", "S-323 goes, as you wish. Okay?"):
        said = bank.talk(held, [says, "Yes."], "chatty")
        assert "April 18" not in "".join(said) and not is_yes(said[-1])
