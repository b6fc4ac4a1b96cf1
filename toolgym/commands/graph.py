"""Show how a world's tools depend on one another, found by live calls that are all taken back.

toolgym graph retail                     what feeds each tool, and what must come before it
toolgym graph retail --html graph.html   the same as an interactive drawing, one file
toolgym graph banking --check            compare with the edges that the tools' types declare
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path

from rich.console import Console

from sandbox.kit.domain import Domain
from sandbox.kit.errors import BadInput, writing
from sandbox.runtime.registry import get_domain
from sandbox.synthesis.graph import cache, html, text
from sandbox.synthesis.graph.bench import WorldBench
from sandbox.synthesis.graph.declared import declared_links
from sandbox.synthesis.graph.measuring import measure
from sandbox.synthesis.graph.model import Graph


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym graph`."""
    parser.add_argument("domain", help="name of the installed domain")
    parser.add_argument("--data", default="own", help="body of data (default: own)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="decides what is tried (default: 0)")
    parser.add_argument("--json", type=Path, default=None, metavar="FILE", help="write the whole graph as JSON")
    parser.add_argument("--html", type=Path, default=None, metavar="FILE", help="draw it: one interactive page")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a declared edge was not seen")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym graph`."""
    console = Console()
    domain = get_domain(arguments.domain)
    graph = _measured(console, domain, arguments.data, arguments.seed)
    _write(arguments.json, graph.to_json)
    _write(arguments.html, partial(html.page, graph))
    if arguments.check:
        return _check(console, domain, graph)
    for line in text.lines(graph):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    return 0


def _write(path: Path | None, text_of: Callable[[], str]) -> None:
    if path is not None:
        with writing(path):
            path.write_text(text_of(), encoding="utf-8")


def _measured(console: Console, domain: Domain, data: str, seed: int) -> Graph:
    key = cache.digest(domain, data, seed)
    graph = cache.find(key)
    if graph is None:
        with console.status(f"trying the tools of {domain.name}"):
            graph = measure(domain.name, WorldBench(domain, data), seed)
        cache.keep(key, graph)
    return graph


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
