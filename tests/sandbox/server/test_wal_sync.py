"""The write-ahead log is folded into the database and cut back while calls go on, not only when they stop."""

import asyncio
import threading
import time
from pathlib import Path

import pytest

from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.server import wal_sync
from toolgym.sandbox.server.sessions import Sessions
from toolgym.sandbox.server.store import Event, Store
from toolgym.sandbox.server.wal_sync import WalSync

CUT_BACK = 3
"""Times that each writer sees the log get shorter."""


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
    written = dict.fromkeys(numbers, 0)
    until = time.monotonic() + 600

    def write(number: int) -> None:
        own, seen, cut_back = Store(store.path), 0, 0
        while cut_back < CUT_BACK and time.monotonic() < until:
            written[number] += 1
            assert own.append(number, Event(written[number], "call", None, "x" * 2000, None))
            time.sleep(0.0002)  # as long as a tool takes
            before, seen = seen, log.stat().st_size
            cut_back += seen < before
        own.close()

    writers = [threading.Thread(target=write, args=(number,)) for number in numbers]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert time.monotonic() < until, "the log was not cut back while they wrote"
    flusher.stop()
    assert all(len(list(store.events(number))) == written[number] > 100 for number in numbers)
    store.close()
