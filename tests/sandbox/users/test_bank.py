"""How much of the bank's parts to tune on the user understands: as many rows as pinned."""

from __future__ import annotations

import bank
import pytest

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("part", "name", "right", "of"),
    [
        ("tune", "confirmations", 100, 100),
        ("tune", "wrong_proposals", 120, 120),
        ("tune", "reports", 60, 60),
        ("tune", "not_reports", 30, 30),
        ("tune_5", "confirmations", 141, 150),
        ("tune_5", "wrong_proposals", 177, 180),
    ],
)
def test_as_many_rows_are_understood_as_pinned(part: str, name: str, right: int, of: int) -> None:
    rows = bank.Bank(bank.FOLDER, part)
    judged = [bank.is_right(name, row, rows.task(row))[0] for row in rows.rows(name)]
    assert (sum(judged), len(judged)) == (right, of)
