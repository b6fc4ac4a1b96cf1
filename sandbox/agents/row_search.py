"""How an agent without the task comes to know which row is meant: keys that were said, and lists filtered by what was.

It sees list tools' results alone; the rows it has seen are kept.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from difflib import SequenceMatcher
from inspect import Parameter
from itertools import product
from random import Random
from typing import Any, get_args

from sqlalchemy import inspect

from toolgym.sandbox.agents.dialogue import Script
from toolgym.sandbox.agents.examples import example_of, key_shape
from toolgym.sandbox.agents.goal_words import value_in_words
from toolgym.sandbox.agents.seen import Seen, Table, keys_named, leaves
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.reference import Kind, bare, kind_of
from toolgym.sandbox.kit.sentence import filled, places
from toolgym.sandbox.kit.table import column_types, example_key, key_column, noun
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.language.days import Days
from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.synthesis.arguments import hints, parameters
from toolgym.sandbox.synthesis.lookup import filters

_NAME = re.compile(
    r"(?!(?:Hello|Hi|Hey|Good|Please|I|The|My|And|Also|One|There)\b)[A-Z][\w'-]*(?: (?:& )?[A-Z][\w'-]*)*|\b\d{4}\b"
    r"|(?<![\w@.])[\w-]+(?:\.[\w-]+)*\.[a-z]{2,4}\b(?![\w@])"
)
"""What may be a name, or digits by which something is known."""
_LIKE = 0.8
"""How alike a misheard key must be to count (difflib's ratio)."""
_CALLS = 24
"""Calls of one look-up, made at once."""


@dataclass(frozen=True)
class Hit:
    """A row that a text speaks of, where it does, and how much of the text does."""

    key: str
    start: int
    weight: int
    end: int


class RowSearch:
    """Finds rows in one conversation.

    Args:
        domain: the world.
        tools: the tools that are offered.
        seen: what the conversation has shown.
    """

    def __init__(self, domain: Domain, tools: Mapping[str, Tool], seen: Seen) -> None:
        self._domain, self._tools, self._seen = domain, tools, seen
        self._said: dict[tuple[Table, str], str] = {}

    def find(self, table: Table, text: str) -> Script[list[Hit]]:
        """The rows of a table that a text speaks of, the likeliest first."""
        hits = self._hits(table, text)
        if not hits:
            yield from self._led(table)
            yield from self._parents(table)
            hits = self._hits(table, text)
        nothing: list[dict[str, Any]] = [{}]
        for described in (nothing, list(self._described(table, text))):
            if not hits:
                yield from self._look(self._lists(table, described))
                hits = self._hits(table, text)
        for hit in hits:
            self._said[table, hit.key] = text[hit.start : hit.end]
        return hits or self._only(table, text) or self._loosely(table, text)

    def _led(self, table: Table) -> Script[None]:
        """Go through the look-ups that lead to a table's rows, where the world declares them."""
        for thing in self._domain.things:
            for tool in thing.found_by if thing.table is table else ():
                given = [[(name, key) for key in self._keys(table, tables)] for name, tables in tool.takes.items()]
                made = [{tool.inputs[name]: key for name, key in each} for each in product(*given)]
                if tool.name in self._tools:
                    yield from self._look(ToolCall(name=tool.name, arguments=each) for each in made)

    def _keys(self, wanted: Table, tables: Sequence[Table]) -> list[str]:
        """The keys with which a look-up leads to a table's rows: theirs, where they are listed, or the person's."""
        seen = self._seen
        if wanted in tables:
            column = key_column(wanted)
            names = (str(wanted.__tablename__), column, f"{column}s")
            own = seen.rows.get((seen.served, seen.person or ""), {}) if seen.served else {}
            return list(dict.fromkeys(keys_named(own, names)))
        if seen.served in tables:
            return [seen.person] if seen.person else []
        return [key for table in tables for key in seen.of(table)]

    def _parents(self, table: Table) -> Script[None]:
        """List the rows that the wanted ones belong to, where a list asks for one of them."""
        for tool in self._tools.values():
            if tool.kind == "read" and table in tool.lists:
                for name in _required(tool):
                    parent = tool.references.get(name)
                    if parent is not None and not self._seen.of(parent):
                        yield from self._look(self._lists(parent, [{}]))

    def _look(self, calls: Iterable[ToolCall]) -> Script[None]:
        made = list({(call.name, call.arguments_text()): call for call in calls}.values())[:_CALLS]
        yield from self._seen.look(made)

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
                choices.append([(shown, key) for key in self._seen.of(tool.references[name])])
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
        rows = self._seen.of(table)
        found = [hit for key, row in rows.items() if (hit := self._hit(table, key, row, text))]
        best: dict[int, int] = {}
        for hit in found:
            best[hit.start] = max(best.get(hit.start, 0), hit.weight)
        return sorted((hit for hit in found if hit.weight == best[hit.start]), key=lambda hit: -hit.weight)

    def _only(self, table: Table, text: str) -> list[Hit]:
        """The person's one row where a text speaks of it without more, or the one that they are known by: "my line"."""
        own = self.only(table)
        spots = [_span(text, says) for says in self._says(table) if not places(says)]
        return [Hit(own[0], spot[0], 1, spot[1]) for spot in spots if spot is not None and len(own) == 1]

    def only(self, table: Table) -> list[str]:
        """The keys of the person's rows, or of those that hold what the person is known by."""
        rows = {key: row for key, row in self._seen.of(table).items() if not self._seen.is_strangers(table, row)}
        calling = [key for key, row in rows.items() if self._seen.known_by & set(leaves(dict(row)))]
        return calling or list(rows)

    def _loosely(self, table: Table, text: str) -> list[Hit]:
        """The one row of which a text holds a word that stands in no other, where no description fits."""
        rows = {key: row for key, row in self._seen.of(table).items() if not self._seen.is_strangers(table, row)}
        unshown = {name for says in self._says(table) for name, _ in places(says)} - set().union(*rows.values())
        words = {key: _words(row) for key, row in rows.items()} if unshown else {}
        counts = Counter(word for each in words.values() for word in each)
        found = [
            Hit(key, spot[0], len(word), spot[0])
            for key, each in words.items()
            for word in each
            if counts[word] == 1 and (spot := _span(text, word)) is not None and _is_name(text, *spot)
        ]
        return sorted(found, key=lambda hit: -hit.weight) if len({hit.key for hit in found}) == 1 else []

    def _hit(self, table: Table, key: str, row: Mapping[str, Json], text: str) -> Hit | None:
        position = _position(text, key)
        if position is not None:
            return Hit(key, position, 100, position + len(key))
        if self._seen.is_strangers(table, row):
            return None
        mentions = find_mentions(text, None, self._domain.now)
        found = [
            hit for says in self._says(table) if (hit := self._described_as(table, key, row, says, text, mentions))
        ]
        return max(found, key=lambda hit: hit.weight, default=None)

    def _described_as(
        self, table: Table, key: str, row: Mapping[str, Json], says: str, text: str, mentions: Sequence[Mention]
    ) -> Hit | None:
        """Where a text holds the values of one of a table's sentences; it weighs more where the words stand as well."""
        spots = [self._spot(table, name, row, text, mentions, says) for name, _ in places(says)]
        if not spots or None in spots:
            return None
        sure = [spot for spot in spots if spot is not None]
        weight = sum(end - start for start, end in sure) + 4 * len(sure)
        start, end = min(start for start, _ in sure), max(end for _, end in sure)
        before = re.search(rf"(?:^|\b){re.escape(says.split('{', 1)[0])}$", text[:start], re.IGNORECASE)
        if before is not None:
            return Hit(key, before.start(), weight + start - before.start(), end)
        return Hit(key, start, weight, end)

    def _spot(
        self,
        table: Table,
        column: str,
        row: Mapping[str, Json],
        text: str,
        mentions: Iterable[Mention],
        says: str,
    ) -> tuple[int, int] | None:
        """Where a text names a column's value; of a column that no tool shows, any value of the row at its place."""
        kind, value = kind_of(column, column_types(table)[column]), row.get(column)
        if column not in row:
            return self._unshown(kind, row, text, mentions, says)
        if value is None:
            return None
        for mention in mentions:
            if kind == "money" and mention.kind == "money" and mention.value == abs(int(value)):
                return mention.start, mention.end
            if kind in ("date", "moment") and isinstance(mention.value, Days):
                day = date.fromisoformat(str(value)[:10])
                if day in {mention.value.first, *(each.first for each in mention.also)}:
                    return mention.start, mention.end
        return None if kind in ("money", "date", "moment") else _span(text, str(value))

    def _unshown(
        self, kind: str, row: Mapping[str, Json], text: str, mentions: Iterable[Mention], says: str
    ) -> tuple[int, int] | None:
        """Where a value that stands anywhere in a row follows the words of its sentence."""
        before = says.split("{", 1)[0].strip().rsplit(" ", 2)[-2:]
        if kind in ("date", "moment"):
            days = {str(value)[:10] for value in leaves(dict(row))}
            own = (each for each in mentions if isinstance(each.value, Days))
            return next(((each.start, each.end) for each in own if each.value.first.isoformat() in days), None)
        if kind == "money":
            cents = {round(value * 100) for value in leaves(dict(row)) if isinstance(value, float | int)}
            spots = [(each.start, each.end) for each in mentions if each.kind == "money" and each.value in cents]
        else:
            spots = [spot for word in _words(row) if (spot := _after(text, before, word)) is not None]
        return max((spot for spot in spots if _after(text, before, text[slice(*spot)])), key=_length, default=None)

    def _says(self, table: Table) -> list[str]:
        return [says for thing in self._domain.things if thing.table is table for says in thing.says]

    def key_said(self, table: Table, text: str) -> str | None:
        """A key of a table's shape in a text."""
        for example in self._examples(table):
            if "@" in example:
                emails = (each for each in find_mentions(text, None, self._domain.now) if each.kind == "email")
                return next((str(each.value) for each in emails), None)
            found = re.search(rf"(?<![\w-]){key_shape(example)}(?![\w-])", text, re.IGNORECASE)
            if found:
                return found.group()
        return None

    def note_key(self, table: Table, key: str) -> None:
        """Keep that the person names a row by its key."""
        self._said[table, key] = f"{noun(table)} {key}"

    def key_heard(self, table: Table, text: str) -> str | None:
        """The one key of the person's rows that resembles what a recogniser made of it; None where none or several."""
        known = [key for key, row in self._seen.of(table).items() if not self._seen.is_strangers(table, row)]
        for example in self._examples(table):
            shape = key_shape(example).removeprefix(r"\#")
            for heard in re.findall(rf"(?<![\w-]){shape}(?![\w-])", text, re.IGNORECASE):
                close = [key for key in known if SequenceMatcher(None, heard, key).ratio() >= _LIKE]
                if len(close) == 1:
                    return close[0]
        return None

    def _examples(self, table: Table) -> Iterator[str]:
        """What keys of a table look like, as the table or a tool's schema shows it."""
        own = example_key(table) if len(inspect(table).primary_key) == 1 else None
        if own:
            yield own
            return
        for tool in self._tools.values():
            for name, model in tool.references.items():
                if model is table and (example := example_of(tool, name)) is not None:
                    yield example

    def called(self, table: Table, key: str, rng: Random) -> str:
        """A row as an agent speaks of it: by what is known of it, or as the user did."""
        row, types = self._seen.rows.get((table, key), {}), column_types(table)
        heard = self._said.get((table, key), key)
        unknown = any(row.get(name) is None for says in self._says(table) for name, _ in places(says))
        if unknown and heard != key:
            return heard  # of what nobody else can say as well the person's own words
        for says in self._says(table):
            names = [name for name, _ in places(says)]
            alike = [
                other
                for other in self._seen.of(table).values()
                if all(other.get(name) == row.get(name) for name in names)
            ]
            if all(row.get(name) is not None for name in names) and len(alike) == 1:
                return filled(says, {name: _said(kind_of(name, types[name]), row[name], rng) for name in names})
        return f"{noun(table)} {key}" if heard == key else heard


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


def _words(row: Mapping[str, Json]) -> set[str]:
    """The texts in a row as people say them."""
    return {str(value).replace("_", " ") for value in leaves(dict(row)) if isinstance(value, str) and len(value) > 2}


def _is_name(text: str, start: int, end: int) -> bool:
    """Whether a piece of a text is a whole name: capitals, and no further one after it."""
    return text[start].isupper() and re.match(r" [A-Z]", text[end:]) is None


def _position(text: str, value: str) -> int | None:
    found = _span(text, value)
    return None if found is None else found[0]


def _span(text: str, value: str) -> tuple[int, int] | None:
    if not value or value.lower() not in text.lower():  # cheaper than a pattern for every value of every row
        return None
    found = re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE)
    return None if found is None else found.span()


def _after(text: str, before: Sequence[str], word: str) -> tuple[int, int] | None:
    """Where a word stands in a text right after others."""
    phrase = " ".join([*before, word])
    if phrase.lower() not in text.lower():
        return None
    found = re.search(rf"(?<!\w){re.escape(' '.join(before))} ({re.escape(word)})(?!\w)", text, re.IGNORECASE)
    return None if found is None else found.span(1)


def _length(spot: tuple[int, int]) -> int:
    return spot[1] - spot[0]
