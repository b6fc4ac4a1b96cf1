"""How much of the bank's parts to tune on the user understands: as many of every third row as pinned."""

from __future__ import annotations

import bank
import pytest

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("part", "name", "right", "of"),
    [
        ("tune", "confirmations", 34, 34),
        ("tune", "wrong_proposals", 40, 40),
        ("tune", "reports", 20, 20),
        ("tune", "not_reports", 10, 10),
        ("tune_5", "confirmations", 48, 50),
        ("tune_5", "wrong_proposals", 58, 60),
    ],
)
def test_as_many_rows_are_understood_as_pinned(part: str, name: str, right: int, of: int) -> None:
    rows = bank.Bank(bank.FOLDER, part)
    judged = [bank.is_right(name, row, rows.task(row))[0] for row in list(rows.rows(name))[::3]]
    assert (sum(judged), len(judged)) == (right, of)
