"""Logs of any length, read and copied off the event loop and a piece at a time; others are answered meanwhile.

One thread does it for all who ask: more of them would only take the interpreter from the event loop more often.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter

from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.server.events import read_call, rolled_back_to
from toolgym.sandbox.server.store import APPEND, EVENTS, OUTLINE, Event, Store, some_events
from toolgym.sandbox.server.storefile import connect, explanation

Made = TypeVar("Made")
_RECORD = TypeAdapter(CallRecord)
_THREAD = ThreadPoolExecutor(max_workers=1, thread_name_prefix="long-logs")


class LongLog:
    """The calls that are left of a session's log after every rollback.

    Args:
        store: where it is; read on connections of its own.
        number: the session's.
        until: the last position that counts; by default all do.
    """

    def __init__(self, store: Store, number: int, until: int = 2**32) -> None:
        self._store, self._number, self._until = store, number, until
        self._after = 0
        self._left: set[int] | None = None

    async def pieces(self, make: Callable[[list[Event]], Made]) -> AsyncIterator[tuple[Made, bool]]:
        """What `make` makes of each next piece of the log, in the thread, and whether it is the last one.

        Raises:
            StorageError: the store cannot be read.
            InfrastructureError: the session was forgotten meanwhile.
        """
        done = False
        while not done:
            try:
                made, done = await asyncio.get_running_loop().run_in_executor(_THREAD, self._next, make)
            except sqlite3.Error as error:
                raise self._store.noted(error) from error
            yield made, done

    def read(self) -> Iterator[CallRecord]:
        """The calls, read where the caller is.

        Raises:
            StorageError: the store cannot be read.
            InfrastructureError: the session was forgotten meanwhile.
        """
        done = False
        while not done:
            try:
                some, done = self._next(records)
            except sqlite3.Error as error:
                raise self._store.noted(error) from error
            yield from some

    async def copy_to(self, number: int) -> int:
        """Copy the calls into a new session without their keys; returns how many there are.

        Raises:
            StorageError: the store cannot be written.
            InfrastructureError: one of the sessions ended meanwhile.
        """
        copied = 0

        def copy(events: list[Event]) -> None:
            nonlocal copied
            with closing(connect(self._store.path)) as connection:
                connection.execute("BEGIN IMMEDIATE")
                for event in events:
                    copy_of = event._replace(position=copied + 1, key=None)
                    if connection.execute(APPEND, copy_of.row(number)).rowcount != 1:
                        raise InfrastructureError("session", "The copy ended while the log was copied.")
                    copied += 1
                connection.execute("COMMIT")
                self._store.dirty = True

        async for _ in self.pieces(copy):
            pass
        return copied

    def _next(self, make: Callable[[list[Event]], Made]) -> tuple[Made, bool]:
        with closing(connect(self._store.path)) as connection:
            if self._left is None:
                self._left = set(_positions_left(connection.execute(OUTLINE, {"number": self._number}), self._until))
            some, whole = some_events(connection.execute(EVENTS, {"number": self._number, "after": self._after}))
        wanted = [event for event in some if event.position in self._left]
        self._left.difference_update(event.position for event in wanted)
        self._after = some[-1].position if some else self._after
        done = whole or not self._left
        if done and self._left:
            raise InfrastructureError("session", "The log was deleted while it was read.")
        return make(wanted), done


def some_of(store: Path, number: int, after: int) -> tuple[list[Event], bool]:
    """The next events of a session after a position, about a megabyte of them, and whether there are no more.

    Raises:
        StorageError: the store cannot be read.
    """
    try:
        with closing(connect(store)) as connection:
            return some_events(connection.execute(EVENTS, {"number": number, "after": after}))
    except sqlite3.Error as error:
        raise explanation(error) from error


def records(events: list[Event]) -> list[CallRecord]:
    """The calls that events hold."""
    return [read_call(event) for event in events]


def as_json(events: list[Event]) -> str:
    """The calls that events hold as JSON texts with commas between them."""
    return ",".join(_RECORD.dump_json(read_call(event)).decode() for event in events)


def _positions_left(outline: sqlite3.Cursor, until: int) -> list[int]:
    positions: list[int] = []
    for position, kind, body in outline:
        if position > until:
            break
        if kind == "call":
            positions.append(position)
        elif kind == "rollback":
            del positions[rolled_back_to(body) :]
    return positions
