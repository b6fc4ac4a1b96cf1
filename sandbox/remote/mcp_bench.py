"""Someone else's MCP server on standard input and output as a bench for `toolgym.sandbox.synthesis.graph`.

Its processes are its forks: what was written is undone by a fresh process, in which the calls to keep are made again.
What a server writes outside of its process, to a file or another machine, nothing here can take back.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType

from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.tool import Failure, ToolResult
from toolgym.sandbox.remote.foreign import listed_of
from toolgym.sandbox.remote.known_values import Values, require_known, with_values
from toolgym.sandbox.remote.mcp_manager import MCPServer
from toolgym.sandbox.remote.processes import CALL_SECONDS
from toolgym.sandbox.runtime.background_loop import run_sync
from toolgym.sandbox.runtime.foreign_domain import foreign_tools
from toolgym.sandbox.synthesis.graph.bench import Card, OutOfCalls
from toolgym.sandbox.synthesis.graph.records import read

_PARTICULAR = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\S*[\d/\\{}\[\]]\S*")
"""What is particular in a refusal's sentence: quoted words, numbers, ids, paths."""

_LOST = ToolResult(
    error=Failure("server_lost", "The server died or hung in a call of this tool; it is not called again.")
)


class MCPBench:
    """A server under test; a context manager that leaves no process behind.

    Args:
        command: the executable and its arguments.
        max_calls: calls that may be made in all, repeated ones included.
        allow_writes: whether to call tools that do not say that they only read.
        values: what is known for parameters by name, such as the path of a repository: they get these values and no
            others.
        environment: added to the few variables that the SDK passes on.
        folder: where its processes work.
        barred: tools, by the server's names, that are never called.

    Attributes:
        cards: the tools that may be called.
        left_alone: names of those that may not.
        barred: names of those that are never called, whatever is allowed.
        starts: how many processes were started.
    """

    generous = False

    def __init__(
        self,
        command: Sequence[str],
        *,
        max_calls: int,
        allow_writes: bool,
        values: Mapping[str, Values] | None = None,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
        barred: Collection[str] = (),
    ) -> None:
        self.barred = tuple(barred)
        self._values = dict(values or {})
        self._own: dict[str, str] = {}
        self._server = MCPServer("graph", command, environment, CALL_SECONDS, folder)
        self._left, self._allow_writes = max_calls, allow_writes
        self._log: list[tuple[str, Mapping[str, Json]]] = []
        self._lost = False
        self._deadly: set[str] = set()
        self.cards: tuple[Card, ...] = ()
        self.left_alone: tuple[str, ...] = ()
        self.starts = 0

    def __enter__(self) -> MCPBench:
        run_sync(self._server.start())
        self.starts = 1
        try:
            listed = [listed_of(tool) for tool in run_sync(self._server.tools())]
            left = [
                each for each in listed if each.name in self.barred or not (self._allow_writes or each.kind == "read")
            ]
            offered = foreign_tools([each for each in listed if each not in left])
            self._own = {tool.name: tool.own_name for tool in offered}
            self.cards = tuple(
                Card(tool.name, tool.kind, with_values(tool.name, tool.parameters, self._values)) for tool in offered
            )
            self.left_alone = tuple(each.name for each in left if each.name not in self.barred)
            require_known(self._values, {tool.name: tool.parameters for tool in offered})
        except BaseException:
            run_sync(self._server.stop())
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        run_sync(self._server.stop())

    def call(self, tool: str, arguments: Mapping[str, Json]) -> ToolResult:
        """Call a tool; a request that the server refuses as such, or dies of, is a refused call."""
        if self._left <= 0:
            raise OutOfCalls
        if tool in self._deadly:
            return _LOST
        self._left -= 1
        self._log.append((tool, arguments))
        try:
            result = run_sync(self._server.call(self._own[tool], arguments))
        except InfrastructureError as error:
            if error.boundary != "session":
                return ToolResult(error=Failure("not_mcp", error.message))
            self._lost = True
            self._deadly.add(tool)
            return _LOST
        if result.error is not None:
            return ToolResult(error=Failure(_code(result.error), result.error.message))
        return ToolResult(read(result.value))

    def mark(self) -> int:
        """The calls that stand."""
        return len(self._log)

    def undo(self, mark: int) -> None:
        """Go back to the state after the first `mark` calls: by a fresh process, if any since may have written."""
        writes = {card.name for card in self.cards if card.kind == "write"}
        undone, kept = self._log[mark:], self._log[:mark]
        self._log = kept[:]
        if not self._lost and not any(name in writes for name, _ in undone):
            return
        run_sync(self._server.reset())
        self.starts, self._lost, self._log = self.starts + 1, False, []
        for name, arguments in kept:
            if name in writes and self._left > 0:
                self.call(name, arguments)
        self._log = kept

    def known(self) -> Iterator[tuple[str, dict[str, Json]]]:
        """Nothing: who would use this server is not known."""
        yield from ()


def _code(failure: Failure) -> str:
    """A refusal's own code, or the first words of its sentence without what is particular to this call."""
    if failure.code != "tool_error":
        return failure.code
    words = re.findall(r"[a-z]+", _PARTICULAR.sub(" ", failure.message.lower()))
    return "_".join(words[:6]) or failure.code
