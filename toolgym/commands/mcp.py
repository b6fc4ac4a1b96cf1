"""Serve one private session of a world over MCP on standard input and output, for desktop clients.

The session lives as long as the process; a client starts a fresh one by starting the command again.
"""

from __future__ import annotations

import argparse

import anyio
from mcp.server.stdio import stdio_server

from sandbox.runtime.registry import get_domain
from sandbox.runtime.session import Session
from sandbox.server.mcp_stdio import Answering
from sandbox.server.mcp_tools import build, local_world


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym mcp`."""
    parser.add_argument("domain", help="the world")
    parser.add_argument("--data", default="own", help="body of data (default: own)")
    parser.add_argument("--task", default=None, help="task id whose set-up and seed the session takes")
    parser.add_argument("--seed", type=int, default=None, metavar="N", help="seeds the ids that the session generates")
    parser.add_argument("--as", dest="role", choices=("agent", "user"), default="agent", help="whose tools to show")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym mcp`."""
    domain = get_domain(arguments.domain)
    task = domain.task(arguments.task, arguments.data) if arguments.task else None
    with Session(domain, data=arguments.data, task=task, seed=arguments.seed) as session:
        world = local_world(session, arguments.role)
        server = build(lambda context: world)

        async def serve() -> None:
            async with stdio_server() as (reading, writing):
                await server.run(Answering(reading, writing), writing, server.create_initialization_options())

        anyio.run(serve)
    return 0
