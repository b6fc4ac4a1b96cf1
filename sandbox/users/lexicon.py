"""The words that one person and an agent have for rows: names, keys and choices, from the rows that the person sees.

Compiled once for a world, a body of data and an owner; thousands of episodes share it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from sqlalchemy import JSON
from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.sentence import places
from toolgym.sandbox.kit.table import key_column, noun, shown_columns
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.view import View
from toolgym.sandbox.language.inflection import forms
from toolgym.sandbox.language.lexicon import Lexicon
from toolgym.sandbox.runtime.registry import get_domain

_KEPT = 512
"""Lexicons kept in memory."""
CHOICE = "choice:"
"""What begins the column of a choice's words; a parameter's name follows."""

RowKey = tuple[str, str]
"""A table's name and a key."""


@dataclass(frozen=True)
class PersonLexicon:
    """What a person's rows are called.

    Attributes:
        lexicon: finds them in a text; columns are `Table` for keys, `Table.column` for names, `choice:slot`.
        rows: what each row shows, by table and key.
        holders: the rows that hold a text in a column.
        choices: the values that a choice's word stands for, by slot and word.
        spoken: the columns by which people know a table's rows.
        labels: names of options, such as "color", from columns that hold several.
        is_shared: it holds everybody's rows, as at a desk for anybody.
        tables: rows by key, by table, once somebody has asked for them.
        alike: rows found by a day or an amount before, by table, column, kind and value.
        worded: rows by the words of their columns, by table, once somebody has asked for them.
        owned: rows by what they hold in a column, by table and column, once somebody has asked for them.
        names: whether a text is some row's name, once somebody has asked.
    """

    lexicon: Lexicon
    rows: Mapping[RowKey, Mapping[str, Any]]
    holders: Mapping[tuple[str, str], frozenset[str]]
    choices: Mapping[tuple[str, str], str] = field(default_factory=dict)
    spoken: Mapping[str, frozenset[str]] = field(default_factory=dict)
    labels: frozenset[str] = frozenset()
    is_shared: bool = False
    tables: dict[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    alike: dict[tuple[str, str, str, str], frozenset[str]] = field(default_factory=dict)
    worded: dict[str, Mapping[str, frozenset[str]]] = field(default_factory=dict)
    owned: dict[tuple[str, str], Mapping[str, Sequence[Mapping[str, Any]]]] = field(default_factory=dict)
    names: dict[str, bool] = field(default_factory=dict)

    def of_table(self, table: str) -> Mapping[str, Mapping[str, Any]]:
        """The rows of a table by key."""
        if table not in self.tables:
            self.tables[table] = {key: row for (name, key), row in self.rows.items() if name == table}
        return self.tables[table]

    def holding(self, table: str, column: str, value: Any) -> Sequence[Mapping[str, Any]]:
        """The rows of a table that hold a value in a column, compared as texts."""
        if (table, column) not in self.owned:
            found: dict[str, list[Mapping[str, Any]]] = {}
            for row in self.of_table(table).values():
                found.setdefault(str(row.get(column)), []).append(row)
            self.owned[table, column] = found
        return self.owned[table, column].get(str(value), ())

    def named(self, column: str, text: str) -> frozenset[str]:
        """The keys of the rows that a text names in one of the lexicon's columns."""
        return self.holders.get((column, text.casefold()), frozenset())


_made: OrderedDict[tuple[str, str, Json], PersonLexicon] = OrderedDict()


def lexicon_of(task: Task) -> PersonLexicon:
    """The lexicon of a task's person."""
    wanted = (task.domain, task.data, task.owner if get_domain(task.domain).owner is not None else None)
    found = _made.get(wanted)
    if found is None:
        found = _made[wanted] = _compiled(get_domain(task.domain), task)
        if len(_made) > _KEPT:
            _made.popitem(last=False)
    return found


def _compiled(domain: Domain, task: Task) -> PersonLexicon:
    spoken = _spoken_columns(domain)
    database = domain.database(task.data, now=task.now or domain.now, seed=0, task=task)
    rows: dict[RowKey, Mapping[str, Any]] = {}
    terms: dict[str, dict[str, None]] = {}
    keys: dict[str, list[str]] = {}
    holders: dict[tuple[str, str], set[str]] = {}
    for table, columns in spoken.items():
        name = table.__name__
        for record in database.mine(table):
            key = str(getattr(record, key_column(table)))
            view = View(record).bound(database)
            wanted = shown_columns(table) if domain.owner is not None else _stored(table, columns)
            beside = _beside(table)  # who hears the key of such a row hears of another one
            rows[name, key] = {column: getattr(view, column) for column in wanted if column not in beside}
            keys.setdefault(name, []).append(key)
            for column in columns:
                value = rows[name, key][column]
                if isinstance(value, str) and value:
                    terms.setdefault(f"{name}.{column}", {})[value] = None
                    holders.setdefault((f"{name}.{column}", value.casefold()), set()).add(key)
    labels: set[str] = set()
    for column, label, value in _options(domain, database):
        labels.add(label)
        if len(value) > 2 and value[0].isalpha() and value not in ("yes", "none"):
            terms.setdefault(column, {})[value] = None
    choices = dict(_choice_words(domain))
    for slot, word in choices:
        terms.setdefault(f"{CHOICE}{slot}", {})[word] = None
    nouns = {part for table in domain.models for part in noun(table).split(" ")}
    return PersonLexicon(
        Lexicon(terms, keys, nouns),
        rows,
        {place: frozenset(found) for place, found in holders.items()},
        choices,
        {table.__name__: frozenset(columns) for table, columns in spoken.items()},
        frozenset(labels),
        domain.owner is None,
    )


def _beside(table: type[DeclarativeBase]) -> set[str]:
    """The columns that lead to other rows of the same table, such as a company's rival."""
    columns = table.__mapper__.columns
    return {each.name for each in columns if any(key.column.table is table.__table__ for key in each.foreign_keys)}


def _options(domain: Domain, database: Database) -> Iterator[tuple[str, str, str]]:
    """What columns of named values hold: the column, each name, each value."""
    for table in domain.models:
        for column in table.__mapper__.columns:
            for record in database.find(table) if isinstance(column.type, JSON) else ():
                value = getattr(record, column.name)
                for label, held in value.items() if isinstance(value, dict) else ():
                    yield f"{table.__name__}.{column.name}", str(label).casefold(), str(held)


def _spoken_columns(domain: Domain) -> dict[type[DeclarativeBase], list[str]]:
    """The tables that people speak of, with the columns by which they do."""
    found: dict[type[DeclarativeBase], list[str]] = {}
    for thing in domain.things:
        columns = found.setdefault(thing.table, [])
        columns += [name for says in thing.says for name, _ in places(says) if name not in columns]
    for goal in domain.goals:
        for table in goal.tables.values():
            found.setdefault(table, [])
    return found


def _stored(table: type[DeclarativeBase], spoken: list[str]) -> list[str]:
    """Columns that cost no query at a desk for anybody, where the rows are many."""
    return [name for name, made in shown_columns(table).items() if made is None or name in spoken]


def _choice_words(domain: Domain) -> Iterator[tuple[tuple[str, str], str]]:
    """The words for the values of every goal's choices."""
    for goal in domain.goals:
        properties = cast("dict[str, Any]", goal.tool.parameters.get("properties", {}))
        for name, kind in goal.tool.kinds.items():
            if kind != "choice":
                continue
            values = _values(properties.get(goal.tool.inputs[name], {}))
            called = goal.slot(name).words or {}
            for value in values:
                for word in (value.replace("_", " "), *called.get(value, "").split("|"), *_kin(value, values)):
                    if word:
                        yield (name, word.casefold()), value


def _kin(value: str, values: list[str]) -> Iterator[str]:
    """Other forms of a choice's word: "week" is "weekly", "block" is "blocked" and the other way round."""
    if " " in value or "_" in value:
        return
    yield f"{value}ly"
    for base in {value, value.removesuffix("ed"), value.removesuffix("d"), *_UNMADE.get(value, ())}:
        if value in forms(base) and base not in values:
            yield from (form for form in forms(base) if form != value)


_UNMADE = {"frozen": ("freeze",), "sent": ("send",), "held": ("hold",), "paid": ("pay",)}


def _values(schema: Mapping[str, Any]) -> list[str]:
    for choice in schema.get("anyOf", ()):
        if "enum" in choice:
            return [str(value) for value in choice["enum"]]
    return [str(value) for value in schema.get("enum", ())]
