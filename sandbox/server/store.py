"""The durable store of sessions: for each its origin and its events, in one SQLite database shared by all workers.

Appending is optimistic: an event names its position in its session's order, and a position is given once. A worker that
has not seen another's event cannot append, so it catches up and tries again; nothing is lost and nothing applied twice.
Knows nothing of domains and tools.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from toolgym.sandbox.server.storefile import BUSY_SECONDS, Trouble, connect, explanation, open_file, try_writing
from toolgym.sandbox.server.storefile import StorageError as StorageError

FORGET_SECONDS = 0.05
# an event's id is its session's number and its position, 32 bits each: appending touches one page, and few others
APPEND = (
    "INSERT INTO events SELECT :number << 32 | :position, :kind, :key, :body, :value "
    "WHERE EXISTS (SELECT 1 FROM sessions WHERE number = :number AND ended IS NULL) ON CONFLICT DO NOTHING"
)
_OF_SESSION = "id > :number << 32 AND id < (:number + 1) << 32"
EVENTS = (
    f"SELECT id & 0xffffffff, kind, key, body, value FROM events WHERE {_OF_SESSION} AND id > :number << 32 | :after "
    "ORDER BY id"
)
OUTLINE = f"SELECT id & 0xffffffff, kind, iif(kind = 'rollback', body, '') FROM events WHERE {_OF_SESSION} ORDER BY id"
_LISTED = (
    "SELECT number, id, origin, created, expires, ended, reason, request, (SELECT coalesce(max(id) & 0xffffffff, 0) "
    "FROM events WHERE id > number << 32 AND id < (number + 1) << 32) FROM sessions"
)
PIECE_BYTES = 1_000_000
"""About so much of a log is in memory at once."""


class Event(NamedTuple):
    """Something that happened to a session.

    Attributes:
        position: from 1, without gaps.
        kind: call, rollback or end.
        key: the idempotency key of a call.
        body: JSON text; of a call its record without the value.
        value: JSON text of a call's value.
    """

    position: int
    kind: str
    key: str | None
    body: str
    value: str | None

    def row(self, number: int) -> dict[str, object]:
        """The values of `APPEND` that add the event to the session with this number."""
        return {"number": number, **self._asdict()}


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

    Attributes:
        dirty: something was committed since the flusher last looked.
        trouble: what the last failure was, until `check` has seen that it is over.

    Raises:
        StorageError: from every method, when the disk is full or failing; nothing was written then.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = open_file(path)
        self._connection.execute("PRAGMA busy_timeout = 0")
        self._identity = _identity_of(path)
        self.dirty = False
        self.trouble: Trouble | None = None
        self._gone = False

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
            self._connection.executemany(APPEND, [event.row(number) for event in events])
        return Row(number, identifier, origin, now, expires, None, None, request)

    def find(self, identifier: str) -> Row | None:
        """The session with this id, ended or not."""
        with self._explained():
            return self._find("id", identifier)

    def newest(self, limit: int) -> list[tuple[Row, int]]:
        """The sessions that were opened last, ended ones among them, each with the position of its last event."""
        with self._explained():
            found = self._execute(f"{_LISTED} ORDER BY number DESC LIMIT ?", (limit,)).fetchall()
        return [(Row(*row[:-1]), row[-1]) for row in found]

    def numbered(self, number: int) -> tuple[Row, int] | None:
        """A session by its number, with the position of its last event."""
        with self._explained():
            row = self._execute(f"{_LISTED} WHERE number = ?", (number,)).fetchone()
        return None if row is None else (Row(*row[:-1]), row[-1])

    def count(self) -> int:
        """How many sessions are kept, ended ones among them."""
        with self._explained():
            return int(self._execute("SELECT count(*) FROM sessions").fetchone()[0])

    def append(self, number: int, event: Event) -> bool:
        """Add an event; False when its position is taken by one the caller has not seen, or the session has ended."""
        self._require_file()
        try:
            fresh = self._execute(APPEND, event.row(number)).rowcount == 1
        except sqlite3.Error as error:
            raise self.noted(error) from error
        self.dirty = True
        return fresh

    def events(self, number: int, after: int = 0) -> Iterator[Event]:
        """The events of a session in order, from the one after the position `after`; read as they are asked for."""
        whole = False
        while not whole:
            with self._explained():
                some, whole = some_events(self._execute(EVENTS, {"number": number, "after": after}))
            yield from some
            after = some[-1].position if some else after

    def event(self, number: int, position: int) -> Event:
        """One event of a session, which must be there."""
        with self._explained():
            row = self._execute(
                "SELECT :position, kind, key, body, value FROM events WHERE id = :number << 32 | :position",
                {"number": number, "position": position},
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
                    "INSERT INTO events SELECT :number << 32 | coalesce(max(id) & 0xffffffff, 0) + 1, 'end', NULL, "
                    f":body, NULL FROM events WHERE {_OF_SESSION}",
                    {"number": number, "body": json.dumps({"reason": reason})},
                )

    def expired(self, now: float) -> list[int]:
        """The numbers of the open sessions whose time is over."""
        with self._explained():
            found = self._execute("SELECT number FROM sessions WHERE ended IS NULL AND expires <= ? LIMIT 500", (now,))
            return [row[0] for row in found]

    def closed_among(self, numbers: Sequence[int]) -> set[int]:
        """Which of these sessions have ended or are forgotten."""
        with self._explained():
            found = self._execute(
                "SELECT value FROM json_each(?) WHERE NOT EXISTS "
                "(SELECT 1 FROM sessions WHERE number = value AND ended IS NULL)",
                (json.dumps(numbers),),
            )
            return {row[0] for row in found}

    def is_open(self, number: int) -> bool:
        """Whether a session is there and has not ended."""
        return not self.closed_among([number])

    def forget(self, before: float) -> bool:
        """Delete sessions that ended before a moment, for a twentieth of a second; whether none is left."""
        oldest = "SELECT number FROM sessions WHERE ended < ? ORDER BY ended LIMIT 1"
        with self._explained():
            if self._execute(oldest, (before,)).fetchone() is None:
                return True
        some = f"DELETE FROM events WHERE id IN (SELECT id FROM events WHERE {_OF_SESSION} LIMIT 50)"
        give_up = time.monotonic() + FORGET_SECONDS
        with self._transaction():
            while (gone := self._execute(oldest, (before,)).fetchone()) is not None:
                if self._execute(some, {"number": gone[0]}).rowcount < 50:
                    self._execute("DELETE FROM sessions WHERE number = ?", gone)
                if time.monotonic() >= give_up:
                    break
        return gone is None

    def count_open(self, now: float) -> int:
        """How many sessions are open."""
        with self._explained():
            row = self._execute("SELECT count(*) FROM sessions WHERE ended IS NULL AND expires > ?", (now,)).fetchone()
        return int(row[0])

    def check(self) -> Trouble | None:
        """What is wrong with the store now, if anything; after a failure only a write shows that it is over.

        A damaged store stays damaged, and one whose file is gone stays gone, until a server is started on another.
        """
        if self.trouble == "damaged":
            return self.trouble
        self._gone = _identity_of(self.path) != self._identity
        if self._gone:
            self.trouble = "storage"
            return self.trouble
        try:
            if self.trouble is not None:
                try_writing(self._execute)
            self._execute("SELECT number FROM sessions LIMIT 1")
            self.trouble = None
        except sqlite3.Error as error:
            self.noted(error)
        return self.trouble

    def examine(self) -> None:
        """Look whether the file's pages fit together; in a thread of its own, a large store takes seconds."""
        try:
            with closing(connect(self.path)) as connection:
                if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                    self.note("damaged")
        except sqlite3.Error as error:
            self.noted(error)

    def note(self, trouble: Trouble) -> None:
        """Remember a trouble that was found beside this connection."""
        if self.trouble != "damaged":
            self.trouble = trouble

    def noted(self, error: sqlite3.Error) -> StorageError:
        """What SQLite's error means, remembered."""
        explained = explanation(error)
        self.note(explained.trouble)
        return explained

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
        self._require_file()
        with self._explained():
            self._execute("BEGIN IMMEDIATE")
            try:
                yield
                self._execute("COMMIT")
            except BaseException:
                self._cancel()
                raise
        self.dirty = True

    def _execute(self, sql: str, values: Sequence[object] | Mapping[str, object] = ()) -> sqlite3.Cursor:
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

    def _require_file(self) -> None:
        if self._gone:  # SQLite would go on writing to what no folder holds any more
            raise StorageError("The data directory was removed or exchanged while the server runs; start it again.")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self.noted(error) from error


def some_events(found: sqlite3.Cursor) -> tuple[list[Event], bool]:
    """The next events of a query, about `PIECE_BYTES` of them, and whether there are no more."""
    some, size = list[Event](), 0
    for row in found:
        some.append(Event._make(row))
        size += len(row[3]) + len(row[4] or "")
        if size > PIECE_BYTES:
            found.close()
            return some, False
    return some, True


def _identity_of(path: Path) -> tuple[int, int] | None:
    """Which file this is; None when there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
