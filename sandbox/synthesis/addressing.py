"""How a request that nobody can ask about describes a row, so that every look-up has a single hit.

A program cannot look at a list and choose. So a row is described by what a list tool filters by, with the row that it
belongs to, or by another row that refers to it ("the account of the card ending in 1234"); and a word of a description
may itself be left to another row ("the payment to the payee name of the standing order ..."). Each such step makes the
chain of calls longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from inspect import Parameter
from itertools import islice
from random import Random
from typing import Any, cast, get_args

from sqlalchemy import Table
from sqlalchemy.orm import DeclarativeBase

from sandbox.kit.goal import filled, places
from sandbox.kit.message import ToolCall
from sandbox.kit.reference import bare, kind_of
from sandbox.kit.table import brief_columns, key_column, noun, shown_columns
from sandbox.kit.tool import Tool
from sandbox.kit.view import column_types
from sandbox.synthesis.lookup import filters, referred
from sandbox.synthesis.sampler import Sampler, call_of, hints, parameters
from sandbox.synthesis.spoken import in_words

LOOKS = 4
"""Other rows that are tried for one step."""
LEAST = 3
"""Characters of a text that two rows share before one is described by the other."""


@dataclass(frozen=True)
class Way:
    """Words for a row, and the calls that lead to it.

    Attributes:
        words: how the row is spoken of.
        columns: what the words tell: columns with values, those of other rows under `of`.
        calls: look-ups of which each has a single hit.
        shown: the columns that the last call shows of the row.
    """

    words: str
    columns: Mapping[str, Any]
    calls: tuple[ToolCall, ...]
    shown: frozenset[str] = field(default_factory=frozenset)


def addressed(sampler: Sampler, row: Any, rng: Random, hops: int) -> Way | None:
    """A way to a row over at most so many other rows; None where no tool leads to it alone."""
    return _way(sampler, row, rng, hops, ())


def _way(sampler: Sampler, row: Any, rng: Random, hops: int, seen: tuple[Any, ...]) -> Way | None:
    if row in seen:
        return None
    seen = (*seen, row)
    ways = [_by_itself(sampler, row, rng, hops, seen)]
    if hops > 0:
        ways.insert(rng.random() < 0.2, _by_another(sampler, row, rng, hops - 1, seen))
    return next((way for each in ways for way in each), None)


def _by_another(sampler: Sampler, row: Any, rng: Random, hops: int, seen: tuple[Any, ...]) -> Iterator[Way]:
    """By a row that refers to it: "the account of {card}"."""
    key = getattr(row, key_column(row.model))
    found = [
        (other, name)
        for table, name in _referring(sampler, row.model)
        for other in sampler.rows(table)
        if getattr(other, name) == key
    ]
    for other, name in islice(rng.sample(found, len(found)), LOOKS):
        way = _way(sampler, other, rng, hops, seen)
        whole = None if way is None else _showing(sampler, other, way, name)
        if whole is not None:
            words = f"the {noun(row.model)} of {whole.words}"
            yield Way(words, {"of": dict(whole.columns)}, whole.calls)


def _referring(sampler: Sampler, model: type[DeclarativeBase]) -> Iterator[tuple[type[DeclarativeBase], str]]:
    """Tables of which people speak, with their shown columns that hold a table's keys."""
    for thing in sampler.domain.things:
        for column in cast(Table, thing.table.__table__).columns:
            refers = any(foreign.column.table is model.__table__ for foreign in column.foreign_keys)
            if refers and thing.table is not model and column.name in shown_columns(thing.table):
                yield thing.table, column.name


def _showing(sampler: Sampler, row: Any, way: Way, name: str) -> Way | None:
    """The way, gone on with the call that shows a column where its last one does not."""
    if name in way.shown:
        return way
    for tool in sampler.domain.tools.values():
        takes = [each for each, tables in tool.takes.items() if row.model in tables]
        if tool.kind != "read" or row.model not in tool.shows or row.model in tool.lists or len(takes) != 1:
            continue
        needed = [each for each, known in parameters(tool).items() if known.default is Parameter.empty]
        if needed == takes:
            call = call_of(tool, {takes[0]: row}, sampler.database)
            return Way(way.words, way.columns, (*way.calls, call), frozenset(shown_columns(row.model)))
    return None


def _by_itself(sampler: Sampler, row: Any, rng: Random, hops: int, seen: tuple[Any, ...]) -> Iterator[Way]:
    """By its own columns, one of which may be another row's as well."""
    thing = sampler.thing(row.model)
    for sentence in () if thing is None else rng.sample(list(thing.says), len(thing.says)):
        values = _told(sampler, row, sentence)
        if values is None:
            continue
        words, said, before = _words(sampler, row, values, rng), values, ()
        borrowed = _borrowed(sampler, row, sentence, values, rng, hops - 1, seen) if hops > 0 else None
        for given in (borrowed, (words, said, before)):
            if given is not None:
                yield from _listed(sampler, row, values, filled(sentence, given[0]), given[1:], rng, hops, seen)


