"""The write-ahead log is folded into the database and cut back while calls go on, not only when they stop."""

import asyncio
import threading
import time
from pathlib import Path

import pytest

from sandbox.runtime.session import Session
from sandbox.server import wal_sync
from sandbox.server.sessions import Sessions
from sandbox.server.store import Event, Store
from sandbox.server.wal_sync import WalSync

CALLS = 5000


def test_the_log_does_not_grow_under_steady_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wal_sync, "CHECKPOINT_BYTES", 500_000)
    monkeypatch.setattr(wal_sync, "INTERVAL_SECONDS", 0.02)
    store = Store(tmp_path / "sessions.db")
    log = Path(f"{store.path}-wal")
    flusher = WalSync(store)

    async def start() -> None:
        flusher.start()

    asyncio.run(start())
    numbers = [Sessions(store).open(Session("kiosk")).row.number for _ in range(2)]
    largest = 0

    def write(number: int) -> None:
        nonlocal largest
        own = Store(store.path)
        for index in range(1, CALLS + 1):
            assert own.append(number, Event(index, "call", None, "x" * 2000, None))
            time.sleep(0.0002)  # as long as a tool takes
            largest = max(largest, log.stat().st_size)
        own.close()

    writers = [threading.Thread(target=write, args=(number,)) for number in numbers]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert 500_000 < largest < 25_000_000, "33 MB were written"
    flusher.stop()
    assert all(len(list(store.events(number))) == CALLS for number in numbers)
    store.close()
