"""The sessions of one worker: resident copies of what the store holds, brought up to date before anything is told.

A session is its origin and its events, so a worker can drop a resident copy at any time and rebuild it later. Calls
and results are kept in the store alone; a resident copy knows how many there are.
Knows nothing of HTTP and MCP; see `toolgym.sandbox.server.store` for what survives what.
"""

from __future__ import annotations

import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.message import Json, Party
from toolgym.sandbox.kit.tool import Failure
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.server.events import (
    Done,
    Origin,
    call_digest,
    call_event,
    digest,
    left_rows,
    read_call,
    rollback_event,
    rolled_back_to,
    write_json,
)
from toolgym.sandbox.server.http_errors import Refused, busy, elsewhere, gone
from toolgym.sandbox.server.long_logs import LongLog
from toolgym.sandbox.server.quota import Bounds, Quota
from toolgym.sandbox.server.store import Event, Row, Store
from toolgym.sandbox.server.stored_log import StoredLog
from toolgym.sandbox.server.storefile import StorageError

RESIDENT = 1000
ATTEMPTS = 20


@dataclass(slots=True)
class ResidentSession:
    """A resident session.

    Attributes:
        session: the world as it is.
        log: its log, in the store.
        keys: the positions of the calls by idempotency key.
        quota: the calls it may still make.
    """

    row: Row
    session: Session
    log: StoredLog
    quota: Quota
    keys: dict[str, int] = field(default_factory=dict)
    reason: str | None = None


class Clock:
    """Wall time that goes on evenly: a jump of the machine's clock moves nothing while the process lives."""

    def __init__(self) -> None:
        self._start = time.time() - time.monotonic()

    def __call__(self) -> float:
        """Seconds since the epoch."""
        return self._start + time.monotonic()


