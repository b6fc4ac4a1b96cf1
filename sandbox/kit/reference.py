"""`Ref[X]`: a parameter that names a row of X. Agents give its key; the tool receives the row.

Also the other sorts of values a parameter can hold: text that the agent composes (`Free`), what only the user can say
(`Secret`), and what a name or a type says of the rest (money, a day, a choice).
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin

from pydantic import AfterValidator, BaseModel, Field, GetCoreSchemaHandler
from pydantic_core import core_schema
from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.bounds import not_blank
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.table import example_key, key_column, noun, owner_path

Model = TypeVar("Model", bound=DeclarativeBase)
Kind = Literal[
    "reference",
    "record",
    "secret",
    "free",
    "money",
    "duration",
    "date",
    "moment",
    "time",
    "choice",
    "flag",
    "number",
    "text",
]
"""What sort of thing a parameter or a column holds; how people say it follows from it."""


@dataclass(frozen=True)
class Reference:
    """Marks a parameter as a key; what is left out follows from the table.

    Attributes:
        name: what agents call the parameter.
        about: what its schema says.
        code: the stable code of the refusal when there is no such row.
        message: the refusal's sentence; `{key}` is what was given, `{of}` the key of the row that it must belong to.
        required: whether an unknown key refuses the call; else the tool is given None and says so in its own turn.
        of: another parameter before it, to whose row this one must belong.

    Examples:
        >>> from typing import Annotated
        >>> from toolgym.domains.kiosk.schema import Ticket
        >>> from toolgym.kit import Database, Reference, tool
        >>> @tool("write")
        ... def mark(db: Database, seat: Annotated[Ticket, Reference(name="ticket", code="no_ticket")]) -> None: ...
        >>> list(mark.parameters["properties"])
        ['ticket']
    """

    name: str | None = None
    about: str | None = None
    code: str = "not_found"
    message: str | None = None
    required: bool = True
    of: str | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.str_schema()

    def look_up(self, database: Database, model: type[DeclarativeBase], given: str) -> DeclarativeBase | None:
        """The row, or None."""
        record = database.get(model, given)
        return record if record is not None and database.is_own(record) else None

    def find(self, database: Database, model: type[DeclarativeBase], given: str) -> DeclarativeBase:
        """The row; a stranger's is not found, exactly like one that does not exist.

        Raises:
            Refusal: with this reference's code.
        """
        record = self.look_up(database, model, given)
        if record is None:
            example = example_key(model)
            looks = f"; one looks like {example}" if example else ""
            if self.message is not None:  # a benchmark's own words hold all that was given
                raise Refusal(self.code, self.message.replace("{key}", given))
            raise Refusal(self.code, f"There is no {noun(model)} {given[:80]}{looks}.")
        return record

    def find_beside(
        self, database: Database, model: type[DeclarativeBase], given: str, beside: Mapping[str, Any]
    ) -> DeclarativeBase:
        """The row, which must belong to that of the parameter `of`.

        Raises:
            Refusal: with this reference's code.
        """
        parent = beside.get(self.of or "")
        if parent is not None and not _belongs(database.get(model, given), parent):
            whose = str(getattr(parent, key_column(parent.model)))
            message = self.message or f"There is no {noun(model)} {{key}} of {{of}}."
            raise Refusal(self.code, message.replace("{of}", whose).replace("{key}", given))
        return self.find(database, model, given)


def _belongs(record: Any, parent: Any) -> bool:
    if record is None:
        return False
    column = next(name for name, table in owner_path(record.model) if table is parent.model)
    return bool(getattr(record, column) == getattr(parent, key_column(parent.model)))


class AnyOf:
    """Marks a text parameter that takes keys of several tables; its schema stays that of a text."""

    def __init__(self, *tables: type[DeclarativeBase]) -> None:
        self.tables = tables


class _Mark:
    """Marks a text parameter; pydantic passes it by."""


FREE, SECRET = _Mark(), _Mark()

Ref = Annotated[Model, Reference()]
"""A row of a table, to the tool; its key, to the agent."""
Free = Annotated[str, Field(max_length=4000), FREE]
"""Text that the agent composes. What it must mention is checked, its wording never is."""
Secret = Annotated[str, Field(min_length=1, max_length=100), SECRET]
"""Something that only the user can say, such as a PIN: never guessed, repeated or logged in words."""
PageNumber = Annotated[int, Field(ge=1, le=99)]
"""Which page of a list, from 1."""
NOT_BLANK = AfterValidator(not_blank)
"""Marks a text that names something, as in `Annotated[str, Field(min_length=1), NOT_BLANK]`: spaces are no name."""

Resolver = Callable[[Database, Any, Mapping[str, Any]], Any]
"""How a checked argument becomes rows, given the arguments before it."""


def bare(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """A type without its marks, None and aliases, and the marks: `Ref[Order] | None` is Order with a `Reference`."""
    if get_origin(annotation) is Annotated:
        inner, *marks = get_args(annotation)
        plain, more = bare(inner)
        return plain, (*more, *marks)
    if get_origin(annotation) in (Union, types.UnionType):
        rest = [part for part in get_args(annotation) if part is not type(None)]
        if len(rest) == 1:
            return bare(rest[0])
    return annotation, ()


def reference_of(annotation: Any) -> tuple[type[DeclarativeBase], Reference] | None:
    """The table that a parameter or the elements of its list refer to, and how."""
    plain, marks = bare(annotation)
    if get_origin(plain) is list:
        return reference_of(get_args(plain)[0])
    mark = next((mark for mark in marks if isinstance(mark, Reference)), None)
    return None if mark is None else (cast("type[DeclarativeBase]", plain), mark)


def tables_taken(annotation: Any) -> tuple[type[DeclarativeBase], ...]:
    """The tables whose keys a parameter takes: the one it refers to, or those of its `AnyOf`."""
    found = reference_of(annotation)
    if found is not None:
        return (found[0],)
    return next((mark.tables for mark in bare(annotation)[1] if isinstance(mark, AnyOf)), ())


def shown_name(name: str, annotation: Any) -> str:
    """What agents call a parameter: `source: Ref[Account]` is `source_id`, `account: Ref[Account]` is `account_id`."""
    found = reference_of(annotation)
    if found is None:
        return name
    model, mark = found
    if mark.name is not None:
        return mark.name
    column, plain = key_column(model), bare(annotation)[0]
    word = column.rsplit("_", 1)[-1]
    if get_origin(plain) is list:
        return f"{column}s" if name.rstrip("s") in column else f"{name}_{word}s"
    return column if name in column else f"{name}_{word}"


def resolver(annotation: Any) -> Resolver | None:
    """How the keys in a checked argument become rows; None where there are none in it."""
    plain, marks = bare(annotation)
    mark = next((mark for mark in marks if isinstance(mark, Reference)), None)
    if mark is not None:
        if not mark.required:
            return lambda database, given, beside: None if given is None else mark.look_up(database, plain, given)
        return lambda database, given, beside: (
            None if given is None else mark.find_beside(database, plain, given, beside)
        )
    if get_origin(plain) is list:
        inner = resolver(get_args(plain)[0])
        return inner and (lambda database, given, beside: given and [inner(database, item, beside) for item in given])
    if isinstance(plain, type) and issubclass(plain, BaseModel):
        return _record_resolver(plain)
    return None


def _record_resolver(model: type[BaseModel]) -> Resolver | None:
    from typing import get_type_hints

    hints = get_type_hints(model, include_extras=True)
    found = {name: made for name in model.model_fields if (made := resolver(hints[name])) is not None}
    if not found:
        return None

    def resolve(database: Database, given: Any, beside: Mapping[str, Any]) -> Any:
        changes = {name: made(database, getattr(given, name), beside) for name, made in found.items()}
        return given.model_copy(update=changes)

    return resolve


def kind_of(name: str, annotation: Any) -> Kind:
    """What sort of thing a parameter holds. A name ends in `_cents` for money and holds `minutes` for a duration."""
    plain, marks = bare(annotation)
    if reference_of(annotation) is not None:
        return "reference"
    for mark, kind in ((SECRET, "secret"), (FREE, "free")):
        if mark in marks:
            return cast(Kind, kind)
    if get_origin(plain) is Literal:
        return "choice"
    if get_origin(plain) is list:
        return kind_of(name, get_args(plain)[0])
    if plain is int and name.endswith("_cents"):
        return "money"
    if plain is int and "minutes" in name:
        return "duration"
    kinds: Mapping[Any, Kind] = {
        bool: "flag", int: "number", float: "number", date: "date", datetime: "moment", time: "time",
    }  # fmt: skip
    return kinds.get(plain, "text")
