"""What right calls come to may be said of a wish, and which other actions could take what is named."""

from __future__ import annotations

from datetime import time

import bank
import pytest

from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.users.outcome import Outcome
from toolgym.sandbox.users.wish import Wish

SHIFT = "budget-v2-test-0-0092"


@pytest.fixture(scope="module")
def wish() -> Wish:
    """$37.05 more for the holiday fund, from house."""
    task = bank.Bank(bank.FOLDER, "tune").tasks[SHIFT]
    return Wish(task, task.goals[0])


@pytest.mark.parametrize(
    ("said", "is_explained"),
    [("$37.05", True), ("$169.95", True), ("$229.05", True), ("$207.00", False), ("$41.00", False)],
)
def test_amounts_that_come_of_it_are_explained(wish: Wish, said: str, is_explained: bool) -> None:
    (mention,) = find_mentions(said, wish.person.lexicon, wish.now)
    assert wish.explains(mention) is is_explained


def test_a_stored_text_that_is_like_no_date_is_no_moment():
    outcome = Outcome(shown=frozenset({("body", "Hi Nina,\n\nThanks for the pears"), ("start", "2026-03-17T09:30:00")}))
    said = Mention("time", time(9, 30), 0, 7, "9:30 am")
    assert outcome.columns_of(said) == {"start"}
