"""Somebody's MCP servers as sources of training rows, and their sessions while a model is trained on those rows.

Several servers are one world whose tools are those of all; a row is of one server, and its distractors of the others.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput, first_invalid, writing
from toolgym.sandbox.kit.message import Json, Party
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import ToolResult
from toolgym.sandbox.remote.foreign import ForeignSession, ForeignWorld
from toolgym.sandbox.remote.known_values import Values
from toolgym.sandbox.remote.mcp_bench import MCPBench
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.foreign_domain import SERVERS, Listed, foreign_domain
from toolgym.sandbox.runtime.session import RowChange
from toolgym.sandbox.synthesis.graph.chains import Recorder, Seen
from toolgym.sandbox.synthesis.graph.measuring import measure
from toolgym.sandbox.synthesis.graph.model import Graph
from toolgym.sandbox.synthesis.teaching.source import grounded

FRESH = 3
"""Fresh starts on which a row's gold calls must come to the same."""


class Server(BaseModel):
    """An MCP server that is started on standard input and output.

    Attributes:
        name: by which it is told from others.
        command: the executable and its arguments.
        env: variables that it is given.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    command: tuple[str, ...]
    env: dict[str, str] = {}


def server_of(command: str) -> Server:
    """The server that a command line starts (BadInput where it is empty)."""
    words = shlex.split(command)
    if not words:
        raise BadInput("--mcp takes a command such as 'npx some-server'.")
    return Server(name="mcp", command=tuple(map(_found, words)))


def servers_of(path: Path) -> list[Server]:
    """The servers of a file with `mcpServers`, as desktop clients have it.

    Raises:
        BadInput: there is no such file, or it holds something else.
    """
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))["mcpServers"]
        found = [
            Server(
                name=name,
                command=(each["command"], *map(_found, each.get("args", ()))),
                env={key: os.path.expandvars(value) for key, value in (each.get("env") or {}).items()},
            )
            for name, each in listed.items()
        ]
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, LookupError, TypeError, AttributeError):
        found = []
    if not found:
        raise BadInput(
            f'{path} must hold {{"mcpServers": {{"NAME": {{"command": "npx", "args": ["..."]}}}}}}, with one or more '
            "servers that a command starts."
        )
    return found


def _found(word: str) -> str:
    """A file by its whole path, since a server may be started in another folder; a link stays one (a venv's Python)."""
    return str(Path(word).absolute()) if "/" in word and Path(word).exists() else word


class Given(BaseModel):
    """How servers were started."""

    servers: tuple[Server, ...]
    allow_writes: bool
    destructive: tuple[str, ...]
    folder: Path | None


def servers_in(folder: Path) -> Servers:
    """The servers of a run's folder, started again; they run the commands that stand there.

    Raises:
        BadInput: it holds none.
    """
    file = folder / SERVERS
    try:
        found = Given.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):
        raise BadInput(f"{file} is missing or damaged; `toolgym synth` writes it beside the rows.") from None
    return Servers(found.servers, allow_writes=found.allow_writes, destructive=found.destructive, folder=found.folder)


class Servers:
    """Running servers as one world; `close` ends their processes.

    Args:
        servers: those to start.
        allow_writes: offer also the tools that do not say that they only read.
        destructive: those that call themselves destructive and are offered all the same.
        folder: where the processes work.

    Attributes:
        domain: the tools of all of them.
        names: by server, the names of its tools there.

    Raises:
        InfrastructureError: one does not start or does not answer.
        ConfigurationError: one offers no tool that may be called.
    """

    def __init__(
        self,
        servers: Sequence[Server],
        *,
        allow_writes: bool,
        destructive: Collection[str] = (),
        folder: Path | None = None,
    ) -> None:
        self.worlds: dict[str, ForeignWorld] = {}
        self._given = Given(
            servers=tuple(servers), allow_writes=allow_writes, destructive=tuple(destructive), folder=folder
        )
        try:
            for each in servers:
                self.worlds[each.name] = ForeignWorld(
                    each.command,
                    allow_writes=allow_writes,
                    environment=each.env,
                    folder=folder,
                    destructive=destructive,
                )
        except BaseException:
            self.close()
            raise
        only = next(iter(self.worlds.values())) if len(self.worlds) == 1 else None
        self.domain = only.domain if only is not None else self._joined()
        registry.add(self.domain)
        tools = iter(self.domain.tools)
        self.names = {name: [next(tools) for _ in world.tools] for name, world in self.worlds.items()}
        self._places = {
            shown: (world, own)
            for name, world in self.worlds.items()
            for shown, own in zip(self.names[name], world.tools, strict=True)
        }

    def _joined(self) -> Domain:
        listed = [
            Listed(name=tool.own_name, kind="read" if tool.kind == "read" else "write", **_told(tool))
            for world in self.worlds.values()
            for tool in world.tools.values()
        ]
        return foreign_domain(f"MCP servers ({', '.join(self.worlds)})", listed)

    def session(self, closed: Callable[[], None] = lambda: None) -> ServersSession:
        """A session on fresh processes, each taken with the first call that needs it; `closed` is told its end."""
        return ServersSession(self._places, closed)

    def to_json(self) -> dict[str, Json]:
        """How they are started, for `servers_in`."""
        return self._given.model_dump(mode="json")

    def close(self) -> None:
        """End the processes."""
        for world in self.worlds.values():
            world.close()