def _told(sampler: Sampler, row: Any, sentence: str) -> dict[str, Any] | None:
    """The columns that a sentence speaks of; None where it does not tell the row from the person's other ones."""
    columns = places(sentence)

    def values_of(each: Any) -> dict[str, Any]:
        view = sampler.view(each)
        values = {column: getattr(view, column) for column, _ in columns}
        return values | {column: values[column].date() for column, coarsely in columns if coarsely == "day"}

    values = values_of(row)
    if any(value in (None, "") for value in values.values()):
        return None
    twins = [other for other in sampler.rows(row.model) if values_of(other) == values]
    return values if len(twins) == 1 else None


def _words(sampler: Sampler, row: Any, values: Mapping[str, Any], rng: Random) -> dict[str, str]:
    types = column_types(row.model)
    return {name: in_words(kind_of(name, types[name]), value, rng, now=sampler.now) for name, value in values.items()}


def _borrowed(
    sampler: Sampler,
    row: Any,
    sentence: str,
    values: Mapping[str, Any],
    rng: Random,
    hops: int,
    seen: tuple[Any, ...],
) -> tuple[dict[str, str], dict[str, Any], tuple[ToolCall, ...]] | None:
    """The words with one text left to another row that has the same; what is still told; the look-ups of that row."""
    texts = [
        name
        for name, value in values.items()
        if isinstance(value, str) and len(value) >= LEAST and not re.search(rf"\b(the|my|a) \{{{name}\}}", sentence)
    ]
    for name in rng.sample(texts, len(texts)):
        for other, column in islice(_alike(sampler, row, values[name], rng, seen), LOOKS):
            way = _way(sampler, other, rng, hops, seen)
            whole = None if way is None else _showing(sampler, other, way, column)
            if whole is None or values[name] in _texts(whole.columns):
                continue
            words = _words(sampler, row, values, rng) | {name: f"the {column.replace('_', ' ')} of {whole.words}"}
            said = {each: value for each, value in values.items() if each != name} | {"of": dict(whole.columns)}
            return words, said, whole.calls
    return None


def _alike(sampler: Sampler, row: Any, value: str, rng: Random, seen: tuple[Any, ...]) -> Iterator[tuple[Any, str]]:
    """Rows of which people speak that have a text as well, each with its column."""
    found = []
    for thing in sampler.domain.things:
        for other in sampler.rows(thing.table):
            if other not in seen:
                view = sampler.view(other)
                texts = (name for name, kind in column_types(thing.table).items() if kind in (str, str | None))
                found += [(other, name) for name in texts if getattr(view, name) == value]
    yield from rng.sample(found, len(found))


def _texts(columns: Mapping[str, Any]) -> list[Any]:
    """All values that a description tells."""
    return [value for each in columns.values() for value in (_texts(each) if isinstance(each, Mapping) else [each])]


def _listed(
    sampler: Sampler,
    row: Any,
    values: Mapping[str, Any],
    words: str,
    told: tuple[Mapping[str, Any], tuple[ToolCall, ...]],
    rng: Random,
    hops: int,
    seen: tuple[Any, ...],
) -> Iterator[Way]:
    """The calls of list tools of which the row is the only hit, after those for the row that it belongs to."""
    said, before = told
    for tool in sampler.domain.tools.values():
        if tool.kind != "read" or row.model not in tool.lists:
            continue
        for start in _starts(sampler, tool, row, values, rng, hops, seen):
            call = call_of(tool, start.given | filters(tool, values), sampler.database)
            if _alone(sampler, call, row):
                of = f" of {start.parent.words}" if start.parent else ""
                nested = {"in": dict(start.parent.columns)} if start.parent else {}
                calls = (*before, *(start.parent.calls if start.parent else ()), call)
                yield Way(words + of, {**said, **nested}, calls, frozenset(brief_columns(row.model)))


@dataclass(frozen=True)
class _Start:
    """What a list tool must be given before it lists, and the way to the row that this is."""

    given: dict[str, Any]
    parent: Way | None = None


def _starts(
    sampler: Sampler,
    tool: Tool,
    row: Any,
    values: Mapping[str, Any],
    rng: Random,
    hops: int,
    seen: tuple[Any, ...],
) -> list[_Start]:
    starts = [_Start({})]
    filtered = filters(tool, values)
    for name, parameter in parameters(tool).items():
        if parameter.default is not Parameter.empty or name in filtered:
            continue
        if name in tool.references and all(start.parent is None for start in starts):
            parent = referred(sampler, row, tool.references[name])
            way = None if parent is None else _way(sampler, parent, rng, hops, seen)
            if way is None:
                return []
            starts = [_Start(start.given | {name: parent}, way) for start in starts]
        elif tool.kinds[name] == "choice":
            options = get_args(bare(hints(tool)[name])[0])
            starts = [_Start(start.given | {name: option}, start.parent) for start in starts for option in options]
        else:
            return []
    return starts


def _alone(sampler: Sampler, call: ToolCall, row: Any) -> bool:
    """Whether a call lists this row and no other."""
    value = sampler.read(call).value
    rows = value.get("items") if isinstance(value, dict) else value
    column = key_column(row.model)
    if not isinstance(rows, list) or len(rows) != 1 or not isinstance(rows[0], dict):
        return False
    return bool(rows[0].get(column) == getattr(row, column))
