"""Starts, resets and stops MCP servers on standard input and output as subprocesses, and survives one that dies.

For any command that speaks MCP on stdio. A server lives as long as its process and keeps nothing: a fresh process is a
fresh world, the same one when the command holds the same seed.
"""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

import mcp_types as types
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError

from toolgym.sandbox.kit.errors import BadInput, InfrastructureError, unknown
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.tool import Failure, ToolResult
from toolgym.sandbox.remote.connection import BadReply, Connection, ConnectionLost

CALL_SECONDS = 60.0
START_SECONDS = 60.0
"""What a server may take to start and answer; one that installs itself first needs some time."""
TOOLGYM = (sys.executable, "-c", "import sys; from toolgym.cli import main; sys.exit(main())")
"""`toolgym` with the interpreter that runs now."""


def toolgym_server(
    domain: str, *, data: str | None = None, task: str | None = None, seed: int | None = None, role: str = "agent"
) -> list[str]:
    """The command that serves a world of toolgym: `toolgym mcp DOMAIN` with the interpreter that runs now."""
    command = [*TOOLGYM, "mcp", domain, "--as", role]
    command += ["--data", data] if data is not None else []
    command += ["--task", task] if task is not None else []
    return command + (["--seed", str(seed)] if seed is not None else [])


class MCPServer:
    """One server under a manager's care; made by `MCPManager.start`.

    Attributes:
        name: how the manager knows it.
        command: what started it, and starts it again.
        restarts: how often it was started again because it had died.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str] | None,
        call_seconds: float,
        folder: Path | None = None,
    ) -> None:
        self.name, self.command, self.restarts = name, list(command), 0
        self._environment, self._call_seconds, self._folder = dict(environment or {}), call_seconds, folder
        self._connection: Connection | None = None
        self._changing = asyncio.Lock()
        self._stopped = True

    async def call(self, name: str, arguments: Mapping[str, Json]) -> ToolResult:
        """Call a tool; refusals are results, those of the server itself as well as those of its tools.

        Raises:
            InfrastructureError: boundary `session`, the server died or hung during the call: a fresh one with the same
                command takes its place, so the next call finds a world without the calls made before. Boundary `tool`,
                it answered with something that is not MCP.
        """
        connection = await self._connected()
        try:
            return await connection.call(name, dict(arguments), seconds=self._call_seconds)
        except MCPError as error:
            code = "invalid_arguments" if error.code == types.INVALID_PARAMS else "request_refused"
            return ToolResult(error=Failure(code, str(error)))
        except BadReply as bad:
            raise InfrastructureError("tool", f"{self._called} answered {name} not in MCP's form: {bad}") from None
        except ConnectionLost as lost:
            why = _why(lost, connection)
            await self._replace(connection)
            raise InfrastructureError(
                "session",
                f"{self._called} was lost during {name} ({why}). It was started afresh with the same "
                "command; what earlier calls did is gone.",
            ) from None

    async def tools(self) -> list[types.Tool]:
        """What it offers, all pages of it.

        Raises:
            InfrastructureError: it died, gave no answer in time, or answered with something that is no list of tools.
        """
        connection = await self._connected()
        try:
            return await connection.tools(seconds=START_SECONDS)
        except (MCPError, BadReply) as error:
            raise InfrastructureError("tool", f"{self._called} does not list its tools: {error}") from None
        except ConnectionLost as lost:
            why = _why(lost, connection)
            raise InfrastructureError("session", f"{self._called} does not list its tools ({why}).") from None

    async def start(self) -> None:
        """Start the process and connect (InfrastructureError where that fails)."""
        async with self._changing:
            await self._open()
            self._stopped = False

    async def stop(self) -> None:
        """End the process. Stopping twice is harmless."""
        async with self._changing:
            self._stopped = True
            await self._shut()

    async def reset(self, command: Sequence[str] | None = None) -> None:
        """A fresh process of the same command, or of another one (another seed or task)."""
        async with self._changing:
            self.command = list(command) if command is not None else self.command
            await self._shut()
            await self._open()
            self._stopped = False

    @property
    def _called(self) -> str:
        return f"The MCP server {self.name!r}"

    async def _connected(self) -> Connection:
        async with self._changing:
            if self._stopped:
                raise BadInput(f"{self._called} is stopped; start it again.")
            if self._connection is None:  # an earlier attempt to replace it failed
                await self._open()
            assert self._connection is not None
            return self._connection

    async def _open(self) -> None:
        executable, *rest = self.command
        target = StdioServerParameters(command=executable, args=rest, env=self._environment or None, cwd=self._folder)
        connection = Connection(target, mode="auto")
        try:
            async with asyncio.timeout(START_SECONDS):
                await connection.open()
        except TimeoutError:
            raise InfrastructureError(
                "session",
                f"{self._called} did not answer within {START_SECONDS:g} s: {shlex.join(self.command)}",
            ) from None
        except ConnectionLost as lost:
            raise InfrastructureError(
                "session",
                f"{self._called} does not start ({_why(lost, connection)}): {shlex.join(self.command)}",
            ) from None
        self._connection = connection

    async def _shut(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def _replace(self, lost: Connection) -> None:
        async with self._changing:
            if self._connection is lost:  # another call in flight may have replaced it already
                self.restarts += 1
                await self._shut()
                await self._open()


def _why(lost: ConnectionLost, connection: Connection) -> str:
    """Why a server went, with what it said last."""
    return f"{lost}; it said: {connection.said}" if connection.said else str(lost)


class MCPManager:
    """Servers by name; an asynchronous context manager that leaves no process behind.

    Args:
        call_seconds: how long a call may take before its server counts as hung.
    """

    def __init__(self, *, call_seconds: float = CALL_SECONDS) -> None:
        self._call_seconds = call_seconds
        self._servers: dict[str, MCPServer] = {}

    async def start(
        self, name: str, command: Sequence[str], *, environment: Mapping[str, str] | None = None
    ) -> MCPServer:
        """Start a server.

        Args:
            name: of one's own choice, not in use.
            command: the executable and its arguments, such as `toolgym_server("retail", seed=3)`.
            environment: added to the few variables that the SDK passes on.

        Raises:
            InfrastructureError: it does not start.
        """
        if name in self._servers:
            raise BadInput(f"There is an MCP server {name!r} already; stop it or choose another name.")
        if not command:
            raise BadInput("A command starts with its executable; got an empty one.")
        server = MCPServer(name, command, environment, self._call_seconds)
        await server.start()
        self._servers[name] = server
        return server

    def __getitem__(self, name: str) -> MCPServer:
        if name not in self._servers:
            raise unknown("MCP server", name, self._servers)
        return self._servers[name]

    async def reset(self, name: str, command: Sequence[str] | None = None) -> None:
        """A fresh process in place of the named one; see `MCPServer.reset`."""
        await self[name].reset(command)

    async def stop(self, name: str) -> None:
        """End a server and forget it."""
        server = self[name]
        del self._servers[name]
        await server.stop()

    async def close(self) -> None:
        """Stop all of them, at once."""
        servers, self._servers = list(self._servers.values()), {}
        await asyncio.gather(*(server.stop() for server in servers))

    async def __aenter__(self) -> MCPManager:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
