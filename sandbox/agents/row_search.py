"""How an agent without the task comes to know which row is meant: keys that were said, and lists filtered by what was.

It sees list tools' results alone; the rows it has seen are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from inspect import Parameter
from itertools import product
from random import Random
from typing import Any, get_args

from sqlalchemy import inspect
from sqlalchemy.orm import DeclarativeBase

from sandbox.agents.dialogue import DialogueContext, Script
from sandbox.agents.goal_words import value_in_words
from sandbox.kit.domain import Domain
from sandbox.kit.goal import filled, places
from sandbox.kit.message import Json, ToolCall
from sandbox.kit.reference import Kind, bare, kind_of
from sandbox.kit.table import example_key, key_column, noun
from sandbox.kit.tool import Tool
from sandbox.kit.view import column_types
from sandbox.language.days import Days
from sandbox.language.mentions import Mention, find_mentions
from sandbox.synthesis.lookup import filters
from sandbox.synthesis.sampler import hints, parameters

Table = type[DeclarativeBase]
_NAME = re.compile(
    r"(?!(?:Hello|Hi|Hey|Good|Please|I|The|My|And|Also|One|There)\b)[A-Z][\w'-]*(?: (?:& )?[A-Z][\w'-]*)*|\b\d{4}\b"
)
"""What may be a name, or digits by which something is known."""
_CALLS = 24
"""Calls of one look-up, made at once."""


@dataclass(frozen=True)
class Hit:
    """A row that a text speaks of, where it does, and how much of the text does."""

    key: str
    start: int
    weight: int


class RowSearch:
    """Finds rows in one conversation.

    Args:
        domain: the world.
        tools: the tools that are offered.
    """

    def __init__(self, domain: Domain, tools: Mapping[str, Tool]) -> None:
        self._domain, self._tools = domain, tools
        self.seen: dict[tuple[Table, str], dict[str, Json]] = {}

    def note(self, tool: Tool, result: Json) -> None:
        """Keep the rows that a result shows."""
        for row in _dictionaries(result):
            for table in tool.shows:
                key = row.get(key_column(table))
                if isinstance(key, str) and set(row) <= {*column_types(table), *_beside(row, table)}:
                    self.seen.setdefault((table, key), {}).update(row)

    def find(self, dialogue: DialogueContext, table: Table, text: str) -> Script[list[Hit]]:
        """The rows of a table that a text speaks of, the likeliest first."""
        hits = self._hits(table, text)
        if not hits:
            yield from self._parents(dialogue, table)
        nothing: list[dict[str, Any]] = [{}]
        for described in (nothing, list(self._described(table, text))):
            if not hits:
                yield from self._look(dialogue, self._lists(table, described))
                hits = self._hits(table, text)
        return hits

    def _parents(self, dialogue: DialogueContext, table: Table) -> Script[None]:
        """List the rows that the wanted ones belong to, where a list asks for one of them."""
        for tool in self._tools.values():
            if tool.kind == "read" and table in tool.lists:
                for name in _required(tool):
                    parent = tool.references.get(name)
                    if parent is not None and not any(model is parent for model, _ in self.seen):
                        yield from self._look(dialogue, self._lists(parent, [{}]))

    def _look(self, dialogue: DialogueContext, calls: Iterable[ToolCall]) -> Script[None]:
        made = list({(call.name, call.arguments_text()): call for call in calls}.values())[:_CALLS]
        results = yield from dialogue.call_all(made)
        for call, result in zip(made, results, strict=True):
            self.note(self._tools[call.name], result)

    def _lists(self, table: Table, described: Iterable[Mapping[str, Any]]) -> Iterator[ToolCall]:
        """The list calls that may show rows of a table, filtered by what is known of the wanted one."""
        for known in described:
            for tool in self._tools.values():
                if tool.kind != "read" or table not in tool.lists:
                    continue
                fitting = {name: value for name, value in filters(tool, known).items() if _takes(tool, name, value)}
                narrowed = {tool.inputs[name]: _json(value) for name, value in fitting.items()}
                for start in self._starts(tool):
                    given = start | narrowed
                    if set(tool.parameters.get("required", ())) <= set(given):
                        yield ToolCall(name=tool.name, arguments=given)

    def _starts(self, tool: Tool) -> Iterator[dict[str, Json]]:
        """What a list must be given before it lists: the rows that others belong to, each of several choices."""
        choices: list[list[tuple[str, Json]]] = []
        for name in _required(tool):
            shown = tool.inputs[name]
            if name in tool.references:
                choices.append([(shown, key) for model, key in self.seen if model is tool.references[name]])
            elif tool.kinds[name] == "choice":
                choices.append([(shown, option) for option in _options(tool, name)])
        for combination in product(*choices):
            yield dict(combination)

    def _described(self, table: Table, text: str) -> Iterator[dict[str, Any]]:
        """What a text may say of a row: a day or an amount where it says one, otherwise names."""
        types = column_types(table)
        columns = list(dict.fromkeys(name for says in self._says(table) for name, _ in places(says)))
        kinds = {name: kind_of(name, types[name]) for name in columns}
        exact = [{name: value} for name in columns for value in self._values(kinds[name], text)]
        names = list(dict.fromkeys(_NAME.findall(text)))
        yield from exact
        if not exact:
            yield from ({name: said} for said in names for name in columns if types[name] is str)

    def _values(self, kind: str, text: str) -> Iterator[Any]:
        for mention in find_mentions(text, None, self._domain.now):
            if kind == "money" and mention.kind == "money":
                yield mention.value
            elif kind in ("date", "moment") and isinstance(mention.value, Days):
                yield from {mention.value.first, *(each.first for each in mention.also)}

    # --- which of the seen rows ---

    def _hits(self, table: Table, text: str) -> list[Hit]:
        found = [
            hit
            for (model, key), row in self.seen.items()
            if model is table
            if (hit := self._hit(table, key, row, text))
        ]
        best: dict[int, int] = {}
        for hit in found:
            best[hit.start] = max(best.get(hit.start, 0), hit.weight)
        return sorted((hit for hit in found if hit.weight == best[hit.start]), key=lambda hit: -hit.weight)

    def _hit(self, table: Table, key: str, row: Mapping[str, Json], text: str) -> Hit | None:
        position = _position(text, key)
        if position is not None:
            return Hit(key, position, 100)
        mentions = find_mentions(text, None, self._domain.now)
        found = None
        for says in self._says(table):
            spots = [self._spot(table, name, row.get(name), text, mentions) for name, _ in places(says)]
            if spots and all(spot is not None for spot in spots):
                sure = [spot for spot in spots if spot is not None]
                weight = sum(len(str(row[name])) for name, _ in places(says)) + 4 * len(sure)
                if found is None or weight > found.weight:
                    found = Hit(key, min(sure), weight)
        return found

    def _spot(self, table: Table, column: str, value: Json, text: str, mentions: Iterable[Mention]) -> int | None:
        """Where a text names a column's value."""
        if value is None:
            return None
        kind = kind_of(column, column_types(table)[column])
        for mention in mentions:
            if kind == "money" and mention.kind == "money" and mention.value == abs(int(value)):
                return mention.start
            if kind in ("date", "moment") and isinstance(mention.value, Days):
                day = date.fromisoformat(str(value)[:10])
                if day in {mention.value.first, *(each.first for each in mention.also)}:
                    return mention.start
        return None if kind in ("money", "date", "moment") else _position(text, str(value))

    def _says(self, table: Table) -> list[str]:
        return [says for thing in self._domain.things if thing.table is table for says in thing.says]

    def key_said(self, table: Table, text: str) -> str | None:
        """A key of a table's shape in a text."""
        example = next((each for model, each in self._examples() if model is table), None)
        if example is None:
            return None
        if "@" in example:
            return next(
                (str(each.value) for each in find_mentions(text, None, self._domain.now) if each.kind == "email"), None
            )
        shape = "".join(r"\d" if sign.isdigit() else re.escape(sign) for sign in example)
        found = re.search(rf"(?<![\w-]){shape}(?![\w-])", text, re.IGNORECASE)
        return found.group() if found else None

    def _examples(self) -> Iterator[tuple[Table, str]]:
        for model in self._domain.models:
            example = example_key(model) if len(inspect(model).primary_key) == 1 else None
            if example:
                yield model, example

    def called(self, table: Table, key: str, rng: Random) -> str:
        """A row as an agent speaks of it."""
        row, types = self.seen.get((table, key), {}), column_types(table)
        for says in self._says(table):
            names = [name for name, _ in places(says)]
            alike = [other for (model, _), other in self.seen.items() if model is table]
            alike = [other for other in alike if all(other.get(name) == row.get(name) for name in names)]
            if all(row.get(name) is not None for name in names) and len(alike) == 1:
                return filled(says, {name: _said(kind_of(name, types[name]), row[name], rng) for name in names})
        return f"{noun(table)} {key}"