def _told(tool: Any) -> dict[str, Json]:
    return {"description": tool.description, "parameters": tool.parameters}


class ServersSession:
    """A session on several servers, in the order in which they are called."""

    blocking = True

    def __init__(self, places: Mapping[str, tuple[ForeignWorld, str]], closed: Callable[[], None]) -> None:
        self._places, self._closed = places, closed
        self._sessions: dict[int, ForeignSession] = {}
        self.log: list[CallRecord] = []

    def call(self, name: str, arguments: Mapping[str, Json] | str, *, by: Party = "agent") -> ToolResult:
        """Call a tool of whichever server has it.

        Raises:
            InfrastructureError: that server does not start, died, hung, or answered with something that is not MCP.
        """
        world, own = self._places.get(name) or (next(iter(self._places.values()))[0], name)
        if id(world) not in self._sessions:
            self._sessions[id(world)] = world.session()
        session = self._sessions[id(world)]
        result = session.call(own, arguments, by=by)
        last = session.log[-1]
        self.log.append(last if own == name else replace(last, name=name))
        return result

    def diff(self) -> list[RowChange]:
        """Nothing: rows are not seen."""
        return []

    def close(self) -> None:
        """End it; closing twice is harmless."""
        sessions, self._sessions = self._sessions, {}
        for session in sessions.values():
            session.close()
        closed, self._closed = self._closed, lambda: None
        closed()


@dataclass
class Measured:
    """What was found out about a server: its graph, and the calls that succeeded."""

    graph: Graph
    seen: list[Seen]


_MEASURED = TypeAdapter(Measured)


class ServerSource:
    """One server as a source of rows; `measure` comes first.

    Args:
        servers: all that are running.
        name: which one.
    """

    fresh = FRESH

    def __init__(self, servers: Servers, name: str) -> None:
        self.servers, self.name, self.domain = servers, name, servers.domain
        self._measured: Measured | None = None

    def bench(self, *, max_calls: int, allow_writes: bool, values: Mapping[str, Values]) -> MCPBench:
        """A bench to measure it on."""
        world = self.servers.worlds[self.name]
        processes = world.processes
        return MCPBench(
            processes.command,
            max_calls=max_calls,
            allow_writes=allow_writes,
            values=values,
            environment=processes.environment,
            folder=processes.folder,
            barred=world.barred,
        )

    def measure(self, bench: MCPBench, seed: int, kept: Path) -> None:
        """Measure on an open bench, by the names that the tools have among those of all servers, and keep it."""
        recorder = Recorder(bench)
        graph = measure(self.name, recorder, seed)
        shown = dict(zip(self.servers.worlds[self.name].tools, self.servers.names[self.name], strict=True))
        nodes = tuple(replace(node, name=shown[node.name]) for node in graph.nodes)
        edges = tuple(
            replace(edge, source=shown.get(edge.source, edge.source), target=shown[edge.target]) for edge in graph.edges
        )
        seen = [
            replace(each, tool=shown[each.tool], before=tuple((shown[name], text) for name, text in each.before))
            for each in grounded(bench, recorder.seen)
        ]
        self._measured = Measured(replace(graph, nodes=nodes, edges=edges), seen)
        with writing(kept):
            kept.write_bytes(_MEASURED.dump_json(self._measured))

    def take_up(self, kept: Path) -> bool:
        """Take what was measured before; False where there is nothing.

        Raises:
            BadInput: the file is damaged.
        """
        if not kept.is_file():
            return False
        try:
            self._measured = _MEASURED.validate_json(kept.read_bytes())
        except ValidationError as error:
            raise BadInput(f"{kept} is damaged ({first_invalid(error).sentence}); remove it.") from None
        return True

    @property
    def graph(self) -> Graph:
        """As it was measured."""
        assert self._measured is not None
        return self._measured.graph

    def use(self, graph: Graph) -> None:
        """Take another graph instead."""
        assert self._measured is not None
        self._measured = Measured(graph, self._measured.seen)

    def owner(self, block: int) -> Json:
        """Nobody."""
        return None

    def seen(self, block: int, chance: int) -> list[Seen]:
        """What the graph's calls returned."""
        assert self._measured is not None
        return self._measured.seen

    def session(self, task: Task) -> ServersSession:
        """A fresh session."""
        return self.servers.session()

    def distractors(self, rng: Random, count: int) -> dict[str, Json]:
        """Tools of the other servers."""
        own = self.servers.names[self.name]
        others = [name for name in self.domain.tools if name not in own]
        return {"tools": (*own, *rng.sample(others, min(count, len(others))))} if others else {}

    def offered(self) -> tuple[str, ...] | None:
        """This server's tools; None where there is no other."""
        return tuple(self.servers.names[self.name]) if len(self.servers.worlds) > 1 else None
