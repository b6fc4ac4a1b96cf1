"""Flags of the commands that take any MCP server as a world; what they do is in `mcp_world`, whose SDK loads slowly."""

from __future__ import annotations

import argparse

MAX_CALLS = 300
"""Calls of a foreign server: enough to see what feeds a dozen tools, and a matter of seconds where they only read."""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym eval`, `toolgym tasks generate` and `toolgym graph`."""
    parser.add_argument("--mcp", default=None, metavar="COMMAND", help="the MCP server that this starts is the world")
    parser.add_argument(
        "--mcp-value",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="--mcp: what a parameter gets, such as repo_path=/srv/repo; again for another value; @FILE: TOML or JSON",
    )
    parser.add_argument("--allow-writes", action="store_true", help="--mcp: also call tools that may write")
    parser.add_argument(
        "--max-calls",
        type=int,
        default=MAX_CALLS,
        metavar="N",
        help=f"--mcp: calls to explore it (default: {MAX_CALLS})",
    )
