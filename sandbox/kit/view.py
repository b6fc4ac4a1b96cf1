"""`View[X]` and `Page[X]`: rows as tools show them, derived from their tables.

A tool returns `View(row)`; the kit writes it as JSON: stored columns without the hidden ones, then the computed ones.
The same view is what a rule's predicate reads, by `view.row.column`, in the tool and in an agent that saw its JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time
from functools import cache
from typing import Any, Generic, TypeVar, cast, get_args, get_origin, get_type_hints

from pydantic import BaseModel, GetCoreSchemaHandler, TypeAdapter, create_model
from pydantic_core import core_schema
from sqlalchemy.orm import DeclarativeBase
from typing_extensions import is_typeddict

from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.table import brief_columns, column_types, omits_null, shown_columns, viewed_columns

Model = TypeVar("Model", bound=DeclarativeBase)
PAGE_SIZE = 10
_JSON = {str, int, float, bool, type(None)}
"""What is JSON as it is: most values of a result."""


class View(Generic[Model]):
    """A row with all that tools show of it.

    Args:
        record: the row.
        more: further values to show with it, by name.

    Attributes:
        row: the shown columns as attributes; a hidden one raises.

    Examples:
        >>> from toolgym.domains.kiosk.schema import Ticket
        >>> from toolgym import Session
        >>> from toolgym.kit import View
        >>> database = Session("kiosk").database
        >>> shown = View(database.get(Ticket, "T102"), view_of_stage="good").to_json(database)
        >>> shown["seat"], shown["holder"], shown["view_of_stage"]
        ('A2', None, 'good')
    """

    def __init__(self, record: Model, **more: Any) -> None:
        self._record: Any = record
        self._more = more
        self._database: Database | None = None
        self._seen: Mapping[str, Any] | None = None

    @classmethod
    def seen(cls, model: type[Model], values: Mapping[str, Json]) -> View[Model]:
        """What somebody knows of a row who only saw the JSON of its view."""
        made = cls(cast(Model, None))
        made._seen = {name: _typed(model, name, value) for name, value in values.items()}
        return made

    def bound(self, database: Database) -> View[Model]:
        """The same view, whose computed columns can be worked out."""
        self._database = database
        return self

    @property
    def row(self) -> Model:
        """The shown columns as attributes."""
        return self  # type: ignore[return-value]  # a view has the columns of its row

    def __getattr__(self, name: str) -> Any:
        if name[:1] == "_":
            raise AttributeError(name)
        if self._seen is not None:
            if name not in self._seen:
                raise AttributeError(f"{name} was not seen in this view.")
            return self._seen[name]
        record = self._record
        made = shown_columns(record.model).get(name, self)
        if made is None:
            return getattr(record, name)
        if made is self:
            raise AttributeError(f"A view of {record.model.__name__} does not show {name}.")
        assert self._database is not None, "a view is bound to its database before it is read"
        return self._database.computed(made.function, record)

    def to_json(self, database: Database, columns: Sequence[str] | None = None) -> dict[str, Json]:
        """The view as agents see it."""
        self._database, record = database, self._record
        names = viewed_columns(record.model) if columns is None else tuple(columns)
        found = {
            name: getattr(record, name) if made is None else database.computed(made, record)
            for name, made in _read_by(record.model, names)
        } | self._more
        if omits_null(record.model):
            found = {name: value for name, value in found.items() if value is not None}
        return {name: value if value.__class__ in _JSON else plain(value, database) for name, value in found.items()}

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return handler.generate_schema(_schema_model(_table(source)))


class Page(Generic[Model]):
    """One page of a list of rows, each with the columns that its table's `__brief__` names.

    Args:
        rows: all of them, in order.
        number: which page, from 1; a page past the end is empty.
        size: rows a page.

    Examples:
        >>> from toolgym.domains.kiosk.schema import Ticket
        >>> from toolgym import Session
        >>> from toolgym.kit import Page
        >>> database = Session("kiosk").database
        >>> page = Page(database.find(Ticket), 3, size=10).to_json(database)
        >>> len(page["items"]), page["page"], page["pages"], page["total"]
        (4, 3, 3, 24)
    """

    def __init__(self, rows: Sequence[Model], number: int = 1, *, size: int = PAGE_SIZE) -> None:
        self.rows, self.number, self.size = rows, number, size

    def to_json(self, database: Database) -> dict[str, Json]:
        """The page as agents see it."""
        start = (self.number - 1) * self.size
        items: list[Json] = [
            View(row).to_json(database, brief_columns(cast(Any, row).model))
            for row in self.rows[start : start + self.size]
        ]
        total = len(self.rows)
        return {"items": items, "page": self.number, "pages": -(-total // self.size), "total": total}

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return handler.generate_schema(_page_model(_table(source)))


def plain(value: Any, database: Database) -> Json:
    """A tool's result as JSON: views written out, days and moments in ISO form."""
    kind = value.__class__
    if kind in _JSON:
        return cast(Json, value)
    if kind is dict:  # results are mostly these and lists of them
        return {
            str(name): inner if inner.__class__ in _JSON else plain(inner, database) for name, inner in value.items()
        }
    if kind is list:
        return [inner if inner.__class__ in _JSON else plain(inner, database) for inner in value]
    if isinstance(value, (datetime, time)):
        return value.isoformat(timespec="minutes")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (View, Page)):  # a union of types would be made anew for every value
        return value.to_json(database)
    if isinstance(value, Mapping):
        return {str(name): plain(inner, database) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner, database) for inner in value]
    return cast(Json, value)


