"""How a request that nobody can ask about describes a row, so that every look-up has a single hit.

A program cannot look at a list and choose. So a row is described by what a list tool filters by, with the row that it
belongs to; or as the only one of another row; or by a row that refers to it ("the account of the card ending in 1234");
and a word of a description may itself be left to another row ("the payment to the payee name of the only standing order
of ..."). Each such step makes the chain of calls longer.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from inspect import Parameter
from itertools import islice
from random import Random
from typing import Any, NamedTuple, cast, get_args

from sqlalchemy import Table
from sqlalchemy.orm import DeclarativeBase

from sandbox.kit.goal import filled, places
from sandbox.kit.message import ToolCall
from sandbox.kit.reference import bare, kind_of
from sandbox.kit.table import brief_columns, key_column, noun, shown_columns
from sandbox.kit.tool import Tool
from sandbox.kit.view import column_types
from sandbox.synthesis.arguments import call_of, hints, parameters
from sandbox.synthesis.lookup import filters, referred
from sandbox.synthesis.sampler import Sampler
from sandbox.synthesis.spoken import in_words

LOOKS, ROWS = 3, 150
"""Other rows that are tried for one step, and rows that are looked at in all, before a way counts as not there."""
_SHARED = (str, str | None, date, date | None)
"""What two rows may share, so that one is described by the other."""
FAR = 0.7
"""The share of rows for which another row is tried before the row's own words."""
LEAST = 3
"""Characters of a text that two rows share before one is described by the other."""


class Way(NamedTuple):
    """Words for a row, and the calls that lead to it.

    Attributes:
        words: how the row is spoken of.
        columns: what the words tell: columns with values, those of other rows under `of` and `in`.
        calls: look-ups of which each has a single hit.
        shown: the columns that the last call shows of the row.
    """

    words: str
    columns: Mapping[str, Any]
    calls: tuple[ToolCall, ...]
    shown: frozenset[str] = frozenset()


class _Listing(NamedTuple):
    """A call of a list tool of which a row is the only hit, with the row that it is given."""

    call: ToolCall
    tool: Tool
    parent: Any = None

    def seeks(self, value: Any) -> bool:
        """Whether this is a text or a day that the call looks for, and none of those that its schema lists."""
        schemas = self.tool.parameters["properties"]
        arguments = cast(dict[str, Any], self.call.arguments)
        sought = _as_written(value)
        return _is_shared(value) and any(
            given == sought and "enum" not in str(schemas[name]) for name, given in arguments.items()
        )


def addressed(sampler: Sampler, row: Any, rng: Random, hops: int) -> Way | None:
    """A way to a row over at most so many other rows; None where no tool leads to it alone, or none was found soon."""
    return _Search(sampler, rng).way(row, hops, ())


