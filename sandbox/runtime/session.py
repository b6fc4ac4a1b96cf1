"""A session: one episode's private database with its call log, in one world or in several joined.

A session is its seed and its log. Until the first write it shares the domain's image; from then on it holds its own
copy. Every call is atomic; `rollback`, `fork`, `replay` and `diff` cost what changed.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from pydantic import ConfigDict

from toolgym.sandbox.kit.database import Database, Writable, column_values
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput, InfrastructureError, Refusal
from toolgym.sandbox.kit.message import Frozen, Json, Party
from toolgym.sandbox.kit.notebook import counted, html_table
from toolgym.sandbox.kit.state import Change, Mark
from toolgym.sandbox.kit.table import is_scratch
from toolgym.sandbox.kit.task import OWN, Assertion, Task
from toolgym.sandbox.kit.text import kept
from toolgym.sandbox.kit.tool import Kind, Tool, ToolResult, ToolSet
from toolgym.sandbox.runtime.call_log import CallLog, CallRecord, MemoryLog
from toolgym.sandbox.runtime.distractors import with_distractors
from toolgym.sandbox.runtime.joined import JoinedDatabase, JoinedDomain
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.set_up import SetUps


@dataclass(frozen=True, slots=True)
class RowChange:
    """A row that differs from the session's start: columns before (None: inserted) and after (None: deleted)."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    table: str
    key: tuple[Json, ...]
    before: dict[str, Json] | None
    after: dict[str, Json] | None


class Changes(list[RowChange]):
    """Rows that have changed; a notebook shows them as a table."""

    def _repr_html_(self) -> str:
        def cells(change: RowChange) -> Iterator[tuple[Json, ...]]:
            place = (change.table, " ".join(map(str, change.key)))
            before, after = change.before, change.after
            if before is None or after is None:
                yield *place, "inserted" if before is None else "deleted", before, after
            else:
                yield from ((*place, name, before[name], after[name]) for name in after if before[name] != after[name])

        rows = [row for change in self for row in cells(change)]
        return html_table(counted(len(self), "changed row"), ("table", "key", "column", "before", "after"), rows)


class Snapshot(Frozen):
    """Everything needed to rebuild a session: plain data, small, portable."""

    domain: str
    data: str
    seed: int
    now: datetime
    task: Task | None
    log: tuple[CallRecord, ...]


class _Moment(NamedTuple):
    """How many calls there were when the state came to be as marked."""

    calls: int
    mark: Mark


_SET_UPS = SetUps()
_WRITABLE: Mapping[Kind, Writable] = {"write": "all", "neutral": "scratch", "read": "none"}


