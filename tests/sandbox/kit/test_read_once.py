"""Rows read by key are remembered by all sessions of a world until one writes, and never longer."""

from __future__ import annotations

from typing import Any

import pytest

from domains.banking.schema import Account
from sandbox.kit.database import Database
from sandbox.kit.storage import stored_as
from sandbox.runtime.session import Session


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
