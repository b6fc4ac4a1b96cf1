"""The processes of one foreign server, of which each session has one to itself: kept where that changes nothing.

A process that has only made calls which leave nothing behind serves the next session, so that a command which takes a
second to start (npx, uvx) is not started for every episode. What leaves nothing behind is measured.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from threading import Lock

from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.tool import ToolResult
from toolgym.sandbox.remote.mcp_manager import MCPServer
from toolgym.sandbox.runtime.background_loop import run_sync

CALL_SECONDS = 10.0
"""A call that takes longer counts as hung."""
_APART = 2
"""Processes at least, taken in turn: what is played twice to prove it is not played twice in the same one."""


class Processes:
    """Starts, keeps and ends them; a context manager that leaves none behind.

    Args:
        command: the executable and its arguments.
        environment: added to the few variables that the SDK passes on.
        folder: where they work; this process's own without one.

    Attributes:
        lasting: the tools, by the server's names, whose calls leave nothing behind; none before `measure`.
        starts: how many were started.
    """

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str] | None = None, folder: Path | None = None
    ) -> None:
        self.command, self.environment, self.folder = tuple(command), environment, folder
        self.lasting: frozenset[str] = frozenset()
        self.starts = 0
        self._idle: deque[MCPServer] = deque()
        self._lock = Lock()

    def take(self) -> MCPServer:
        """A process that nothing has been done to.

        Raises:
            InfrastructureError: the command does not start or does not answer.
        """
        with self._lock:
            if self._idle and self.starts >= _APART:
                return self._idle.popleft()
            self.starts += 1
        server = MCPServer("mcp", self.command, self.environment, CALL_SECONDS, self.folder)
        run_sync(server.start())
        return server

    def give_back(self, server: MCPServer, called: Iterable[str]) -> None:
        """End a process, or keep it where the calls that it made leave nothing behind."""
        if server.restarts == 0 and self.lasting.issuperset(called):
            with self._lock:
                self._idle.append(server)
        else:
            run_sync(server.stop())

    def measure(self, calls: Sequence[tuple[str, Mapping[str, Json]]]) -> None:
        """Find the tools whose calls leave nothing behind: made twice over in one process, they have the same results.

        Args:
            calls: of tools that say that they only read; of each tool as many as shall count.
        """
        server = self.take()
        try:
            rounds = [[_made(server, *call) for call in calls] for _ in range(2)]
        except InfrastructureError:  # nothing is known of a server that dies of them
            return
        finally:
            run_sync(server.stop())
        changed = {name for (name, _), one, other in zip(calls, *rounds, strict=True) if one != other or not one.ok}
        self.lasting = frozenset(name for name, _ in calls) - changed

    def close(self) -> None:
        """End all that are kept."""
        with self._lock:
            idle, self._idle = list(self._idle), deque()
        for server in idle:
            run_sync(server.stop())


def _made(server: MCPServer, name: str, arguments: Mapping[str, Json]) -> ToolResult:
    return run_sync(server.call(name, arguments))
