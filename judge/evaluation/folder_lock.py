"""A lock on a run's folder: one process writes to it at a time, and others can see whether one does.

It is a lock of the operating system (flock) on the folder itself: it leaves no file, and ends with the process.
Writers hold it alone; who only asks tries to share it, so that two who ask at once do not take each other for a writer.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from pathlib import Path

from toolgym.sandbox.kit.errors import BadInput

try:
    import fcntl
except ModuleNotFoundError:  # Windows: no run is shown as running there
    fcntl = None  # type: ignore[assignment]

_PATIENCE = 1.0
"""Seconds in which those who only ask let go of the folder again; they hold it for microseconds."""
_lock = threading.Lock()


class _Hold:
    """A lock that ends with the last one who keeps it."""

    def __init__(self, descriptor: int) -> None:
        weakref.finalize(self, os.close, descriptor)


_held: weakref.WeakValueDictionary[tuple[int, int], _Hold] = weakref.WeakValueDictionary()
"""The folders that this process writes to, by device and inode."""


def mark_running(owner: object, folder: Path) -> None:
    """Hold a folder as one that is written to for as long as `owner` lives; one process may hold it several times.

    Raises:
        BadInput: another process writes to it.
    """
    if fcntl is None:
        return
    with _lock:
        descriptor = os.open(folder, os.O_RDONLY)
        found = os.fstat(descriptor)
        hold = _held.get((found.st_dev, found.st_ino))
        if hold is not None:
            os.close(descriptor)
        elif _taken(descriptor):
            hold = _held[found.st_dev, found.st_ino] = _Hold(descriptor)
        else:
            os.close(descriptor)
            raise BadInput(
                f"{folder} is being written to by another process, which plays or scores it; wait until that has "
                "ended, or give another folder."
            )
    weakref.finalize(owner, lambda kept: None, hold)


def _taken(descriptor: int) -> bool:
    give_up = time.monotonic() + _PATIENCE
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > give_up:
                return False
            time.sleep(0.01)
        except OSError:  # a file system without locks
            return True
        else:
            return True


def is_running(folder: Path) -> bool:
    """Whether an evaluation holds the folder, or a training its lock file (training/run_lock.py)."""
    return fcntl is not None and any(_is_held(path) for path in (folder, folder / ".lock"))


def _is_held(path: Path) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False
