"""Checks that are skipped since a message lacks their words would have found nothing in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import bank
import pytest

from toolgym.sandbox.language.dialogue_acts import parse_act
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.users.checks import BESIDE, CHANGED, CHANGED_DETAILS
from toolgym.sandbox.users.checks.closed_classes import changing_words
from toolgym.sandbox.users.checks.proposal import Proposal
from toolgym.sandbox.users.checks.skipping import Checks, needs_of, only_where
from toolgym.sandbox.users.checks.word_classes import CLASSES
from toolgym.sandbox.users.wish import Wish, wish_of


def _proposals(part: str) -> Iterator[tuple[Proposal, Wish]]:
    rows = bank.Bank(bank.FOLDER, part)
    for name in ("confirmations", "wrong_proposals"):
        for row in rows.rows(name):
            task = rows.task(row)
            wish = wish_of(task, task.goals[0])
            if wish.declared is not None:
                yield Proposal(parse_act(row["says"]), wish), wish


@pytest.mark.parametrize("part", ["tune_20"])
def test_what_is_skipped_finds_nothing(part: str) -> None:
    skipped = 0
    for proposal, wish in _proposals(part):
        for checks in (BESIDE, CHANGED, CHANGED_DETAILS):
            for check in set(checks.listed) - set(checks.asked(proposal)):
                skipped += 1
                assert list(check(proposal, wish)) == [], (check, proposal.plain)
        brought = [each for each in CLASSES if re.search(each.brings.pattern, proposal.text)]
        assert brought or not list(changing_words(proposal, wish))
    assert skipped > 1000


def test_a_check_that_declares_nothing_is_always_asked() -> None:
    def plain(proposal: Proposal, wish: Wish) -> Iterator[str]:
        yield "found"

    @only_where(Prefiltered(r"\bfees?\b"), Prefiltered(r"\bno (?:cost|charge)\b"))
    def of_fees(proposal: Proposal, wish: Wish) -> Iterator[str]:
        yield "a fee"

    proposals = list(_proposals("tune_20"))
    checks = Checks[Wish](of_fees, plain)
    asked = {len(checks.asked(proposal)) for proposal, _ in proposals}
    assert asked == {1, 2}
    for proposal, wish in proposals:
        spoken_of = of_fees in checks.asked(proposal)
        assert spoken_of or not re.search(r"\bfees?\b|\bno (?:cost|charge)\b", proposal.text)
        assert checks.first_found(proposal, wish) == ("a fee" if spoken_of else "found")
    assert needs_of(plain) == ()
