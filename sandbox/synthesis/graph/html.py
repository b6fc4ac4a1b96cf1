"""The dependency graph as one HTML file that needs no network: boxes in layers, to be dragged, filtered and clicked."""

from __future__ import annotations

import json
from importlib.resources import files

from toolgym.sandbox.synthesis.graph.model import USER, Edge, Graph

_MARK = "/*GRAPH*/null"


def page(graph: Graph) -> str:
    """The page."""
    data = json.loads(graph.to_json()) | {"layers": layers(graph)}
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")  # no tool's name ends the script
    return files(__package__).joinpath("graph.html").read_text(encoding="utf-8").replace(_MARK, text)


def layers(graph: Graph) -> dict[str, int]:
    """How many tools must have been called before each one, at least: 0 where nothing, or only the user, feeds it."""
    writes = {node.name for node in graph.nodes if node.kind == "write"}
    found: dict[str, int] = {}
    while len(found) < len(graph.nodes):
        ready = {}
        for node in graph.nodes:
            if node.name not in found:
                needs = _needs(graph, node.name, writes)
                if all(any(source in found for source in sources) for sources in needs):
                    least = [min(found[source] for source in sources if source in found) for sources in needs]
                    ready[node.name] = 1 + max(least, default=-1)
        found |= ready or _begun_by_user(graph, found)
    return found


def _needs(graph: Graph, tool: str, writes: set[str]) -> list[set[str]]:
    """Of each parameter that takes not anything: the tools that feed it, reads where there are any."""
    fed: dict[str, list[Edge]] = {}
    for edge in graph.into(tool, "value"):
        if not edge.open and not edge.echo and edge.source not in (USER, tool):
            fed.setdefault(edge.parameter[0], []).append(edge)
    named = [{edge.source for edge in edges} for edges in fed.values()]
    return [sources - writes or sources for sources in named]


def _begun_by_user(graph: Graph, found: dict[str, int]) -> dict[str, int]:
    """Where each tool waits for another, a person begins: with the tools that take fewest of the others' values."""
    waiting = [node.name for node in graph.nodes if node.name not in found]
    told = [name for name in waiting if any(edge.source == USER for edge in graph.into(name, "value"))] or waiting
    fed = {name: len({edge.source for edge in graph.into(name, "value")} - {USER}) for name in told}
    return {name: 0 for name in told if fed[name] == min(fed.values())}
