"""What a session starts from and what happens to it, as the store keeps it; and how a log is read back.

Only translation: what is stored when is decided in `toolgym.sandbox.server.sessions`.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime

from toolgym.sandbox.kit.message import Frozen, Json, Party
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.text import kept
from toolgym.sandbox.kit.tool import ToolResult
from toolgym.sandbox.runtime.call_log import CallLog, CallRecord
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.server.store import Event

write_json = json.JSONEncoder(ensure_ascii=False).encode
"""A value as the text that is stored and sent."""


class Origin(Frozen):
    """What a session starts from."""

    domain: str
    data: str
    seed: int
    now: datetime
    task: Task | None = None

    @classmethod
    def of(cls, session: Session) -> Origin:
        """The origin of a session."""
        return cls(domain=session.domain.name, data=session.data, seed=session.seed, now=session.now, task=session.task)

    def session(self, log: CallLog) -> Session:
        """The session as it was before its first call, with the log to keep its calls in."""
        return Session(get_domain(self.domain), data=self.data, task=self.task, seed=self.seed, now=self.now, log=log)


@dataclass(frozen=True, slots=True)
class Done:
    """A call's outcome: the result, its value as JSON text, and whether an earlier identical request made the call."""

    result: ToolResult
    value: str
    repeated: bool = False


def call_event(position: int, key: str | None, record: CallRecord, value: str | None = None) -> Event:
    """A call to be stored; `value` is its value as JSON text, if the caller has it already."""
    body = [record.name, record.arguments, record.by, record.kind, record.error, record.message, record.seconds]
    return Event(position, "call", key, json.dumps(body), value or write_json(record.value))


def rollback_event(position: int, calls: int) -> Event:
    """A return to the state after the first `calls` calls."""
    return Event(position, "rollback", None, json.dumps({"calls": calls}), None)


def read_call(event: Event) -> CallRecord:
    """The call that an event holds."""
    name, arguments, by, kind, error, message, seconds = json.loads(event.body)
    return CallRecord(
        name=name,
        arguments=arguments,
        by=by,
        kind=kind,
        value=json.loads(event.value or "null"),
        error=error,
        message=message,
        seconds=seconds,
    )


def left_rows(event: Event, *, scratch: bool) -> bool:
    """Whether a call's event is of one that may have left rows (see `CallRecord`), the only ones made again."""
    _, _, _, kind, error, _, _ = json.loads(event.body)
    return error is None and (kind == "write" or (scratch and kind == "neutral"))


def rolled_back_to(body: str) -> int:
    """How many calls a rollback keeps, from its event's body."""
    return int(json.loads(body)["calls"])


def digest(text: str) -> str:
    """What a request was, short enough to be kept beside its idempotency key."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def call_digest(name: str, arguments: dict[str, Json] | str, by: Party) -> str:
    """What a call asked, in the form in which its record may hold it."""
    return digest(json.dumps([kept(name), kept(arguments), by], sort_keys=True))
