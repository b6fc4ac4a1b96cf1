"""The durable store of sessions: for each its origin and its events, in one SQLite database shared by all workers.

Appending is optimistic: an event names its place in its session's order, and a place is given once. A worker that
has not seen another's event cannot append, so it catches up and tries again; nothing is lost and nothing applied twice.
Knows nothing of domains and tools.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from sandbox.errors import InfrastructureError

BUSY_SECONDS = 5.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS sessions (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, origin TEXT NOT NULL,
    created REAL NOT NULL, expires REAL NOT NULL, ended REAL, reason TEXT, open_key TEXT UNIQUE, request TEXT);
CREATE INDEX IF NOT EXISTS open_sessions ON sessions (expires) WHERE ended IS NULL;
CREATE INDEX IF NOT EXISTS ended_sessions ON sessions (ended) WHERE ended IS NOT NULL;
CREATE TABLE IF NOT EXISTS events (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT, body TEXT NOT NULL, value TEXT);
"""
# an event's id is its session's number and its place, 32 bits each: appending touches one page, and few others
_APPEND = "INSERT INTO events VALUES (?1 << 32 | ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING"
_OF_SESSION = "id > ?1 << 32 AND id < (?1 + 1) << 32"


class StorageError(InfrastructureError):
    """The data directory cannot be written; nothing was applied."""

    def __init__(self, message: str) -> None:
        super().__init__("session", message)

    def __reduce__(self) -> tuple[type[StorageError], tuple[str]]:  # type: ignore[override]  # one argument
        return StorageError, (self.message,)


class Event(NamedTuple):
    """Something that happened to a session.

    Attributes:
        place: from 1, without gaps.
        kind: call, rollback or end.
        key: the idempotency key of a call.
        body: JSON text; of a call its record without the value.
        value: JSON text of a call's value.
    """

    place: int
    kind: str
    key: str | None
    body: str
    value: str | None


@dataclass(frozen=True, slots=True)
class Row:
    """A session as stored; times in seconds since the epoch."""

    number: int
    id: str
    origin: str
    created: float
    expires: float
    ended: float | None
    reason: str | None
    request: str | None


