"""A second thing that is joined to the wished one, or a swap, gets no yes; the same without it does."""

from __future__ import annotations

import bank
import pytest

from toolgym.sandbox.language.consent import is_yes


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        (
            "telecom-fresh-0068",
            "I'd get 617-555-0107 running again today. Yes?",
            "I'd get 617-555-0107 running again today and roaming is turned on. Yes?",
        ),
        (
            "banking-dev-777-0056",
            "Harbor Books (GB61SHOP66058518579142) is going to be saved. Do you consent?",
            "Harbor Books (GB61SHOP66058518579142) is going to be saved, and a payment of $1 sent. Okay?",
        ),
        (
            "banking-dev-777-0009",
            "P-8827 to Ana Stone is cancelled, as you asked. Alright?",
            "P-8827 to Ana Stone is cancelled and I remove Ana Stone from your payees. Alright?",
        ),
        (
            "calendar-dev-777-0043",
            "The Design planning round on April 17 will be cancelled, only this one. Proceed?",
            "The Design planning round on April 17 and every one after that will be cancelled. Proceed?",
        ),
        (
            "airline-v2-test-0-0051",
            "cyrus das out, alejandro adeyemi in on E67LKZ. yes?",
            "alejandro adeyemi out, cyrus das in on E67LKZ. yes?",
        ),
    ],
)
def test_what_is_joined_or_swapped_gets_no_yes(name: str, right: str, wrong: str) -> None:
    task = bank.Bank(bank.FOLDER, "tune").task({"task": name, "wish": 3 if name == "banking-dev-777-0009" else 1})
    assert is_yes(bank.talk(task, [right], "chatty")[-1])
    assert not is_yes(bank.talk(task, [wrong], "chatty")[-1])
