"""The log of a resident session: the calls are in the store; the session's copy knows how many there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import overload

from toolgym.sandbox.runtime.call_log import CallLog, CallRecord
from toolgym.sandbox.server.events import call_event
from toolgym.sandbox.server.long_logs import LongLog
from toolgym.sandbox.server.store import Store


class StoredLog(CallLog):
    """A log in the store.

    Args:
        store: where the calls are.
        number: the session's.
        position: the last event that the session has seen.
        calls: how many calls it has.
    """

    def __init__(self, store: Store, number: int, position: int = 0, calls: int = 0) -> None:
        self._store, self._number, self._calls = store, number, calls
        self.position = position
        self._made: CallRecord | None = None

    def __len__(self) -> int:
        return self._calls

    def __iter__(self) -> Iterator[CallRecord]:
        """The stored calls, read anew; `LongLog` reads them off the event loop."""
        return LongLog(self._store, self._number, self.position).read()

    @overload
    def __getitem__(self, index: int) -> CallRecord: ...
    @overload
    def __getitem__(self, index: slice) -> list[CallRecord]: ...
    def __getitem__(self, index: int | slice) -> CallRecord | list[CallRecord]:
        return list(self)[index]

    def append(self, record: CallRecord) -> None:
        """Count a call; it is at hand until it is stored or taken back."""
        self._calls += 1
        self._made = record

    def pass_over(self) -> None:
        """Count a stored call that changed nothing, so that it need not be made again."""
        self._calls += 1

    def cut(self, calls: int) -> None:
        """Forget all but the first `calls` calls, here only; the store is told by a rollback's event."""
        self._calls, self._made = calls, None

    def fork(self) -> StoredLog:
        """The same stored past, until it is copied."""
        return StoredLog(self._store, self._number, self.position, self._calls)

    def store(self, key: str | None, value: str) -> bool:
        """Store the call just made; False when there are events that the session has not seen, or it has ended.

        Args:
            key: the request's idempotency key.
            value: the call's value as JSON text.
        """
        assert self._made is not None, "a call is made before it is stored"
        fresh = self._store.append(self._number, call_event(self.position + 1, key, self._made, value))
        if fresh:
            self.seen(self.position + 1)
        return fresh

    def seen(self, position: int) -> None:
        """The events up to this position are in the session."""
        self.position, self._made = position, None