class Store:
    """One worker's connection to the store.

    Args:
        path: the database file; its folder must exist.

    Raises:
        StorageError: from every method, when the disk is full or failing; nothing was written then.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with _explained():
            self._connection = connect(path)
            self._connection.executescript(_SCHEMA)
            self._connection.execute("PRAGMA busy_timeout = 0")
        self.dirty = False

    def open(
        self,
        identifier: str,
        origin: str,
        *,
        now: float,
        expires: float,
        limit: int,
        key: str | None = None,
        request: str | None = None,
        events: Iterable[Event] = (),
    ) -> Row | None:
        """Store a new session; None when `limit` sessions are open already.

        When another session was opened with the same `key`, that one is returned.
        """
        with self._transaction():
            if key is not None and (earlier := self._find("open_key", key)) is not None:
                return earlier
            count = self._execute(
                "SELECT count(*) FROM sessions WHERE ended IS NULL AND expires > ?", (now,)
            ).fetchone()[0]
            if count >= limit:
                return None
            number = self._execute(
                "INSERT INTO sessions (id, origin, created, expires, open_key, request) VALUES (?, ?, ?, ?, ?, ?)",
                (identifier, origin, now, expires, key, request),
            ).lastrowid
            assert number is not None
            self._connection.executemany(_APPEND, [(number, *event) for event in events])
        return Row(number, identifier, origin, now, expires, None, None, request)

    def find(self, identifier: str) -> Row | None:
        """The session with this id, ended or not."""
        with _explained():
            return self._find("id", identifier)

    def append(self, number: int, event: Event) -> bool:
        """Add an event; False when its place is taken already, by an event that the caller has not seen."""
        try:
            fresh = self._execute(_APPEND, (number, *event)).rowcount == 1
        except sqlite3.Error as error:
            raise _explanation(error) from error
        self.dirty = True
        return fresh

    def events(self, number: int, after: int = 0) -> Iterator[Event]:
        """The events of a session in order, from the one after the place `after`."""
        with _explained():
            rows = self._execute(
                "SELECT id & 0xffffffff, kind, key, body, value FROM events "
                f"WHERE {_OF_SESSION} AND id > ?1 << 32 | ?2 ORDER BY id",
                (number, after),
            ).fetchall()
        return map(Event._make, rows)

    def event(self, number: int, place: int) -> Event:
        """One event of a session, which must be there."""
        with _explained():
            row = self._execute(
                "SELECT ?2, kind, key, body, value FROM events WHERE id = ?1 << 32 | ?2", (number, place)
            ).fetchone()
        return Event._make(row)

    def end(self, number: int, *, now: float, reason: str) -> None:
        """Mark a session as ended, so that no worker can append to it any more. Ending twice is harmless."""
        with self._transaction():
            changed = self._execute(
                "UPDATE sessions SET ended = ?, reason = ? WHERE number = ? AND ended IS NULL", (now, reason, number)
            ).rowcount
            if changed:
                self._execute(
                    "INSERT INTO events SELECT ?1 << 32 | coalesce(max(id) & 0xffffffff, 0) + 1, 'end', NULL, ?2, NULL "
                    f"FROM events WHERE {_OF_SESSION}",
                    (number, json.dumps({"reason": reason})),
                )

    def expired(self, now: float) -> list[int]:
        """The numbers of the open sessions whose time is over."""
        with _explained():
            found = self._execute("SELECT number FROM sessions WHERE ended IS NULL AND expires <= ? LIMIT 500", (now,))
            return [row[0] for row in found]

    def ended_since(self, moment: float) -> list[int]:
        """The numbers of the sessions that ended at or after a moment."""
        with _explained():
            return [row[0] for row in self._execute("SELECT number FROM sessions WHERE ended >= ?", (moment,))]

    def forget(self, before: float) -> int:
        """Delete the sessions that ended before a moment, a few hundred at a time; returns how many."""
        with self._transaction():
            gone = self._execute(
                "SELECT number FROM sessions WHERE ended < ? ORDER BY ended LIMIT 200", (before,)
            ).fetchall()
            self._connection.executemany(f"DELETE FROM events WHERE {_OF_SESSION}", gone)
            self._connection.executemany("DELETE FROM sessions WHERE number = ?", gone)
        return len(gone)

    def count_open(self, now: float) -> int:
        """How many sessions are open."""
        with _explained():
            row = self._execute("SELECT count(*) FROM sessions WHERE ended IS NULL AND expires > ?", (now,)).fetchone()
        return int(row[0])

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _find(self, column: str, value: str) -> Row | None:
        row = self._execute(
            f"SELECT number, id, origin, created, expires, ended, reason, request FROM sessions WHERE {column} = ?",
            (value,),
        ).fetchone()
        return None if row is None else Row(*row)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _explained():
            self._execute("BEGIN IMMEDIATE")
            try:
                yield
                self._execute("COMMIT")
            except BaseException:
                self._cancel()
                raise
        self.dirty = True

    def _execute(self, sql: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Run a statement. Others hold the lock for tens of microseconds, less than SQLite's shortest wait of 1 ms."""
        give_up = 0.0
        while True:
            try:
                return self._connection.execute(sql, values)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                    raise
                now = time.monotonic()
                give_up = give_up or now + BUSY_SECONDS
                if now > give_up:
                    raise
                time.sleep(0.00002)

    def _cancel(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


def connect(path: Path) -> sqlite3.Connection:
    """A connection that commits to the operating system, not to the disk: see `sandbox.server.flushing`."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=BUSY_SECONDS, check_same_thread=False)
    connection.execute(
        "PRAGMA page_size = 1024"
    )  # a call is written as whole pages: small ones take two thirds of the time
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    return connection


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise _explanation(error) from error


def _explanation(error: sqlite3.Error) -> StorageError:
    full = getattr(error, "sqlite_errorcode", 0) & 0xFF in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}
    what = "is full or failing" if full else "cannot be used"
    return StorageError(f"The data directory {what} ({error}); nothing was applied.")
