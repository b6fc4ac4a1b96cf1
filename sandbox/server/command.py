"""Serve sessions over REST and MCP to agents in other processes, languages and machines.

Open http://127.0.0.1:8000/docs for the REST interface. MCP clients connect to the mcp_path that opening a session
returns. Sessions survive restarts: they are kept below --data-dir.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
import tempfile

import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from sandbox.cli.settings import add_flags, resolve
from sandbox.errors import BadInput
from sandbox.server.logs import configure
from sandbox.server.metrics import SHARED, forget_worker
from sandbox.server.settings import ENVIRONMENT, ServeSettings

GRACE_SECONDS = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym serve`."""
    add_flags(parser, ServeSettings)


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym serve`."""
    return serve(resolve(ServeSettings, arguments))


def serve(settings: ServeSettings) -> int:
    """Serve until a signal; calls in flight are finished first."""
    configure(settings.log_level)
    listener = _listen(settings)
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)  # session ids open sessions
    os.environ[ENVIRONMENT] = settings.to_environment()
    print(f"toolgym serves on http://{shown}:{port} (documents: /docs); stop with Ctrl-C.", file=sys.stderr, flush=True)
    config = uvicorn.Config(
        "sandbox.server.app:from_environment",
        factory=True,
        workers=settings.workers,
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=True,
        ws="none",
        lifespan="on",
        timeout_graceful_shutdown=GRACE_SECONDS,
        timeout_keep_alive=30,
    )
    signal.signal(signal.SIGTERM, lambda *_: None)  # uvicorn handles it, and raises it once more when all is done
    if settings.workers > 1:
        return _serve_with_workers(config, listener)
    server = uvicorn.Server(config)
    server.run([listener])
    return 0 if server.started else STARTUP_FAILURE


def _serve_with_workers(config: uvicorn.Config, listener: socket.socket) -> int:
    with tempfile.TemporaryDirectory(prefix="toolgym-metrics-", ignore_cleanup_errors=True) as folder:
        os.environ[SHARED] = folder
        workers = _Workers(config, [listener])
        workers.run()
    return STARTUP_FAILURE if any(worker.exitcode == STARTUP_FAILURE for worker in workers.processes) else 0


class _Workers(Multiprocess):
    """uvicorn's supervisor, which also takes a dead worker's gauges out of the metrics."""

    def keep_subprocess_alive(self) -> None:
        """Replace workers that died."""
        before = {worker.pid for worker in self.processes}
        super().keep_subprocess_alive()
        for pid in before - {worker.pid for worker in self.processes}:
            forget_worker(pid)


def _listen(settings: ServeSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # asyncio sends small answers at once only on sockets that say they are TCP
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        raise BadInput(f"Cannot listen on {settings.host}:{settings.port}: {error.strerror}; choose --port.") from None
    listener.listen(2048)
    listener.set_inheritable(True)
    return listener