def _said(kind: Kind, value: Json, rng: Random) -> str:
    """A column's value in a description: a moment by its day, an amount without its sign."""
    if kind == "moment":
        return value_in_words("date", str(value)[:10], rng)
    return value_in_words(kind, abs(value) if kind == "money" else value, rng)


def _required(tool: Tool) -> list[str]:
    return [name for name, parameter in parameters(tool).items() if parameter.default is Parameter.empty]


def _options(tool: Tool, name: str) -> tuple[Any, ...]:
    return get_args(bare(hints(tool)[name])[0])


def _takes(tool: Tool, name: str, value: Any) -> bool:
    return tool.kinds[name] != "choice" or value in _options(tool, name)


def _json(value: Any) -> Json:
    return value.isoformat() if isinstance(value, date | datetime) else value


def _position(text: str, value: str) -> int | None:
    found = re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE) if value else None
    return found.start() if found else None


def _dictionaries(result: Json) -> Iterator[dict[str, Json]]:
    if isinstance(result, dict):
        yield result
        for value in result.values():
            yield from _dictionaries(value)
    elif isinstance(result, list):
        for item in result:
            yield from _dictionaries(item)


def _beside(row: Mapping[str, Json], table: Table) -> set[str]:
    """What a view shows with a row besides its columns; a row of another table has most of them."""
    own = set(column_types(table))
    stray = set(row) - own
    return stray if len(stray) <= 2 and key_column(table) == next(iter(row)) else set()
