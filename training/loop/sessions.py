"""Opening and closing the session of a rollout, here or on a sandbox server, without holding up the event loop."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Protocol, TypeVar

from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime import foreign_domain
from toolgym.sandbox.runtime.foreign_domain import SERVERS, UnservedSession
from toolgym.sandbox.runtime.registry import FOREIGN, get_domain
from toolgym.sandbox.runtime.run_in_thread import run_in_thread
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.session_like import SessionLike
from toolgym.training.loop.settings import LoopSettings

Value = TypeVar("Value")
_FIRST = 5
"""How many times `tool_seconds` opening may take: the first session of a world builds its database."""

_AT_ONCE, _WAIT = 16, 240.0
"""Sessions of MCP servers, each with processes of its own, that are open at once, and seconds to wait for one."""

_opening = threading.Lock()
_free = threading.BoundedSemaphore(_AT_ONCE)
log = logging.getLogger(__name__)


class Opened(SessionLike, Protocol):
    """A session that can be closed."""

    def close(self) -> None:
        """Free it."""
        ...


async def open_session(task: Task, settings: LoopSettings) -> Opened:
    """A fresh session whose calls are made in threads of their own, each within `tool_seconds`.

    Raises:
        InfrastructureError: none could be opened in time.
    """
    url, servers = settings.sandbox, settings.servers
    work: Callable[[], Opened] = partial(_local, task) if url is None else partial(_remote, url, task)
    if servers is not None and task.domain.startswith(FOREIGN):
        work = partial(_foreign, servers, task)
    return await bounded(work, _FIRST * settings.tool_seconds, f"open a session of {task.domain}")


async def close_session(session: Opened, seconds: float) -> None:
    """Close it; a server that cannot is no reason to lose what was played, and ends the session by itself in time."""
    try:
        await bounded(session.close, seconds, "close the session")
    except InfrastructureError as error:
        log.warning("%s", error)


async def bounded(work: Callable[[], Value], seconds: float, what: str) -> Value:
    """The result of blocking work on a session (InfrastructureError when it takes longer)."""
    try:
        return await run_in_thread(work, seconds)
    except TimeoutError as error:
        raise InfrastructureError("session", f"It took more than {seconds:g} s to {what}.") from error


def _local(task: Task) -> Opened:
    with _opening:  # a world's database is built once, not once per waiting trajectory
        session = Session(task.domain, task=task)
    session.blocking = True
    return session


def _remote(url: str, task: Task) -> Opened:
    return _server(url).open(task.domain, task=task)  # type: ignore[no-any-return]  # imported late


def _foreign(folder: str, task: Task) -> Opened:
    """A session on the MCP servers of a synthesis, which waits until one of so many is free.

    Rows that only a listing describes (requests of other people's) have one in which every call is refused.
    """
    with _opening:
        foreign_domain.take_up(Path(folder))
        if not _is_served(folder, task.domain):
            return UnservedSession(get_domain(task.domain).tools)
    if not _free.acquire(timeout=_WAIT):
        raise InfrastructureError("session", f"No session of {task.domain} became free in {_WAIT:g} s.")
    try:
        with _opening:
            servers = _servers(folder)
        return servers.session(_free.release)  # type: ignore[no-any-return]  # imported late
    except BaseException:
        _free.release()
        raise


@cache
def _servers(folder: str):  # type: ignore[no-untyped-def]
    from toolgym.sandbox.remote.teaching_source import servers_in  # the SDK loads slowly

    return servers_in(Path(folder))


@cache
def _is_served(folder: str, world: str) -> bool:
    return (Path(folder) / SERVERS).is_file() and _servers(folder).domain.name == world


@cache
def _server(url: str):  # type: ignore[no-untyped-def]
    from toolgym.sandbox.remote import RemoteSandbox

    return RemoteSandbox(url, token=os.environ.get("TOOLGYM_TOKEN"))
