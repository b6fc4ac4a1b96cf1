"""Rows read by key, and whose they are, are remembered by all sessions of a world until one writes, never longer."""

from __future__ import annotations

from typing import Any

import pytest

from toolgym.domains.banking.schema import Account
from toolgym.domains.calendar.schema import Calendar
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.storage import stored_as
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session


@pytest.fixture
def read() -> Database:
    """A session's rows, all of whose accounts were read."""
    database = Session("banking").database
    for row in database.find(Account):
        database.get(Account, row.account_id)
    return database


def _first(database: Database) -> Any:
    return database.find(Account)[0]


def _columns(row: Any) -> dict[str, Any]:
    return {name: getattr(row, name) for name in stored_as(Account).columns}


def test_a_written_row_is_read_anew_and_in_its_own_session_alone(read: Database) -> None:
    row = _first(read)
    read.update(row, balance_cents=row.balance_cents + 7)
    assert read.get_one(Account, row.account_id).balance_cents == row.balance_cents + 7
    read.update(read.get_one(Account, row.account_id), balance_cents=3)
    assert read.get_one(Account, row.account_id).balance_cents == 3
    assert Session("banking").database.get(Account, row.account_id) == row


def test_an_undone_write_is_not_remembered(read: Database) -> None:
    row = _first(read)
    read.begin(writable="all")
    read.update(row, balance_cents=3)
    assert read.get_one(Account, row.account_id).balance_cents == 3
    read.cancel()
    assert read.get(Account, row.account_id) == row


def test_a_call_is_undone_alone_and_what_a_closed_session_wrote_is_seen_by_nobody() -> None:
    session = Session("banking")
    database, rows = session.database, session.database.find(Account)
    database.begin(writable="all")
    kept = database.update(rows[0], balance_cents=3)
    database.begin(writable="all")
    database.delete(database.insert(Account, **{**_columns(rows[0]), "account_id": database.new_id(Account)}))
    database.update(rows[1], balance_cents=4)
    database.cancel()
    assert database.find(Account) == [kept, *rows[1:]]
    session.close()
    later = Session("banking").database
    assert later.update(rows[1], balance_cents=5).balance_cents == 5  # in the copy that the closed one had
    assert [row.balance_cents for row in later.find(Account)[:2]] == [rows[0].balance_cents, 5]


def test_a_row_that_was_not_there_is_found_once_it_is(read: Database) -> None:
    row = _first(read)
    key = read.new_id(Account)
    assert read.get(Account, key) is None
    made = read.insert(Account, **{**_columns(row), "account_id": key})
    assert read.get(Account, key) == made
    read.delete(made)
    assert read.get(Account, key) is None


def test_keys_go_on_from_the_highest_there_is_in_the_session() -> None:
    usual = [Session("banking").database.new_id(Account) for _ in range(2)]
    assert usual[0] == usual[1]
    database = Session("banking").database
    highest = max(database.find(Account), key=lambda row: int(row.account_id.rsplit("-")[-1]))
    letters, _, number = highest.account_id.rpartition("-")
    later = f"{letters}-{int(number) + 40}"
    database.insert(Account, **{**_columns(highest), "account_id": later})
    assert database.new_id(Account) == f"{letters}-{int(number) + 41}"
    assert usual[0] == f"{letters}-{int(number) + 1}"


def test_whose_a_row_is_is_asked_anew_once_something_is_written() -> None:
    world = get_domain("calendar")
    owner = world.owner_keys()[0]
    database = Session(world, task=Task(id="t", domain="calendar", owner=owner)).database
    shared = next(row for row in database.mine(Calendar) if row.email != owner)
    assert database.is_own(shared) and database.is_own(shared)
    unshared = database.update(shared, team_rights=None)
    assert not database.is_own(unshared)
    again = Session(world, task=Task(id="t", domain="calendar", owner=owner)).database
    assert again.is_own(shared)
    other = Session(world, task=Task(id="t", domain="calendar", owner=_stranger(world, shared))).database
    assert not other.is_own(shared)


def _stranger(world: Domain, shared: Calendar) -> str:
    """Somebody who does not see a calendar."""
    sessions = (Session(world, task=Task(id="t", domain="calendar", owner=key)) for key in world.owner_keys())
    seeing = (each for each in sessions if shared not in each.database.mine(Calendar))
    task = next(seeing).task
    assert task is not None and isinstance(task.owner, str)
    return task.owner


def test_columns_that_stay_as_they_were_are_kept_by_a_write_and_by_its_undoing(read: Database) -> None:
    row, others = _first(read), read.find(Account)[1:]
    mark = read.state.mark()
    assert read.update(row, balance_cents=row.balance_cents) == row
    changed = read.update(row, balance_cents=row.balance_cents + 7)
    assert _columns(changed) == {**_columns(row), "balance_cents": row.balance_cents + 7}
    assert read.find(Account) == [changed, *others]
    read.restore(mark)
    assert read.find(Account) == [row, *others]
