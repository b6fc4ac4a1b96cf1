"""The one way a tool reads and writes a session's rows.

A `Database` is a small typed gateway over one SQLite connection: every statement is built once per table, every
write is journalled with the row before and after, so undo, diff and fork cost what changed and not what exists.
Not an ORM: records are read-only copies of rows.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, Protocol, TypeVar, cast

from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.kit.state import Change, Mark, State
from toolgym.sandbox.kit.state import Row as Row
from toolgym.sandbox.kit.storage import (
    Stored,
    filled_key,
    find_statement,
    owned_statement,
    rows_taken,
    stored_as,
    update_statement,
)
from toolgym.sandbox.kit.storage import column_values as column_values
from toolgym.sandbox.kit.table import example_key, is_scratch, key_column, owner_path, visible_to, voided_by

Model = TypeVar("Model", bound=DeclarativeBase)
NEWEST = 3
"""The newest version of our worlds' data, by whose rules whatever is not published of an older one plays."""
Writable = Literal["all", "scratch", "none"]
"""Which tables a call may write."""


class Image(Protocol):
    """Where a database's rows begin: one connection that all read, and private copies that may be written."""

    @property
    def reader(self) -> sqlite3.Connection:
        """The rows that are shared until they are written."""

    @property
    def read(self) -> dict[Hashable, Row]:
        """Of these rows, those that anybody has read by key, as they are stored, and the highest keys."""

    def copy(self) -> sqlite3.Connection:
        """A private copy."""

    def take_back(self, connection: sqlite3.Connection) -> None:
        """A private copy that holds the image's rows again, and that nobody uses any more."""


_CLOSED = sqlite3.connect(":memory:")
_CLOSED.close()


class Database:
    """A session's rows. Tools receive one as their first argument and use nothing else of the session.

    Attributes:
        now: the frozen clock of this session; the only time a tool may know.
        version: of the data that the session plays; what was mended since holds in newer ones alone.
        state: what was done so far; undo, forks and diffs come from it.

    Examples:
        >>> from toolgym.domains.kiosk.schema import Ticket
        >>> from toolgym import Session
        >>> from toolgym.kit import Database
        >>> def free(db: Database, evening: str) -> list[str]:
        ...     return [row.seat for row in db.find(Ticket, evening=evening, holder=None)]
        >>> free(Session("kiosk").database, "Friday")
        ['A2', 'A3', 'A4', 'B2', 'B3', 'B4']
    """

    def __init__(
        self,
        image: Image,
        *,
        now: datetime,
        seed: int,
        owner: Row | None = None,
        version: int = NEWEST,
    ) -> None:
        self.version = version
        self._image = image
        self._connection = image.reader
        self._owned = False
        self._seed = seed
        self._owner = owner
        self.writable: Writable = "all"
        self.now = now
        self.state = State()
        self._begun = self.state.mark()
        self._read = image.read
        """Rows read by key before, and whose they are: of a private copy, those read since it was last written."""

    # --- what tools use ---

    def get(self, model: type[Model], *key: Any) -> Model | None:
        """The row with this primary key as a read-only record, or None."""
        row = self._stored(model, key)
        return None if row is None else stored_as(model).decode(row)

    def get_one(self, model: type[Model], *key: Any) -> Model:
        """The row with this primary key, which is known to exist: a foreign key leads to it.

        Raises:
            ConfigurationError: there is none.
        """
        found = self.get(model, *key)
        if found is None:
            raise ConfigurationError(f"{model.__name__} has no row {', '.join(map(str, key))}.")
        return found

    def find(self, model: type[Model], **equal: Any) -> list[Model]:
        """The rows whose columns equal the given values, in primary-key order."""
        statement = find_statement(model, tuple(equal))
        mapping = stored_as(model)
        values = [mapping.encoders[name](value) if name in mapping.encoders else value for name, value in equal.items()]
        return cast("list[Model]", [mapping.decode(row) for row in self._rows(statement, values)])

    def owner(self, model: type[Model]) -> Model:
        """The row of whom the session serves.

        Raises:
            ConfigurationError: the session serves nobody in particular; the domain names no `owner`.
        """
        found = None if self._owner is None else self.get(model, *self._owner)
        if found is None:
            raise ConfigurationError(f"This session has no owner among {model.__name__}; name `owner` in the domain.")
        return found

    def mine(self, model: type[Model], **equal: Any) -> list[Model]:
        """The owner's rows whose columns equal the given values, in primary-key order."""
        if self._owner is None or not (visible_to(model) or owner_path(model)):
            return self.find(model, **equal)
        mapping = stored_as(model)
        values = {f"is_{name}": self._encoded(mapping, name, value) for name, value in equal.items()}
        rows = self._rows(owned_statement(model, tuple(equal)), {"owner": self._owner[0], **values})
        return cast("list[Model]", [mapping.decode(row) for row in rows])

    def is_own(self, record: DeclarativeBase) -> bool:
        """Whether a row belongs to the session's owner, or to nobody in particular.

        A table may say otherwise with `__visible__`, a condition in SQL on its row, with the owner's key as `:owner`.
        """
        model = cast("type[DeclarativeBase]", record.model)  # type: ignore[attr-defined]  # records carry their model
        if self._owner is None:
            return True
        if visible_to(model):
            key = stored_as(model).key_of(cast(Row, record))
            asked = ("is own", self._owner, model, key)
            known = self._read.get(asked)
            if known is None:
                keys = stored_as(model).keys
                values = {f"is_{name}": part for name, part in zip(keys, key, strict=True)}
                found = self._connection.execute(owned_statement(model, keys), {"owner": self._owner[0], **values})
                known = self._read[asked] = (found.fetchone() is not None,)
            return bool(known[0])
        return not owner_path(model) or self._owner_key(record) == self._owner

    def _owner_key(self, record: DeclarativeBase) -> Row | None:
        held: Any = record
        path = owner_path(record.model)  # type: ignore[attr-defined]
        for column, target in path[:-1]:
            held = self.get(target, getattr(held, column))
            if held is None:
                return None
        return (getattr(held, path[-1][0]),)

    def computed(self, function: Callable[[Any, Database], Any], record: Any) -> Any:
        """A computed column of a row."""
        return function(record, self)

    def select(self, model: type[Model], condition: str, **parameters: Any) -> list[Model]:
        """The rows that meet a condition in SQL with named parameters (`:name`), which may end in ORDER BY.

        Its text must be a constant. Whose rows they are is the condition's own matter.
        """
        mapping = stored_as(model)
        rows = self._rows(f"{mapping.select} WHERE {condition}", parameters)
        return cast("list[Model]", [mapping.decode(row) for row in rows])

    def query(self, sql: str, **parameters: Any) -> list[Row]:
        """The rows of a read-only statement with named parameters (`:name`); the text must be a constant."""
        if not sql.lstrip().upper().startswith(("SELECT", "WITH")):
            raise ConfigurationError("Database.query only reads; write with insert, update and delete.")
        return list(self._rows(sql, parameters))

    def insert(self, model: type[Model], **values: Any) -> Model:
        """Add a row; columns left out are NULL. Returns the record."""
        mapping = stored_as(model)
        stray = values.keys() - mapping.positions.keys()
        if stray:
            raise ConfigurationError(f"{model.__name__} has no column {', '.join(sorted(stray))}.")
        for name, encode in mapping.encoders.items():
            if values.get(name) is not None:
                values[name] = encode(values[name])
        row = tuple(map(values.get, mapping.columns))
        self._write(Change(model, mapping.key_of(row), None, row))
        return cast(Model, mapping.decode(row))

    def add(self, model: type[Model], **values: Any) -> Model:
        """Add a row with its next key, and of the session's owner, where neither is given. Returns the record.

        Args:
            model: the table.
            values: by column; or a row, by the column that holds its key, without that one's last word:
                `account=source` for `account_id=source.account_id`.
        """
        for name in values.keys() - stored_as(model).positions.keys():
            column, key = rows_taken(model).get(name, (name, ""))
            row = values.pop(name)
            values[column] = getattr(row, key) if key and row is not None else row
        own, owner = filled_key(model), owner_path(model)
        if own and own not in values:
            values[own] = self.new_id(model)
        if len(owner) == 1 and self._owner is not None:
            values.setdefault(owner[0][0], self._owner[0])
        return self.insert(model, **values)

    def update(self, record: Model, **values: Any) -> Model:
        """Change columns of a record's row (not its key). Returns the new record."""
        model = cast("type[Model]", record.model)  # type: ignore[attr-defined]  # records carry their model
        mapping = stored_as(model)
        stray = values.keys() - mapping.writable
        if stray:
            raise ConfigurationError(f"{model.__name__} cannot update {', '.join(sorted(stray))}.")
        key = mapping.key_of(cast(Row, record))
        before = self._stored(model, key)
        if before is None:
            raise ConfigurationError(f"{model.__name__} {key} no longer exists.")
        changed = list(before)
        for name, value in values.items():
            changed[mapping.positions[name]] = self._encoded(mapping, name, value)
        after = tuple(changed)
        self._write(Change(model, key, before, after))
        return cast(Model, mapping.decode(after))

    def delete(self, record: DeclarativeBase) -> None:
        """Remove a record's row."""
        model = cast("type[DeclarativeBase]", record.model)  # type: ignore[attr-defined]
        key = tuple(getattr(record, name) for name in stored_as(model).keys)
        before = self._stored(model, key)
        if before is None:
            raise ConfigurationError(f"{model.__name__} {key} no longer exists.")
        self._write(Change(model, key, before, None))

    def new_id(
        self, model: type[DeclarativeBase], *, length: int = 10, alphabet: str = "0123456789", prefix: str = ""
    ) -> str:
        """An unused single-column key for `model`: a function of the session's seed and how many it made before.

        Where the table's author gave an example (`key("A-20817")`), keys count on from the highest one there is.
        """
        kind = model.__name__
        example = example_key(model)
        if example is not None:
            return self._next_key(model, example)
        while True:
            count = self.state.id_counts.get(kind, 0) + 1
            self.state.id_counts[kind] = count
            digest = hashlib.blake2b(f"{self._seed}:{kind}:{count}".encode(), digest_size=32).digest()
            number = int.from_bytes(digest, "big")
            text = prefix
            for _ in range(length):
                number, place = divmod(number, len(alphabet))
                text += alphabet[place]
            if self._stored(model, (text,)) is None:
                self.state.new_ids.add(text)
                return text

    def _next_key(self, model: type[DeclarativeBase], example: str) -> str:
        """The example's letters with the next number after all that exist or were given out."""
        letters = example.rstrip("0123456789")
        digits = len(example) - len(letters)
        highest = self.state.id_counts.get(model.__name__)
        if highest is None:
            highest = self._highest_key(model, letters, int(example[len(letters) :]) - 1)
        self.state.id_counts[model.__name__] = highest + 1
        text = f"{letters}{highest + 1:0{digits}d}"
        self.state.new_ids.add(text)
        return text

    def _highest_key(self, model: type[DeclarativeBase], letters: str, least: int) -> int:
        """The highest number that a key of the table has after these letters; of rows as they began, looked up once."""
        changed = (change for change in self.state.journal if change.model is model)
        begun = None if any(None in (each.before, each.after) for each in changed) else ("highest key", model)
        known = self._image.read.get(begun)
        if known is not None:
            return max(least, int(known[0]))
        column = key_column(model)
        statement = (
            f'SELECT max(CAST(substr("{column}", ?) AS INTEGER)) FROM "{model.__tablename__}" WHERE "{column}" LIKE ?'
        )
        found: Row = self._connection.execute(statement, (len(letters) + 1, f"{letters}%")).fetchone()
        highest: int = found[0] or 0
        if begun is not None:
            self._image.read[begun] = (highest,)
        return max(least, highest)

    # --- what the session uses ---

    def begin(self, *, writable: Writable) -> None:
        """Start a call: all that it writes is kept, or after `cancel` nothing.

        Args:
            writable: which tables the call may write: all, those of scratch rows, or none.
        """
        self.writable = writable
        self._begun = self.state.mark()

    def cancel(self) -> None:
        """Undo what the call did."""
        self._apply(self.state.restore(self._begun))

    def restore(self, mark: Mark) -> None:
        """Go back to a moment of `state` between two calls."""
        self._apply(self.state.restore(mark))

    def start_from(self, state: State) -> None:
        """Bring a fresh database into a state, which stays its owner's."""
        self._apply(state.journal)
        self.state = state.fork()

    def fork(self, owner: Row | None = None) -> Database:
        """An independent database in the same state, of the same owner or of another."""
        twin = Database(self._image, now=self.now, seed=self._seed, owner=owner or self._owner, version=self.version)
        twin.start_from(self.state)
        return twin

    def dump(self, models: Iterable[type[DeclarativeBase]], *, prefix: str = "") -> bytes:
        """Every row of `models` as canonical JSON lines that begin with the table's name: equal bytes, equal state."""
        lines = []
        for model in models:
            for row in self._connection.execute(find_statement(model, ())):
                lines.append(json.dumps([prefix + model.__tablename__, *row], ensure_ascii=False))
        return "\n".join(lines).encode()

    def tables(self, models: Iterable[type[DeclarativeBase]], *, prefix: str = "") -> dict[str, list[dict[str, Any]]]:
        """Every row of `models` in plain values, in the order of the keys, by the table's name."""
        return {
            prefix + model.__tablename__: [
                column_values(model, row) for row in self._connection.execute(find_statement(model, ()))
            ]
            for model in models
        }

    def close(self) -> None:
        """Free the private copy, if there is one: as it was at first, it serves the next who writes."""
        if self._owned:
            self._connection.execute("ROLLBACK")
            self._image.take_back(self._connection)
            self._connection, self._owned, self._read = _CLOSED, False, {}

    def _rows(self, statement: str, values: Sequence[Any] | Mapping[str, Any]) -> Iterable[Row]:
        """What a statement reads, as it is stored."""
        return self._connection.execute(statement, values)

    def _stored(self, model: type[DeclarativeBase], key: Row) -> Row | None:
        found: Row | None = self._read.get((model, key))
        if found is not None:  # a list asks again and again for the one row that all of its rows refer to
            return found
        mapping = stored_as(model)
        if len(key) != len(mapping.keys):
            raise ConfigurationError(
                f"{model.__name__} is found by {', '.join(mapping.keys)}; got {len(key)} value(s)."
            )
        found = self._connection.execute(mapping.by_key, key).fetchone()
        if found is not None:
            self._read[model, key] = found
        return found

    @staticmethod
    def _encoded(mapping: Stored, name: str, value: Any) -> Any:
        encode = mapping.encoders.get(name)
        return encode(value) if encode is not None and value is not None else value

    def _apply(self, changes: Sequence[Change]) -> None:
        """Write recorded changes."""
        for change in changes:
            self._copy()
            self._execute(change)

    def _copy(self) -> None:
        """Have a private copy to write into, in one transaction that is never committed.

        Who closes the copy rolls it back, which costs less than to undo every change. A call is undone by its changes.
        """
        if not self._owned:
            self._connection = self._image.copy()
            self._connection.execute("BEGIN")
            self._owned, self._read = True, {}

    def _write(self, change: Change) -> None:
        if self.writable != "all" and not (self.writable == "scratch" and is_scratch(change.model)):
            raise ConfigurationError(
                "A tool declared read or neutral tried to write; declare it @tool('write'), or @tool('neutral') when "
                "all that it writes are rows of tables with `__scratch__ = True`."
            )
        self._copy()
        self._execute(change)
        self.state.journal.append(change)
        for lapsing in voided_by(change.model):
            for record in self.mine(lapsing):
                self.delete(record)

    def _execute(self, change: Change) -> None:
        self._read.clear()
        mapping = stored_as(change.model)
        if change.before is None:
            self._connection.execute(mapping.insert, change.after or ())
        elif change.after is None:
            self._connection.execute(mapping.delete, change.key)
        else:
            before, after = change.before, change.after
            changed = tuple(place for place, value in enumerate(after) if value != before[place])
            if changed:
                values = (*[after[place] for place in changed], *change.key)
                self._connection.execute(update_statement(change.model, changed), values)
