"""What one conversation has shown an agent: rows by table and key, reads whose results still hold, who is spoken to.

Rows are found in any JSON: where a tool's result names no tables, a dictionary is a row of the table whose columns it
has most of.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from types import SimpleNamespace
from typing import cast

from sqlalchemy import Table as SqlTable
from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.agents.dialogue import DialogueContext, Script
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.sentence import places
from toolgym.sandbox.kit.table import key_column, owner_path, shown_columns
from toolgym.sandbox.kit.tool import Tool

Table = type[DeclarativeBase]
Row = dict[str, Json]


class Seen:
    """The rows and results of one conversation.

    Attributes:
        rows: by table and key, as they were shown last; keys of other tables that stand around a row belong to it.
        person: the key of whom the agent serves, once that is known.
        known_by: what the person was found by, such as the number that they call from.

    Args:
        domain: the world.
        tools: the tools that are offered.
    """

    def __init__(self, domain: Domain, tools: Mapping[str, Tool]) -> None:
        self._domain, self._tools = domain, tools
        self.rows: dict[tuple[Table, str], Row] = {}
        self.person: str | None = None
        self.known_by: set[Json] = set()
        self._fresh: dict[tuple[str, str], Json] = {}
        self.dialogue: DialogueContext

    @property
    def served(self) -> Table | None:
        """The table of whom the world serves."""
        identity = self._domain.identity
        return self._domain.owner or (identity.table if identity else None)

    def call(self, tool: Tool, arguments: Mapping[str, Json]) -> Script[Json]:
        """A call's result; a read is not made again before something was written.

        Raises:
            Refusal: the tool refused.
        """
        made = tool.name, json.dumps(arguments, sort_keys=True)
        if made in self._fresh:
            return self._fresh[made]
        result = yield from self.dialogue.call(tool.name, **arguments)
        self._keep(tool, arguments, result)
        return result

    def look(self, calls: list[ToolCall]) -> Script[None]:
        """Make several reads at once; those that are refused show nothing."""
        made = {(call.name, _text(call)): call for call in calls}
        due = [call for key, call in made.items() if key not in self._fresh]
        results = yield from self.dialogue.call_all(due)
        for call, result in zip(due, results, strict=True):
            if result is not None and isinstance(call.arguments, dict):
                self._keep(self._tools[call.name], call.arguments, result)

    def _keep(self, tool: Tool, arguments: Mapping[str, Json], result: Json) -> None:
        self.note(tool, result)
        made = tool.name, json.dumps(arguments, sort_keys=True)
        self._fresh = {} if tool.kind == "write" else self._fresh | {made: result}

    def of(self, table: Table) -> dict[str, Row]:
        """The rows of a table by their keys."""
        return {key: row for (model, key), row in self.rows.items() if model is table}

    def is_strangers(self, table: Table, row: Mapping[str, Json]) -> bool:
        """Whether a row is known to belong to somebody else than the person."""
        path = owner_path(table)
        owner = row.get(path[0][0]) if path and path[0][1] is self.served else None
        return self.person is not None and owner is not None and owner != self.person

    def note(self, tool: Tool, result: Json) -> None:
        """Keep the rows that a result shows."""
        tables = tuple(dict.fromkeys((*tool.shows, *self._domain.models)))
        for table, key, row in _rows(result, tables, {}, sure=len(tool.shows)):
            self.rows.setdefault((table, key), {}).update(row)
        if not tool.shows and isinstance(result, dict):
            self._note_names(tool, result)

    def _note_names(self, tool: Tool, result: Row) -> None:
        """Keep the rows of a result that holds nothing but keys by their names."""
        for thing in self._domain.things:
            columns = [name for says in thing.says for name, _ in places(says)]
            if thing.found_by[-1:] == (tool,) and columns and all(isinstance(key, str) for key in result.values()):
                for name, key in result.items():
                    row = {columns[0]: name, key_column(thing.table): key}
                    self.rows.setdefault((thing.table, str(key)), {}).update(row)


def _text(call: ToolCall) -> str:
    return json.dumps(call.arguments, sort_keys=True)


def _rows(
    result: Json, tables: tuple[Table, ...], around: Mapping[str, str], *, sure: int
) -> Iterator[tuple[Table, str, Row]]:
    """The rows in a result, with the keys of the rows that they stand in."""
    if isinstance(result, list):
        for item in result:
            yield from _rows(item, tables, around, sure=sure)
    if not isinstance(result, dict):
        return
    table = _table_of(result, tables, sure)
    key = None if table is None else result.get(key_column(table), result.get("id"))
    if table is not None and isinstance(key, str):
        yield table, key, _as_columns(table, result, around) | {key_column(table): key}
        around = {**around, key_column(table): key}
    for value in result.values():
        yield from _rows(value, tables, around, sure=sure)


def _table_of(row: Row, tables: tuple[Table, ...], sure: int) -> Table | None:
    """The table most of whose columns a dictionary has; None where it has too few, or that table has no single key.

    One column is enough for the first tables, of which the result is `sure` to hold rows, and beside a plain "id".
    """
    common = [(len(_columns(table) & set(row)), -len(_columns(table)), -at) for at, table in enumerate(tables)]
    most, _, at = max(common, default=(0, 0, 0))  # of two with as many the one that has fewer besides
    least = 1 if "id" in row or -at < sure else 2
    best = tables[-at] if most >= least else None
    return best if best is not None and len(_sql(best).primary_key.columns) == 1 else None


@cache
def _columns(table: Table) -> frozenset[str]:
    """What a row's columns may be called in a result: money also without its unit."""
    return frozenset(each for name in shown_columns(table) for each in (name, name.removesuffix("_cents")))


