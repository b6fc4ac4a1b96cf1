"""Servers and workers that are killed or stopped under load: what was acknowledged is there, once."""

import json
import os
import random
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from fault_table import fault
from load import Writer, nth_call
from sandbox_server import KIOSK, SandboxServer

KILLS = 50
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="kill -9"),
    pytest.mark.xdist_group("faults"),
]


class Opener(threading.Thread):
    """Opens and closes sessions with keys; a request without an answer is sent again."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self._writer = Writer(url)
        self.opened: dict[str, str] = {}
        self.stopped = threading.Event()

    def run(self) -> None:
        while not self.stopped.is_set() and len(self.opened) < 400:
            key = f"a long enough key {len(self.opened)}"
            status, answer, _ = self._writer._patiently("POST", "/sessions", {"domain": "kiosk", "seed": 1}, key)
            assert status == 201, answer
            self.opened[key] = json.loads(answer)["id"]
            time.sleep(0.005)

    def require_kept(self) -> None:
        self.join(timeout=600)
        assert len(set(self.opened.values())) == len(self.opened) > 0
        for key, identifier in self.opened.items():
            again = self._writer._patiently("POST", "/sessions", {"domain": "kiosk", "seed": 1}, key)
            assert (again[0], json.loads(again[1])["id"]) == (201, identifier)


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 600
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.turns(2, 0)
@fault("kill")
def test_killed_at_fifty_random_moments(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    rng = random.Random(50)
    with SandboxServer(tmp_path / "data", *KIOSK) as server:
        writers, opener = [Writer(server.url) for _ in range(4)], Opener(server.url)
        for thread in (*writers, opener):
            thread.start()
        for _ in range(KILLS):
            time.sleep(rng.uniform(0.0, 0.12))
            server.kill()
            server.start()
        opener.stopped.set()
        for writer in writers:
            writer.end()
        for writer in writers:
            writer.require_kept()
        opener.require_kept()
    acknowledged = sum(writer.acknowledged for writer in writers)
    assert acknowledged > KILLS
    repeated = sum(writer.repeated for writer in writers)
    record_property(
        "measured",
        f"{KILLS} kills, {acknowledged:,} writes and {len(opener.opened)} sessions acknowledged, 0 lost, 0 doubled "
        f"({repeated} had been applied by a server that died before it could answer)",
    )


@pytest.mark.turns(2, 1)
@fault("worker")
def test_a_worker_killed_under_load(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    rng = random.Random(2)
    with SandboxServer(tmp_path / "data", *KIOSK, "--workers", "2") as server:
        writers = [Writer(server.url) for _ in range(4)]
        for writer in writers:
            writer.start()
        for _ in range(3):
            time.sleep(0.3)
            before = {worker.pid for worker in server.workers()}
            rng.choice(server.workers()).kill()
            progress = sum(writer.acknowledged for writer in writers)
            wait_until(lambda: len(server.workers()) == 2 and {w.pid for w in server.workers()} != before)  # noqa: B023
            wait_until(lambda: sum(writer.acknowledged for writer in writers) > progress + 50)  # noqa: B023
        for writer in writers:
            writer.end()
        for writer in writers:
            writer.require_kept()
    acknowledged = sum(writer.acknowledged for writer in writers)
    record_property("measured", f"3 kills, {acknowledged:,} writes acknowledged, 0 lost, 0 doubled")


@fault("terminate")
def test_stopped_under_load(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    with SandboxServer(tmp_path / "data", *KIOSK) as server:
        writers = [Writer(server.url) for _ in range(4)]
        for writer in writers:
            writer.start()
        time.sleep(0.3)
        server.stop()
        server.start()
        time.sleep(0.2)
        for writer in writers:
            writer.end()
        for writer in writers:
            writer.require_kept()
        assert "Traceback" not in server.printed() and '"level": "error"' not in server.printed()
    assert sum(writer.repeated for writer in writers) == 0, "a call was applied and not answered"
    record_property("measured", f"{sum(writer.acknowledged for writer in writers):,} writes, every one answered")


@fault("torn")
def test_a_log_cut_short(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    rng = random.Random(7)
    with SandboxServer(tmp_path / "data", *KIOSK) as server:
        writers = [Writer(server.url) for _ in range(2)]
        for _ in range(60):
            for writer in writers:
                writer.write()
        server.kill()
        whole = tmp_path / "whole"
        shutil.copytree(server.data_dir, whole)
        log = server.data_dir / "sessions.db-wal"
        size, lost = (whole / log.name).stat().st_size, []
        for _ in range(20):
            shutil.rmtree(server.data_dir)
            shutil.copytree(whole, server.data_dir)
            os.truncate(log, size - rng.randrange(1, size // 2))
            (server.data_dir / "sessions.db-shm").unlink(missing_ok=True)
            server.start()
            for writer in writers:
                status, answer = writer.patiently("GET", f"{writer.path}/log")
                if status == 404:  # the session was opened in the part that is gone
                    continue
                kept = [(call["name"], call["arguments"]) for call in json.loads(answer)["calls"]]
                whole_log = [nth_call(number) for number in range(writer.acknowledged)]
                assert kept == whole_log[: len(kept)]
                lost.append(len(whole_log) - len(kept))
            server.kill()
    assert lost and max(lost) > 0
    record_property(
        "measured", f"20 cuts; between {min(lost)} and {max(lost)} of 60 calls lost at the end, none inside"
    )
