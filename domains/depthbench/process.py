"""Runs DepthBench's tools: the checkout's code in a Python of its own, without network, files to write or our secrets.

One process serves all sessions: the tools only look things up. It answers one call after another in lines of JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import weakref
from contextlib import suppress
from multiprocessing.connection import wait
from pathlib import Path

from sandbox.kit.errors import ConfigurationError, InfrastructureError, Refusal
from sandbox.kit.message import Json

SECONDS = 60.0
"""How long the process may take for its start or for a call."""
_SERVER = Path(__file__).with_name("serve.py")
_KEPT = ("PATH", "PYTHONPATH", "SYSTEMROOT", "LD_LIBRARY_PATH")
"""What of the environment is handed on; keys of endpoints are not."""


class ToolProcess:
    """The process of a checkout's tools; it starts with the first call.

    Args:
        checkout: the checkout's folder.
    """

    def __init__(self, checkout: Path) -> None:
        self._checkout = checkout
        self._lock = threading.Lock()
        self._running: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def check(self) -> None:
        """Start the tools, so that nothing is played where they cannot be run.

        Raises:
            ConfigurationError: they cannot; the sentence says why.
        """
        with self._lock:
            self._started()

    def call(self, name: str, arguments: dict[str, Json]) -> Json:
        """What a tool returns.

        Raises:
            Refusal: code `tool_error`; its code raised an exception.
            ConfigurationError: the tools cannot be run here.
            InfrastructureError: the process died or hung; the next call starts another.
        """
        with self._lock:
            process = self._started()
            answer = self._ask(process, json.dumps({"tool": name, "arguments": arguments}))
        if "error" in answer:
            raise Refusal("tool_error", f"{name} failed: {answer['error']}")
        return answer["value"]

    def _started(self) -> subprocess.Popen[bytes]:
        if self._running is not None and self._owner == os.getpid() and self._running.poll() is None:
            return self._running
        environment = {name: os.environ[name] for name in _KEPT if name in os.environ} | {"PYTHONHASHSEED": "0"}
        command = [sys.executable, "-P", "-B", str(_SERVER), str(self._checkout)]
        pipe, none = subprocess.PIPE, subprocess.DEVNULL
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=none, env=environment, cwd=self._checkout)
        self._running, self._owner = process, os.getpid()
        weakref.finalize(self, _end, process, self._owner)
        said = self._ask(process, "{}")
        if "broken" in said:
            self._give_up(process)
            raise ConfigurationError(f"DepthBench's tools cannot be run: {said['broken']}")
        return process

    def _ask(self, process: subprocess.Popen[bytes], line: str) -> dict[str, Json]:
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            answer = (
                process.stdout.readline() if wait([process.stdout.fileno()], SECONDS) else b""
            )  # select knows 1,024 files
        except OSError:
            answer = b""
        if not answer.endswith(b"\n"):
            self._give_up(process)
            raise InfrastructureError("tool", f"DepthBench's tools gave no answer within {SECONDS:g} s, or died.")
        return dict(json.loads(answer))

    def _give_up(self, process: subprocess.Popen[bytes]) -> None:
        self._running = None
        _end(process, self._owner)


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    if os.getpid() != owner:  # a copy of the process that started it is ending
        return
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    process.wait()
