"""Runs verl's driver and Ray's workers as forks of a process that has loaded torch and the like: it takes each seconds.

A run on a CPU has nine such processes, and loading was more than half of the time until its first step. They run the
same programs with the same command lines, environments, and ends.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MODULES = (
    "torch.distributed.fsdp",
    "tensordict",
    "transformers.models.auto.modeling_auto",
    "datasets",
    "peft",
    "sqlalchemy.orm",
    "hydra",
    "fastapi",
    "uvicorn",
    "aiohttp",
)
"""Nearly all that verl imports, but nothing that imports Ray, which reads its environment while it is loaded."""

SOCKET = "TOOLGYM_PRELOADED"
"""The variable that says where to ask for a fork."""


@contextmanager
def preloading(environment: Mapping[str, str], *, here: bool = True) -> Iterator[dict[str, str]]:
    """Load everything in a process of its own; nothing where the system is not Linux, or where that was done already.

    Args:
        environment: that process's; a fork has its own.
        here: whether the run's processes start on this machine, by this command.

    Yields:
        environment variables of runs whose processes are to be its forks.
    """
    if not here or not hasattr(os, "pidfd_open") or SOCKET in environment:
        yield {}
        return
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "socket")
        command = [sys.executable, "-P", __file__, path]
        with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin is not None and process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            paths = [str(Path(__file__).with_name("forks")), environment.get("PYTHONPATH", "")]
            yield {SOCKET: path, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
            process.stdin.close()


def _serve(path: str) -> Sequence[str]:
    """Fork for everyone who asks, until standard input ends; returns in a fork alone, with its command line."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(64)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        print("ready", flush=True)
        while True:
            ready, _, _ = select.select([listener, sys.stdin], [], [])
            if sys.stdin in ready:
                os._exit(0)
            client, _ = listener.accept()
            if os.fork() == 0:
                break
            client.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    size, files, *_ = socket.recv_fds(client, 4, 3)
    message = bytearray()
    while len(message) < int.from_bytes(size, "big"):
        message += client.recv(1 << 16)
    asked = json.loads(message)
    child = os.fork()
    if child:
        _watch(client, child)
    client.close()
    os.setsid()
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update(asked["environment"])
    asked_paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:0] = [path for path in asked_paths if path and path not in sys.path]
    os.chdir(asked["folder"])
    return list(asked["arguments"])


def _watch(client: socket.socket, child: int) -> None:
    """Pass on signals to a fork, and its status to who asked for it, with whom it ends."""
    handle = os.pidfd_open(child)
    while True:
        ready, _, _ = select.select([handle, client.fileno()], [], [])
        if handle in ready:
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            client.send(bytes([status if status >= 0 else 128 - status]))
            os._exit(0)
        signals = client.recv(64)
        for number in signals:
            os.kill(child, number)
        if not signals:
            os.killpg(child, signal.SIGKILL)
            os._exit(0)


def _run(arguments: Sequence[str]) -> None:
    """What Python does with a command line."""
    if arguments[0] == "-m":
        sys.argv = list(arguments[1:])
        sys.path.insert(0, os.getcwd())  # noqa: PTH109
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return
    sys.argv = list(arguments)
    if arguments[0].endswith("setup_worker.py"):
        _worker_here()
    runpy.run_path(arguments[0], run_name="__main__")


def _worker_here() -> None:
    """Have Ray's set-up of a worker go on as the worker, in place of another Python."""
    from ray._private.runtime_env.context import RuntimeEnvContext
    from ray._private.utils import update_envs

    def exec_worker(context: Any, arguments: list[str], language: object) -> None:
        update_envs(context.env_vars)
        _run(arguments)

    RuntimeEnvContext.exec_worker = exec_worker


if __name__ == "__main__":
    for module in MODULES:
        importlib.import_module(module)
    gc.collect()
    gc.freeze()
    _run(_serve(sys.argv[1]))