@dataclass
class _Search:
    sampler: Sampler
    rng: Random
    left: int = ROWS

    def way(self, row: Any, hops: int, seen: tuple[Any, ...], untold: Any = None) -> Way | None:
        """A way to a row that passes none of those seen, in words that do not tell a value."""
        self.left -= 1
        if row in seen or self.left < 0:
            return None
        seen = (*seen, row)
        ways = [self._by_itself(row, hops, seen, untold)]
        if hops > 0:
            others = [self._by_another(row, hops - 1, seen), self._as_only_one(row, hops - 1, seen)]
            self.rng.shuffle(others)
            ways = [*others, *ways] if self.rng.random() < FAR else [*ways, *others]
        found = (way for each in ways for way in each)
        return next((way for way in found if untold is None or untold not in _every(way.columns)), None)

    def _by_another(self, row: Any, hops: int, seen: tuple[Any, ...]) -> Iterator[Way]:
        """By a row that refers to it: "the account of {card}"."""
        key = getattr(row, key_column(row.model))
        found = [
            (other, name)
            for table, name in self._referring(row.model)
            for other in self.sampler.rows(table)
            if getattr(other, name) == key
        ]
        for other, name in islice(self.rng.sample(found, len(found)), LOOKS):
            whole = self._showing(other, name, hops, seen)
            if whole is not None:
                yield Way(f"the {noun(row.model)} of {whole.words}", {"of": whole.columns}, whole.calls)

    def _as_only_one(self, row: Any, hops: int, seen: tuple[Any, ...]) -> Iterator[Way]:
        """As the only row of another one: "the only standing order of {account}"."""
        for listing in self._alone(row, {}, every=True):
            parent = self.way(listing.parent, hops, seen)
            if parent is not None:
                words, calls = f"the only {noun(row.model)} of {parent.words}", (*parent.calls, listing.call)
                yield Way(words, {"in": parent.columns}, calls, frozenset(brief_columns(row.model)))

    def _by_itself(self, row: Any, hops: int, seen: tuple[Any, ...], untold: Any) -> Iterator[Way]:
        """By its own columns, one of which may be told by another row that has the same.

        What is not to be told is not left to a third row: the first result that holds it would do.
        """
        thing = self.sampler.thing(row.model)
        for sentence in () if thing is None else self.rng.sample(list(thing.says), len(thing.says)):
            values = self._told(row, sentence)
            for listing in () if values is None else self._alone(row, values):
                assert values is not None
                parent = None if listing.parent is None else self.way(listing.parent, hops, seen)
                if listing.parent is not None and parent is None:
                    continue
                sought = {name: each for name, each in values.items() if each != untold and listing.seeks(each)}
                borrowed = self._borrowed(row, sentence, values, sought, hops - 1, seen) if hops > 0 else None
                own = borrowed or Way(filled(sentence, self._words(row, values)), values, ())
                words = own.words if parent is None else f"{own.words} of {parent.words}"
                columns = {**own.columns, **({} if parent is None else {"in": parent.columns})}
                calls = (*own.calls, *(() if parent is None else parent.calls), listing.call)
                yield Way(words, columns, calls, frozenset(brief_columns(row.model)))

    def _borrowed(
        self,
        row: Any,
        sentence: str,
        values: Mapping[str, Any],
        sought: Mapping[str, Any],
        hops: int,
        seen: tuple[Any, ...],
    ) -> Way | None:
        """The sentence with one text or day told by another row that has the same, and the look-ups of that row."""
        texts = [name for name in sought if not _has_article(sentence, name)]
        for name in self.rng.sample(texts, len(texts)):
            alike = [
                (other, column) for other, column in _alike(self.sampler).get(values[name], ()) if other not in seen
            ]
            for other, column in islice(self.rng.sample(alike, len(alike)), LOOKS):
                whole = self._showing(other, column, hops, seen, values[name])
                if whole is None:
                    continue
                called = "day" if isinstance(values[name], date) else column.replace("_", " ")
                said = {name: f"the {called} of {whole.words}"}
                words = filled(sentence, self._words(row, values) | said)
                told = {each: value for each, value in values.items() if each != name}
                return Way(words, {**told, "of": whole.columns}, whole.calls)
        return None

    def _showing(self, row: Any, name: str, hops: int, seen: tuple[Any, ...], untold: Any = None) -> Way | None:
        """A way to a row that goes on to the call that shows a column, where its last one does not."""
        way = self.way(row, hops, seen, untold)
        if way is None or name in way.shown:
            return way
        for tool in self.sampler.domain.tools.values():
            takes = [each for each, tables in tool.takes.items() if row.model in tables]
            if tool.kind != "read" or row.model not in tool.shows or row.model in tool.lists or len(takes) != 1:
                continue
            if [each for each, known in parameters(tool).items() if known.default is Parameter.empty] == takes:
                call = call_of(tool, {takes[0]: row}, self.sampler.database)
                return way._replace(calls=(*way.calls, call), shown=frozenset(shown_columns(row.model)))
        return None

    # --- what the world has ---

    def _referring(self, model: type[DeclarativeBase]) -> Iterator[tuple[type[DeclarativeBase], str]]:
        """Tables of which people speak, with their shown columns that hold a table's keys."""
        for thing in self.sampler.domain.things:
            for column in cast(Table, thing.table.__table__).columns:
                refers = any(foreign.column.table is model.__table__ for foreign in column.foreign_keys)
                if refers and thing.table is not model and column.name in shown_columns(thing.table):
                    yield thing.table, column.name

    def _told(self, row: Any, sentence: str) -> dict[str, Any] | None:
        """The columns that a sentence speaks of; None where one of them is empty."""
        view, columns = self.sampler.view(row), places(sentence)
        values = {column: getattr(view, column) for column, _ in columns}
        values |= {column: values[column].date() for column, coarsely in columns if coarsely == "day"}
        return None if any(value in (None, "") for value in values.values()) else values

    def _words(self, row: Any, values: Mapping[str, Any]) -> dict[str, str]:
        types, now = column_types(row.model), self.sampler.now
        return {name: in_words(kind_of(name, types[name]), value, self.rng, now=now) for name, value in values.items()}

    def _alone(self, row: Any, values: Mapping[str, Any], *, every: bool = False) -> Iterator[_Listing]:
        """Calls of list tools, filtered by these values, of which a row is the only hit.

        Args:
            row: what is looked for.
            values: what is told of it.
            every: tools are given the row that it belongs to even where they need none.
        """
        for tool in self.sampler.domain.tools.values():
            if tool.kind != "read" or row.model not in tool.lists:
                continue
            for given, parent in self._starts(tool, row, filters(tool, values), every):
                call = call_of(tool, given, self.sampler.database)
                if (parent is not None or not every) and self._is_only_hit(call, row):
                    yield _Listing(call, tool, parent)

    def _starts(
        self, tool: Tool, row: Any, filtered: Mapping[str, Any], every: bool
    ) -> list[tuple[dict[str, Any], Any]]:
        """What a list tool is given: filters, each choice that it needs, and at most one row."""
        starts: list[tuple[dict[str, Any], Any]] = [(dict(filtered), None)]
        for name, parameter in parameters(tool).items():
            needed = parameter.default is Parameter.empty
            if name in filtered or not (needed or (every and name in tool.references)):
                continue
            if name in tool.references:
                parent = referred(self.sampler, row, tool.references[name])
                if parent is not None and all(each is None for _, each in starts):
                    starts = [(given | {name: parent}, parent) for given, _ in starts]
                elif needed:
                    return []
            elif tool.kinds[name] == "choice":
                options = get_args(bare(hints(tool)[name])[0])
                starts = [(given | {name: option}, parent) for given, parent in starts for option in options]
            else:
                return []
        return starts

    def _is_only_hit(self, call: ToolCall, row: Any) -> bool:
        value = self.sampler.read(call).value
        rows = value.get("items") if isinstance(value, dict) else value
        column = key_column(row.model)
        if not isinstance(rows, list) or len(rows) != 1 or not isinstance(rows[0], dict):
            return False
        return bool(rows[0].get(column) == getattr(row, column))


