"""Whether a run's folder is being written to, for those who look at it from outside.

The mark is a lock of the operating system (flock) on the folder itself: it leaves no file, and ends with the process.
"""

from __future__ import annotations

import os
import weakref
from pathlib import Path

try:
    import fcntl
except ModuleNotFoundError:  # Windows: no run is shown as running there
    fcntl = None  # type: ignore[assignment]


def mark_running(owner: object, folder: Path) -> None:
    """Mark a folder as being written to for as long as `owner` lives."""
    if fcntl is None:
        return
    descriptor = os.open(folder, os.O_RDONLY)
    weakref.finalize(owner, os.close, descriptor)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH)  # shared: those who ask are the ones that try to hold it alone
    except OSError:  # a file system without locks
        return


def is_running(folder: Path) -> bool:
    """Whether an evaluation holds the folder, or a training its lock file (training/run_lock.py)."""
    return fcntl is not None and any(_is_held(path) for path in (folder, folder / ".lock"))


def _is_held(path: Path) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False
