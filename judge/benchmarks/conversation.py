"""A benchmark's row as an episode: its messages, its tools and, where it has one, its own environment."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy.orm import DeclarativeBase

from toolgym.judge.benchmarks.contract import WORLD, Benchmark, Row, World, task_of
from toolgym.sandbox.kit.domain import Domain, generated
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import STOP, Json, Message, Party
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import Failure, ToolResult, ToolSet
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.episode import Episode
from toolgym.sandbox.runtime.limits import Limits
from toolgym.sandbox.runtime.roles import Agent, AgentPlayer, Briefing, Usage
from toolgym.sandbox.runtime.session import RowChange

_MANY = 100_000
"""Where a row's own limits rule, ours are out of the way."""
_LIMITS = Limits(max_turns=_MANY, max_errors=_MANY, max_calls_per_turn=_MANY)
_NOT_IN_A_NAME = re.compile(r"[^a-zA-Z0-9_-]")
"""What endpoints refuse in a tool's name."""


class _Nothing(DeclarativeBase):
    """No tables: what a benchmark's environment holds is not seen."""


def world_of(name: str) -> Domain:
    """An empty world for the record: agents are told of a row by `RowAgent`, calls go to `RowSession`."""
    data = generated(lambda database: None)
    opened = {"own": lambda path: data(path), name: lambda path: replace(data(path), name=name)}
    empty = ToolSet()
    return Domain(
        name=WORLD + name, title=name, base=_Nothing, tools=empty, policy="", data=opened, now=datetime(2000, 1, 1)
    )


class RowSession:
    """Calls of an episode, answered by the row's own environment."""

    blocking = True

    def __init__(self, world: World | None) -> None:
        self._world = world
        self._log: list[CallRecord] = []

    @property
    def log(self) -> Sequence[CallRecord]:
        """The calls so far."""
        return self._log

    def call(self, name: str, arguments: Mapping[str, Json] | str, *, by: Party = "agent") -> ToolResult:
        """What a call comes to (InfrastructureError where the foreign code broke)."""
        started = time.perf_counter()
        if self._world is None or isinstance(arguments, str):
            result = ToolResult(error=Failure("invalid_arguments", f"The arguments of {name} are no JSON object."))
        else:
            result = ToolResult(value=self._world.call(name, arguments))
        error = result.error
        self._log.append(
            CallRecord(
                name=name,
                arguments=arguments if isinstance(arguments, str) else dict(arguments),
                by=by,
                value=result.value,
                error=error.code if error else None,
                message=error.message if error else None,
                seconds=time.perf_counter() - started,
            )
        )
        return result

    def diff(self) -> list[RowChange]:
        """Nothing: rows are not seen."""
        return []


class RowUser:
    """Says a row's further lines, one after another, and offers the tools that come with them.

    Args:
        row: whose.
        tools: what the agent is offered, which grows.
        told: whether new tools have to be told in words, because the agent reads its tools as text.
    """

    def __init__(self, row: Row, tools: list[dict[str, Json]], *, told: bool) -> None:
        self._lines, self._tools, self._told = iter(row.lines), tools, told

    def open(self, task: Task, *, seed: int, tools: Sequence[dict[str, Json]] = ()) -> RowUser:
        """Start an episode; it is its own player, made for one."""
        return self

    async def reply(self, messages: Sequence[Message]) -> Message:
        """The next line; the word that ends the episode after the last one."""
        line = next(self._lines, None)
        if line is None:
            return Message(role="user", content=STOP)
        self._tools += line.tools
        listed = "\n".join(json.dumps(tool, ensure_ascii=False) for tool in line.tools)
        return Message(role="user", content=f"{listed}\n{line.text}" if listed and self._told else line.text)


class RowEpisode(Episode):
    """An episode whose ends are the benchmark's: one answer, or so many steps for each message of the user."""

    def __init__(self, domain: Domain, benchmark: str, row: Row, session: RowSession, user: RowUser, seed: int) -> None:
        super().__init__(domain, task_of(benchmark, row), session, user, seed=seed, limits=_LIMITS)
        self.row, self._steps = row, 0

    async def start(self) -> list[Message]:
        """The row's first messages."""
        self.messages += self.row.opening
        return list(self.row.opening)

    async def step(self, action: Message) -> list[Message]:
        """Play one message of the agent."""
        if not self.row.lasting:
            self.messages.append(action)
            self.turns += 1
            self.end("agent_stop")
            return []
        unreadable = next((call for call in action.tool_calls if isinstance(call.arguments, str)), None)
        if unreadable is not None:
            error = BadInput(f"the arguments of {unreadable.name} are no JSON object")
            return self.reject(unreadable.arguments_text(), error)
        self._steps = self._steps + 1 if action.tool_calls else 0
        feedback = await super().step(action)
        if self._steps > self.row.steps:
            self.end("max_turns")
        return feedback


class RowAgent:
    """An agent that is told of a row: the benchmark's policy, what the row adds to it, and its tools.

    Args:
        agent: who plays.
        benchmark: whose policy it is.
        row: the row.
        tools: what is offered; the list grows while the episode goes on.
        native: the endpoint writes calls itself, and takes plain names alone.
    """

    def __init__(
        self, agent: Agent, benchmark: Benchmark, row: Row, tools: list[dict[str, Json]], *, native: bool
    ) -> None:
        self.privileged = agent.privileged
        self._agent, self._tools, self._native = agent, tools, native
        self._policy = "\n\n".join(part for part in (benchmark.policy, row.system) if part)

    def open(self, briefing: Briefing) -> _Player:
        """Start an episode."""
        shown = _PlainNames(self._tools) if self._native else self._tools
        told = replace(briefing, policy=self._policy, tools=shown)
        return _Player(self._agent.open(told), shown if isinstance(shown, _PlainNames) else None)


class _PlainNames(Sequence[dict[str, Json]]):
    """Tools whose names hold nothing that endpoints refuse, with the way back; follows the list it is made of."""

    def __init__(self, tools: Sequence[dict[str, Json]]) -> None:
        self._tools = tools

    def __len__(self) -> int:
        return len(self._tools)

    def __getitem__(self, place: int) -> dict[str, Json]:  # type: ignore[override]  # never sliced
        tool = self._tools[place]
        function = dict(tool["function"])
        return tool | {"function": function | {"name": self.plain(str(function["name"]))}}

    @staticmethod
    def plain(name: str) -> str:
        return _NOT_IN_A_NAME.sub("_", name)[:64]

    def true(self, name: str) -> str:
        """The name that the benchmark knows."""
        names = [str(tool["function"]["name"]) for tool in self._tools]
        return next((each for each in names if self.plain(each) == name), name)


class _Player:
    """An agent in one episode, whose calls have the benchmark's names."""

    def __init__(self, player: AgentPlayer, names: _PlainNames | None) -> None:
        self._player, self._names = player, names

    @property
    def notes(self) -> Json:
        """What the agent noted about itself."""
        noted: Json = getattr(self._player, "notes", None)
        return noted

    def take_usage(self) -> Sequence[Usage]:
        """What its replies cost."""
        return tuple(getattr(self._player, "take_usage", tuple)())

    async def act(self, messages: Sequence[Message]) -> Message:
        """The next message."""
        action = await self._player.act(messages)
        if self._names is None or not action.tool_calls:
            return action
        calls = tuple(call.model_copy(update={"name": self._names.true(call.name)}) for call in action.tool_calls)
        return action.model_copy(update={"tool_calls": calls})
