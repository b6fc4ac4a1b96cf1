"""Starts servers fast: one process loads the program, and every server is a fork of it, a process of its own to kill.

For tests that start dozens of servers of kiosk; a fork runs the same command line as `toolgym serve`.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

import httpx2

CODE = """
import gc, json, os, signal, sys
import toolgym.sandbox.server.app, toolgym.commands.serve
from toolgym.cli import main
from toolgym.sandbox.runtime.registry import get_domain
get_domain("kiosk").template()
gc.freeze()
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
print("ready", flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        log = os.open(asked["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.dup2(log, 1), os.dup2(log, 2)
        os._exit(main(["serve", *asked["flags"]]))
    print(child, flush=True)
"""


class ForkServer:
    """The process that servers are forked from.

    Args:
        folder: for the servers' data and log.
    """

    def __init__(self, folder: Path) -> None:
        self.data, self.log = folder / "data", folder / "log"
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port = int(listener.getsockname()[1])
        self.process = subprocess.Popen(
            [sys.executable, "-c", CODE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._read() == "ready"
        self._child: int | None = None

    @property
    def url(self) -> str:
        """The address of the server, whichever runs now."""
        return f"http://127.0.0.1:{self.port}"

    def start(self, *flags: str) -> None:
        """Fork a server and wait until it answers."""
        asked = ["--worlds", "kiosk", "--port", str(self.port), "--data-dir", str(self.data), *flags]
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"flags": asked, "log": str(self.log)}) + "\n")
        self.process.stdin.flush()
        self._child = int(self._read())
        deadline = time.monotonic() + 600
        while time.monotonic() < deadline:
            with contextlib.suppress(httpx2.TransportError):
                if httpx2.get(f"{self.url}/readyz", timeout=600).status_code == 200:
                    return
            time.sleep(0.005)
        raise RuntimeError(self.log.read_text(encoding="utf-8")[-2000:])

    def kill(self) -> None:
        """Kill -9."""
        assert self._child is not None
        os.kill(self._child, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            while True:  # its port is free once it is gone
                os.kill(self._child, 0)
                time.sleep(0.001)
        self._child = None

    def __enter__(self) -> ForkServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._child is not None:
            self.kill()
        self.process.kill()
        self.process.communicate()

    def _read(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()
