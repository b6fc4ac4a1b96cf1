"""Serve sessions over REST, MCP and OpenEnv to agents in other processes, languages and machines.

Open http://127.0.0.1:8000/docs for the REST interface. MCP clients connect to the mcp_path that opening a session
returns. Sessions survive restarts: they are kept below --data-dir.

toolgym serve --data-dir sessions --port 8000
"""

from __future__ import annotations

import argparse
import os
import signal
import sys

import uvicorn
from uvicorn.config import STARTUP_FAILURE

from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.settings import add_flags, resolve
from toolgym.sandbox.server.http import Protocol
from toolgym.sandbox.server.logs import configure
from toolgym.sandbox.server.settings import ENVIRONMENT, ServeSettings
from toolgym.sandbox.server.storefile import prepare
from toolgym.sandbox.server.workers import listen, serve_with_workers

GRACE_SECONDS = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym serve`."""
    add_flags(parser, ServeSettings)


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym serve`."""
    return serve(resolve(ServeSettings, arguments))


def serve(settings: ServeSettings) -> int:
    """Serve until a signal; calls in flight are finished first."""
    for world in (*settings.worlds, *((settings.openenv,) if settings.openenv else ())):
        get_domain(world)  # a name that does not exist is told now
    configure(settings.log_level)
    prepare(settings.data_dir)
    listener = listen(settings.host, settings.port)
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    os.environ[ENVIRONMENT] = settings.to_environment()
    print(f"toolgym serves on http://{shown}:{port} (documents: /docs); stop with Ctrl-C.", file=sys.stderr, flush=True)
    config = uvicorn.Config(
        "toolgym.sandbox.server.app:from_environment",
        factory=True,
        workers=settings.workers,
        http=Protocol,
        proxy_headers=False,  # nothing asks who the client is
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=True,
        ws="websockets-sansio",
        ws_max_size=settings.max_body,
        lifespan="on",
        timeout_graceful_shutdown=GRACE_SECONDS,
        timeout_keep_alive=30,
    )
    signal.signal(signal.SIGTERM, lambda *_: None)  # uvicorn handles it, and raises it once more when all is done
    if settings.workers > 1:
        return serve_with_workers(config, listener)
    server = uvicorn.Server(config)
    server.run([listener])
    return 0 if server.started else STARTUP_FAILURE
