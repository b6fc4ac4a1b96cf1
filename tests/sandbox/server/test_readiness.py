"""`/readyz` tells what a balancer must know: a disk that refuses, damaged pages, a folder that is gone, a stop."""

import os
import shutil
import signal
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import httpx2
import pytest
from toolgym_server import Running

from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.server.long_logs import records
from toolgym.sandbox.server.readiness import Readiness
from toolgym.sandbox.server.sessions import Sessions
from toolgym.sandbox.server.store import Store
from toolgym.sandbox.server.storefile import StorageError

RESERVE = {"ticket_id": "T102", "holder": "Greta Olsen"}
pytestmark = pytest.mark.slow


def test_a_full_disk_until_there_is_space(tmp_path: Path) -> None:
    store = Store(tmp_path / "sessions.db")
    sessions, readiness = Sessions(store), Readiness(store)
    identifier = sessions.open(Session("kiosk")).row.id
    assert readiness.ask() == "ok"
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StorageError):
        for number in range(500):
            sessions.call(identifier, "find_tickets", {"holder": "x" * 3000 + str(number)})
    assert readiness.ask() == readiness.ask() == "storage"
    store._connection.execute("PRAGMA max_page_count = 1000000")
    assert readiness.ask() == "ok"


def test_damaged_pages_are_found_before_and_when_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    store = Store(path)
    sessions = Sessions(store)
    identifier = sessions.open(Session("kiosk")).row.id
    for number in range(100):
        sessions.call(identifier, "find_tickets", {"holder": "x" * 1000 + str(number)})
    sessions.shut()
    store.close()
    content = bytearray(path.read_bytes())
    content[len(content) // 2 :] = bytes(len(content) - len(content) // 2)
    path.write_bytes(content)

    looked = Store(path)
    looked.examine()
    assert Readiness(looked).ask() == "damaged"

    read = Store(path)
    with pytest.raises(StorageError, match="damaged"):
        Sessions(read).current(identifier)
    assert Readiness(read).ask() == Readiness(read).ask() == "damaged"


async def test_a_folder_that_is_gone_takes_no_more_calls(tmp_path: Path) -> None:
    store = Store(tmp_path / "data.db")
    sessions, readiness = Sessions(store), Readiness(store)
    identifier = sessions.open(Session("kiosk")).row.id
    (tmp_path / "data.db").unlink()
    assert readiness.ask() == "storage"
    for attempt in (lambda: sessions.call(identifier, "reserve_ticket", RESERVE), lambda: sessions.close(identifier)):
        with pytest.raises(StorageError, match="was removed"):
            attempt()
    with pytest.raises(StorageError, match="unable to open"):
        await anext(sessions.log_of(sessions.get(identifier)).pieces(records))
    store.examine()
    assert not os.path.exists(store.path), "looking makes no empty store"  # noqa: ASYNC240, PTH110
    with closing(sqlite3.connect(tmp_path / "data.db")):
        (tmp_path / "data.db").touch()
        assert readiness.ask() == "storage", "another file of that name is not the store"


@pytest.mark.skipif(sys.platform == "win32", reason="files in use cannot be removed there, and there is no SIGTERM")
def test_a_server_says_so_itself(folder: Path) -> None:
    with Running(folder, "--worlds", "kiosk") as server:
        with server.client() as http:
            path = server.open("kiosk")
            deadline = time.monotonic() + 600
            for _ in range(3):  # as a balancer asks
                assert http.get("/readyz").json() == {"status": "ok"}
                time.sleep(0.7)
            shutil.rmtree(folder / "data")
            assert (http.get("/readyz").status_code, http.get("/readyz").json()) == (503, {"status": "storage"})
            refused = http.post(f"{path}/kiosk/reserve_ticket", json=RESERVE)
            assert refused.status_code == 507 and refused.headers["retry-after"] == "1"
            os.kill(server.process.pid, signal.SIGTERM)
            told = []
            while len(told) < 2 and time.monotonic() < deadline:
                answer = httpx2.get(f"{server.url}/readyz", timeout=600)  # a new connection: it still listens
                told += [answer.status_code] if answer.json() == {"status": "stopping"} else []
            assert told == [503, 503]
        assert server.process.wait(timeout=600) in (0, -signal.SIGTERM)
