"""Sessions of a `toolgym serve` that is watched: its list, and a session's calls with the rows that each changed.

The server tells calls and results (sandbox/server/watching.py); the rows come from making the calls again here.
The server's token is sent from here and never reaches the page.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from itertools import takewhile
from typing import Any, TypeVar

from fastapi import APIRouter
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, ValidationError

from toolgym.judge.report.episode_data import changes
from toolgym.sandbox.kit.errors import BadInput, ToolgymError
from toolgym.sandbox.kit.tool import ToolResult
from toolgym.sandbox.remote.endpoint import Endpoint
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.server.events import Origin
from toolgym.sandbox.server.watching import WatchedEvent, WatchedLog, WatchReply

_LOOK = 0.5
"""Seconds between two looks at a session, or at the list."""
_SHOWN = 200
"""Calls of a session that the page gets; the last ones."""
_LONGEST = 20_000
"""Characters of a result that the page gets."""
_OPEN = 20
"""Sessions whose calls are kept here."""
_PATIENCE = 1.0
"""Seconds for which a server that is away is asked again before the page says so."""
_PAGES = 20
"""Parts of a session's log that one look takes in, a megabyte each."""

Entry = dict[str, Any]
_Form = TypeVar("_Form", bound=BaseModel)


class Replayed:
    """What happened in a session of the server so far, made again here.

    Attributes:
        entries: its calls as the page shows them, after every rollback.
        about: the session as the server lists it.
        stopped: why rows are not known; empty where they are.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.entries: list[Entry] = []
        self.about: dict[str, Any] = {}
        self.stopped = ""
        self._session: Session | None = None
        self._position = 0
        self._lock = threading.Lock()

    def look(self, endpoint: Endpoint) -> None:
        """Take in what happened since the last look.

        Raises:
            ToolgymError: the server does not answer, does not let us in, or knows no such session.
        """
        with self._lock:
            for _ in range(_PAGES):
                found = asked(endpoint, f"/watch/{self.number}?after={self._position}", WatchedLog)
                about = found.session.model_dump(mode="json")
                if self.about and self.about["created"] != about["created"]:  # another store's, by now
                    self.about, self._position = {}, 0
                    continue
                self.about = about
                if found.origin is not None:
                    self._begin(found.origin)
                for event in found.events:
                    if event.position <= self._position:
                        raise _strange(endpoint)
                    self._take_in(event)
                    self._position = event.position
                if not found.more:
                    return
                if not found.events:
                    raise _strange(endpoint)

    def _begin(self, origin: dict[str, Any]) -> None:
        self.entries, self.stopped, self._session = [], "", None
        try:
            start = Origin.model_validate(origin)
            self._session = Session(start.domain, data=start.data, task=start.task, seed=start.seed, now=start.now)
        except (ToolgymError, ValueError) as problem:
            self.stopped = f"The rows are not known here: {str(problem).splitlines()[0]}"

    def _take_in(self, event: WatchedEvent) -> None:
        if event.kept is not None:
            del self.entries[event.kept :]
            if self._session is not None:
                self._session.rollback(event.kept)
        elif event.call is not None:
            self._call(event.position, event.call)

    def _call(self, position: int, record: CallRecord) -> None:
        entry: Entry = {
            "position": position,
            "name": record.name,
            "arguments": record.arguments,
            "by": record.by,
            "ok": record.ok,
            "error": record.error,
            "seconds": record.seconds,
            "text": _short(record.result()),
            "changes": [],
            "unlike": False,
        }
        if self._session is not None:
            try:
                entry["unlike"] = bool(self._session.replay([record]))
                entry["changes"] = changes(self._session.diff(since=len(self.entries)))
            except ToolgymError as problem:
                self._session, self.stopped = None, f"From call {len(self.entries)} the rows are not known: {problem}"
        self.entries.append(entry)


class SessionServer:
    """A server that is watched.

    Args:
        url: such as http://127.0.0.1:8000.
        token: the server's, where it has one.

    Raises:
        ConfigurationError: the address is none.
    """

    def __init__(self, url: str, token: str | None) -> None:
        self.endpoint = Endpoint(url, token=token, patience=_PATIENCE, timeout=10.0)
        self._kept: OrderedDict[int, Replayed] = OrderedDict()
        self._lock = threading.Lock()

    def listed(self) -> dict[str, Any]:
        """The server's list, with its address."""
        return {"server": self.endpoint.shown} | asked(self.endpoint, "/watch", WatchReply).model_dump(mode="json")

    def replayed(self, number: int) -> Replayed:
        """A session with everything that has happened in it."""
        with self._lock:
            found = self._kept.setdefault(number, Replayed(number))
            self._kept.move_to_end(number)
            if len(self._kept) > _OPEN:
                self._kept.popitem(last=False)
        found.look(self.endpoint)
        return found


