"""What was answered stays: after kill -9, with two workers, after a worker's death; and sessions end in time."""

import os
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import psutil
import pytest
from toolgym_server import Running

ORDER: dict[str, Any] = {"lines": [{"part_id": "P1", "pieces": 1}], "address": {"city": "Oslo", "tags": []}}
WORLD = ("--worlds", "workshop")
pytestmark = pytest.mark.slow


def eventually(holds: Callable[[], object], seconds: float = 600) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_everything_is_there_after_a_kill(folder: Path) -> None:
    with Running(folder, *WORLD) as before:
        path, closed = before.open("workshop", task="w1", seed=11), before.open()
        with before.client() as http:
            for number in range(5):
                http.post(f"{path}/workshop/order_parts", json=ORDER, headers={"Idempotency-Key": f"k{number}"})
            http.post(f"{path}/rollback", json={"calls": 4})
            http.post(f"{path}/workshop/user/switch_lamp", json={"lit": True})
            http.post(f"{path}/workshop/nonsense", json={})
            http.delete(closed)
            digest, log = http.get(f"{path}/digest").json(), http.get(f"{path}/log").json()
        before.kill()
    with Running(folder, *WORLD, "--durability", "power") as after, after.client() as http:
        assert http.get(f"{path}/digest").json() == digest
        assert http.get(f"{path}/log").json() == log and len(log["calls"]) == 6
        again = http.post(f"{path}/workshop/order_parts", json=ORDER, headers={"Idempotency-Key": "k1"})
        assert again.headers["idempotent-replayed"] == "true" and again.json()["value"]["left"] == {"P1": 98}
        assert http.get(path).json()["calls"] == 6 and http.get(path).json()["task"] == "w1"
        assert http.get(closed).status_code == 410
        fresh = http.post(f"{path}/workshop/order_parts", json=ORDER).json()["value"]
        assert fresh["left"] == {"P1": 95}


def test_any_worker_serves_any_session(pair: Running) -> None:
    path = pair.open()

    def order(number: int) -> httpx2.Response:
        with pair.client(**{"Idempotency-Key": f"key-{number // 2}"}) as http:  # a connection of its own: any worker
            return http.post(f"{path}/workshop/order_parts", json=ORDER)

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(order, range(80)))
    assert {answer.status_code for answer in answers} == {200}
    assert sum("idempotent-replayed" in answer.headers for answer in answers) == 40
    left = sorted(answer.json()["value"]["left"]["P1"] for answer in answers)
    assert left == sorted([*range(60, 100)] * 2)
    with pair.client() as http:
        assert len({http.get(f"{path}/digest", headers={"connection": "close"}).text for _ in range(10)}) == 1
        http.delete(path)
    for _ in range(10):
        with pair.client() as http:
            assert http.post(f"{path}/workshop/list_stock", json={}).status_code == 410


def test_metrics_are_summed_over_workers(pair: Running) -> None:
    def calls() -> float:
        with pair.client() as http:
            page = http.get("/metrics").text
        return sum(float(line.split()[-1]) for line in page.splitlines() if line.startswith("toolgym_calls_total"))

    path, before = pair.open(), calls()
    for _ in range(12):
        with pair.client() as http:
            http.post(f"{path}/workshop/list_stock", json={})
    assert calls() == before + 12


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are measured in Linux's /proc")
def test_metrics_say_what_the_processes_and_the_store_take(server: Running, pair: Running) -> None:
    def taken(running: Running) -> tuple[float, float]:
        with running.client() as http:
            lines = [line.split() for line in http.get("/metrics").text.splitlines() if not line.startswith("#")]
        values = {line[0]: float(line[-1]) for line in lines}
        assert values["toolgym_store_bytes"] > 10_000
        return values["process_resident_memory_bytes"], values["process_open_fds"]

    server.open()
    pair.open()
    memory, files = taken(server)
    assert memory > 50e6 and files > 5
    sizes = [psutil.Process(worker).memory_info().rss for worker in pair.workers()]
    until = time.monotonic() + 600  # each worker looks at itself every few seconds
    while (of_two := taken(pair))[0] < 0.7 * sum(sizes) and time.monotonic() < until:
        time.sleep(0.2)
    assert len(sizes) == 2 and of_two[0] > 0.7 * sum(sizes) > max(sizes) and of_two[1] > files


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds the workers in Linux's /proc")
def test_a_worker_that_dies_is_replaced_and_workers_do_not_outlive_their_parent(folder: Path) -> None:
    with Running(folder, *WORLD, "--workers", "2") as running:
        path = running.open()
        with running.client() as http:
            http.post(f"{path}/workshop/order_parts", json=ORDER)
        first = running.workers()
        assert len(first) == 2
        os.kill(first[0], signal.SIGKILL)
        eventually(lambda: len(set(running.workers()) - {first[0]}) == 2)
        with running.client() as http:
            assert http.get(f"{path}/log").json()["calls"][0]["value"]["left"] == {"P1": 99}
        last = running.workers()
        os.kill(running.process.pid, signal.SIGKILL)
        running.process.wait()
        eventually(lambda: not any(Path(f"/proc/{worker}/cmdline").exists() for worker in last))


def test_sessions_end_and_their_logs_are_kept_for_a_while(folder: Path) -> None:
    with Running(folder, *WORLD, "--max-sessions", "2", "--keep-logs", "4") as running, running.client() as http:
        short, other = running.open(ttl=1), running.open()
        full = http.post("/sessions", json={"domain": "workshop"})
        assert full.status_code == 429 and full.json()["error"]["code"] == "too_many_sessions"
        assert "retry-after" in full.headers
        http.post(f"{short}/workshop/list_stock", json={})
        eventually(lambda: http.get(short).status_code == 410)
        assert http.get(short).json()["error"]["code"] == "session_expired"
        assert len(http.get(f"{short}/log").json()["calls"]) == 1
        third = running.open()
        assert http.get(other).status_code == http.get(third).status_code == 200
        eventually(lambda: http.get(f"{short}/log").status_code == 404)
