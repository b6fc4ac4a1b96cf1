"""`toolgym serve` as a real process on a free port, with the workshop world installed; for tests."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx2
import workshop_domain
from forks import Command

ROOT = Path(__file__).parents[2]
READY_SECONDS = 600
"""Machines that run tests are slow and shared."""


class Running:
    """A running server.

    Args:
        folder: for its data and log; a second server with the same folder goes on from the first's data.
        flags: of `toolgym serve`.
        variables: added to its environment.

    Attributes:
        url: its address.
        errors: lines it wrote to standard error.
    """

    def __init__(self, folder: Path, *flags: str, **variables: str) -> None:
        site = folder / "site"
        if not site.exists():
            workshop_domain.install(site)
        path = os.pathsep.join([str(site), str(Path(__file__).parent), str(ROOT)])
        arguments = ["serve", "--port", "0", "--data-dir", str(folder / "data"), *flags]
        given = os.environ | {"PYTHONPATH": path} | variables
        self.process = Command(arguments, given, stderr=None)
        self.errors: list[str] = []
        self._announced = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.url = self._wait_for_address()
        self._wait_until_ready()

    def client(self, **headers: str) -> httpx2.Client:
        """An HTTP client."""
        return httpx2.Client(base_url=self.url, headers=headers, timeout=600)

    def request(self, method: str, path: str, **asked: Any) -> httpx2.Response:
        """One request on a connection of its own."""
        return httpx2.request(method, self.url + path, timeout=600, **asked)

    def open(self, domain: str = "workshop", **asked: object) -> str:
        """Open a session; returns its path."""
        answer = self.request("POST", "/sessions", json={"domain": domain, **asked})
        assert answer.status_code == 201, answer.text
        return f"/sessions/{answer.json()['id']}"

    def wait_for(self, words: str) -> None:
        """Wait until it has written these words to standard error: its lines come after its answers."""
        deadline = time.monotonic() + READY_SECONDS
        while not any(words in line for line in self.errors):
            assert time.monotonic() < deadline, "".join(self.errors)
            time.sleep(0.02)

    def workers(self) -> list[int]:
        """The process ids of its workers, where there are several (Linux only)."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text(encoding="utf-8")
        commands = {pid: Path(f"/proc/{pid}/cmdline") for pid in map(int, children.split())}
        return [pid for pid, line in commands.items() if line.exists() and b"spawn_main" in line.read_bytes()]

    def stop(self) -> int:
        """Ask it to end; returns the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self._ended()

    def kill(self) -> None:
        """End it and its workers at once, as `kill -9` does."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self._ended()

    def __enter__(self) -> Running:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self._ended()

    def _ended(self) -> int:
        status = self.process.wait(timeout=600)
        self._reader.join(timeout=600)
        assert self.process.stderr is not None
        self.process.stderr.close()
        return status

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors.append(line)
            self._announced.set()
        self._announced.set()

    def _wait_for_address(self) -> str:
        assert self._announced.wait(READY_SECONDS), "the server says nothing"
        found = re.search(r"http://\S+", "".join(self.errors))
        assert found is not None, "".join(self.errors)
        return found[0]

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + READY_SECONDS
        while True:
            try:
                if httpx2.get(f"{self.url}/readyz", timeout=READY_SECONDS).status_code == 200:
                    return
            except httpx2.TransportError:
                pass
            assert time.monotonic() < deadline and self.process.poll() is None, "".join(self.errors)
            time.sleep(0.05)
