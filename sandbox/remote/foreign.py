"""Someone else's MCP server as a world: its tools, and sessions that have a process to themselves.

Nothing here can look into such a server or take a call back: what it writes outside of its process stays, and every
process finds it.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Literal

import mcp_types as types

from toolgym.sandbox.kit.errors import ConfigurationError, Refusal
from toolgym.sandbox.kit.message import Json, Party
from toolgym.sandbox.kit.text import kept, mended
from toolgym.sandbox.kit.tool import Failure, Tool, ToolResult, ToolSet
from toolgym.sandbox.remote.mcp_manager import MCPServer
from toolgym.sandbox.remote.processes import Processes
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.background_loop import run_sync
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.foreign_domain import Listed, foreign_domain
from toolgym.sandbox.runtime.session import RowChange


class ForeignWorld:
    """A server's tools as a world, and its sessions; a recorded run of it is read by the world's `domain`.

    Args:
        command: the executable and its arguments.
        allow_writes: offer also the tools that do not say that they only read.
        environment: added to the few variables that the SDK passes on.
        folder: where its processes work.
        destructive: those of the tools that call themselves destructive that are offered all the same; None for all.

    Attributes:
        domain: what the server lists.
        tools: what may be called.
        processes: those of the server; `close` ends them.
        barred: by the server's names, those that are never called.

    Raises:
        InfrastructureError: the command does not start or does not answer.
        ConfigurationError: it offers no tool that may be called.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        allow_writes: bool,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
        destructive: Collection[str] | None = None,
    ) -> None:
        self.processes = Processes(command, environment, folder)
        server = self.processes.take()
        try:
            told = run_sync(server.tools())
            self.barred = frozenset(
                tool.name
                for tool in told
                if destructive is not None and _destroys(tool) and tool.name not in destructive
            )
            listed = [listed_of(tool) for tool in told if tool.name not in self.barred]
        except BaseException:
            run_sync(server.stop())
            raise
        self.processes.give_back(server, ())
        offered = [each for each in listed if allow_writes or each.kind == "read"]
        if not offered:
            self.close()
            raise ConfigurationError(_without(listed))
        self.domain = foreign_domain(f"An MCP server ({' '.join(command)})", offered)
        self.tools = self.domain.tools
        registry.add(self.domain)

    def session(self) -> ForeignSession:
        """A session, which takes its process with its first call."""
        return ForeignSession(self.processes, self.tools)

    def close(self) -> None:
        """End the server's processes."""
        self.processes.close()


def listed_of(tool: types.Tool) -> Listed:
    """A tool of the SDK's listing as it is kept."""
    schema = mended({"type": "object", "properties": {}} | dict(tool.input_schema))
    kind: Literal["read", "write"] = "read" if only_reads(tool) else "write"
    return Listed(name=tool.name, kind=kind, description=kept(tool.description or tool.name), parameters=schema)


def only_reads(tool: types.Tool) -> bool:
    """Whether a tool says that it changes nothing. One that says nothing, or calls itself destructive, may write."""
    hints = tool.annotations
    return hints is not None and hints.read_only_hint is True and hints.destructive_hint is not True


def _destroys(tool: types.Tool) -> bool:
    """Whether a tool calls itself destructive."""
    return tool.annotations is not None and tool.annotations.destructive_hint is True


def _without(listed: Sequence[Listed]) -> str:
    if not listed:
        return "This MCP server offers no tools; there is nothing to evaluate."
    names = ", ".join(tool.name for tool in listed)
    return f"No tool of this MCP server says that it only reads ({names}); --allow-writes calls them all the same."


class ForeignSession:
    """A process of the server, as an episode drives it.

    Args:
        processes: where it comes from.
        tools: those that may be called.
    """

    blocking = True

    def __init__(self, processes: Processes, tools: ToolSet) -> None:
        self._processes, self._tools = processes, tools
        self._server: MCPServer | None = None
        self._log: list[CallRecord] = []

    @property
    def log(self) -> Sequence[CallRecord]:
        """The calls so far."""
        return self._log

    def call(self, name: str, arguments: Mapping[str, Json] | str, *, by: Party = "agent") -> ToolResult:
        """Call a tool.

        Raises:
            InfrastructureError: the server does not start, died, hung, or answered with something that is not MCP.
        """
        started = time.perf_counter()
        result = self._result(name, arguments)
        error = result.error
        given = arguments if isinstance(arguments, str) else dict(arguments)
        self._log.append(
            CallRecord(
                name=kept(name),
                arguments=given if result.ok else kept(given),
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
            tool = self._tools.find(name)
            given = tool.validate(arguments)
        except Refusal as refusal:
            return ToolResult(error=Failure(refusal.code, refusal.message))
        if self._server is None:
            self._server = self._processes.take()
        result = run_sync(self._server.call(tool.own_name, given))
        return ToolResult(mended(result.value), result.error)

    def diff(self) -> list[RowChange]:
        """Nothing: rows are not seen."""
        return []

    def close(self) -> None:
        """End the process, or leave it to the next session where nothing was left behind."""
        server, self._server = self._server, None
        if server is not None:
            known: list[Tool] = [self._tools[record.name] for record in self._log if record.name in self._tools]
            self._processes.give_back(server, {tool.own_name for tool in known})
