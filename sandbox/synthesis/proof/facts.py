"""Whether what a task's user knows is true in the world: facts are compared with rows by the names of columns.

Part of the task lint. A fact that no column speaks of (a reason, a wished address, a question) is not judged.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache

from sqlalchemy import JSON, Table

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain

Row = dict[str, Json]


def untrue_facts(task: Task) -> list[str]:
    """Sentences about the facts that no row of the world's start bears out.

    Ids must exist, and what is told beside an id must be that row's; what the user knows about themselves must stand
    in one row. Tasks with set-up calls are not judged: their world differs from the start.
    """
    if task.setup:
        return []
    domain = get_domain(task.domain)
    known: Row = {fact.name: fact.value for fact in task.facts if isinstance(fact.value, str)}
    persons = domain.owner or (domain.identity.table if domain.identity else None)
    if persons is not None and "name" not in persons.__table__.columns:
        known.pop("name", None)  # the person's, who has it in parts; a column of that name is a thing's
    found = _untrue_identity(known, task, domain)
    for goal in task.every_goal():
        for fact in goal.facts:
            for record in _records(fact.name, fact.value):
                found += _contradicted(record, task, domain)
    return found


def _untrue_identity(known: Row, task: Task, domain: Domain) -> list[str]:
    """What the user says of themselves must stand together in one row of each table that knows of it."""
    wrong: dict[str, Row] = {}
    borne_out: set[str] = set()
    for table in _tables(domain):
        told = {name: value for name, value in known.items() if name in _own_columns(table)}
        values = tuple(str(value).lower() for value in told.values())
        if told and values in _together(task.domain, task.data, table.name, tuple(told)):
            borne_out |= set(told)
        elif told:
            wrong[table.name] = told
    return [
        f"the user's own facts ({_listed(told)}) fit no row of {table}."
        for table, told in wrong.items()
        if not set(told) <= borne_out
    ]


def _listed(record: Row) -> str:
    return ", ".join(f"{name} {value!r}" for name, value in record.items())


def _contradicted(record: Row, task: Task, domain: Domain) -> list[str]:
    found = []
    for table in _tables(domain):
        keys = [column.name for column in table.primary_key.columns]
        if len(keys) != 1 or keys[0] not in record or keys[0] not in _own_columns(table):
            continue
        row = _by_key(task.domain, task.data, table.name).get(str(record[keys[0]]))
        if row is None:
            found.append(f"a fact names {keys[0]} {record[keys[0]]}, which does not exist in {table.name}.")
            continue
        wrong = [name for name, value in record.items() if name in row and not _same(row[name], value)]
        found += [
            f"a fact says {name} {record[name]!r}, but {keys[0]} {record[keys[0]]} has {row[name]!r}." for name in wrong
        ]
    return found


def _records(name: str, value: Json) -> Iterator[Row]:
    """The records in a fact's value; a plain value is a record of one field."""
    if isinstance(value, dict):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _records(name, item)
    elif value is not None:
        yield {name: value}


@cache
def _tables(domain: Domain) -> list[Table]:
    return domain.base.metadata.sorted_tables


@cache
def _own_columns(table: Table) -> frozenset[str]:
    """Columns that say something of this table's own, not of another it refers to."""
    return frozenset(column.name for column in table.columns if not column.foreign_keys)


def _same(stored: Json, told: Json) -> bool:
    return stored == told or str(stored).lower() == str(told).lower()


@cache
def _rows(domain: str, data: str, name: str) -> list[Row]:
    world = get_domain(domain)
    table = world.base.metadata.tables[name]
    decode = {column.name for column in table.columns if isinstance(column.type, JSON)}
    columns = [column.name for column in table.columns]
    listed = ", ".join(f'"{column}"' for column in columns)
    found = []
    for values in world.template(data).reader.execute(f'SELECT {listed} FROM "{name}"'):
        row = dict(zip(columns, values, strict=True))
        found.append({key: json.loads(value) if key in decode and value else value for key, value in row.items()})
    return found


@cache
def _together(domain: str, data: str, name: str, columns: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    """What stands together in one row of these columns, in lower case."""
    return frozenset(tuple(str(row[column]).lower() for column in columns) for row in _rows(domain, data, name))


@cache
def _by_key(domain: str, data: str, name: str) -> dict[str, Row]:
    table = get_domain(domain).base.metadata.tables[name]
    key = next(iter(table.primary_key.columns)).name
    return {str(row[key]): row for row in _rows(domain, data, name)}
