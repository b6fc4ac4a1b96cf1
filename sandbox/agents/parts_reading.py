"""Which parts of a row a text speaks of, and what it wants in their place: items of an order, and other variants.

A parameter that is a list of keys (`item_ids`) names parts of the row that the wish is about; one with more in its name
(`new_item_ids`) others of their sort, told by what is different about them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from sqlalchemy import inspect

from toolgym.sandbox.agents.dialogue import Script
from toolgym.sandbox.agents.row_search import RowSearch
from toolgym.sandbox.agents.seen import Row, Seen, Table, parts_of
from toolgym.sandbox.agents.slot_reading import is_list
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.table import key_column
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.synthesis.wording import listed


class PartsReading:
    """Reads lists of keys in one conversation.

    Args:
        domain: the world.
        tools: the tools that are offered.
        seen: what the conversation has shown.
        rows: finds rows that a text speaks of.
    """

    def __init__(self, domain: Domain, tools: Mapping[str, Tool], seen: Seen, rows: RowSearch) -> None:
        self._domain, self._tools, self._seen, self._rows = domain, tools, seen, rows

    def table_of(self, goal: Goal, name: str) -> Table | None:
        """The table of whose rows a parameter lists keys as plain text; None where it does not."""
        if name in goal.tables or goal.tool.kinds[name] != "text" or not is_list(goal, name):
            return None
        single = [table for table in self._domain.models if len(inspect(table).primary_key) == 1]
        return next((table for table in single if name.endswith(f"{key_column(table)}s")), None)

    def read(self, goal: Goal, name: str, values: Mapping[str, Json], text: str) -> Script[list[str] | None]:
        """The keys that a text means; None where it names none, or it is not known yet of which row."""
        table = self.table_of(goal, name)
        held = self._held(goal, values, table)
        if table is None or not held:
            return None
        column = key_column(table)
        if name == f"{column}s":
            named = _named(held, _without_wanted(text)) or _named(held, text)
            return [str(part[column]) for part in named] or None
        return (yield from self._others(table, self._chosen(goal, table, values), text))

    def called(self, goal: Goal, name: str, values: Mapping[str, Json]) -> str:
        """The parts as an agent speaks of them: by name, and others by what is different about them."""
        table = self.table_of(goal, name)
        assert table is not None, "parts have a table"
        column, chosen = key_column(table), self._chosen(goal, table, values)
        if name == f"{column}s":
            return listed([f"the {_name_of(part)}" for part in chosen])
        words = []
        given = values[name]
        for old, key in zip(chosen, given if isinstance(given, list) else (), strict=False):
            new = self._seen.rows.get((table, str(key)), {})
            what = self._sort_of(table, old, new, alone=len(chosen) == 1)
            changed = [f"{pair[0]} {pair[1]}" for pair in _pairs(new) if pair not in _pairs(old)]
            words.append(f"{what} with {listed(changed)}" if changed else what)
        return listed(words)

    def _sort_of(self, table: Table, old: Row, new: Row, *, alone: bool) -> str:
        """What another variant is called: one, where there is nothing else that it could be one of."""
        for column, parent in _parents(table):
            if new.get(column) not in (None, old.get(column)):
                return f"the {_name_of(self._seen.rows.get((parent, str(new[column])), {}))}"
        return "one" if alone else f"the {_name_of(old)}"

    def _held(self, goal: Goal, values: Mapping[str, Json], table: Table | None) -> list[Row]:
        """The parts of the rows that a wish is about."""
        if table is None:
            return []
        rows = (self._seen.rows.get((model, str(values.get(ref)))) for ref, model in goal.tool.references.items())
        return [part for row in rows if row for part in parts_of(dict(row), key_column(table))]

    def _chosen(self, goal: Goal, table: Table, values: Mapping[str, Json]) -> list[Row]:
        held = {str(part[key_column(table)]): part for part in self._held(goal, values, table)}
        given = values.get(f"{key_column(table)}s")
        return [held[str(key)] for key in (given if isinstance(given, list) else ()) if str(key) in held]

    # --- what is wanted in their place ---

    def _others(self, table: Table, chosen: Sequence[Row], text: str) -> Script[list[str] | None]:
        foreign = yield from self._foreign(table, chosen, text)
        found: list[str] = []
        for old in chosen:
            about = _about(old, [*chosen, *foreign], text)
            new = yield from self._like(table, old, old, about)
            if new is None and foreign:
                other = foreign.pop(0)
                new = yield from self._like(table, other, old, _about(other, [*chosen, *foreign, other], text))
            if new is None:
                return None
            found.append(new)
        return found or None

    def _foreign(self, table: Table, chosen: Sequence[Row], text: str) -> Script[list[Row]]:
        """The rows of another sort that a text names: another product than any of those to be replaced."""
        found: list[Row] = []
        for column, parent in _parents(table):
            if any(thing.table is parent for thing in self._domain.things):
                hits = yield from self._rows.find(parent, text)
                own = {old.get(column) for old in chosen}
                found += [
                    self._seen.rows[parent, hit.key] for hit in hits if hit.key not in own and text[hit.start].isupper()
                ]
        return found

    def _like(self, table: Table, kind: Row, old: Row, text: str) -> Script[str | None]:
        """The row of a kind that a text asks for, otherwise as the old one is."""
        candidates: list[Row] = []
        for column, parent in _parents(table):
            for tool in self._tools.values():
                if tool.kind == "read" and [parent] == [each for tables in tool.takes.values() for each in tables]:
                    arguments = {next(iter(tool.inputs.values())): kind[column]}
                    try:
                        candidates += parts_of((yield from self._seen.call(tool, arguments)), key_column(table))
                    except Refusal:
                        continue
        said = _said(candidates, text)
        if not said:
            return None
        same = set(_pairs(old))
        best = max(candidates, key=lambda each: (len(said & set(_pairs(each))), len(same & set(_pairs(each)))))
        return str(best[key_column(table)])


def _parents(table: Table) -> Iterator[tuple[str, Table]]:
    """The tables that a table refers to, with the columns that do."""
    models = {each.class_.__table__: each.class_ for each in table.registry.mappers}
    for column in table.__table__.columns:
        for foreign in column.foreign_keys:
            yield column.name, models[foreign.column.table]


def _named(held: Iterable[Row], text: str) -> list[Row]:
    """The parts that a text names, in its order; of several with one name the one most of whose details it holds."""
    by_name: dict[str, list[Row]] = {}
    for part in held:
        by_name.setdefault(_name_of(part), []).append(part)
    spots = {name: _spot(name, text) for name in by_name}
    return [
        max(by_name[name], key=lambda part: len(_said([part], text)))
        for name, spot in sorted(spots.items(), key=lambda each: -1 if each[1] is None else each[1])
        if spot is not None
    ]


def _without_wanted(text: str) -> str:
    """A text without the things that are told by what they have, which are those to come: "the kettle with a lid"."""
    return re.sub(r"\bthe ((?:[A-Z][\w'-]*)(?: [A-Z][\w'-]*)*) with\b", "…", text)


def _name_of(part: Row) -> str:
    """What a part is called: its first text that is no key."""
    texts = (value for name, value in part.items() if isinstance(value, str) and not name.endswith("id"))
    return next(texts, "")


def _spot(name: str, text: str) -> int | None:
    found = re.search(rf"(?<![\w-]){re.escape(name)}(?:s|es)?(?![\w-])", text, re.IGNORECASE) if name else None
    return found.start() if found else None


def _about(part: Row, others: Sequence[Row], text: str) -> str:
    """The pieces of a text from a part's name to the next name; all of it where it names nothing else."""
    names = sorted({_name_of(other) for other in others} - {""}, key=len, reverse=True)
    if len(names) < 2:
        return text
    pieces = re.split(rf"(?<![\w-])({'|'.join(map(re.escape, names))})", text)[1:]
    own = _name_of(part)
    return " ".join(piece for name, piece in zip(pieces[::2], pieces[1::2], strict=True) if name == own)


def _pairs(part: Mapping[str, Json]) -> list[tuple[str, str]]:
    """The details of a part that its own description holds: `("color", "black")`."""
    return [
        (name, value)
        for inner in part.values()
        if isinstance(inner, dict)
        for name, value in inner.items()
        if isinstance(value, str)
    ]


def _said(parts: Iterable[Row], text: str) -> set[tuple[str, str]]:
    """The details that a text names: with what they are, or alone where they can be nothing else."""
    pairs = {pair for part in parts for pair in _pairs(part)}
    with_name = {pair for pair in pairs if any(_spot(each, text) is not None for each in _ways(*pair))}
    told = {name for name, _ in with_name}
    alone = {pair for pair in pairs if pair[0] not in told and len(pair[1]) > 3 and _spot(pair[1], text) is not None}
    return with_name | alone


def _ways(name: str, value: str) -> tuple[str, ...]:
    ways = (f"{name} {value}", f"{name}: {value}", f"{value} {name}", f"in {value}")
    if value in ("no", "none"):
        return *ways, f"without a {name}", f"without {name}", f"not {name}"
    return (*ways, f"a {name}", f"with {name}", f"and {name}") if value == "yes" else ways
