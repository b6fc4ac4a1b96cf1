"""Where an evaluation's sessions live: in this process, or on a sandbox server elsewhere."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Literal, TypeVar

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.limits import Limits
from toolgym.sandbox.runtime.run_in_thread import run_in_thread
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.session_like import SessionLike

Value = TypeVar("Value")

SPARE_SECONDS = 600.0
"""How much longer than an episode a server keeps its session."""


class SessionProvider:
    """Opens a private session for an episode.

    Args:
        limits: of the episodes.
        server: the address of a sandbox server; None opens sessions in this process. Its token is TOOLGYM_TOKEN.
        protocol: how tools are called there.

    Raises:
        ConfigurationError: no sandbox answers at that address, or it lets nobody in without a token.
    """

    def __init__(self, limits: Limits, server: str | None, protocol: Literal["rest", "mcp"]) -> None:
        self._limits = limits
        self.remote = None
        if server is not None:
            from toolgym.sandbox.remote import RemoteSandbox  # its HTTP client loads slowly

            self.remote = RemoteSandbox(server, token=os.environ.get("TOOLGYM_TOKEN"), protocol=protocol)
            self.remote.check()

    @asynccontextmanager
    async def open(self, domain: Domain, task: Task) -> AsyncIterator[SessionLike]:
        """A session of a world for this task, ended with the block."""
        if self.remote is None:
            with Session(domain, task=task) as local:
                yield local
            return
        ttl = self._limits.episode_seconds + SPARE_SECONDS
        session = await self._wait(partial(self.remote.open, domain.name, task=task, ttl=ttl))
        try:
            yield session
        finally:
            with suppress(InfrastructureError):  # the server ends it when its time is over
                await self._wait(session.close)

    async def _wait(self, work: Callable[[], Value]) -> Value:
        try:
            return await run_in_thread(work, self._limits.tool_seconds)
        except TimeoutError as error:
            raise InfrastructureError(
                "session", f"The sandbox gave no answer in {self._limits.tool_seconds:g} s."
            ) from error
