"""Sockets to listen on, and the supervisor of worker processes. What workers do: `toolgym.sandbox.server.app`."""

from __future__ import annotations

import os
import socket
import sys
import tempfile

import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.server.metrics import SHARED, forget_worker

BACKLOG = 2048


def listen(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """A listening socket; `shared` ones (Linux) can be many on one port, and the kernel spreads connections over them.

    Raises:
        BadInput: the address is taken or not this machine's.
    """
    # asyncio sends small answers at once only on sockets that say they are TCP
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shared:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise BadInput(f"Cannot listen on {host}:{port}: {error.strerror}; choose --port.") from None
    listener.listen(BACKLOG)
    listener.set_inheritable(True)
    return listener


def serve_with_workers(config: uvicorn.Config, listener: socket.socket) -> int:
    """Serve with `config.workers` processes until a signal; the exit status."""
    with tempfile.TemporaryDirectory(prefix="toolgym-metrics-", ignore_cleanup_errors=True) as folder:
        os.environ[SHARED] = folder
        workers = _Workers(config, listener)
        workers.run()
    return STARTUP_FAILURE if any(worker.exitcode == STARTUP_FAILURE for worker in workers.processes) else 0


class _Workers(Multiprocess):
    """uvicorn's supervisor with sockets that spread the load, and metrics that forget the dead.

    With one socket for all, a worker takes every connection that is waiting when it wakes up, so bursts go to one
    worker. On Linux each gets a socket of its own; a dead worker's is gone with it, and the others get what comes.
    """

    def __init__(self, config: uvicorn.Config, listener: socket.socket) -> None:
        super().__init__(config, [listener])
        self._handed: list[socket.socket] = []
        if sys.platform.startswith("linux"):
            self._address = listener.getsockname()[:2]
            listener.close()  # it has shown that no other program listens there

    @property  # asked for once per worker
    def sockets(self) -> list[socket.socket]:
        """What the next worker listens on."""
        if not sys.platform.startswith("linux"):
            return self._given
        self._handed.append(listen(*self._address, shared=True))
        return self._handed[-1:]

    @sockets.setter
    def sockets(self, given: list[socket.socket]) -> None:
        self._given = given

    def keep_subprocess_alive(self) -> None:
        """Replace workers that died."""
        before = {worker.pid for worker in self.processes}
        super().keep_subprocess_alive()
        for pid in before - {worker.pid for worker in self.processes}:
            forget_worker(pid)
        while self._handed:  # the workers have them by now; here they would outlive a worker
            self._handed.pop().close()
