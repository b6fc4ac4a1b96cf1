"""What a world's author says of a table and its columns: example keys, what is hidden, personal, owned or computed.

Not for rows: `toolgym.sandbox.kit.database` reads and writes those.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Generic, TypeVar, cast, get_type_hints, overload

from sqlalchemy import Table
from sqlalchemy.orm import DeclarativeBase, MappedColumn, mapped_column

from toolgym.sandbox.kit.errors import ConfigurationError

Value = TypeVar("Value")


def key(example: str) -> MappedColumn[Any]:
    """A table's primary key, with what one looks like (`A-20817`).

    Agents see the example in every tool's schema; new keys continue its letters and digits.
    """
    return mapped_column(primary_key=True, info={"example": example})


def hidden() -> MappedColumn[Any]:
    """A column that no view, refusal or search ever tells, such as a PIN or a reserve price."""
    return mapped_column(info={"hidden": True})


def part() -> MappedColumn[Any]:
    """A column that views show only within a computed one, such as the street of an address."""
    return mapped_column(info={"part": True})


def personal() -> MappedColumn[Any]:
    """A column that may be told only to whom it belongs, once they are known, such as an address."""
    return mapped_column(info={"personal": True})


class computed(Generic[Value]):  # read as a decorator, beside `property`
    """A column that views show and nobody stores: worked out from the row and the database.

    Written as a method whose `self` is the record: `@computed def left_cents(self, db: Database) -> int`.

    Examples:
        >>> from sqlalchemy.orm import DeclarativeBase, Mapped
        >>> from toolgym.kit import Database, computed, hidden, key
        >>> class Base(DeclarativeBase): ...
        >>> class Card(Base):
        ...     __tablename__ = "cards"
        ...     card_id: Mapped[str] = key("C-10")
        ...     pin: Mapped[str] = hidden()
        ...
        ...     @computed
        ...     def digits(self, db: Database) -> int:
        ...         return len(self.pin)
        >>> Card.digits.annotation
        <class 'int'>
    """

    def __init__(self, function: Callable[[Any, Any], Value]) -> None:
        self.function = function
        self.name = function.__name__
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> computed[Value]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...
    def __get__(self, instance: object | None, owner: type) -> computed[Value] | Value:
        if instance is None:
            return self
        raise AttributeError(f"{self.name} is computed; read it from a View.")

    @property
    def annotation(self) -> Any:
        """What it returns, as annotated."""
        hints = get_type_hints(self.function, include_extras=True)
        if "return" not in hints:
            raise ConfigurationError(f"The computed column {self.name} says not what it returns; annotate it.")
        return hints["return"]


class Via(computed[Any]):
    """A computed column that only fetches one of a row that is referred to."""

    def __init__(self, path: tuple[str, ...]) -> None:
        self.path, self.function = path, self._value

    def __set_name__(self, owner: type[DeclarativeBase], name: str) -> None:
        self.model, self.name = owner, name

    def _value(self, record: Any, database: Any) -> Any:
        for column in self.path[:-1]:
            key = getattr(record, column)
            if key is None:
                return None
            record = database.get_one(referred(record.model, column), key)
        made = shown_columns(record.model).get(self.path[-1])
        return getattr(record, self.path[-1]) if made is None else database.computed(made.function, record)

    @property
    def source(self) -> type[DeclarativeBase]:
        """The table whose column is fetched."""
        model = self.model
        for column in self.path[:-1]:
            model = referred(model, column)
        return model

    @property
    def annotation(self) -> Any:
        """The type of the column that is fetched; it may be lacking where a key on the way may be."""
        model, may_lack = self.model, False
        for column in self.path[:-1]:
            may_lack |= bool(cast(Table, model.__table__).columns[column].nullable)
            model = referred(model, column)
        if self.path[-1] not in column_types(model):
            raise ConfigurationError(f"The column {self.name}: views of {model.__name__} show no {self.path[-1]}.")
        found = column_types(model)[self.path[-1]]
        return found | None if may_lack else found


def via(*path: str) -> computed[Any]:
    """A column that views show of a row that theirs refers to, such as the title of an offer's listing.

    Args:
        path: columns with foreign keys, one leading to the next, and the column of the last row.

    Examples:
        >>> from toolgym.domains.banking.schema import Payment  # it has `payee_name = via("payee_id", "name")`
        >>> Payment.payee_name.annotation
        <class 'str'>
    """
    return Via(path)


@cache
def key_column(model: type[DeclarativeBase]) -> str:
    """The name of a table's only key column.

    Raises:
        ConfigurationError: it has another number of them.
    """
    columns = list(cast(Table, model.__table__).primary_key.columns)
    if len(columns) != 1:
        raise ConfigurationError(
            f"{model.__name__} has {len(columns)} key columns; what is referred to has exactly one."
        )
    return columns[0].name


def example_key(model: type[DeclarativeBase]) -> str | None:
    """What a key of the table looks like, where its author says it (`key("A-20817")`)."""
    example = cast(Table, model.__table__).columns[key_column(model)].info.get("example")
    return None if example is None else str(example)


@cache
def shown_columns(model: type[DeclarativeBase]) -> dict[str, computed[Any] | None]:
    """The columns of a table that views show, with how the computed ones are worked out."""
    stored = [
        column.name for column in cast(Table, model.__table__).columns if not {"hidden", "part"} & set(column.info)
    ]
    extra = [entry for entry in vars(model).values() if isinstance(entry, computed)]
    return dict.fromkeys(stored) | {entry.name: entry for entry in extra}


@cache
def column_types(model: type[DeclarativeBase]) -> dict[str, Any]:
    """The Python types of what views of a table show, in their order."""
    columns = cast(Table, model.__table__).columns
    found: dict[str, Any] = {}
    for name, made in shown_columns(model).items():
        if made is not None:
            found[name] = made.annotation
            continue
        column = columns[name]
        python = column.type.python_type if column.type.__class__.__name__ != "JSON" else Any
        found[name] = python | None if column.nullable and python is not Any else python
    return found


@cache
def viewed_columns(model: type[DeclarativeBase]) -> tuple[str, ...]:
    """The columns that a view of a row writes, in their order: those its `__shown__` names, all of them without one.

    The others can still be read from a view by rules and goals, as far as an agent can work them out itself.
    """
    return tuple(getattr(model, "__shown__", shown_columns(model)))


@cache
def brief_columns(model: type[DeclarativeBase]) -> tuple[str, ...]:
    """The columns of a table that lists show: those its `__brief__` names, all of them without one.

    Raises:
        ConfigurationError: it names one that views do not show.
    """
    names = tuple(getattr(model, "__brief__", shown_columns(model)))
    for name in names:
        if name not in shown_columns(model):
            raise ConfigurationError(f"{model.__name__}.__brief__ names {name!r}, which is no column that views show.")
    return names


def personal_columns(model: type[DeclarativeBase]) -> frozenset[str]:
    """The columns of a table that are told only to whom they belong."""
    return frozenset(column.name for column in cast(Table, model.__table__).columns if column.info.get("personal"))


def noun(model: type[DeclarativeBase]) -> str:
    """What one row is called in a sentence: `StandingOrder` is a standing order."""
    return "".join(f" {sign.lower()}" if sign.isupper() else sign for sign in model.__name__).strip()


def visible_to(model: type[DeclarativeBase]) -> str | None:
    """Which rows a session's owner may see, where no foreign key says it: a condition in SQL on a row of the table.

    Its author writes it as `__visible__ = "shelf IS NULL OR shelf = :owner"`; `:owner` is the owner's key.
    """
    found: str | None = getattr(model, "__visible__", None)
    return found


def omits_null(model: type[DeclarativeBase]) -> bool:
    """Whether views leave out what a row does not have, instead of null (`__omits_null__ = True`)."""
    return bool(getattr(model, "__omits_null__", False))


def is_scratch(model: type[DeclarativeBase]) -> bool:
    """Whether a table's rows are working notes, such as quotes (`__scratch__ = True`).

    Neutral tools may write them, and no comparison of end states looks at them.
    """
    return bool(getattr(model, "__scratch__", False))


@cache
def voided_by(model: type[DeclarativeBase]) -> tuple[type[DeclarativeBase], ...]:
    """The tables whose rows lapse when a row of this one is written: theirs is `__void_after__ = (Order, ...)`."""
    classes = [mapper.class_ for mapper in model.registry.mappers]
    return tuple(each for each in classes if model in getattr(each, "__void_after__", ()))


@cache
def owner_path(model: type[DeclarativeBase]) -> tuple[tuple[str, type[DeclarativeBase]], ...]:
    """How a row leads to its owner: columns, each with the table whose key it holds; empty for what belongs to nobody.

    A table says it with `__owned_by__ = "account_id"`, a column with a foreign key; the owner's own table says nothing.

    Raises:
        ConfigurationError: the column does not exist or refers to no table.
    """
    name = getattr(model, "__owned_by__", None)
    if name is None:
        return ()
    if name not in references(model):
        raise ConfigurationError(f"{model.__name__}.__owned_by__ is {name!r}, which is no column with a foreign key.")
    target = referred(model, name)
    return ((name, target), *owner_path(target))


@cache
def references(model: type[DeclarativeBase]) -> dict[str, str]:
    """The columns with a foreign key, with the column that each refers to."""
    columns = cast(Table, model.__table__).columns
    return {column.name: next(iter(column.foreign_keys)).column.name for column in columns if column.foreign_keys}


@cache
def referred(model: type[DeclarativeBase], column: str) -> type[DeclarativeBase]:
    """The table to which a column's foreign key refers."""
    foreign = next(iter(cast(Table, model.__table__).columns[column].foreign_keys))
    return next(each.class_ for each in model.registry.mappers if each.class_.__table__ is foreign.column.table)
