"""What a world's relations come to: those that it declares, and the usual words for the foreign keys of the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from functools import cache
from typing import Any, cast

from sqlalchemy import Table
from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.goal import Relation
from toolgym.sandbox.kit.sentence import places
from toolgym.sandbox.kit.table import column_types, noun, shown_columns
from toolgym.sandbox.synthesis.listing import held, only_row, showing
from toolgym.sandbox.synthesis.scene import Scene

IT = "it"
LEAST = 3
"""Characters of a text that two rows share before one is described by the other."""
_DAYS = (date, date | None)


@cache
def relations_of(domain: Domain) -> Mapping[tuple[type[DeclarativeBase], str], Relation]:
    """By table and column; of the tables of which people speak, those of keys and of shared values."""
    usual = {(each.table, each.column): each for thing in domain.things for each in _usual(thing.table)}
    for thing in domain.things:  # whose words always name a column needs no other row for it
        always = set.intersection(*({name for name, _ in places(sentence)} for sentence in thing.says))
        for name in always & {name for table, name in usual if table is thing.table}:
            del usual[thing.table, name]
    return usual | {(each.table, each.column): each for each in domain.relations}


def _usual(table: type[DeclarativeBase]) -> Iterator[Relation]:
    """Words that read naturally in any world: for keys and for days. Texts have none, unless they are declared."""
    types = column_types(table)
    for column in cast(Table, table.__table__).columns:
        if column.name not in shown_columns(table):
            continue
        target = referred_table(table, column.name)
        if target is not None and target is not table:
            only = f"the only {noun(table)} of {{{IT}}}"
            yield Relation(table, column.name, f"the {noun(target)} of {{{IT}}}", f"of {{{IT}}}", only)
        elif types.get(column.name) in _DAYS:
            yield Relation(table, column.name, f"the day of {{{IT}}}")


@cache
def referred_table(table: type[DeclarativeBase], column: str) -> type[DeclarativeBase] | None:
    """The table whose keys a column holds; None where it holds no keys, or is none that is stored."""
    found = cast(Table, table.__table__).columns.get(column)
    for foreign in found.foreign_keys if found is not None else ():
        for mapper in table.registry.mappers:
            if mapper.local_table is foreign.column.table:
                return cast(type[DeclarativeBase], mapper.class_)
    return None


def holders(sampler: Scene) -> Mapping[Any, list[tuple[Any, Relation]]]:
    """By key, text or day, the rows of which tools show that they hold it, with the relation that says so; worked out
    once a person.
    """
    if sampler.holders is None:
        found: defaultdict[Any, list[tuple[Any, Relation]]] = defaultdict(list)
        person = sampler.person
        for relation in relations_of(sampler.domain).values():
            rows = [person] if person is not None and person.model is relation.table else sampler.seen(relation.table)
            for row in rows if relation.says else ():
                value = _held_by(sampler, row, relation.column)
                if is_shared(value):
                    found[value].append((row, relation))
        sampler.holders = found
    return sampler.holders


def _held_by(sampler: Scene, row: Any, path: str) -> Any:
    """The value at a path in what tools show of a row; None where it is not one."""
    if path in column_types(row.model):
        value = getattr(sampler.view(row), path)
        return held({path: value}, path) if isinstance(value, list) else value
    shown = (held(only_row(sampler.read(call).value, row), path) for call in showing(sampler, row))
    return next((value for value in shown if value is not None), None)


def is_shared(value: Any) -> bool:
    """Whether a value is a text or a day that tells something."""
    if isinstance(value, str):
        return len(value) >= LEAST
    return isinstance(value, date) and not isinstance(value, datetime)
