"""Someone else's MCP server as a world: its tools, and sessions that are processes of their own.

A session begins with its process and ends with it. Nothing here can look into such a server or take a call back: what
it writes outside of its process stays, and every process finds it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import datetime

import mcp_types as types
from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.domain import Domain, generated
from toolgym.sandbox.kit.errors import ConfigurationError, InfrastructureError, Refusal
from toolgym.sandbox.kit.message import Json, Party
from toolgym.sandbox.kit.tool import Failure, Tool, ToolResult, ToolSet
from toolgym.sandbox.remote.mcp_bench import CALL_SECONDS, only_reads
from toolgym.sandbox.remote.mcp_manager import MCPServer
from toolgym.sandbox.runtime.background_loop import run_sync
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.session import RowChange

WORLD = "mcp"
"""What the world of any such server is called."""
_POLICY = "Use this server's tools to do what the ticket asks. Make no call that writes unless the ticket asks for it."


class ForeignTool(Tool):
    """A tool as its server lists it; only the server itself runs it."""

    def __init__(self, listed: types.Tool) -> None:
        self.name = self.own_name = listed.name
        self.kind = "read" if only_reads(listed) else "write"
        self.ends_episode = self.confirm = False
        self.description = listed.description or listed.name
        self.parameters = dict(listed.input_schema)
        self.returns = None


class _Nothing(DeclarativeBase):
    """No tables: what such a server holds is not seen."""


class ForeignWorld:
    """A server's tools as a world, and its sessions.

    Args:
        command: the executable and its arguments.
        allow_writes: offer also the tools that do not say that they only read.

    Raises:
        InfrastructureError: the command does not start or does not answer.
        ConfigurationError: it offers no tool that may be called.
    """

    def __init__(self, command: Sequence[str], *, allow_writes: bool) -> None:
        self.command = tuple(command)
        server = MCPServer(WORLD, command, None, CALL_SECONDS)
        run_sync(server.start())
        try:
            listed = [ForeignTool(tool) for tool in run_sync(server.tools())]
        finally:
            run_sync(server.stop())
        self.tools = ToolSet([tool for tool in listed if allow_writes or tool.kind == "read"])
        if not self.tools:
            raise ConfigurationError(_without(listed))
        self.domain = Domain(
            name=WORLD,
            title=f"An MCP server ({' '.join(command)})",
            base=_Nothing,
            tools=self.tools,
            policy=_POLICY,
            data={"own": generated(lambda database: None)},
            now=datetime(2000, 1, 1),
        )

    def session(self) -> ForeignSession:
        """A session, whose process starts with its first call."""
        return ForeignSession(self.command, self.tools)


def _without(listed: Sequence[Tool]) -> str:
    if not listed:
        return "This MCP server offers no tools; there is nothing to evaluate."
    names = ", ".join(tool.name for tool in listed)
    return f"No tool of this MCP server says that it only reads ({names}); --allow-writes calls them all the same."


class ForeignSession:
    """A process of the server, as an episode drives it.

    Args:
        command: what starts it.
        tools: those that may be called.
    """

    blocking = True

    def __init__(self, command: Sequence[str], tools: ToolSet) -> None:
        self._server = MCPServer(WORLD, command, None, CALL_SECONDS)
        self._tools, self._started = tools, False
        self._log: list[CallRecord] = []

    @property
    def log(self) -> Sequence[CallRecord]:
        """The calls so far."""
        return self._log

    def call(self, name: str, arguments: Mapping[str, Json] | str, *, by: Party = "agent") -> ToolResult:
        """Call a tool.

        Raises:
            InfrastructureError: the server does not start, died or hung.
        """
        started = time.perf_counter()
        result = self._result(name, arguments)
        error = result.error
        given = arguments if isinstance(arguments, str) else dict(arguments)
        self._log.append(
            CallRecord(
                name=name,
                arguments=given,
                by=by,
                kind=self._tools[name].kind if name in self._tools else None,
                value=result.value,
                error=error.code if error else None,
                message=error.message if error else None,
                seconds=time.perf_counter() - started,
            )
        )
        return result

    def _result(self, name: str, arguments: Mapping[str, Json] | str) -> ToolResult:
        try:
            self._tools.find(name)
        except Refusal as refusal:
            return ToolResult(error=Failure(refusal.code, refusal.message))
        if isinstance(arguments, str):
            return ToolResult(error=Failure("invalid_arguments", f"The arguments of {name} are no JSON object."))
        try:
            if not self._started:
                run_sync(self._server.start())
                self._started = True
            return run_sync(self._server.call(name, arguments))
        except InfrastructureError as error:
            if error.boundary == "session":
                raise
            return ToolResult(error=Failure("invalid_arguments", error.message))

    def diff(self) -> list[RowChange]:
        """Nothing: rows are not seen."""
        return []

    def close(self) -> None:
        """End the process."""
        run_sync(self._server.stop())
