"""Copy a server's session store into a file, also while it serves.

The copy holds what was acknowledged when it began. To use one, stop the server, remove what is in the data directory,
and put the copy there under the name sessions.db.

toolgym backup saved.db --data-dir sessions
"""

from __future__ import annotations

import argparse
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from pydantic import BaseModel, Field

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.settings import add_flags, resolve
from toolgym.sandbox.server.storefile import NAME, at_start, connect, require_whole


class BackupSettings(BaseModel):
    """Settings of the copy."""

    destination: Path = Field(description="file to write; it must not exist yet")
    data_dir: Path = Field(Path(".toolgym"), description="folder of the session store, as given to toolgym serve")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym backup`."""
    add_flags(parser, BackupSettings, positional=("destination",))


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym backup`."""
    settings = resolve(BackupSettings, arguments)
    back_up(settings.data_dir / NAME, settings.destination)
    print(f"{settings.destination}: {settings.destination.stat().st_size:,} bytes.")
    return 0


def back_up(path: Path, destination: Path) -> None:
    """Write a whole and checked copy of the store, or nothing.

    Raises:
        BadInput: there is no store, or the destination is there.
        StorageError: the store is damaged, or the destination cannot be written.
    """
    if not path.is_file():
        raise BadInput(f"There is no store {path}; --data-dir names the folder that toolgym serve was given.")
    if destination.exists():
        raise BadInput(f"{destination} is there already; choose another name.")
    unfinished = destination.with_name(f"{destination.name}.{os.getpid()}.unfinished")
    require_whole(path)
    with at_start(path):
        store = connect(path)  # as it is: bringing it up to date is for those who serve it
    with closing(store):
        try:
            with at_start(destination):
                os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # ids open sessions
                _copy(store, unfinished)
                unfinished.rename(destination)
        finally:
            unfinished.unlink(missing_ok=True)


def _copy(store: sqlite3.Connection, target: Path) -> None:
    with closing(sqlite3.connect(target)) as copy:
        store.backup(copy)  # in one piece: one state of the store, while others write on
        copy.execute("PRAGMA journal_mode = DELETE")  # one file
        copy.execute("SELECT number FROM sessions LIMIT 1")
        (found,) = copy.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(f"the store is damaged ({found.splitlines()[-1]})")
