"""How a table's rows are stored: the statements and converters of one table, built once.

Not for reading or writing them: see `toolgym.sandbox.kit.database`.
"""

from __future__ import annotations

import json
from collections import namedtuple
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache, partial
from itertools import pairwise
from operator import itemgetter
from typing import Any, cast

from pydantic_core import from_json
from sqlalchemy import JSON, Boolean, Date, DateTime, Table
from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.kit.state import Row
from toolgym.sandbox.kit.table import example_key, key_column, owner_path, references, visible_to


@dataclass(frozen=True)
class Stored:
    """The statements and converters of one table, built once."""

    columns: tuple[str, ...]
    keys: tuple[str, ...]
    decode: Callable[[Row], Any]
    encoders: dict[str, Callable[[Any], Any]]
    key_of: Callable[[Row], Row]
    positions: dict[str, int]
    writable: frozenset[str]
    select: str
    by_key: str
    insert: str
    delete: str
    order: str


def _encode_json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _encode_moment(value: datetime | None) -> str | None:
    return None if value is None else value.isoformat(timespec="minutes")


def _encode_day(value: date | None) -> str | None:
    return None if value is None else value.isoformat()


def _record_class(model: type[DeclarativeBase], columns: Sequence[str]) -> type:
    """A named tuple of a table's columns: read-only, and as cheap to make as the row itself."""
    fields = namedtuple(model.__name__, columns)  # type: ignore[misc]  # the fields are known at run time only
    return type(model.__name__, (fields,), {"__slots__": (), "model": model})


@cache
def stored_as(model: type[DeclarativeBase]) -> Stored:
    """How a table is stored.

    Raises:
        ConfigurationError: it has no primary key.
    """
    table = cast(Table, model.__table__)
    columns = tuple(column.name for column in table.columns)
    keys = tuple(column.name for column in table.primary_key.columns)
    if not keys:
        raise ConfigurationError(f"Table {table.name!r} has no primary key; every table of a domain needs one.")
    encoders: dict[str, Callable[[Any], Any]] = {}
    decoders: list[tuple[int, Callable[[Any], Any]]] = []
    for position, column in enumerate(table.columns):
        if isinstance(column.type, JSON):
            encoders[column.name] = _encode_json
            decoders.append((position, from_json))
        elif isinstance(column.type, Boolean):
            encoders[column.name] = lambda flag: None if flag is None else int(flag)
            decoders.append((position, bool))
        elif isinstance(column.type, DateTime | Date):
            moment = isinstance(column.type, DateTime)
            encoders[column.name] = _encode_moment if moment else _encode_day
            decoders.append((position, datetime.fromisoformat if moment else date.fromisoformat))
    record = _record_class(model, columns)
    make = partial(tuple.__new__, record)

    def decode(row: Row) -> Any:
        if not decoders:
            return make(row)
        values = list(row)
        for position, convert in decoders:
            value = values[position]
            if value is not None:
                values[position] = convert(value)
        return make(values)

    where = " AND ".join(f'"{key}" = ?' for key in keys)
    listed = ", ".join(f'"{column}"' for column in columns)
    positions = [columns.index(key) for key in keys]
    pick = itemgetter(*positions)
    select = f'SELECT {listed} FROM "{table.name}"'
    return Stored(
        columns=columns,
        keys=keys,
        decode=decode,
        encoders=encoders,
        key_of=pick if len(positions) > 1 else lambda row: (pick(row),),
        positions={column: position for position, column in enumerate(columns)},
        writable=frozenset(columns) - set(keys),
        select=select,
        by_key=f"{select} WHERE {where}",
        insert=f'INSERT INTO "{table.name}" ({listed}) VALUES ({", ".join("?" * len(columns))})',
        delete=f'DELETE FROM "{table.name}" WHERE {where}',
        order=" ORDER BY " + ", ".join(f'"{key}"' for key in keys),
    )


@cache
def find_statement(model: type[DeclarativeBase], names: tuple[str, ...]) -> str:
    """The rows whose named columns equal values, in primary-key order.

    Raises:
        ConfigurationError: there is no such column.
    """
    mapping = stored_as(model)
    for name in names:
        if name not in mapping.columns:
            raise ConfigurationError(f"{model.__name__} has no column {name!r}; it has {', '.join(mapping.columns)}.")
    nullable = {column.name for column in cast(Table, model.__table__).columns if column.nullable}
    where = " AND ".join(f'"{name}" {"IS" if name in nullable else "="} ?' for name in names)
    return mapping.select + (f" WHERE {where}" if where else "") + mapping.order


@cache
def update_statement(model: type[DeclarativeBase], positions: tuple[int, ...]) -> str:
    """Changes the columns at these positions of the row with a key, and no others: a key or an indexed column that is
    written again as it was costs SQLite four times the change.
    """
    mapping = stored_as(model)
    changed = ", ".join(f'"{mapping.columns[position]}" = ?' for position in positions)
    where = " AND ".join(f'"{key}" = ?' for key in mapping.keys)
    return f'UPDATE "{model.__tablename__}" SET {changed} WHERE {where}'


@cache
def owned_statement(model: type[DeclarativeBase], names: tuple[str, ...]) -> str:
    """The owner's rows, of them those whose named columns equal values (`:is_name`)."""
    mapping = stored_as(model)
    where = [f"({visible_to(model) or _led_to_owner(model)})", *(f'"{name}" = :is_{name}' for name in names)]
    return f"{mapping.select} WHERE {' AND '.join(where)}{mapping.order}"


def _led_to_owner(model: type[DeclarativeBase]) -> str:
    """The columns that lead to the owner as nested selections."""
    path, inner = owner_path(model), ":owner"
    for (_, target), (column, _) in reversed(list(pairwise(path))):
        inner = f'SELECT "{key_column(target)}" FROM "{target.__tablename__}" WHERE "{column}" IN ({inner})'
    return f'"{path[0][0]}" IN ({inner})'


def column_values(model: type[DeclarativeBase], row: Row) -> dict[str, Any]:
    """A stored row as a dictionary of JSON-able column values."""
    mapping = stored_as(model)
    record = mapping.decode(row)
    values = {column: getattr(record, column) for column in mapping.columns}
    return {column: value.isoformat() if isinstance(value, date) else value for column, value in values.items()}


@cache
def rows_taken(model: type[DeclarativeBase]) -> dict[str, tuple[str, str]]:
    """What `Database.add` takes a row for: by name, the column that holds its key, and what the key is called there.

    The name is the column's without its last word: `account` for `account_id`.
    """
    found = references(model)
    return {name.rsplit("_", 1)[0]: (name, key) for name, key in found.items() if "_" in name}


@cache
def filled_key(model: type[DeclarativeBase]) -> str:
    """The key column that a new row is given by itself; empty where its author says every key."""
    keys = stored_as(model).keys
    return keys[0] if len(keys) == 1 and example_key(model) else ""
