"""Calls of list tools of which a row is the only hit, and calls that show a row: what a program can be sure of."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from inspect import Parameter
from typing import Any, NamedTuple, cast, get_args

from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.reference import bare
from toolgym.sandbox.kit.table import key_column
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.synthesis.arguments import call_of, hints, parameters
from toolgym.sandbox.synthesis.lookup import filters, parents
from toolgym.sandbox.synthesis.scene import Scene


class Listing(NamedTuple):
    """A call of a list tool of which a row is the only hit, with the row that it is given.

    Attributes:
        call: the call.
        tool: its tool.
        parent: the row that the listed one belongs to, where the tool is given its key.
    """

    call: ToolCall
    tool: Tool
    parent: Any = None

    def seeks(self, value: Any) -> bool:
        """Whether the call looks for this value, and it is none of those that the tool's schema lists."""
        if isinstance(self.call.arguments, str):
            return False
        schemas = self.tool.parameters["properties"]
        sought = value.isoformat() if hasattr(value, "isoformat") else value
        given = self.call.arguments.items()
        return any(each == sought and "enum" not in str(schemas[name]) for name, each in given)


def alone(sampler: Scene, row: Any, values: Mapping[str, Any], *, first: bool = False) -> Sequence[Listing]:
    """Calls of list tools, filtered by these values and by at most one row, of which a row is the only hit.

    Args:
        sampler: the person's world.
        row: what is looked for.
        values: what is told of it, by column.
        first: it is to be the first of several hits instead.
    """
    asked = (row.model, getattr(row, key_column(row.model)), tuple(sorted(values.items())), first)
    if asked not in sampler.listings:
        sampler.listings[asked] = tuple(_alone(sampler, row, values, first))
    return cast(Sequence[Listing], sampler.listings[asked])


def _alone(sampler: Scene, row: Any, values: Mapping[str, Any], first: bool) -> Iterator[Listing]:
    above = {foreign.column.table for column in row.model.__table__.columns for foreign in column.foreign_keys}
    for tool in sampler.domain.tools.values():
        if tool.kind != "read" or (row.model not in tool.lists and (values or first or not _is_given(tool, above))):
            continue
        for given, parent in _starts(sampler, tool, row, filters(tool, values)):
            call = call_of(tool, given, sampler.database)
            result = sampler.read(call).value
            if (first_row if first else only_row)(result, row) is not None:
                yield Listing(call, tool, parent)
                if parent is None:
                    break  # who it belongs to need not be known


def _is_given(tool: Tool, tables: Collection[Any]) -> bool:
    """Whether a tool is given a row of one of these tables and nothing else: it may show what belongs to that row."""
    needed = [name for name, each in parameters(tool).items() if each.default is Parameter.empty]
    return len(needed) == 1 and getattr(tool.references.get(needed[0]), "__table__", None) in tables


def _starts(sampler: Scene, tool: Tool, row: Any, filtered: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], Any]]:
    """What a list tool is given: filters, each choice that it needs, and at most one row."""
    needed: list[str] = []
    optional: list[str] = []
    starts = [dict(filtered)]
    for name, parameter in parameters(tool).items():
        if name in filtered:
            continue
        if name in tool.references:
            (needed if parameter.default is Parameter.empty else optional).append(name)
        elif parameter.default is not Parameter.empty:
            continue
        elif tool.kinds[name] == "choice":
            options = get_args(bare(hints(tool)[name])[0])
            starts = [given | {name: option} for given in starts for option in options]
        else:
            return
    if len(needed) > 1:
        return
    if not needed:
        yield from ((given, None) for given in starts)
    for name in needed or optional:
        for parent in parents(sampler, row, tool.references[name]):
            yield from ((given | {name: parent}, parent) for given in starts)


def only_row(result: Json, row: Any) -> dict[str, Json] | None:
    """The entry of a result that shows a row and no other of its sort; None where it shows others, or another.

    It may stand beside a list, as an order beside its things, or in one that comes with another row, as the only
    payment with its invoice.
    """
    column = key_column(row.model)
    key = getattr(row, column)
    found = _only(result.get("items", result) if isinstance(result, dict) else result)
    every = [each for each in (found, *map(_only, result.values() if isinstance(result, dict) else ())) if each]
    own = (each for each in every if next(iter(each)) == column)  # a view's key comes first
    return next((each for each in (*own, found or {}) if each.get(column) == key), None)


def _only(found: Json) -> dict[str, Json] | None:
    """An object, or the only one of a list."""
    if isinstance(found, list):
        found = found[0] if len(found) == 1 else None
    return found if isinstance(found, dict) else None


def first_row(result: Json, row: Any) -> dict[str, Json] | None:
    """The first of several entries of a list, where it shows a row."""
    found = result.get("items") if isinstance(result, dict) else result
    return only_row(found[:1], row) if isinstance(found, list) and len(found) > 1 else None


def first_entry(result: Json) -> dict[str, Json] | None:
    """The first entry of a list, whatever it shows; None where there is none."""
    found = result.get("items") if isinstance(result, dict) else result
    first = found[0] if isinstance(found, list) and found else None
    return first if isinstance(first, dict) else None


def showing(sampler: Scene, row: Any) -> Iterator[ToolCall]:
    """Calls that are given a row alone and show it."""
    for tool in sampler.domain.tools.values():
        takes = [name for name, tables in tool.takes.items() if row.model in tables]
        if tool.kind != "read" or row.model in tool.lists or len(takes) != 1:
            continue
        if [name for name, known in parameters(tool).items() if known.default is Parameter.empty] != takes:
            continue
        call = call_of(tool, {takes[0]: row}, sampler.database)
        if only_row(sampler.read(call).value, row) is not None:
            yield call


def held(shown: Json, path: str) -> Json:
    """The value at a path in what a tool shows, where every list on the way has one entry; None where there is none."""
    for name in path.split("."):
        if isinstance(shown, list):
            shown = shown[0] if len(shown) == 1 else None
        shown = shown.get(name) if isinstance(shown, dict) else None
    if isinstance(shown, list):
        shown = shown[0] if len(shown) == 1 else None
    return shown
