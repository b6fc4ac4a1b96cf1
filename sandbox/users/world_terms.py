"""The names and keys of a whole world, for users whose wishes hold plain text: found in its rows, of whatever table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import JSON, Column
from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.table import personal_columns
from toolgym.sandbox.language.lexicon import Lexicon
from toolgym.sandbox.runtime.registry import get_domain

_NAME = re.compile(r"[A-ZÀ-Þ][\w'&.-]*(?: [A-ZÀ-Þa-z&][\w'&.()-]*){0,2}")
_SHORT = 3


@dataclass
class WorldTerms:
    """What the rows of a world are called.

    Attributes:
        labels: names of options.
        rows: the texts of rows, by the key that they begin with.
        options: what rows hold by name, such as the options of a variant, by their keys.
        people: keys of those who are served, whose other rows say nothing about a wish.
    """

    labels: set[str] = field(default_factory=set)
    rows: dict[str, list[list[str]]] = field(default_factory=dict)
    options: dict[str, dict[str, str]] = field(default_factory=dict)
    people: set[str] = field(default_factory=set)
    lexicon: Lexicon = field(default_factory=Lexicon)

    def around(self, keys: Iterable[str]) -> set[str]:
        """The texts of the rows that keys name, and of the rows that these point to."""
        found, fresh = set(keys), set(keys)
        for _ in range(2):
            fresh = {
                text
                for key in fresh
                for row in (self.rows.get(key, [])[:1] if key in self.people else self.rows.get(key, ()))
                for text in row
            } - found
            found |= fresh
        return found


@lru_cache(maxsize=32)
def terms_of(name: str, data: str) -> WorldTerms:
    """The terms of an installed world with one body of data."""
    domain = get_domain(name)
    database = domain.database(data, now=domain.now, seed=0)
    made, terms, keys = WorldTerms(), dict[str, dict[str, None]](), dict[str, dict[str, None]]()
    for table in sorted(domain.models, key=lambda model: not personal_columns(model)):
        first, *others = [column.name for column in table.__mapper__.primary_key]
        columns, is_personal = (
            [_Column.of(table, column) for column in table.__mapper__.columns],
            personal_columns(table),
        )
        for record in database.find(table):
            texts = list(_texts(columns, record, made.labels, terms, keys))
            key = str(getattr(record, first))
            if all(isinstance(getattr(record, other), int) for other in others):
                made.rows.setdefault(key, []).append(texts)
            if options := _options(columns, record):
                made.options[key] = options
            if is_personal:
                made.people.add(key)
    made.lexicon = Lexicon(terms, keys)
    return made


class _Column(NamedTuple):
    """A column of a table, as far as its texts go: looked at once, and not at every row.

    Attributes:
        name: of the column.
        place: of the table and the column.
        is_json: it holds lists and objects.
        is_key: it holds keys of rows.
    """

    name: str
    place: str
    is_json: bool
    is_key: bool

    @classmethod
    def of(cls, table: type[DeclarativeBase], column: Column[Any]) -> _Column:
        """A column of a table."""
        is_key = column.primary_key or bool(column.foreign_keys)
        return cls(column.name, f"{table.__name__}.{column.name}", isinstance(column.type, JSON), is_key)


def _options(columns: Sequence[_Column], record: Any) -> dict[str, str]:
    """The values that a row holds under names of its own, both in lower case."""
    held = (getattr(record, column.name) for column in columns if column.is_json)
    return {
        str(label).casefold(): str(value).casefold()
        for each in held
        if isinstance(each, dict)
        for label, value in each.items()
    }


def _texts(
    columns: Sequence[_Column],
    record: Any,
    labels: set[str],
    terms: dict[str, dict[str, None]],
    keys: dict[str, dict[str, None]],
) -> Iterator[str]:
    """What a row holds; names, options and keys are noted by column."""
    for name, place, is_json, is_key in columns:
        value = getattr(record, name)
        if is_json:
            for label, held in value.items() if isinstance(value, dict) else ((None, each) for each in value or ()):
                yield str(held)
                if label is not None:
                    labels.add(str(label).casefold())
                    if len(str(held)) >= _SHORT and str(held)[0].isalpha() and held not in ("yes", "none"):
                        terms.setdefault(place, {})[str(held)] = None
        elif isinstance(value, str) and value:
            yield value
            if is_key and (value.isupper() or any(map(str.isdigit, value))):
                keys.setdefault(place, {})[value] = None
            elif len(value) >= _SHORT and _NAME.fullmatch(value):
                terms.setdefault(place, {})[value] = None