class Sessions:
    """Opens, finds and drives sessions."""

    def __init__(self, store: Store, bounds: Bounds | None = None, clock: Callable[[], float] | None = None) -> None:
        self.store, self.bounds, self.clock = store, bounds or Bounds(), clock or Clock()
        self._resident: OrderedDict[str, ResidentSession] = OrderedDict()

    def __len__(self) -> int:
        return len(self._resident)

    # --- opening and finding ---

    def open(
        self,
        session: Session,
        *,
        ttl: float | None = None,
        key: str | None = None,
        request: str = "",
        events: Sequence[Event] | None = None,
    ) -> ResidentSession:
        """Keep a new session, its log included.

        Args:
            session: taken over; the caller must not use it any more.
            ttl: seconds until it ends.
            key: a retried request with the same key gets the same session.
            request: what was asked, to tell a retry from another use of the key.
            events: what to store of the past; by default the session's log.
        """
        now = self.clock()
        if events is None:
            events = [call_event(position, None, record) for position, record in enumerate(session.log, start=1)]
        identifier = secrets.token_urlsafe(24)
        row = self.store.open(
            identifier,
            Origin.of(session).model_dump_json(),
            now=now,
            expires=now + (ttl or self.bounds.ttl),
            limit=self.bounds.sessions,
            key=key,
            request=digest(request),
            events=events,
        )
        if row is None or row.id != identifier:
            session.close()
        if row is None:
            raise Refused(
                429,
                "too_many_sessions",
                f"{self.bounds.sessions} sessions are open, the most this server keeps; close one or try again later.",
            )
        if row.request != digest(request):
            raise Refused(409, "key_reused", "This Idempotency-Key was used for another request; take a new one.")
        if row.id != identifier:
            return self.get(row.id)
        session.log = log = StoredLog(self.store, row.number, position=len(events), calls=len(session.log))
        live = ResidentSession(row, session, log, Quota(self.bounds))
        live.quota.calls = len(events)
        self._keep(live)
        return live

    def get(self, identifier: str) -> ResidentSession:
        """The session with this id, as this worker last saw it.

        Raises:
            Refused: 404 for an id that was never given or is forgotten, 410 for a session that has ended.
        """
        live = self._resident.get(identifier)
        if live is None:
            live = self._rebuild(identifier)
        else:
            self._resident.move_to_end(identifier)
        if live.reason is None and live.row.expires <= self.clock():
            self._end(live, "expired")
        if live.reason is not None:
            self._drop(live)
            raise gone(live.reason)
        return live

    def current(self, identifier: str) -> ResidentSession:
        """The session with this id, with everything that other workers did to it."""
        live = self.get(identifier)
        self._catch_up(live)
        return self.get(identifier)

    def log(self, identifier: str) -> LongLog:
        """The calls of a session, which may have ended.

        Raises:
            Refused: 404 for an id that was never given or is forgotten.
        """
        return LongLog(self.store, self._row(identifier).number)

    def log_of(self, live: ResidentSession) -> LongLog:
        """The calls of a session as its resident copy has seen them."""
        return LongLog(self.store, live.row.number, live.log.position)

    # --- driving ---

    def call(
        self,
        identifier: str,
        name: str,
        arguments: dict[str, Json] | str,
        *,
        by: Party = "agent",
        key: str | None = None,
        domain: str | None = None,
        refusal: Failure | None = None,
    ) -> Done:
        """Call a tool: applied and stored, or neither.

        Args:
            identifier: the session's id.
            name: the tool.
            arguments: by name, or the text of such an object.
            by: whose tool set to use.
            key: a retried call with the same key is applied once and answered as before.
            domain: where the caller takes the session to live.
            refusal: why the call is not made, where somebody who had to agree to it did not; it is stored as such.

        Raises:
            Refused: see `get`; 404 for another domain; 409 for a key used for another call; 429 for too many calls;
                413 for a too long result.
            InfrastructureError: the tool or the store is broken; nothing was applied.
        """
        for _ in range(ATTEMPTS):
            live = self.get(identifier)
            session = live.session
            if domain is not None and domain != session.domain.name:
                raise elsewhere(session.domain.name)
            if key is not None and key in live.keys:
                return self._answered(live, live.keys[key], call_digest(name, arguments, by))
            live.quota.take()
            before = len(session.log)
            if refusal is None:
                result = session.call(name, arguments, by=by)
            else:
                result = session.decline(name, arguments, refusal.code, refusal.message)
            value = write_json(result.value)
            try:
                self.bounds.require_short(name, value)
                fresh = live.log.store(key, value)
            except BaseException:
                session.rollback(before)
                raise
            if fresh:
                live.quota.calls += 1
                if key is not None:
                    live.keys[key] = live.log.position
                return Done(result, value)
            session.rollback(before)
            self._catch_up(live)
        raise busy()

    def rollback(self, identifier: str, calls: int) -> ResidentSession:
        """Go back to the state after the first `calls` calls.

        Raises:
            Refused: 409, there are not so many calls; 429, it counts as a call.
        """
        for _ in range(ATTEMPTS):
            live = self.current(identifier)
            live.quota.take()
            if not 0 <= calls <= len(live.log):
                most = len(live.log)
                raise Refused(409, "too_few_calls", f"rollback takes a number of calls from 0 to {most}; got {calls}.")
            if self.store.append(live.row.number, rollback_event(live.log.position + 1, calls)):
                live.session.rollback(calls)
                live.log.seen(live.log.position + 1)
                live.quota.calls += 1
                return live
        raise busy()

    async def fork(self, identifier: str, *, ttl: float | None = None) -> ResidentSession:
        """A new session in the same state with the same log; idempotency keys stay with the old one."""
        live = self.current(identifier)
        log, twin = self.log_of(live), live.session.fork()
        fork = self.open(twin, ttl=ttl, request="fork", events=())  # nobody knows its id before it is whole
        try:
            fork.quota.calls = await log.copy_to(fork.row.number)
            fork.log.seen(fork.quota.calls)
        except BaseException:
            with suppress(StorageError):
                self._end(fork, "closed")
            raise
        return fork

    def close(self, identifier: str) -> None:
        """End a session."""
        self._end(self.get(identifier), "closed")

    # --- maintenance ---

    def sweep(self, keep_logs: float) -> int:
        """End what has expired, drop what others ended, delete logs past keeping; returns how many expired."""
        now = self.clock()
        expired = self.store.expired(now)
        for number in expired:
            self.store.end(number, now=now, reason="expired")
        closed = self.store.closed_among([live.row.number for live in self._resident.values()])
        for live in [live for live in self._resident.values() if live.row.number in closed]:
            self._drop(live)
        self.store.forget(now - keep_logs)
        return len(expired)

    def shut(self) -> None:
        """Free every resident copy; the store keeps the sessions."""
        for live in list(self._resident.values()):
            self._drop(live)

    def _row(self, identifier: str) -> Row:
        row = self.store.find(identifier)
        if row is None:
            raise Refused(404, "unknown_session", "There is no such session; POST /sessions opens one.")
        return row

    def _rebuild(self, identifier: str) -> ResidentSession:
        row = self._row(identifier)
        if row.ended is not None:
            raise gone(row.reason or "closed")
        log = StoredLog(self.store, row.number)
        session = Origin.model_validate_json(row.origin).session(log)
        live = ResidentSession(row, session, log, Quota(self.bounds))
        self._catch_up(live)
        self._keep(live)
        return live

    def _catch_up(self, live: ResidentSession) -> None:
        """Apply the events that this worker has not seen; calls that a later rollback forgets are not made at all."""
        position = live.log.position
        try:
            kept, pending = self._news(live)
            live.session.rollback(kept)
            different = _repeat(live, pending)
        except BaseException:
            self._drop(live)
            raise
        if live.log.position == position and not self.store.is_open(live.row.number):  # its end is forgotten already
            self._drop(live)
            self._row(live.row.id)
        if different:
            self._drop(live)
            raise InfrastructureError(
                "session",
                f"Call {different[0]} of the stored log now has another result; was the domain changed?",
            )

    def _news(self, live: ResidentSession) -> tuple[int, list[CallRecord | None]]:
        """What the session has not seen: how many of its calls are left, and those that came to them.

        Instead of a call that changed nothing, which may be large, there is None.
        """
        kept, scratch = len(live.log), live.session.domain.has_scratch
        pending: list[CallRecord | None] = []
        for event in self.store.events(live.row.number, live.log.position):
            if event.kind == "call":
                pending.append(read_call(event) if left_rows(event, scratch=scratch) else None)
                if event.key is not None:
                    live.keys[event.key] = event.position
            elif event.kind == "rollback":
                calls = rolled_back_to(event.body)
                kept, pending = min(kept, calls), pending[: max(0, calls - kept)]
            else:
                live.reason = json.loads(event.body)["reason"]
            live.quota.calls += event.kind != "end"
            live.log.seen(event.position)
        return kept, pending

    def _answered(self, live: ResidentSession, position: int, asked: str) -> Done:
        """The answer to a repeated call, from the store."""
        event = self.store.event(live.row.number, position)
        record = read_call(event)
        if call_digest(record.name, record.arguments, record.by) != asked:
            raise Refused(409, "key_reused", "This Idempotency-Key was used for another call; take a new one.")
        return Done(record.result(), event.value or "null", repeated=True)

    def _keep(self, live: ResidentSession) -> None:
        self._resident[live.row.id] = live
        while len(self._resident) > RESIDENT:
            _, oldest = self._resident.popitem(last=False)
            oldest.session.close()

    def _end(self, live: ResidentSession, reason: str) -> None:
        self.store.end(live.row.number, now=self.clock(), reason=reason)
        live.reason = reason
        self._drop(live)

    def _drop(self, live: ResidentSession) -> None:
        self._resident.pop(live.row.id, None)
        live.session.close()


def _repeat(live: ResidentSession, calls: Sequence[CallRecord | None]) -> list[int]:
    """Make stored calls again; returns the positions in the log of those whose result is now another."""
    different = []
    for record in calls:
        if record is None:
            live.log.pass_over()
        elif live.session.replay([record]):
            different.append(len(live.log) - 1)
    live.log.seen(live.log.position)
    return different