class Session:
    """A private copy of a domain's world.

    Args:
        domain: the world, or its name; `retail+airline` joins worlds.
        data: the body of data; a task's own data wins.
        task: the task whose set-up calls prepare the world and whose seed is the default.
        seed: seeds the ids that the session generates.
        now: the frozen clock, in the domain's time zone whatever zone it names; the task's or else the domain's by
            default.
        log: where the calls are kept; in memory by default.

    Attributes:
        log: the calls so far, refused ones included. Treat as read-only.

    Examples:
        >>> from toolgym import Session
        >>> session = Session("kiosk")
        >>> session.call("reserve_ticket", {"ticket_id": "T102", "holder": "Ada Moreau"}).ok
        True
        >>> session
        <Session kiosk: 1 call>
        >>> [(change.table, change.key) for change in session.diff()]
        [('tickets', ('T102',))]
        >>> session.tables()["tickets"][1]["holder"]
        'Ada Moreau'
        >>> list(session.tools)
        ['list_free_seats', 'find_tickets', 'reserve_ticket', 'release_ticket']
        >>> session.rollback(0)
        >>> session.diff()
        []
    """

    blocking = False
    """Whether `call` waits for something outside this process (see `toolgym.sandbox.remote`)."""

    def __init__(
        self,
        domain: Domain | str,
        *,
        data: str = "own",
        task: Task | None = None,
        seed: int | None = None,
        now: datetime | None = None,
        log: CallLog | None = None,
    ) -> None:
        self._home = get_domain(domain) if isinstance(domain, str) else domain
        self.domain = with_distractors(self._home, task)
        self.task = task
        self.data = task.data if task is not None and (data == OWN or task.data != OWN) else data
        self.seed = seed if seed is not None else task.seed if task is not None else 0
        clock = now or (task.now if task is not None else None) or self.domain.now
        self.now = clock.replace(tzinfo=self.domain.now.tzinfo)
        self._offered = self.domain.offered(task)
        self._database = self.domain.database(self.data, now=self.now, seed=self.seed, task=task)
        self.log: CallLog = MemoryLog() if log is None else log
        self._closed = False
        if task is not None and task.setup:
            self._set_up(task)
        self._moments = [_Moment(0, self._database.state.mark())]

    def __repr__(self) -> str:
        task = f", task {self.task.id}" if self.task is not None else ""
        over = ", closed" if self._closed else ""
        return f"<Session {self.domain.name}{task}: {counted(len(self.log), 'call')}{over}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the calls so far."""
        calls = [(call.name, call.arguments, call.error or "ok", call.message or call.value) for call in self.log]
        return html_table(repr(self), ("call", "arguments", "outcome", "result"), calls)

    # --- calling ---

    def call(self, name: str, arguments: Mapping[str, Json] | str, *, by: Party = "agent") -> ToolResult:
        """Call a tool; the call is atomic and logged, refused or not.

        Args:
            name: the tool.
            arguments: by name, or the JSON text of such an object.
            by: whose tool set to use.

        Raises:
            InfrastructureError: the tool itself is broken; nothing was changed or logged.
        """
        self._require_open()
        record = self._made(name, arguments, by)
        self._keep(record)
        return record.result()

    def decline(self, name: str, arguments: Mapping[str, Json] | str, code: str, message: str) -> ToolResult:
        """Log a call of the agent's that was not made, as a refusal: somebody who had to agree to it did not."""
        self._require_open()
        found = self.tools_of("agent").get(name)
        record = CallRecord(kept(name), kept(arguments), "agent", found.kind if found else None, None, code, message)
        self._keep(record)
        return record.result()

    @property
    def tools(self) -> ToolSet:
        """What the agent may call here, by name; `tools.to_openai()` is the list that chat models take."""
        return self._offered

    def tools_of(self, by: Party) -> ToolSet:
        """The tools that a side may call here: of the agent's, those that the task offers."""
        return self._offered if by == "agent" else self.domain.user_tools

    def holds(self, assertion: Assertion) -> bool:
        """Whether an assertion about the present state is as expected. Not logged."""
        self._require_open()
        return bool(self._run(self.domain.setup_tools.find(assertion.name), assertion.arguments)) == assertion.expected

    def _set_up(self, task: Task) -> None:
        """Prepare the world; what the same steps wrote before is written again and not worked out again."""
        calls = json.dumps([task.owner, *([step.name, step.arguments] for step in task.setup)])
        signature = (self._home, self.data, self.seed, self.now, calls)
        known = _SET_UPS.find(signature)
        if known is not None:
            self._database.start_from(known)
            return
        for step in task.setup:
            self._prepare(step.name, step.arguments)
        _SET_UPS.keep(signature, self._database.state.fork(), len(calls))

    def _prepare(self, name: str, arguments: Mapping[str, Json] | str) -> None:
        try:
            self._run(self.domain.setup_tools.find(name), arguments)
        except Refusal as refusal:
            raise InfrastructureError("task", f"The set-up call {name} was refused: {refusal.message}") from refusal

    def _run(self, tool: Tool, arguments: Mapping[str, Json] | str) -> Json:
        world, database = self._joined(tool.world) if tool.world else (self.domain, self._database)
        checked = tool.validate(arguments)
        database.begin(writable=_WRITABLE[tool.kind])
        try:
            value = tool.run(database, checked, world.held.get(tool.own_name, ()))
            if world.after_write is not None and tool.kind == "write":
                world.after_write(database)
        except Refusal:
            database.cancel()
            raise
        except Exception as error:  # the boundary of a domain author's code: undo, name the tool, report
            database.cancel()
            raise InfrastructureError(
                "tool", f"The tool {tool.name} failed: {type(error).__name__}: {error}"
            ) from error
        return value

    def _joined(self, world: str) -> tuple[Domain, Database]:
        """A world joined to the session's own, with its rows here."""
        assert isinstance(self.domain, JoinedDomain) and isinstance(self._database, JoinedDatabase)
        return self.domain.others[world], self._database.of(world)

    def _made(self, name: str, arguments: Mapping[str, Json] | str, by: Party) -> CallRecord:
        """Make a call, without logging it."""
        started = time.perf_counter()
        found: Tool | None = None
        given = arguments if isinstance(arguments, str) else dict(arguments)
        try:
            found = self.tools_of(by).find(name)
            value, error, message = self._run(found, arguments), None, None
        except Refusal as refusal:
            value, error, message = None, refusal.code, refusal.message
            name, given = kept(name), kept(given)  # what is accepted is plain
        kind = found.kind if found else None
        return CallRecord(name, given, by, kind, value, error, message, time.perf_counter() - started)

    def _keep(self, record: CallRecord) -> None:
        """Log a call after which the state is as it is now."""
        self.log.append(record)
        mark = self._database.state.mark()
        if mark is not self._moments[-1].mark:
            self._moments.append(_Moment(len(self.log), mark))

    # --- time travel ---

    def rollback(self, calls: int) -> None:
        """Go back to the state after the first `calls` calls of the log; later ones are forgotten."""
        self._require_open()
        if not 0 <= calls <= len(self.log):
            raise BadInput(f"rollback takes a number of calls from 0 to {len(self.log)}; got {calls}.")
        while self._moments[-1].calls > calls:
            self._moments.pop()
        self._database.restore(self._moments[-1].mark)
        self.log.cut(calls)

    def fork(self) -> Session:
        """An independent session in the same state with the same log."""
        self._require_open()
        twin = copy(self)
        twin._database, twin.log, twin._moments = self._database.fork(), self.log.fork(), list(self._moments)
        return twin

    def over(self, database: Database) -> Session:
        """This session's tools over other rows, with a log of its own: for many calls that only read."""
        twin = copy(self)
        twin._database, twin.log = database, MemoryLog()
        twin._moments = [_Moment(0, database.state.mark())]
        return twin

    def replay(self, log: Iterable[CallRecord]) -> list[int]:
        """Repeat the calls of a log that left rows; returns the positions whose outcome differs from the recorded one.

        Reads, refused calls and, in a world without scratch rows, neutral ones are only copied to the log.
        """
        return [position for position, record in enumerate(log) if not self._repeat(record)]

    def _repeat(self, record: CallRecord) -> bool:
        """Log a call recorded elsewhere, with its wall time there; False where its outcome is another one here."""
        self._require_open()
        left = record.left_rows(scratch=self.domain.has_scratch)
        again = self._made(record.name, record.arguments, record.by) if left else record
        same = again is record or again.result() == record.result()
        self._keep(record if same else again)
        return same

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

    @property
    def database(self) -> Database:
        """The rows as they are now. To be read; whoever writes past `call` breaks the log."""
        return self._database

    def tables(self) -> dict[str, list[dict[str, Json]]]:
        """All rows as they are now, by table (`world.table` of a joined world), each one's columns in plain values.

        This is the view of whoever runs the sandbox: it also holds what no tool shows to an agent.
        """
        self._require_open()
        return self._database.tables(self.domain.models)

    def diff(self, since: int = 0) -> Changes:
        """The rows that differ from the session's start, by table (`world.table` in a joined world) and key.

        Scratch rows are left out.

        Args:
            since: compare with the state after so many calls of the log instead.

        Raises:
            BadInput: the log has not so many calls.
        """
        self._require_open()
        if not 0 <= since <= len(self.log):
            raise BadInput(f"diff takes a number of calls from 0 to {len(self.log)}; got {since}.")
        moment = next(moment for moment in reversed(self._moments) if moment.calls <= since)
        written = self._database.state.written(moment.mark)
        return _fold((table, change) for table, change in written if not is_scratch(change.model))

    @property
    def new_ids(self) -> frozenset[str]:
        """The ids that this session has generated, those of undone calls included."""
        return self._database.state.generated()

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


def _fold(changes: Iterable[tuple[str, Change]]) -> Changes:
    first: dict[tuple[str, tuple[Json, ...]], Change] = {}
    last: dict[tuple[str, tuple[Json, ...]], Change] = {}
    for table, change in changes:
        key = (table, change.key)
        first.setdefault(key, change)
        last[key] = change
    rows = []
    for key, change in last.items():
        before, after = first[key].before, change.after
        if before != after:
            rows.append(
                RowChange(
                    table=key[0],
                    key=change.key,
                    before=None if before is None else column_values(change.model, before),
                    after=None if after is None else column_values(change.model, after),
                )
            )
    return Changes(sorted(rows, key=lambda row: (row.table, str(row.key))))
