"""How much of the bank's part to tune on the user understands: as many rows as pinned, and no wrong yes."""

from __future__ import annotations

import bank
import pytest


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "right", "of"),
    [("confirmations", 98, 100), ("wrong_proposals", 120, 120), ("reports", 58, 60), ("not_reports", 29, 30)],
)
def test_as_many_rows_are_understood_as_pinned(name: str, right: int, of: int) -> None:
    rows = bank.Bank(bank.FOLDER, "tune")
    judged = [bank.is_right(name, row, rows.task(row))[0] for row in rows.rows(name)]
    assert (sum(judged), len(judged)) == (right, of)
