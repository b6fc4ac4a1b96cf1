"""The store's file: who may read it, which format it has, and how an older one is brought up to date.

What is in it is `toolgym.sandbox.server.store`'s business.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from toolgym.sandbox.kit.errors import InfrastructureError

NAME = "sessions.db"
FORMAT = 1
"""The format of this program's stores, written into them as `PRAGMA user_version`."""
APPLICATION = int.from_bytes(b"tgym", "big")
BUSY_SECONDS = 5.0
_CREATION_SECONDS = 5.0
"""How long another worker may take between making the file and writing its first page."""
_SESSIONS = "number, id, origin, created, expires, ended, reason, open_key, request"
_EVENTS = "id, kind, key, body, value"
_STEPS = (
    (  # to 1; a store without a version, from before there were any, has these tables already
        """CREATE TABLE IF NOT EXISTS sessions (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, origin TEXT NOT NULL,
            created REAL NOT NULL, expires REAL NOT NULL, ended REAL, reason TEXT,
            open_key TEXT UNIQUE, request TEXT)""",
        "CREATE INDEX IF NOT EXISTS open_sessions ON sessions (expires) WHERE ended IS NULL",
        "CREATE INDEX IF NOT EXISTS ended_sessions ON sessions (ended) WHERE ended IS NOT NULL",
        """CREATE TABLE IF NOT EXISTS events (
            id INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT, body TEXT NOT NULL, value TEXT)""",
    ),
)
"""What brings a store from one format to the next, each step in one transaction with the new number."""
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_FULL = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR})

Trouble = Literal["storage", "damaged"]
"""What can be wrong with a store: it cannot be written or is gone; or what is in it is not what was written."""


class StorageError(InfrastructureError):
    """The store cannot be used; nothing was applied.

    Attributes:
        trouble: of which kind.
    """

    def __init__(self, message: str, trouble: Trouble = "storage") -> None:
        super().__init__("session", message)
        self.trouble: Trouble = trouble

    def __reduce__(self) -> tuple[type[StorageError], tuple[str, Trouble]]:  # type: ignore[override]  # not the base's
        return StorageError, (self.message, self.trouble)


def explanation(error: sqlite3.Error) -> StorageError:
    """What SQLite's error means for whoever asked."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in _DAMAGED:
        return StorageError(f"The data directory is damaged ({error}); nothing was applied.", "damaged")
    what = "is full or failing" if code in _FULL else "cannot be used"
    return StorageError(f"The data directory {what} ({error}); nothing was applied.")


def connect(path: Path, *, create: bool = False) -> sqlite3.Connection:
    """A connection that commits to the operating system, not to the disk: see `toolgym.sandbox.server.wal_sync`."""
    address = f"{path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, timeout=BUSY_SECONDS, check_same_thread=False)
    try:
        connection.execute(
            "PRAGMA page_size = 1024"
        )  # a call is written as whole pages: small ones take 2/3 of the time
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def open_file(path: Path) -> sqlite3.Connection:
    """A connection to a store of this program's format: made where there is none, brought up to date where it is older.

    Raises:
        StorageError: the file is no such store, or of a newer program, or cannot be used.
    """
    with at_start(path):
        require_whole(path)
        with _private():
            connection = connect(path, create=True)
        try:
            _bring_up_to_date(connection, path)
        except BaseException:
            connection.close()
            raise
        return connection


def prepare(folder: Path) -> Path:
    """Make sure of a data folder before anything is served from it; returns the store's file.

    The folder becomes its owner's alone where it holds nothing else than the store, the files in every case.

    Raises:
        StorageError: the store there cannot be used; one sentence says why.
    """
    path = folder / NAME
    with at_start(path):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _close_to_others(folder)
    connection = open_file(path)
    try:
        with at_start(path):
            try_writing(connection.execute)
    finally:
        connection.close()
    return path


def try_writing(execute: Callable[[str], object]) -> None:
    """Write about as much as a call does and take it away again (sqlite3.Error where that fails)."""
    execute("INSERT OR REPLACE INTO events VALUES (0, 'probe', NULL, hex(zeroblob(8000)), NULL)")
    execute("DELETE FROM events WHERE id = 0")  # no session has the number 0


def require_whole(path: Path) -> None:
    """Refuse a store of no bytes before SQLite sees it: SQLite would take it for a new one and delete its log.

    Raises:
        StorageError: it is empty, and nobody is just making it.
    """
    give_up = time.monotonic() + _CREATION_SECONDS
    while path.exists() and path.stat().st_size == 0:
        if time.monotonic() > give_up:
            raise StorageError(
                f"The store {path} is empty, as if it had been cut off; nothing was changed. Put a backup in its "
                "place, or delete it to start without sessions."
            )
        time.sleep(0.02)


@contextmanager
def at_start(path: Path) -> Iterator[None]:
    """Say what is wrong with a store that nothing has been asked of yet."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise StorageError(f"The data directory {path.parent} cannot be used: {error}.{_hint(path)}") from error
    except OSError as error:
        raise StorageError(
            f"The data directory {path.parent} cannot be used: {error.strerror}.{_hint(path)}"
        ) from error


def _bring_up_to_date(connection: sqlite3.Connection, path: Path) -> None:
    if _format_of(connection) != (APPLICATION, FORMAT):
        connection.execute("BEGIN IMMEDIATE")  # of several workers one does it
        try:
            _upgrade(connection, path)
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
    connection.execute(f"SELECT {_SESSIONS} FROM sessions LIMIT 0")
    connection.execute(f"SELECT {_EVENTS} FROM events LIMIT 0")


def _upgrade(connection: sqlite3.Connection, path: Path) -> None:
    application, version = _format_of(connection)
    if application not in (0, APPLICATION):
        raise StorageError(f"{path} is another program's database; choose another --data-dir.")
    if version > FORMAT:
        raise StorageError(
            f"The store {path} was written by a newer toolgym: its format is {version}, and this one knows formats up "
            f"to {FORMAT}. Install that version again, or choose another --data-dir; nothing was changed."
        )
    for statement in (statement for step in _STEPS[version:] for statement in step):
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    connection.execute(f"PRAGMA application_id = {APPLICATION}")


def _format_of(connection: sqlite3.Connection) -> tuple[int, int]:
    return tuple(connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))


@contextmanager
def _private() -> Iterator[None]:
    """Files made meanwhile are their owner's alone; SQLite gives the log the mode of the database."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def _close_to_others(folder: Path) -> None:
    if os.name != "posix":
        return
    inside = list(folder.iterdir())
    files = [path for path in inside if path.name.startswith(NAME)]
    for path, mode in [*((file, 0o600) for file in files), *([(folder, 0o700)] if files == inside else [])]:
        found = path.stat()
        if found.st_uid == os.geteuid() and stat.S_IMODE(found.st_mode) & 0o077:
            path.chmod(mode)


def _hint(path: Path) -> str:
    """Whose the folder is, where that may be the reason."""
    if os.name != "posix" or not path.parent.exists() or os.access(path.parent, os.W_OK | os.X_OK):
        return ""
    owner, user = path.parent.stat().st_uid, os.geteuid()
    return "" if owner == user else f" It belongs to user {owner}, and the server runs as user {user}."