def _as_columns(table: Table, row: Row, around: Mapping[str, str]) -> Row:
    """A row by its table's columns: amounts in cents, and the keys around it that the table refers to."""
    found = dict(row)
    for name in shown_columns(table):
        plain = row.get(name.removesuffix("_cents"))
        if name not in row and name.endswith("_cents") and isinstance(plain, int | float):
            found[name] = round(plain * 100)
    for column in _sql(table).columns:
        if column.name not in found and column.foreign_keys and column.name in around:
            found[column.name] = around[column.name]
    return found | _worked_out(table, found)


def _worked_out(table: Table, row: Row) -> Row:
    """The computed columns that no more than the row itself is needed for, such as a city for its code."""
    found: Row = {}
    for name, made in shown_columns(table).items():
        if made is not None and name not in row:
            try:
                value = made.function(SimpleNamespace(**row), cast(Database, None))
            except (AttributeError, KeyError, TypeError, ValueError):
                continue  # it asks the database, or for a column that was not shown
            found |= {name: value} if isinstance(value, str | int | float) else {}
    return found


def _sql(table: Table) -> SqlTable:
    return cast(SqlTable, table.__table__)


def leaves(value: Json) -> Iterator[Json]:
    """The plain values in a result."""
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from leaves(inner)
    else:
        yield value


def parts_of(value: Json, key: str) -> Iterator[Row]:
    """The dictionaries in a result that hold a key by this name."""
    if isinstance(value, dict):
        if isinstance(value.get(key), str):
            yield value
        for inner in value.values():
            yield from parts_of(inner, key)
    elif isinstance(value, list):
        for item in value:
            yield from parts_of(item, key)


def keys_named(value: Json, names: tuple[str, ...]) -> Iterator[str]:
    """The keys that a result lists under one of some names, such as `orders` or `line_ids`."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in names:
                yield from (str(key) for key in (inner if isinstance(inner, list) else [inner]) if isinstance(key, str))
            yield from keys_named(inner, names)
    elif isinstance(value, list):
        for item in value:
            yield from keys_named(item, names)
