"""The sessions of one worker: resident copies of what the store holds, brought up to date before anything is told.

A session is its origin and its events, so a worker can drop a resident copy at any time and rebuild it later. Calls
and results are kept in the store alone; a resident copy knows how many there are.
Knows nothing of HTTP and MCP; see `sandbox.server.store` for what survives what.
"""

from __future__ import annotations

import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from sandbox.kit.errors import InfrastructureError
from sandbox.kit.message import Json
from sandbox.runtime.session import CallRecord, Session
from sandbox.server.events import (
    Done,
    Door,
    Origin,
    call_digest,
    call_event,
    digest,
    read_call,
    rollback_event,
    rolled_back_to,
    write_json,
    wrote,
)
from sandbox.server.http_errors import Refused, busy, elsewhere, gone
from sandbox.server.long_logs import LongLog
from sandbox.server.quota import Bounds, Quota
from sandbox.server.store import Event, Row, Store
from sandbox.server.storefile import StorageError

RESIDENT = 1000
ATTEMPTS = 20
_STORED = CallRecord(name="", arguments={})
"""Stands in a resident session's log for a call that is in the store."""


@dataclass(slots=True)
class ResidentSession:
    """A resident session.

    Attributes:
        session: the world as it is; of its log only the length counts, `Sessions.log_of` has the calls.
        place: the last event that `session` has seen.
        keys: the places of the calls by idempotency key.
        quota: the calls it may still make.
    """

    row: Row
    session: Session
    quota: Quota
    place: int = 0
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
            events = [call_event(place, None, record) for place, record in enumerate(session.log, start=1)]
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
        live = ResidentSession(row, session, Quota(self.bounds), place=len(events))
        live.quota.calls = len(events)
        _forget_log(session, 0)
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
        return LongLog(self.store, live.row.number, live.place)

    # --- driving ---

    def call(
        self,
        identifier: str,
        name: str,
        arguments: dict[str, Json] | str,
        *,
        by: Door = "agent",
        key: str | None = None,
        domain: str | None = None,
    ) -> Done:
        """Call a tool: applied and stored, or neither.

        Args:
            identifier: the session's id.
            name: the tool.
            arguments: by name, or the text of such an object.
            by: whose tool set to use.
            key: a retried call with the same key is applied once and answered as before.
            domain: where the caller takes the session to live.

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
            result = session.call(name, arguments, by=by)
            record = session.log[-1]
            value = write_json(result.value)
            try:
                self.bounds.require_short(name, value)
                fresh = self.store.append(live.row.number, call_event(live.place + 1, key, record, value))
            except BaseException:
                session.rollback(before)
                raise
            if fresh:
                live.place += 1
                live.quota.calls += 1
                _forget_log(session, before)
                if key is not None:
                    live.keys[key] = live.place
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
            if not 0 <= calls <= len(live.session.log):
                most = len(live.session.log)
                raise Refused(409, "too_few_calls", f"rollback takes a number of calls from 0 to {most}; got {calls}.")
            if self.store.append(live.row.number, rollback_event(live.place + 1, calls)):
                live.session.rollback(calls)
                live.place += 1
                live.quota.calls += 1
                return live
        raise busy()

    async def fork(self, identifier: str, *, ttl: float | None = None) -> ResidentSession:
        """A new session in the same state with the same log; idempotency keys stay with the old one."""
        live = self.current(identifier)
        log, twin = self.log_of(live), live.session.fork()
        fork = self.open(twin, ttl=ttl, request="fork", events=())  # nobody knows its id before it is whole
        try:
            fork.place = fork.quota.calls = await log.copy_to(fork.row.number)
        except BaseException:
            with suppress(StorageError):
                self._end(fork, "closed")
            raise
        return fork

    def close(self, identifier: str) -> None:
        """End a session."""
        self._end(self.get(identifier), "closed")

    # --- keeping house ---

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
        live = ResidentSession(row, Origin.model_validate_json(row.origin).session(), Quota(self.bounds))
        self._catch_up(live)
        self._keep(live)
        return live

    def _catch_up(self, live: ResidentSession) -> None:
        """Apply the events that this worker has not seen; calls that a later rollback forgets are not made at all."""
        place = live.place
        try:
            kept, pending = self._news(live)
            live.session.rollback(kept)
            different = live.session.replay(pending)
        except BaseException:
            self._drop(live)
            raise
        if live.place == place and not self.store.is_open(live.row.number):  # its end is forgotten already
            self._drop(live)
            self._row(live.row.id)
        _forget_log(live.session, kept)
        if different:
            self._drop(live)
            raise InfrastructureError(
                "session",
                f"Call {kept + different[0]} of the stored log now has another result; was the domain changed?",
            )

    def _news(self, live: ResidentSession) -> tuple[int, list[CallRecord]]:
        """What happened since `live.place`: how many of its calls are left, and those that came to them."""
        kept = len(live.session.log)
        pending: list[CallRecord] = []
        for event in self.store.events(live.row.number, live.place):
            if event.kind == "call":
                pending.append(read_call(event) if wrote(event) else _STORED)
                if event.key is not None:
                    live.keys[event.key] = event.place
            elif event.kind == "rollback":
                calls = rolled_back_to(event.body)
                kept, pending = min(kept, calls), pending[: max(0, calls - kept)]
            else:
                live.reason = json.loads(event.body)["reason"]
            live.quota.calls += event.kind != "end"
            live.place = event.place
        return kept, pending

    def _answered(self, live: ResidentSession, place: int, asked: str) -> Done:
        """The answer to a repeated call, from the store."""
        event = self.store.event(live.row.number, place)
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


def _forget_log(session: Session, after: int) -> None:
    """Keep only the number of calls after the first `after`; the store has them."""
    session.log[after:] = [_STORED] * (len(session.log) - after)