def tables_of(annotation: Any, *, lists: bool = False) -> tuple[type[DeclarativeBase], ...]:
    """The tables whose rows an annotation shows: `View[X]`, `Page[X]`, `dict[str, View[X]]`, several of them.

    Args:
        annotation: a result's type.
        lists: only those of which several rows are shown.
    """
    fields = tuple(get_type_hints(annotation).values()) if is_typeddict(annotation) else ()
    arguments, origin = fields or get_args(annotation), get_origin(annotation)
    if origin is Page or (origin is View and not lists):
        return (cast("type[DeclarativeBase]", arguments[0]),)
    inside = lists and origin is not list
    return tuple(dict.fromkeys(table for part in arguments for table in tables_of(part, lists=inside)))


@cache
def _read_by(
    model: type[DeclarativeBase], names: tuple[str, ...]
) -> tuple[tuple[str, Callable[[Any, Database], Any] | None], ...]:
    """Columns of a table with the functions of those that are computed; worked out once, not for every row."""
    shown = shown_columns(model)
    return tuple((name, None if (made := shown[name]) is None else made.function) for name in names)


def _table(source: Any) -> type[DeclarativeBase]:
    model = next(iter(get_args(source)), None)
    if not (isinstance(model, type) and issubclass(model, DeclarativeBase)):
        raise ConfigurationError("View and Page are annotated with their table, such as View[Account].")
    return model


@cache
def _schema_model(model: type[DeclarativeBase]) -> type[BaseModel]:
    may_lack = None if omits_null(model) else ...
    types = column_types(model)
    fields: dict[str, Any] = {
        name: (types[name], may_lack if types[name] == types[name] | None else ...) for name in viewed_columns(model)
    }
    return create_model(model.__name__, **fields)


@cache
def _page_model(model: type[DeclarativeBase]) -> type[BaseModel]:
    types = column_types(model)
    fields: dict[str, Any] = {name: (types[name], ...) for name in brief_columns(model)}
    item = create_model(f"{model.__name__}Brief", **fields)
    counts: dict[str, Any] = dict.fromkeys(("page", "pages", "total"), (int, ...))
    return create_model(f"{model.__name__}Page", items=(list[item], ...), **counts)  # type: ignore[valid-type]


@cache
def _adapter(model: type[DeclarativeBase], name: str) -> TypeAdapter[Any] | None:
    kind = column_types(model).get(name)
    return None if kind is None or tables_of(kind) else TypeAdapter(kind)


def _typed(model: type[DeclarativeBase], name: str, value: Json) -> Any:
    """A value of a view's JSON as its column's type: a day is a `date` again."""
    adapter = _adapter(model, name)
    return value if adapter is None else adapter.validate_python(value)
