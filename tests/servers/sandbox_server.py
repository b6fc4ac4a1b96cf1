"""Starts and ends a real `toolgym serve` for tests: a process of its own on a free port of the loopback interface."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

import httpx2
import psutil
from forks import Command

TOOLGYM = [sys.executable, "-c", "import sys; from toolgym.cli import main; sys.exit(main())"]
START_SECONDS = 600


KIOSK = ("--worlds", "kiosk")
"""For a server that is asked for no other world: to load all of them takes a second and a half."""


class SandboxServer:
    """A running server.

    Args:
        data_dir: where it keeps its sessions; what it prints goes to the file `log` beside it.
        flags: further flags of `toolgym serve`.
        environment: further environment variables.
        port: 0 takes a free one; `restart` keeps it.
        prefix: command to run it under, before the interpreter's own.
        code: what an interpreter runs (it ends by calling the command line's entry), where a fork would not do.
    """

    def __init__(
        self,
        data_dir: Path,
        *flags: str,
        environment: Mapping[str, str] | None = None,
        port: int = 0,
        prefix: Sequence[str] = (),
        code: str = "",
    ) -> None:
        self.data_dir, self.flags, self.environment, self.port = data_dir, flags, environment or {}, port
        self.prefix, self.code = prefix, code
        self.log = data_dir.with_name(f"{data_dir.name}-{secrets.token_hex(4)}.log")
        self.process: subprocess.Popen[bytes] | Command
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers."""
        arguments = ["serve", "--port", str(self.port), "--data-dir", str(self.data_dir), *self.flags]
        variables = {**os.environ, **self.environment}
        before = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            if self.prefix or self.code:
                command = [*self.prefix, sys.executable, "-c", self.code or TOOLGYM[2], *arguments]
                self.process = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=variables
                )
            else:
                self.process = Command(arguments, variables, stdout=log.fileno(), stderr=log.fileno())
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            found = re.search(r"serves on http://(\S+):(\d+) ", self.printed()[before:])
            if found:
                self.port = int(found[2])
                if self._answers():
                    return
            time.sleep(0.02)
        self.kill()
        raise RuntimeError(f"The server did not start:\n{self.printed()[-4000:]}")

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    def printed(self) -> str:
        """What it wrote to its output so far."""
        return self.log.read_bytes().decode("utf-8", "replace") if self.log.exists() else ""

    def workers(self) -> list[psutil.Process]:
        """The worker processes of a server with several."""
        found = []
        for child in psutil.Process(self.process.pid).children():
            with contextlib.suppress(psutil.NoSuchProcess):  # a zombie has no command line
                found += [child] if "multiprocessing.spawn" in " ".join(child.cmdline()) else []
        return found

    def memory(self) -> int:
        """Bytes of memory that the process holds for itself."""
        return int(psutil.Process(self.process.pid).memory_full_info().uss)

    def kill(self) -> None:
        """Kill -9, workers included."""
        if self.process.poll() is None:
            family = [*psutil.Process(self.process.pid).children(recursive=True), psutil.Process(self.process.pid)]
            for member in family:
                member.kill()
        self.process.wait(timeout=600)

    def stop(self) -> int:
        """Ask it to end, as an operator does; its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=600)
        except subprocess.TimeoutExpired:
            self.kill()
            raise

    def __enter__(self) -> SandboxServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def _answers(self) -> bool:
        try:
            return httpx2.get(f"{self.url}/readyz", timeout=START_SECONDS).status_code == 200
        except httpx2.TransportError:
            return False
