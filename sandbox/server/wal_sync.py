"""Brings committed events from the operating system to the disk, off the event loop, many at a time.

A commit in the store reaches the operating system, which survives the death of every process. This thread flushes the
write-ahead log to the disk (at once for those who wait, else every second) and folds it into the database.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import threading
from pathlib import Path

from toolgym.sandbox.server.store import Store
from toolgym.sandbox.server.storefile import StorageError, connect

INTERVAL_SECONDS = 1.0
CHECKPOINT_BYTES = 16_000_000
BUSY_MILLISECONDS = 20
"""So long a checkpoint waits for readers, and writers for it."""
logger = logging.getLogger("toolgym.server")


class WalSync:
    """Flushes one worker's store. `start` it inside the event loop that will wait for it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._log = Path(f"{store.path}-wal")
        self._waiting: list[asyncio.Future[None]] = []
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="flusher", daemon=True)

    def start(self) -> None:
        """Begin; to be called in the event loop.

        Raises:
            StorageError: the store's files cannot be opened.
        """
        self._loop = asyncio.get_running_loop()
        self._connection = connect(self._store.path)
        self._connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
        try:
            self._descriptor = os.open(self._log, os.O_RDWR | getattr(os, "O_BINARY", 0))
            _flush_folder(self._log.parent)
        except OSError as problem:
            raise StorageError(f"The data directory cannot be used ({problem.strerror}).") from problem
        self._thread.start()

    async def flushed(self) -> None:
        """Wait until everything committed so far is on the disk.

        Raises:
            StorageError: the disk refused.
        """
        future = self._loop.create_future()
        with self._lock:
            self._waiting.append(future)
        self._wake.set()
        await future

    def stop(self) -> None:
        """Flush once more and end the thread."""
        self._stopped = True
        self._wake.set()
        self._thread.join(timeout=10)

    def _run(self) -> None:
        while not self._stopped:
            self._wake.wait(INTERVAL_SECONDS)
            self._wake.clear()
            self._flush()
            self._checkpoint()
        self._flush()
        os.close(self._descriptor)
        self._connection.close()

    def _flush(self) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, []
        if not waiting and not self._store.dirty:
            return
        self._store.dirty = False
        error: StorageError | None = None
        try:
            os.fsync(self._descriptor)
        except OSError as problem:
            self._store.note("storage")
            error = StorageError(f"The disk refused to keep the write ({problem.strerror}); whether it holds is open.")
            logger.error("flush failed", extra={"fields": {"error": problem.strerror}})
        if waiting and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(_settle, waiting, error)

    def _checkpoint(self) -> None:
        try:
            if self._log.stat().st_size > CHECKPOINT_BYTES:
                self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")  # nearly all, while others write
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # the rest; if it may not yet, next time
        except (sqlite3.Error, OSError) as problem:
            logger.error("checkpoint failed", extra={"fields": {"error": str(problem)}})


def _flush_folder(folder: Path) -> None:
    """Make the store's files themselves survive a power cut; Windows does so by itself and opens no folders."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _settle(waiting: list[asyncio.Future[None]], error: StorageError | None) -> None:
    for future in waiting:
        if future.done():
            continue
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)