def _alike(sampler: Sampler) -> Mapping[Any, list[tuple[Any, str]]]:
    """By text or day, the rows that show it, each with its column; worked out once a person.

    A column that people always speak of is left out: whose words name it needs no other row for it.
    """
    if sampler.alike is None:
        found: defaultdict[Any, list[tuple[Any, str]]] = defaultdict(list)
        for thing in sampler.domain.things:
            always = set.intersection(*({name for name, _ in places(sentence)} for sentence in thing.says))
            columns = [name for name, made in shown_columns(thing.table).items() if made is None and name not in always]
            texts = [name for name in columns if column_types(thing.table)[name] in _SHARED]
            for row in sampler.rows(thing.table):
                for name in texts:
                    found[getattr(row, name)].append((row, name))
        sampler.alike = found
    return sampler.alike


def _is_shared(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) >= LEAST
    return isinstance(value, date) and not isinstance(value, datetime)


def _as_written(value: Any) -> Any:
    """A day as calls write it; any other value as it is."""
    return value.isoformat() if isinstance(value, date) else value


def _has_article(sentence: str, name: str) -> bool:
    """Whether an article stands before a place, so that no phrase with one of its own fits there."""
    return re.search(rf"\b(the|my|a) \{{{name}\}}", sentence) is not None


def _every(columns: Mapping[str, Any]) -> list[Any]:
    """All values that a description tells."""
    return [value for each in columns.values() for value in (_every(each) if isinstance(each, Mapping) else [each])]
