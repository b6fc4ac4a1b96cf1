"""Rows that are read once: what is worked out of them is shared by all, unless it looked at one person or the clock."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import pytest

from toolgym.domains.banking.schema import Account, Customer
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.remembered import Remembered
from toolgym.sandbox.runtime.session import Session


def _two() -> tuple[Remembered, Remembered]:
    """Two people's databases over the same rows."""
    session, known = Session("banking"), dict[Hashable, Any]()
    keys = [row.customer_id for row in session.database.find(Customer)[:2]]
    one, other = (Remembered(session.database, known, (key,)) for key in keys)
    return one, other


IMPERSONAL: list[Callable[[Database], Any]] = [
    lambda database: len(database.find(Account)),
    lambda database: database.find(Customer)[0].customer_id,
    lambda database: database.query("SELECT count(*) FROM accounts")[0][0],
]
PERSONAL: list[Callable[[Database], Any]] = [
    lambda database: database.owner(Customer).customer_id,
    lambda database: [row.account_id for row in database.mine(Account)],
    lambda database: [row.account_id for row in database.find(Account) if database.is_own(row)],
]


@pytest.mark.parametrize("work", IMPERSONAL)
def test_what_looks_at_nobody_is_worked_out_once_for_all(work: Callable[[Database], Any]) -> None:
    one, other = _two()
    made = one.worked_out("it", lambda: work(one))
    assert made == work(other)
    assert other.worked_out("it", lambda: pytest.fail("it was worked out before")) == made


@pytest.mark.parametrize("work", PERSONAL)
def test_what_looks_at_a_person_is_theirs_alone(work: Callable[[Database], Any]) -> None:
    one, other = _two()
    assert one.worked_out("it", lambda: work(one)) != other.worked_out("it", lambda: work(other))
    assert one.worked_out("it", lambda: pytest.fail("it was worked out before")) == work(one)


def test_what_looks_at_the_clock_is_not_shared() -> None:
    one, other = _two()
    other.now = one.now.replace(year=one.now.year + 1)
    assert one.worked_out("it", lambda: one.now.year) + 1 == other.worked_out("it", lambda: other.now.year)


def test_what_is_built_on_something_personal_is_personal_too() -> None:
    one, other = _two()

    def whole(database: Remembered) -> str:
        return f"{database.worked_out('whose', lambda: database.owner(Customer).customer_id)}!"

    for _ in range(2):  # the second time the inner one is remembered
        assert one.worked_out("whole", lambda: whole(one)) != other.worked_out("whole", lambda: whole(other))
    assert one.worked_out("again", lambda: whole(one)) != other.worked_out("again", lambda: whole(other))
