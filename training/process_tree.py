"""Runs verl and leaves nothing behind: all that a run started ends once the run, or the command that wanted it, has.

`toolgym train` starts it, and it starts verl. It notices the end of the command by a pipe, however that end came
(a kill -9 too), and it adopts what Ray leaves without a parent. What verl says goes into the run's log, filtered.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil

from toolgym.training.log_filter import LogFilter

PATIENCE_SECONDS = 10
"""How long verl and Ray have to end by themselves."""

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def _prctl(option: int, value: int) -> None:
    """Linux's prctl; elsewhere nothing, and the pipe alone has to do."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def end_with_parent() -> None:
    """Have this process asked to end (SIGTERM) when the one that started it is gone."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def run(command: Sequence[str], log: Path) -> int:
    """Run a command to its end, or until standard input ends; returns its status when nothing of it is left.

    Args:
        command: such as verl's.
        log: takes what it says.
    """
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command says when to end
    _in_background(_end_after_command, process)
    writer = _in_background(_write_log, process, log)
    status = process.wait()
    end_children()
    writer.join(PATIENCE_SECONDS)
    return status if status >= 0 else 128 - status


def end_children() -> None:
    """End every process below this one: ask, wait, then kill; those that lose their parent meanwhile come here too."""
    for child in _children():
        _signal(child, signal.SIGTERM)
    psutil.wait_procs(_children(), timeout=PATIENCE_SECONDS)
    while left := _children():
        for child in left:
            _signal(child, signal.SIGKILL)
        psutil.wait_procs(left, timeout=1)


def _children() -> list[psutil.Process]:
    """The processes below this one that still run."""
    return [child for child in psutil.Process().children(recursive=True) if _runs(child)]


def _runs(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _signal(process: psutil.Process, number: int) -> None:
    with contextlib.suppress(psutil.Error):  # it ended by itself
        process.send_signal(number)


def _in_background(work: Callable[..., None], *arguments: object) -> threading.Thread:
    thread = threading.Thread(target=work, args=arguments, daemon=True)
    thread.start()
    return thread


def _end_after_command(process: subprocess.Popen[bytes]) -> None:
    """The pipe from the command ends when the command does, or when it asks for the end."""
    while os.read(sys.stdin.fileno(), 1):  # unbuffered: a buffered read holds a lock that Python wants at its end
        pass
    process.terminate()
    try:
        process.wait(PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()


def _write_log(process: subprocess.Popen[bytes], log: Path) -> None:
    assert process.stdout is not None
    with LogFilter(log) as kept:
        for line in process.stdout:
            kept.add(line.decode("utf-8", "replace"))


if __name__ == "__main__":
    sys.exit(run([sys.executable, "-m", "toolgym.training.launch", sys.argv[1]], Path(sys.argv[2])))
