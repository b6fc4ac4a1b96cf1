"""The dependency graph for a terminal: for each tool what feeds its parameters and what must come before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from toolgym.sandbox.synthesis.graph.model import USER, Edge, Graph, Node, shown

_SHOWN = 4
"""Sources of a parameter that are listed; the rest is counted."""


def lines(graph: Graph) -> Iterator[str]:
    """The graph as lines of plain text."""
    value = sum(edge.kind == "value" for edge in graph.edges)
    yield (
        f"{graph.name}: {len(graph.nodes)} tools, {value} value edges, {len(graph.edges) - value} order edges; "
        f"{graph.calls:,} live calls in {graph.seconds:.1f} s, seed {graph.seed}"
    )
    kinds = {node.name: node.kind for node in graph.nodes}
    for node in graph.nodes:
        yield ""
        yield f"{node.name} ({node.kind}) {_successes(node)}"
        yield from _parameters(graph, node, kinds)
        for edge in graph.into(node.name, "order"):
            yield f"    after {edge.source} ({edge.evidence}): refused with {', '.join(edge.codes)} before"


def _successes(node: Node) -> str:
    if node.successes:
        return f"{node.successes:,} of {node.calls:,} calls succeeded"
    best = f"; came furthest with {node.best_refusal}" if node.best_refusal else ""
    return f"never succeeded in {node.calls:,} calls{best}"


def _parameters(graph: Graph, node: Node, kinds: Mapping[str, str]) -> Iterator[str]:
    fed: dict[str, list[Edge]] = {}
    for edge in graph.into(node.name, "value"):
        fed.setdefault(shown(edge.parameter), []).append(edge)
    for path in node.open_parameters:
        fed.setdefault(shown(path), [])
    for parameter, edges in fed.items():
        yield f"    {parameter} <- {_sources(edges, kinds)}"


def _sources(edges: list[Edge], kinds: Mapping[str, str]) -> str:
    """The likeliest sources first: what reads news, then what writes return; the user last, echoes only counted."""
    news = [edge for edge in edges if not edge.echo and edge.source != USER]
    news.sort(key=lambda edge: (kinds.get(edge.source) == "write", -edge.evidence))
    told = [f"{edge.source} {shown(edge.path)} ({edge.evidence})" for edge in news[:_SHOWN]]
    if len(news) > _SHOWN:
        told.append(f"{len(news) - _SHOWN} more")
    user = next((edge for edge in edges if edge.source == USER), None)
    if user is not None:
        told.append(f"the user ({shown(user.path)})")
    echoes = sum(edge.echo for edge in edges)
    if echoes:
        told.append(f"{echoes} that only repeat it")
    if not edges or edges[0].open:
        told.append("takes anything")
    return "; ".join(told)
