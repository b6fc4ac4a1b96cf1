"""Serve sessions over REST and MCP to agents in other processes, languages and machines.

Open http://127.0.0.1:8000/docs for the REST interface. MCP clients connect to the mcp_path that opening a session
returns. Sessions survive restarts: they are kept below --data-dir.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import sys

import uvicorn
from uvicorn.supervisors import Multiprocess

from sandbox.cli.settings import add_flags, resolve
from sandbox.errors import BadInput
from sandbox.server.app import ENVIRONMENT
from sandbox.server.logs import configure
from sandbox.server.settings import ServeSettings

GRACE_SECONDS = 20
_METRICS = "PROMETHEUS_MULTIPROC_DIR"


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
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    os.environ[ENVIRONMENT] = settings.to_environment()
    if settings.workers > 1:
        folder = settings.data_dir / "metrics"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        os.environ[_METRICS] = str(folder.resolve())
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
    if settings.workers > 1:
        Multiprocess(config, [listener]).run()
    else:
        uvicorn.Server(config).run([listener])
    return 0


def _listen(settings: ServeSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
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
