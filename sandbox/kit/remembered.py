"""A database whose rows are read again and again and not written: each statement is executed once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import datetime
from functools import cache, partial
from typing import Any, TypeVar, cast

from sqlalchemy import JSON, Table
from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.database import Database, Row
from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.kit.state import Change
from toolgym.sandbox.kit.storage import stored_as
from toolgym.sandbox.kit.table import owner_path, visible_to

Model = TypeVar("Model", bound=DeclarativeBase)
Value = TypeVar("Value")


@cache
def _is_owned(model: type[DeclarativeBase]) -> bool:
    """Whether it depends on whom a session serves which rows of a table they see."""
    return bool(visible_to(model) or owner_path(model))


@cache
def _holds_json(model: type[DeclarativeBase]) -> bool:
    """Whether a table's rows hold lists or objects."""
    return any(isinstance(column.type, JSON) for column in cast(Table, model.__table__).columns)


class Remembered(Database):
    """Another database's rows, only to be read, as long as nobody writes them there.

    What it gives is shared, but for rows that hold lists or objects, which whoever gets them may change: they are made
    anew from what is stored. What was worked out without a look at whom it serves and at the clock is known to all.

    Args:
        of: whose rows.
        known: what was read before from the same rows, by anybody; grows.
        owner: whom it serves; as `of` without one.
    """

    def __init__(self, of: Database, known: dict[Hashable, Any], owner: Row | None = None) -> None:
        super().__init__(of._image, now=of.now, seed=of._seed, owner=owner or of._owner, version=of.version)
        self._connection, self.state, self._read = of._connection, of.state, of._read
        self._known = known
        self._own: dict[Hashable, Any] = {}
        self._personal = False
        """Whether what is being worked out has looked at whom this serves, or at the clock."""

    @property
    def now(self) -> datetime:
        """The clock."""
        self._personal = True
        return self._now

    @now.setter
    def now(self, moment: datetime) -> None:
        self._now = moment

    def owner(self, model: type[Model]) -> Model:
        """The row of whom this serves."""
        self._personal = True
        return super().owner(model)

    def get(self, model: type[Model], *key: Any) -> Model | None:
        """The row with this primary key, or None."""
        return self._once(model, (model, key), lambda: super(Remembered, self).get(model, *key))

    def find(self, model: type[Model], **equal: Any) -> list[Model]:
        """The rows whose columns equal the given values, in primary-key order."""
        key = ("find", model, *equal.items())
        return list(self._once(model, key, lambda: super(Remembered, self).find(model, **equal)))

    def mine(self, model: type[Model], **equal: Any) -> list[Model]:
        """The owner's rows whose columns equal the given values, in primary-key order."""
        self._personal |= _is_owned(model)
        key = ("mine", self._owner, model, *equal.items())
        return list(self._once(model, key, lambda: super(Remembered, self).mine(model, **equal)))

    def select(self, model: type[Model], condition: str, **parameters: Any) -> list[Model]:
        """The rows that meet a condition in SQL."""
        key = ("select", model, condition, *parameters.items())
        return list(self._once(model, key, lambda: super(Remembered, self).select(model, condition, **parameters)))

    def is_own(self, record: DeclarativeBase) -> bool:
        """Whether a row belongs to the owner."""
        model = record.model  # type: ignore[attr-defined]  # records carry their model
        if not _is_owned(model):
            return True
        self._personal = True
        key = ("is_own", self._owner, model, stored_as(model).key_of(cast(Row, record)))
        return self._once(None, key, lambda: super(Remembered, self).is_own(record))

    def computed(self, function: Callable[[Any, Database], Any], record: Any) -> Any:
        """A computed column of a row, which may depend on the owner and on the clock."""
        key = (function, record.model, stored_as(record.model).key_of(record))
        return self.worked_out(key, partial(function, record, self))

    def worked_out(self, key: Hashable, work: Callable[[], Value]) -> Value:
        """What follows from these rows, worked out once: for everybody, or for whom this serves where it looks at them.

        Args:
            key: tells it from all else that is worked out.
            work: reads nothing but these rows.
        """
        found: Value = self._known.get(key, self)
        if found is not self:
            return found
        found = self._own.get(key, self)
        if found is not self:
            self._personal = True
            return found
        before, self._personal = self._personal, False
        try:
            found = work()
            (self._own if self._personal else self._known)[key] = found
        finally:
            self._personal |= before
        return found

    def _rows(self, statement: str, values: Sequence[Any] | Mapping[str, Any]) -> Sequence[Row]:
        key = (statement, *(values.items() if isinstance(values, Mapping) else values))
        return self._once(None, key, lambda: self._connection.execute(statement, values).fetchall())

    def _stored(self, model: type[DeclarativeBase], key: Row) -> Row | None:
        return self._once(None, ("stored", model, *key), lambda: super(Remembered, self)._stored(model, key))

    def _once(self, model: type[DeclarativeBase] | None, key: Hashable, read: Callable[[], Value]) -> Value:
        if model is not None and _holds_json(model):
            return read()
        found: Value = self._known.get(key, self)
        if found is self:
            found = self._known[key] = read()
        return found

    def _write(self, change: Change) -> None:
        raise ConfigurationError("These rows are only to be read.")
