"""Starts `toolgym` fast: one process loads the program, and each command is a fork of it, a process of its own to kill.

A fork has its own environment, output and end, and runs what `python -m toolgym` runs; only loading it is done once for
all. Tests that are about that, or change the program first, start Python.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from typing import IO

MODULES = (
    "toolgym.sandbox.server.app",
    "toolgym.commands.serve",
    "toolgym.commands.view",
    "toolgym.commands.evaluate",
    "toolgym.viewer.server",
    "pydantic.v1",
    "uvicorn.lifespan.on",
    "uvicorn.loops.asyncio",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
)
"""What the commands load, uvicorn and FastAPI some of it late."""
_asking = Lock()


class Command:
    """A command that runs; has of `subprocess.Popen` what the tests use.

    Args:
        arguments: of `toolgym`.
        environment: all of its variables; None for those of the tests.
        stdin: the number of an open file.
        stdout: the same, or None for a pipe that is read at `stdout`.
        stderr: the same, or None for a pipe that is read at `stderr`.
        folder: its working directory; None for the tests' own.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str] | None = None,
        *,
        stdin: int | None = None,
        stdout: int | None = 1,
        stderr: int | None = 2,
        folder: Path | None = None,
    ) -> None:
        self.returncode: int | None = None
        self._status, status = os.pipe()
        nothing = os.open(os.devnull, os.O_RDONLY)
        self.stdout, out = _readable(stdout)
        self.stderr, err = _readable(stderr)
        asked = {
            "arguments": list(arguments),
            "environment": dict(os.environ if environment is None else environment),
            "folder": str(folder or Path.cwd()),
        }
        message = json.dumps(asked).encode()
        with _asking:
            control = _loaded()
            files = [status, nothing if stdin is None else stdin, out, err]
            socket.send_fds(control, [len(message).to_bytes(4, "big")], files)
            control.sendall(message)
            self.pid = int.from_bytes(control.recv(4), "big")
        for number in (status, nothing, *([out] if self.stdout else []), *([err] if self.stderr else [])):
            os.close(number)

    def poll(self) -> int | None:
        """Its status once it has ended."""
        if self.returncode is None and select.select([self._status], [], [], 0)[0]:
            self.returncode = int.from_bytes(os.read(self._status, 4), "big", signed=True)
            os.close(self._status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; returns its status."""
        if self.returncode is None and not select.select([self._status], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("toolgym", timeout or 0)
        status = self.poll()
        assert status is not None
        return status

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)


def run(
    *arguments: str, typed: str = "", folder: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, with what is typed as its input and variables beside the tests' own."""
    with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
        given.write(typed.encode())
        given.seek(0)
        numbers = {"stdin": given.fileno(), "stdout": out.fileno(), "stderr": err.fileno()}
        status = Command(arguments, os.environ | variables, folder=folder, **numbers).wait(600)
        printed = []
        for file in (out, err):
            file.seek(0)
            printed.append(file.read().decode())
    return subprocess.CompletedProcess(["toolgym", *arguments], status, *printed)


def _readable(given: int | None) -> tuple[IO[str] | None, int]:
    """A pipe's end to read and its end to write, or nothing and what was given."""
    if given is not None:
        return None, given
    read, write = os.pipe()
    return os.fdopen(read, encoding="utf-8"), write


@cache
def _loaded() -> socket.socket:
    """The way to a process that has loaded the program; it ends with this one."""
    ours, theirs = socket.socketpair()
    with theirs:
        number = theirs.fileno()
        process = subprocess.Popen(
            [sys.executable, "-P", __file__, str(number)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=(number,),
        )

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def _serve(control: socket.socket) -> Sequence[str]:
    """Fork for each request, until nobody can send any; returns in a fork alone, with its arguments."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        size, files, *_ = socket.recv_fds(control, 4, 4)
        if not size:
            os._exit(0)
        message = bytearray()
        while len(message) < int.from_bytes(size, "big"):
            message += control.recv(1 << 16)
        if os.fork() == 0:
            break
        for file in files:
            os.close(file)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    status, *streams = files
    child = os.fork()
    if child:
        control.sendall(child.to_bytes(4, "big"))
        control.close()
        for file in streams:
            os.close(file)
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        with suppress(BrokenPipeError):  # nobody waits for it any more
            os.write(status, ended.to_bytes(4, "big", signed=True))
        os._exit(0)
    control.close()
    os.close(status)
    os.setsid()
    for number, file in enumerate(streams):
        os.dup2(file, number)
        os.close(file)
    asked = json.loads(message)
    os.environ.clear()
    os.environ.update(asked["environment"])
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:0] = [path for path in paths if path and path not in sys.path]
    os.chdir(asked["folder"])
    return list(asked["arguments"])


if __name__ == "__main__":
    for module in MODULES:
        importlib.import_module(module)
    for entry in entry_points(group="toolgym.domains"):
        entry.load()
    gc.collect()
    gc.freeze()
    from toolgym.cli import main

    sys.exit(main(_serve(socket.socket(fileno=int(sys.argv[1])))))
