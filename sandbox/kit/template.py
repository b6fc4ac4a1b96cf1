"""The SQLite database from which a world's sessions start: filled once, read by all, copied by those who write."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from sqlalchemy.dialects import sqlite
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.schema import CreateIndex, CreateTable

from toolgym.sandbox.kit.author_errors import place_of
from toolgym.sandbox.kit.database import Database, Row
from toolgym.sandbox.kit.errors import ConfigurationError

SPARE = 4
"""Copies that are kept for the next who write: opening one and reading its schema costs more than most calls."""


class DatabaseTemplate:
    """A filled SQLite database from which sessions start.

    Attributes:
        content: the database file's bytes.
    """

    def __init__(self, base: type[DeclarativeBase], fill: Callable[[Database], None], now: datetime) -> None:
        self.content: bytes = _filled(base, fill, now)
        self.read: dict[Hashable, Row] = {}
        """Rows that were read by key before they were written, as they are stored, whose they are, and highest keys."""
        self._spare: list[sqlite3.Connection] = []

    def copy(self) -> sqlite3.Connection:
        """A private, writable database with the template's content."""
        try:
            return self._spare.pop()
        except IndexError:
            connection = _connect()
            connection.deserialize(self.content)
            connection.execute("PRAGMA foreign_keys = ON")
            return connection

    def take_back(self, connection: sqlite3.Connection) -> None:
        """A copy that has the template's content again; whoever had it uses it no more."""
        if len(self._spare) < SPARE:
            self._spare.append(connection)
        else:
            connection.close()

    @cached_property
    def reader(self) -> sqlite3.Connection:
        """The database that sessions share until they write; it refuses to be written."""
        connection = self.copy()
        connection.execute("PRAGMA query_only = ON")
        return connection


@dataclass(frozen=True)
class _Blank:
    """A template while it is filled: what is written is the template itself."""

    reader: sqlite3.Connection
    read: dict[Hashable, Row] = field(default_factory=dict)

    def copy(self) -> sqlite3.Connection:
        return self.reader

    def take_back(self, connection: sqlite3.Connection) -> None:
        connection.close()


def _filled(base: type[DeclarativeBase], fill: Callable[[Database], None], now: datetime) -> bytes:
    """The bytes of a database with these tables and rows."""
    connection = _connect()
    for table in base.metadata.sorted_tables:
        # every table has its own key, so the hidden row number and its index would only cost memory
        connection.execute(f"{CreateTable(table).compile(dialect=sqlite.dialect())} WITHOUT ROWID")
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            connection.execute(str(CreateIndex(index).compile(dialect=sqlite.dialect())))
    database = Database(_Blank(connection), now=now, seed=0)
    database.begin(writable="all")
    fill(database)
    connection.commit()
    connection.execute("ANALYZE")
    connection.execute("VACUUM")
    try:
        broken = connection.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.OperationalError as error:
        raise ConfigurationError(
            f"{place_of(base)}the tables' foreign keys do not fit: {error}; each names the only key of its table."
        ) from error
    if broken:
        raise ConfigurationError(f"The seed data breaks a foreign key: table {broken[0]}, row {broken[1]}.")
    content = connection.serialize()
    connection.close()
    return content


def _connect() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False, cached_statements=256)
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection
