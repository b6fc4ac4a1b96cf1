"""A session: one episode's private database with its call log.

A session is its seed and its log. Until the first write it shares the domain's image; from then on it holds its own
copy. Every call is atomic; `rollback`, `fork`, `replay` and `diff` cost what changed.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from sandbox.kit.database import Change, Database, column_values
from sandbox.kit.domain import Domain
from sandbox.kit.errors import BadInput, InfrastructureError, Refusal
from sandbox.kit.message import Frozen, Json, ToolCall
from sandbox.kit.task import Assertion, Task
from sandbox.kit.text import kept
from sandbox.kit.tool import Failure, Tool, ToolResult
from sandbox.runtime.registry import get_domain
from sandbox.set_up import SetUp, SetUps

Caller = Literal["agent", "user", "world"]


class CallRecord(Frozen):
    """One call of a session's log.

    Attributes:
        name: the tool's name as called.
        arguments: as called; of a refused call their text where JSON cannot hold them (see `sandbox.kit.text`).
        by: who called.
        kind: the tool's kind; None for an unknown tool.
        value: the JSON result of a successful call.
        error: the stable code of a refusal; None when the call succeeded.
        message: the refusal's sentence.
        seconds: wall time the call took.
    """

    name: str
    arguments: dict[str, Json] | str
    by: Literal["agent", "user"] = "agent"
    kind: Literal["read", "write", "neutral"] | None = None
    value: Json = None
    error: str | None = None
    message: str | None = None
    seconds: float = 0.0

    @classmethod
    def made(
        cls,
        name: str,
        arguments: dict[str, Json] | str,
        by: Literal["agent", "user"],
        kind: Literal["read", "write", "neutral"] | None,
        result: ToolResult,
        seconds: float,
    ) -> CallRecord:
        """The record of a call just made, unchecked; built as from a pickle, in half of `model_construct`'s time."""
        error = result.error
        record = cls.__new__(cls)
        values = {"name": name, "arguments": arguments, "by": by, "kind": kind, "value": result.value}
        values |= {"error": error and error.code, "message": error and error.message, "seconds": seconds}
        record.__setstate__(
            {
                "__dict__": values,
                "__pydantic_fields_set__": _RECORD_FIELDS,
                "__pydantic_extra__": None,
                "__pydantic_private__": None,
            }
        )
        return record

    @property
    def ok(self) -> bool:
        """Whether the call succeeded."""
        return self.error is None

    @property
    def wrote(self) -> bool:
        """Whether this was a successful call of a write tool."""
        return self.ok and self.kind == "write"

    def result(self) -> ToolResult:
        """The result as the caller saw it."""
        if self.error is not None:
            return ToolResult(error=Failure(self.error, self.message or ""))
        return ToolResult(self.value)


_RECORD_FIELDS = set(CallRecord.model_fields)
"""Shared by all records that `CallRecord.made` builds: a set of its own would be half of a small record's size."""


class RowChange(Frozen):
    """A row that differs from the session's start: columns before (None: inserted) and after (None: deleted)."""

    table: str
    key: tuple[Json, ...]
    before: dict[str, Json] | None
    after: dict[str, Json] | None


class Snapshot(Frozen):
    """Everything needed to rebuild a session: plain data, small, portable."""

    domain: str
    data: str
    seed: int
    now: datetime
    task: Task | None
    log: tuple[CallRecord, ...]


@dataclass(frozen=True, slots=True)
class _Mark:
    changes: int
    ids: dict[str, int] = field(default_factory=dict)


_SET_UPS = SetUps()


