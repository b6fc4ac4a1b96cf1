"""One training at a time in a run's folder.

The lock is the operating system's (flock): it ends with the processes that hold it, so none is ever stale.
"""

from __future__ import annotations

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from toolgym.sandbox.kit.errors import BadInput


@contextmanager
def locked(folder: Path) -> Iterator[int]:
    """Hold the folder; gives the lock's file descriptor, which a child that inherits it holds as well.

    Raises:
        BadInput: another process holds it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise BadInput(
                f"{folder} is in use by another training ({file.read().strip() or 'just started'}); wait until it has "
                "ended, or give another folder: out=FOLDER."
            ) from None
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}, since {datetime.now():%Y-%m-%d %H:%M:%S}\n")
        file.flush()
        yield file.fileno()
