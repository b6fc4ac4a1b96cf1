"""Show how a world's tools depend on one another, found by live calls that are all taken back.

toolgym graph retail                     what feeds each tool, and what must come before it
toolgym graph retail --html graph.html   the same as an interactive drawing, one file
toolgym graph banking --check            compare with the edges that the tools' types declare
toolgym graph --mcp "npx some-server"    the tools of another MCP server that say they only read
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from toolgym.commands.mcp_flags import add_flags
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput, writing
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.terminal import SafeConsole
from toolgym.sandbox.synthesis.graph import cache, html, text
from toolgym.sandbox.synthesis.graph.declared import declared_links
from toolgym.sandbox.synthesis.graph.measuring import measure
from toolgym.sandbox.synthesis.graph.model import Graph

if TYPE_CHECKING:
    from toolgym.sandbox.remote.mcp_bench import MCPBench


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym graph`."""
    parser.add_argument("domain", nargs="?", default=None, help="name of the installed domain")
    add_flags(parser)
    parser.add_argument("--data", default="own", help="body of data (default: own)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="decides what is tried (default: 0)")
    parser.add_argument("--json", type=Path, default=None, metavar="FILE", help="write the whole graph as JSON")
    parser.add_argument("--html", type=Path, default=None, metavar="FILE", help="draw it: one interactive page")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a declared edge was not seen")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym graph`."""
    console = SafeConsole()
    if (arguments.domain is None) == (arguments.mcp is None):
        raise BadInput(
            'Name one world, such as `toolgym graph retail`, or one server: `toolgym graph --mcp "COMMAND"`.'
        )
    if arguments.mcp is not None:
        domain, graph = None, _foreign(console, arguments)
    else:
        domain = get_domain(arguments.domain)
        graph = _measured(console, domain, arguments.data, arguments.seed)
    _write(arguments.json, graph.to_json)
    _write(arguments.html, partial(html.page, graph))
    if domain is not None and arguments.check:
        return _check(console, domain, graph)
    for line in text.lines(graph):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    return 0


def _write(path: Path | None, text_of: Callable[[], str]) -> None:
    if path is not None:
        with writing(path):
            path.write_text(text_of(), encoding="utf-8")


def _foreign(console: Console, arguments: argparse.Namespace) -> Graph:
    """The graph of another MCP server, after saying what will be done to it."""
    from toolgym.sandbox.remote.known_values import read_values
    from toolgym.sandbox.remote.mcp_bench import MCPBench  # the SDK loads slowly

    command = shlex.split(arguments.mcp)
    if not command or arguments.max_calls < 1 or arguments.check:
        raise BadInput(
            "--mcp takes a command such as 'npx some-server', --max-calls at least 1; --check compares with a world's "
            "declared edges and takes no server."
        )
    values, writes = read_values(arguments.mcp_value), arguments.allow_writes
    with MCPBench(command, max_calls=arguments.max_calls, allow_writes=writes, values=values) as bench:
        for line in plan(bench, arguments.max_calls):
            console.print(line, highlight=False, markup=False, soft_wrap=True)
        return measure(arguments.mcp, bench, arguments.seed)


def plan(bench: MCPBench, calls: int) -> Iterator[str]:
    """What will be done to a server, in lines for people."""
    names = ", ".join(card.name for card in bench.cards) or "none"
    yield f"Will be called with drawn arguments, at most {calls} times in all: {names}."
    if bench.left_alone:
        left = ", ".join(bench.left_alone)
        yield f"Left alone, since they do not say that they only read: {left} (--allow-writes calls them too)."
    if bench.barred:
        yield f"Left alone, since they call themselves destructive: {', '.join(sorted(bench.barred))}."
    if any(card.kind == "write" for card in bench.cards):
        yield (
            "After each call that may write the command is started afresh, which undoes what the process itself holds. "
            "What is written to a file or another machine stays."
        )
    yield ""


def _measured(console: Console, domain: Domain, data: str, seed: int) -> Graph:
    with console.status(f"trying the tools of {domain.name}"):
        return cache.measured(domain, data, seed)


def _check(console: Console, domain: Domain, graph: Graph) -> int:
    """Compare what the types declare with what was seen."""
    declared = declared_links(domain)
    if not declared:
        raise BadInput(
            f"The tools of {domain.name} declare no edges: their parameters are plain text. `Ref[Table]` in a tool's "
            "signature declares one."
        )
    unseen = graph.missing(declared)
    for source, target, parameter in unseen:
        console.print(f"- {source} shows what {target} takes as {parameter}: not seen", highlight=False, soft_wrap=True)
    seen = len(declared) - len(unseen)
    console.print(f"{domain.name}: {seen} of {len(declared)} declared edges seen.", highlight=False)
    return 1 if unseen else 0
