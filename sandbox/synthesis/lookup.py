"""How an agent comes to know a row that a person only describes: list and search calls, found and tried live."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from inspect import Parameter
from typing import Any, cast, get_args

from sqlalchemy import Table
from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.reference import bare
from toolgym.sandbox.kit.table import Via, key_column, shown_columns
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.synthesis.arguments import call_of, hints, parameters
from toolgym.sandbox.synthesis.scene import Scene
from toolgym.sandbox.synthesis.value_words import Month

PAGES = 4
"""Pages of an unfiltered list that are looked through."""
_TEXT = ("text", "query", "name", "title")
"""Filters that look into several columns."""


def lookup(sampler: Scene, row: Any, described: Mapping[str, Any]) -> list[ToolCall] | None:
    """Read calls whose last result holds the row's key; None when no tool shows it.

    Args:
        sampler: the person's world.
        row: what is looked for.
        described: the columns by which it is known, with their values.
    """
    thing = sampler.thing(row.model)
    if thing is not None and thing.found_by:
        return _led(sampler, row, thing.found_by, described)
    best: list[ToolCall] | None = None
    for tool in sampler.domain.tools.values():
        if tool.kind != "read" or row.model not in tool.lists:
            continue
        for before, arguments in _starts(sampler, tool, row, described):
            found = _found(sampler, tool, row, arguments, described)
            if found is not None and (best is None or len(before) + len(found) < len(best)):
                best = before + found
    return best


def _led(sampler: Scene, row: Any, tools: Sequence[Tool], described: Mapping[str, Any]) -> list[ToolCall] | None:
    """The calls of declared look-ups, each given what is known, and keys of the person, the row or its parents."""
    calls = []
    for tool in tools:
        given = filters(tool, described)
        for name, parameter in parameters(tool).items():
            tables = tool.takes.get(name, ())
            near = (row, sampler.person, *(referred(sampler, row, table) for table in tables))
            held = next((each for each in near if each is not None and each.model in tables), None)
            if held is not None:
                given[name] = held
            elif name not in given and parameter.default is Parameter.empty:
                return None
        calls.append(call_of(tool, given, sampler.database))
    return calls


def _starts(
    sampler: Scene, tool: Tool, row: Any, described: Mapping[str, Any]
) -> Iterator[tuple[list[ToolCall], dict[str, Any]]]:
    """What a list tool must be given before it lists: what is known, the row it belongs to, or each choice."""
    known = filters(tool, described)
    starts: list[tuple[list[ToolCall], dict[str, Any]]] = [([], {})]
    for name, parameter in parameters(tool).items():
        if parameter.default is not Parameter.empty:
            continue
        if name in known:
            starts = [(before, given | {name: known[name]}) for before, given in starts]
        elif name in tool.references:
            parent = referred(sampler, row, tool.references[name])
            calls = None if parent is None else lookup(sampler, parent, _told_of(row, parent, described))
            if calls is None:
                return
            starts = [(before + calls, given | {name: parent}) for before, given in starts]
        elif tool.kinds[name] == "choice":
            options = get_args(bare(hints(tool)[name])[0])
            starts = [(before, given | {name: option}) for before, given in starts for option in options]
        else:
            return
    yield from starts


def _told_of(row: Any, parent: Any, described: Mapping[str, Any]) -> Mapping[str, Any]:
    """What is told of a row and shown of the one that it belongs to as well; all of it, where that is nothing.

    It is shown there by the same name, or is a column of that row that views of this one fetch.
    """
    same = {name: value for name, value in described.items() if name in shown_columns(parent.model)}
    made = ((shown_columns(row.model).get(name), value) for name, value in described.items())
    fetched = {by.path[-1]: value for by, value in made if isinstance(by, Via) and by.source is parent.model}
    return same or fetched or described


def referred(sampler: Scene, row: Any, model: type[DeclarativeBase]) -> Any:
    """The row of a table that a row refers to first; None where it refers to none."""
    return next(parents(sampler, row, model), None)


def parents(sampler: Scene, row: Any, model: type[DeclarativeBase]) -> Iterator[Any]:
    """The rows of a table that a row refers to, in the order of its columns."""
    for column in cast(Table, row.model.__table__).columns:
        if any(foreign.column.table is model.__table__ for foreign in column.foreign_keys):
            key = getattr(row, column.name)
            found = None if key is None else sampler.database.get(model, key)
            if found is not None:
                yield found


def _found(
    sampler: Scene, tool: Tool, row: Any, arguments: dict[str, Any], described: Mapping[str, Any]
) -> list[ToolCall] | None:
    """The call that lists the row: with filters where it is the only hit, else page by page."""
    filtered = call_of(tool, arguments | filters(tool, described), sampler.database)
    if _position(sampler, filtered, row) is not None:
        return [filtered]
    for page in range(1, PAGES + 1):
        more = {"page": page} if page > 1 and "page" in tool.inputs else {}
        call = call_of(tool, arguments | more, sampler.database)
        if _position(sampler, call, row) is not None:
            return [call]
        if not more and page > 1:
            return None
    return None


def filters(tool: Tool, described: Mapping[str, Any]) -> dict[str, Any]:
    """The filters of a list tool that what is known of a row can fill."""
    found: dict[str, Any] = {}
    for column, value in described.items():
        if column in tool.inputs:
            found[column] = value
        elif column.endswith("_cents") and {"min_cents", "max_cents"} <= set(tool.inputs):
            found |= {"min_cents": abs(value), "max_cents": abs(value)}
        elif isinstance(value, Month):
            found |= {"first_day": value.first, "last_day": value.last} if "first_day" in tool.inputs else {}
        elif hasattr(value, "isoformat") and {"first_day", "last_day"} <= set(tool.inputs):
            day = value.date() if hasattr(value, "date") else value
            found |= {"first_day": day, "last_day": day}
        elif isinstance(value, str):
            word = next((name for name in _TEXT if name in tool.inputs and name not in found), None)
            if word:
                found[word] = value
    return found


def _position(sampler: Scene, call: ToolCall, row: Any) -> int | None:
    """Where in a result's items the row stands."""
    value = sampler.read(call).value
    items = value.get("items", []) if isinstance(value, dict) else value
    column = key_column(row.model)
    key: Json = getattr(row, column)
    for position, item in enumerate(items if isinstance(items, list) else []):
        if isinstance(item, dict) and item.get(column) == key:
            return position
    return None
