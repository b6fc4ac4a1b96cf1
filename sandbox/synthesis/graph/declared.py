"""The edges that a world's types declare: a tool shows rows of a table, another takes a `Ref` to that table.

Beside the measured graph, never part of it: `toolgym graph WORLD --check` compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.table import key_column
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.synthesis.graph.model import Link


def declared_links(domain: Domain) -> set[Link]:
    """Every pair of tools of which one shows keys of a table and the other refers to it, with the parameter's name.

    Empty for a world whose tools are typed with plain text. What a tool would give itself is left out.
    """
    tools = list(domain.tools.values())
    return {
        (source.name, target.name, target.inputs[name])
        for target in tools
        for name, table in target.references.items()
        for source in tools
        if source is not target and key_column(table) in _fields(source)
    }


def _fields(tool: Tool) -> set[str]:
    """The names of the fields in a typed result."""
    return set(_names(tool.returns)) if tool.shows is not None else set()


def _names(schema: Json) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for inner in schema.values():
            yield from _names(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _names(inner)
