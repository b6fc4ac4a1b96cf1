"""What somebody who watches the server is told: its sessions by number, and what was done in each.

A session's id lets its holder write, so no id is told here. Answered where the server was started with --watch.
"""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from pydantic import Field

from toolgym.sandbox.kit.message import Frozen, Json
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.server import long_logs, schemas
from toolgym.sandbox.server.events import read_call, rolled_back_to
from toolgym.sandbox.server.http_errors import Refused
from toolgym.sandbox.server.service import Service
from toolgym.sandbox.server.store import Event, Row

MOST = 200
"""Sessions of a list."""


class WatchedSession(Frozen):
    """A session without its id."""

    number: int
    domain: str
    data: str
    task: str | None = Field(description="the task's id")
    seed: int
    now: str = Field(description="the frozen clock of the world")
    events: int = Field(description="calls and rollbacks so far, and its end")
    created: datetime
    expires: datetime
    ended: datetime | None
    reason: str | None = Field(description="closed or expired; null while it is open")


class WatchReply(Frozen):
    """The newest sessions, the last opened first."""

    open: int = Field(description="sessions that are open")
    limit: int = Field(description="sessions that may be open")
    total: int = Field(description="sessions that are kept, ended ones among them")
    sessions: tuple[WatchedSession, ...]


class WatchedEvent(Frozen):
    """Something that happened in a session."""

    position: int = Field(description="from 1, without gaps")
    kind: Literal["call", "rollback", "end"]
    call: CallRecord | None = Field(default=None, description="of a call")
    kept: int | None = Field(default=None, description="of a rollback: so many calls of the log are left")


class WatchedLog(Frozen):
    """What happened in a session after a position, about a megabyte of it."""

    session: WatchedSession
    origin: dict[str, Json] | None = Field(description="what it starts from, its task among it; only with after=0")
    events: tuple[WatchedEvent, ...]
    more: bool = Field(description="whether there is more already")


def routes(service: Service) -> APIRouter:
    """The list of sessions, and the events of one."""
    refusals: dict[int | str, dict[str, Any]] = {403: {"model": schemas.ErrorReply}, 404: {"model": schemas.ErrorReply}}
    watched = APIRouter(prefix="/watch", tags=["server"], responses=refusals)
    store = service.store

    def require_watch() -> None:
        if not service.settings.watch:
            raise Refused(403, "not_watched", "Sessions of this server cannot be watched; start it with --watch.")

    @watched.get("", summary="List the newest sessions without their ids, where the server lets itself be watched")
    async def list_sessions() -> WatchReply:
        require_watch()
        return WatchReply(
            open=store.count_open(service.sessions.clock()),
            limit=service.settings.max_sessions,
            total=store.count(),
            sessions=tuple(_watched(row, events) for row, events in store.newest(MOST)),
        )

    @watched.get("/{number}", summary="Read what happened in a session after a position")
    async def read_events(
        number: Annotated[int, Path(ge=1, le=2**31, description="of the list")],
        after: Annotated[int, Query(ge=0, le=2**32, description="a position")] = 0,
    ) -> WatchedLog:
        require_watch()
        found = store.numbered(number)
        if found is None:
            raise Refused(404, "unknown_session", "There is no session of that number, or its log is no longer kept.")
        row, position = found
        some: list[Event] = []
        whole = True
        if position > after:
            read = long_logs.some_of
            some, whole = await asyncio.get_running_loop().run_in_executor(None, read, store.path, number, after)
        return WatchedLog(
            session=_watched(row, position),
            origin=json.loads(row.origin) if after == 0 else None,
            events=tuple(map(_event, some)),
            more=not whole,
        )

    return watched


def _watched(row: Row, events: int) -> WatchedSession:
    origin = json.loads(row.origin)
    return WatchedSession(
        number=row.number,
        domain=origin["domain"],
        data=origin["data"],
        task=(origin["task"] or {}).get("id"),
        seed=origin["seed"],
        now=origin["now"],
        events=events,
        created=_moment(row.created),
        expires=_moment(row.expires),
        ended=None if row.ended is None else _moment(row.ended),
        reason=row.reason,
    )


def _event(event: Event) -> WatchedEvent:
    if event.kind == "call":
        return WatchedEvent(position=event.position, kind="call", call=read_call(event))
    if event.kind == "rollback":
        return WatchedEvent(position=event.position, kind="rollback", kept=rolled_back_to(event.body))
    return WatchedEvent(position=event.position, kind="end")


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