def asked(endpoint: Endpoint, path: str, form: type[_Form]) -> _Form:
    """The server's answer, in the form that it is to have.

    Raises:
        BadInput: it has no such session, none of its sessions can be watched, or it answers in another form.
        ToolgymError: it does not answer, or does not let us in.
    """
    answer = endpoint.request("GET", path)
    if answer.status == 404 and answer.code == "not_found":
        raise BadInput(f"What answers at {endpoint.shown} has no sessions to watch; is it a `toolgym serve --watch`?")
    if answer.status != 200:
        raise BadInput(f"The server at {endpoint.shown} says: {answer.message}")
    try:
        return form.model_validate(answer.body)
    except ValidationError:
        raise _strange(endpoint) from None


def _strange(endpoint: Endpoint) -> BadInput:
    return BadInput(f"What answers at {endpoint.shown} is no `toolgym serve --watch` of this version.")


def routes(server: SessionServer | None, ending: Callable[[], bool]) -> APIRouter:
    """The list and one session as streams that go on for as long as the page is in sight."""
    api = APIRouter(prefix="/api")

    @api.get("/sessions", response_class=EventSourceResponse)
    async def sessions(number: int | None = None) -> AsyncIterator[ServerSentEvent]:
        happening = of_list(server, ending) if number is None else of_session(server, number, ending)
        async for event in happening:
            yield ServerSentEvent(data=event)

    return api


async def of_list(server: SessionServer | None, ending: Callable[[], bool]) -> AsyncIterator[dict[str, Any]]:
    """The list whenever it is another one (`sessions`), and why there is none (`problem`)."""
    async for found in _looked(lambda: _required(server).listed(), ending):
        yield found if "kind" in found else {"kind": "sessions"} | found


async def of_session(
    server: SessionServer | None, number: int, ending: Callable[[], bool]
) -> AsyncIterator[dict[str, Any]]:
    """A session whenever something happened in it (`session`): its calls after the first `keep` told before."""
    told: list[tuple[str, int]] = []

    def look() -> dict[str, Any]:
        found = _required(server).replayed(number)
        return {"about": found.about, "stopped": found.stopped, "entries": list(found.entries)}

    async for found in _looked(look, ending):
        if "kind" in found:
            yield found
            continue
        entries = found.pop("entries")
        shown = entries[-_SHOWN:]
        positions = [(found["about"]["created"], entry["position"]) for entry in shown]
        first = len(entries) - len(shown)
        keep = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(told, positions, strict=False)))
        told = positions
        yield {"kind": "session", "keep": keep, "calls": shown[keep:], "first": first, **found}


async def _looked(look: Callable[[], dict[str, Any]], ending: Callable[[], bool]) -> AsyncIterator[dict[str, Any]]:
    """What looks find, whenever it is something else; a look that fails is told as `problem`, and looking goes on."""
    before: dict[str, Any] = {}
    while not ending():
        try:
            found = await asyncio.to_thread(look)
        except ToolgymError as problem:
            found = {"kind": "problem", "text": str(problem)}
        if found != before:
            before = dict(found)
            yield found
        await asyncio.sleep(_LOOK)


def _required(server: SessionServer | None) -> SessionServer:
    if server is None:
        raise BadInput("No server is watched. `toolgym view --server http://127.0.0.1:8000` watches one.")
    return server


def _short(result: ToolResult) -> str:
    text = result.text
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} … {len(text) - _LONGEST} more characters"