class Session:
    """A private copy of a domain's world.

    Args:
        domain: the world, or its name.
        data: the body of data; a task's own data wins.
        task: the task whose set-up calls prepare the world and whose seed is the default.
        seed: seeds the ids that the session generates.
        now: the frozen clock; the domain's by default.

    Attributes:
        log: the calls so far, refused ones included. Treat as read-only.
    """

    blocking = False
    """Whether `call` waits for something outside this process (see `sandbox.remote`)."""

    def __init__(
        self,
        domain: Domain | str,
        *,
        data: str = "own",
        task: Task | None = None,
        seed: int | None = None,
        now: datetime | None = None,
    ) -> None:
        self.domain = get_domain(domain) if isinstance(domain, str) else domain
        self.task = task
        self.data = task.data if task is not None and data == "own" else data
        self.seed = seed if seed is not None else task.seed if task is not None else 0
        self.now = now or self.domain.now
        self._image = self.domain.template(self.data)
        self._database = Database(self._image.reader, self._image.copy, now=self.now, seed=self.seed)
        self.log: list[CallRecord] = []
        self._closed = False
        if task is not None and task.setup:
            self._set_up(task.setup)
        self._marks = [_Mark(len(self._database.journal), dict(self._database.id_counts))]

    # --- calling ---

    def call(
        self, name: str, arguments: Mapping[str, Json] | str, *, by: Literal["agent", "user"] = "agent"
    ) -> ToolResult:
        """Call a tool; the call is atomic and logged, refused or not.

        Args:
            name: the tool.
            arguments: by name, or the JSON text of such an object.
            by: whose tool set to use.

        Raises:
            InfrastructureError: the tool itself is broken; nothing was changed or logged.
        """
        self._require_open()
        started = time.perf_counter()
        tools = self.domain.tools if by == "agent" else self.domain.user_tools
        found: Tool | None = None
        given = arguments if isinstance(arguments, str) else dict(arguments)
        try:
            found = tools.find(name)
            result = ToolResult(self._run(found, arguments))
        except Refusal as refusal:
            result = ToolResult(error=Failure(refusal.code, refusal.message))
            name, given = kept(name), kept(given)  # what is accepted is plain
        seconds = time.perf_counter() - started
        self.log.append(CallRecord.made(name, given, by, found.kind if found else None, result, seconds))
        last, changes, ids = self._marks[-1], len(self._database.journal), self._database.id_counts
        unchanged = last.changes == changes and last.ids == ids
        self._marks.append(last if unchanged else _Mark(changes, dict(ids)))
        return result

    def holds(self, assertion: Assertion) -> bool:
        """Whether an assertion about the present state is as expected. Not logged."""
        self._require_open()
        return bool(self._run(self.domain.setup_tools.find(assertion.name), assertion.arguments)) == assertion.expected

    def _set_up(self, steps: Sequence[ToolCall]) -> None:
        """Prepare the world; what the same steps wrote before is written again and not worked out again."""
        calls = json.dumps([[step.name, step.arguments] for step in steps])
        index = (self.domain, self.data, self.seed, self.now, calls)
        database, known = self._database, _SET_UPS.find(index)
        if known is not None:
            database.apply(known.changes)
            database.journal = list(known.changes)
            database.id_counts, database.new_ids = dict(known.ids), set(known.new_ids)
            return
        for step in steps:
            self._prepare(step.name, step.arguments)
        made = SetUp(tuple(database.journal), dict(database.id_counts), frozenset(database.new_ids))
        _SET_UPS.keep(index, made, len(calls))

    def _prepare(self, name: str, arguments: Mapping[str, Json] | str) -> None:
        try:
            self._run(self.domain.setup_tools.find(name), arguments)
        except Refusal as refusal:
            raise InfrastructureError("task", f"The set-up call {name} was refused: {refusal.message}") from refusal

    def _run(self, tool: Tool, arguments: Mapping[str, Json] | str) -> Json:
        database = self._database
        checked = tool.validate(arguments)
        mark, ids = len(database.journal), dict(database.id_counts)
        database.begin(writable=tool.kind == "write")
        try:
            value = tool.function(database, **checked)
            if self.domain.after_write is not None and tool.kind == "write":
                self.domain.after_write(database)
            database.commit()
        except Refusal:
            database.cancel(mark)
            database.id_counts = ids
            raise
        except Exception as error:  # the boundary of a domain author's code: undo, name the tool, report
            database.cancel(mark)
            database.id_counts = ids
            raise InfrastructureError(
                "tool", f"The tool {tool.name} failed: {type(error).__name__}: {error}"
            ) from error
        return value

    # --- time travel ---

    def rollback(self, calls: int) -> None:
        """Go back to the state after the first `calls` calls of the log; later ones are forgotten."""
        self._require_open()
        if not 0 <= calls <= len(self.log):
            raise BadInput(f"rollback takes a number of calls from 0 to {len(self.log)}; got {calls}.")
        mark = self._marks[calls]
        self._database.undo(mark.changes)
        self._database.id_counts = dict(mark.ids)
        del self.log[calls:]
        del self._marks[calls + 1 :]

    def fork(self) -> Session:
        """An independent session in the same state with the same log."""
        self._require_open()
        twin = object.__new__(Session)
        twin.domain, twin.task, twin.data, twin.seed, twin.now = self.domain, self.task, self.data, self.seed, self.now
        twin._image = self._image
        twin._database = Database(self._image.reader, self._image.copy, now=self.now, seed=self.seed)
        if self._database.journal:
            twin._database.apply(self._database.journal)
            twin._database.journal = list(self._database.journal)
        twin._database.id_counts = dict(self._database.id_counts)
        twin._database.new_ids = set(self._database.new_ids)
        twin.log, twin._marks, twin._closed = list(self.log), list(self._marks), False
        return twin

    def replay(self, log: Iterable[CallRecord]) -> list[int]:
        """Repeat the write calls of a log; returns the positions whose outcome differs from the recorded one.

        Calls of read and neutral tools and refused calls change nothing and are only copied to the log.
        """
        different = []
        for position, record in enumerate(log):
            if not record.wrote:
                self.log.append(record)
                self._marks.append(self._marks[-1])
                continue
            result = self.call(record.name, record.arguments, by=record.by)
            if result == record.result():
                self.log[-1] = record  # keeps the recorded wall time
            else:
                different.append(position)
        return different

    def snapshot(self) -> Snapshot:
        """What rebuilds this session elsewhere or later."""
        return Snapshot(
            domain=self.domain.name, data=self.data, seed=self.seed, now=self.now, task=self.task, log=tuple(self.log)
        )

    @classmethod
    def restore(cls, snapshot: Snapshot) -> Session:
        """The session that a snapshot describes.

        Raises:
            InfrastructureError: the domain now answers one of the recorded calls differently.
        """
        session = cls(snapshot.domain, data=snapshot.data, task=snapshot.task, seed=snapshot.seed, now=snapshot.now)
        different = session.replay(snapshot.log)
        if different:
            raise InfrastructureError("session", f"Call {different[0]} of the snapshot now has another result.")
        return session

    # --- looking ---

    def diff(self) -> list[RowChange]:
        """The rows that differ from the session's start, by table and key."""
        self._require_open()
        return _fold(self._database.journal[self._marks[0].changes :])

    @property
    def new_ids(self) -> frozenset[str]:
        """The ids that this session has generated, those of undone calls included."""
        return frozenset(self._database.new_ids)

    def dump(self) -> bytes:
        """The whole state as canonical bytes: equal bytes mean equal state."""
        self._require_open()
        return self._database.dump(self.domain.models)

    def digest(self) -> str:
        """SHA-256 of `dump()`."""
        return hashlib.sha256(self.dump()).hexdigest()

    def close(self) -> None:
        """Free the private copy. Closing twice is harmless; the log stays readable."""
        self._database.close()
        self._closed = True

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _require_open(self) -> None:
        if self._closed:
            raise BadInput("This session is closed; open a new one.")


def _fold(changes: Iterable[Change]) -> list[RowChange]:
    first: dict[tuple[type, tuple[Json, ...]], Change] = {}
    last: dict[tuple[type, tuple[Json, ...]], Change] = {}
    for change in changes:
        index = (change.model, change.key)
        first.setdefault(index, change)
        last[index] = change
    rows = []
    for index, change in last.items():
        before, after = first[index].before, change.after
        if before != after:
            rows.append(
                RowChange.model_construct(
                    table=change.model.__tablename__,
                    key=change.key,
                    before=None if before is None else column_values(change.model, before),
                    after=None if after is None else column_values(change.model, after),
                )
            )
    return sorted(rows, key=lambda row: (row.table, str(row.key)))
