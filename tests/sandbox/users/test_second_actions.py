"""A second action beside the wished one gets no yes, whatever its verb; what comes with the wish spoils nothing."""

from __future__ import annotations

import bank
import pytest

from toolgym.sandbox.language.actions import synonyms
from toolgym.sandbox.language.consent import is_yes
from toolgym.sandbox.synthesis.world_words import words_of

PAYEE = "Harbor Books (GB61SHOP66058518579142) is going to be saved"
EVENT = "I would cancel the Design planning round on April 17"


@pytest.mark.parametrize(
    ("name", "says", "second"),
    [
        ("banking-dev-777-0056", PAYEE, "I'd also challenge the charge"),
        ("banking-dev-777-0056", PAYEE, "then I'd void the pending payment"),
        ("banking-dev-777-0056", PAYEE, "and lock your debit card"),
        ("calendar-dev-777-0043", EVENT, "and add two guests"),
        ("calendar-dev-777-0043", EVENT, "I'd also turn down the invitation"),
        ("calendar-dev-777-0043", EVENT, "and push the standup"),
    ],
)
def test_a_second_action_gets_no_yes(name: str, says: str, second: str) -> None:
    task = bank.Bank(bank.FOLDER, "tune").tasks[name]
    joint = " " if second.startswith("and") else ". First that, " if second.startswith("then") else ". "
    assert is_yes(bank.talk(task, [f"{says}. Okay?"], "chatty")[-1])
    assert not is_yes(bank.talk(task, [f"{says}{joint}{second}. Okay?"], "chatty")[-1])


@pytest.mark.parametrize(
    "beside",
    [
        " and send you a confirmation",
        " and inform the people who were invited",
        ", and leave every other date of the series untouched",
    ],
)
def test_what_comes_with_the_wish_gets_its_yes(beside: str) -> None:
    task = bank.Bank(bank.FOLDER, "tune").tasks["calendar-dev-777-0043"]
    assert is_yes(bank.talk(task, [f"{EVENT}{beside}. Okay?"], "chatty")[-1])


def test_a_verb_leads_to_its_own_synonyms_and_no_further() -> None:
    payee = words_of("banking").verbs("add_payee")
    assert {"add", "save", "register", "enter"} <= payee
    assert not payee & {"schedule", "book", "refuel", "credit", "remind"}
    assert not synonyms(frozenset(("send",)), frozenset()) & {"compensate", "credit"}
    assert synonyms(frozenset(("scrap",)), frozenset()) >= {"cancel", "delete"}, "one without words of its own"
