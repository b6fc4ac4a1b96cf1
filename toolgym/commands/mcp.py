"""Serve one private session of a world over MCP on standard input and output, for desktop clients.

The session lives as long as the process; a client starts a fresh one by starting the command again. What such a client
reads, `mcp.json`, is printed by --config.

toolgym mcp retail --config                    what to put into the client's mcp.json
toolgym mcp retail                             what the client starts then
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import get_args

import anyio
from mcp.server.stdio import stdio_server

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.approval import Consent, require_possible
from toolgym.sandbox.runtime.registry import get_domain, names
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.server.mcp_consent import approvals_here
from toolgym.sandbox.server.mcp_stdio import Answering
from toolgym.sandbox.server.mcp_tools import build, local_world


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym mcp`."""
    parser.add_argument("domain", nargs="?", help="the world")
    parser.add_argument(
        "--config",
        action="store_true",
        help="print the mcp.json that makes a desktop client start this world's server, or every world's, and exit",
    )
    parser.add_argument("--data", default=None, help="body of data (default: the task's, or own)")
    parser.add_argument("--task", default=None, help="task id whose set-up and seed the session takes")
    parser.add_argument("--seed", type=int, default=None, metavar="N", help="seeds the ids that the session generates")
    parser.add_argument(
        "--consent",
        choices=get_args(Consent),
        default="words",
        help="how the user agrees to changes: in words, or by approving each call, which the client shows to its "
        "person by elicitation (default: words)",
    )
    parser.add_argument("--as", dest="role", choices=("agent", "user"), default="agent", help="whose tools to show")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym mcp`."""
    if arguments.config:
        worlds = [arguments.domain] if arguments.domain else names("domains")
        print(json.dumps({"mcpServers": {world: _server(world, arguments) for world in worlds}}, indent=2))
        return 0
    if arguments.domain is None:
        raise BadInput(f"Name the world to serve: {', '.join(names('domains'))}.")
    domain = get_domain(arguments.domain)
    task = domain.task(arguments.task, arguments.data) if arguments.task else None
    require_possible(arguments.consent, arguments.data or (task.data if task else "own"), user=True)
    if arguments.consent == "call" and arguments.role == "user":
        raise BadInput("--consent call is for the agent's calls; leave out --as user.")
    with Session(domain, data=arguments.data or "own", task=task, seed=arguments.seed) as session:
        world = local_world(session, arguments.role, approvals_here(session) if arguments.consent == "call" else None)
        server = build(lambda context: world)

        async def serve() -> None:
            async with stdio_server() as (reading, writing):
                await server.run(Answering(reading, writing), writing, server.create_initialization_options())

        anyio.run(serve)
    return 0


def _server(world: str, asked: argparse.Namespace) -> dict[str, object]:
    """How a client starts a world's server: by this interpreter, so that it need not be on the client's PATH."""
    domain = get_domain(world)  # a name that does not exist is told now, and so is a task
    if asked.task is not None:
        domain.task(asked.task, asked.data)
    role = None if asked.role == "agent" else asked.role
    flags = {"--data": asked.data, "--task": asked.task, "--seed": asked.seed, "--as": role}
    flags |= {"--consent": asked.consent} if asked.consent != "words" else {}
    given = [part for flag, value in flags.items() if value is not None for part in (flag, str(value))]
    return {"command": sys.executable, "args": ["-P", "-m", "toolgym", "mcp", world, *given]}
