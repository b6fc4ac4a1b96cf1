"""The environments of one worker: one for each socket, and those that HTTP clients made beforehand."""

from __future__ import annotations

import secrets
import time
from contextlib import suppress
from dataclasses import dataclass

from toolgym.sandbox.server.openenv.environment import Environment
from toolgym.sandbox.server.openenv.wire import WireError
from toolgym.sandbox.server.service import Service
from toolgym.sandbox.server.session_factory import find_domain


@dataclass
class _Kept:
    """An environment; `passing` goes with its socket, be it the socket's own or closed while it had one."""

    environment: Environment
    used: float
    attached: bool = False
    passing: bool = False


class Environments:
    """Makes, keeps and frees environments; as many as the server keeps sessions.

    Args:
        service: the worker.
    """

    def __init__(self, service: Service) -> None:
        self.service = service
        self._kept: dict[str, _Kept] = {}

    def fresh(self, world: str) -> Environment:
        """An environment that nobody keeps (Refused: there is no such world)."""
        return Environment(self.service, find_domain(self.service, world))

    def create(self, world: str, *, own: bool = False) -> str:
        """Keep a new environment until it is closed, or until the socket leaves whose `own` it is; its id.

        Raises:
            WireError: there are as many as the server takes.
        """
        self._forget_idle()
        most = self.service.settings.max_sessions
        if len(self._kept) >= most:
            raise WireError("CAPACITY_REACHED", f"{most} environments are open, the most this server takes.")
        identifier = secrets.token_urlsafe(24)
        self._kept[identifier] = _Kept(self.fresh(world), time.monotonic(), attached=own, passing=own)
        return identifier

    def get(self, world: str, identifier: str) -> Environment:
        """A kept environment.

        Raises:
            WireError: there is none of that id in this process.
        """
        return self._find(world, identifier).environment

    def attach(self, world: str, identifier: str | None) -> tuple[str, Environment]:
        """The environment of a new socket, with its id: its own, or one that an HTTP client made.

        Raises:
            WireError: there is none of that id, it has a socket already, or there are too many.
        """
        if identifier is None:
            identifier = self.create(world, own=True)
            return identifier, self.get(world, identifier)
        kept = self._find(world, identifier)
        if kept.attached:
            raise WireError("SESSION_ERROR", "This session has a socket already.")
        kept.attached = True
        return identifier, kept.environment

    async def detach(self, identifier: str) -> None:
        """The socket is gone from an environment, which ends with it where nobody else keeps it."""
        kept = self._kept[identifier]
        kept.attached = False
        if kept.passing:
            del self._kept[identifier]
            await kept.environment.close()

    async def close(self, world: str, identifier: str) -> bool:
        """End an environment; whether there was any.

        One that has a socket stays until that leaves, since the socket can begin another episode in it.
        """
        with suppress(WireError):
            kept = self._find(world, identifier)
            kept.passing = True
            if not kept.attached:
                del self._kept[identifier]
            await kept.environment.close()
            return True
        return False

    def _find(self, world: str, identifier: str) -> _Kept:
        kept = self._kept.get(identifier)
        if kept is None or kept.environment.world.name != world:
            raise WireError(
                "SESSION_ERROR",
                "There is no such session: it is over, or another of the server's processes holds it (--workers 1 has "
                "but one).",
            )
        kept.used = time.monotonic()
        return kept

    def _forget_idle(self) -> None:
        """Drop what HTTP clients left behind; its session has expired by then."""
        oldest = time.monotonic() - self.service.settings.ttl
        for identifier, kept in list(self._kept.items()):
            if not kept.attached and kept.used < oldest:
                del self._kept[identifier]
