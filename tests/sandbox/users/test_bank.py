"""How much of the bank the user and the verifier understand: of 500 rows as many in a hundred as held, by file."""

from __future__ import annotations

from collections import Counter
from functools import cache

import bank
import pytest
from bank_rows import FILES, FOLDER, PARTS, Bank, drawn

pytestmark = pytest.mark.slow

HELD = {
    "confirmations": 85, "wrong_proposals": 95, "reports": 93, "not_reports": 95, "questions": 93,
    "refusals_heard": 93, "not_refusals": 80, "refusals_reason": 90, "no_reasons": 83, "answers": 90,
    "wrong_answers": 88, "dialogues": 75,
}  # fmt: skip
"""The least percentage of each file: five less than was found, so that a word or two may change."""


@cache
def _judged() -> tuple[Counter[str], Counter[str], list[str]]:
    """The rows of each file that are right, all of them, and those that are not."""
    right, every, missed = Counter[str](), Counter[str](), []
    rows = Bank(FOLDER, PARTS[0])
    for row in drawn(FOLDER, 500):
        is_right, reply = bank.is_right(row["file"], row, rows.task(row))
        every[row["file"]] += 1
        right[row["file"]] += is_right
        if not is_right:
            missed.append(f"{row['file']} ({row['kind']}): {row['says']} -> {reply}")
    return right, every, missed


@pytest.mark.parametrize("name", FILES)
def test_as_many_rows_in_a_hundred_are_understood_as_held(name: str) -> None:
    right, every, missed = _judged()
    assert 100 * right[name] >= HELD[name] * every[name], [each for each in missed if each.startswith(f"{name} ")]
    assert every[name] == 500 // len(FILES)
