"""Random sequences of tool calls, valid and invalid, the same for the same seed, from a world's own tools and tasks.

Values are drawn by the parameter's name from what gold calls pass, so that many calls succeed and write; others are
wrong in type, missing, unknown or junk.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import Party
from toolgym.sandbox.kit.task import Task

JUNK: tuple[Any, ...] = (
    "",
    "x",
    "'; DROP TABLE orders; --",
    "../../etc/passwd",
    "Zürich, 東京, \U0001f600 \u0000 \u2028",
    "#W0000000",
    "a" * 300,
    0,
    -1,
    7.5,
    1e300,
    2**62,
    10**25,
    True,
    None,
    [],
    ["x", 1],
    {},
    {"nested": [{"deep": None}]},
)


@dataclass(frozen=True)
class Call:
    """A call: of which tool, with what, by whom."""

    name: str
    arguments: dict[str, Any]
    by: Party = "agent"


@dataclass(frozen=True)
class Plan:
    """What one session is asked: several sequences, one after the other; of a task, where there is one."""

    domain: Domain
    seed: int
    sequences: tuple[tuple[Call, ...], ...]
    task: Task | None = None

    def calls(self) -> Iterator[Call]:
        """All calls in order."""
        for sequence in self.sequences:
            yield from sequence


class Generator:
    """Draws calls for one world.

    Args:
        domain: the world.
        rng: where chance comes from.
        without: tools that are not called.
        tasks: whose gold calls are varied; the world's test split by default.
    """

    def __init__(
        self, domain: Domain, rng: random.Random, without: Iterable[str] = (), tasks: Sequence[Task] | None = None
    ) -> None:
        self._rng = rng
        tasks = domain.tasks("test", "own") if tasks is None else tasks
        self._gold = [call for task in tasks for call in task.gold if call.by == "agent"]
        self._tools = [(tool, "agent") for tool in domain.tools.values() if tool.name not in without]
        self._tools += [(tool, "user") for tool in domain.user_tools.values()]
        self._seen: dict[str, list[Any]] = {}
        for call in self._gold:
            assert isinstance(call.arguments, dict)
            for name, value in call.arguments.items():
                self._seen.setdefault(name, []).append(value)

    def sequence(self) -> tuple[Call, ...]:
        """Some gold calls of one task's neighbourhood, or single calls of any tool."""
        if self._gold and self._rng.random() < 0.3:
            start = self._rng.randrange(len(self._gold))
            chosen = self._gold[start : start + self._rng.randint(1, 4)]
            return tuple(Call(call.name, dict(call.arguments)) for call in chosen)  # type: ignore[arg-type]
        return tuple(self._call() for _ in range(self._rng.randint(1, 4)))

    def _call(self) -> Call:
        tool, by = self._rng.choice(self._tools)
        arguments = {name: self._value(name) for name in tool.parameters.get("properties", {})}
        fate = self._rng.random()
        if fate < 0.06 and arguments:
            del arguments[self._rng.choice(list(arguments))]
        elif fate < 0.10:
            arguments["no_such_argument"] = self._rng.choice(JUNK)
        elif fate < 0.13:
            return Call(tool.name + "x", arguments, by)  # type: ignore[arg-type]
        return Call(tool.name, arguments, by)  # type: ignore[arg-type]

    def _value(self, name: str) -> Any:
        if name in self._seen and self._rng.random() < 0.85:
            return self._rng.choice(self._seen[name])
        return self._rng.choice(JUNK)


def make_plans(
    worlds: Iterable[tuple[Domain, int]], *, sequences: int, seed: int, without: Iterable[str]
) -> list[Plan]:
    """Plans for so many sessions of each world, each of so many sequences."""
    plans = []
    left_out = tuple(without)
    for domain, sessions in worlds:
        for number in range(sessions):
            generator = Generator(domain, random.Random(f"{seed} {domain.name} {number}"), left_out)
            plans.append(Plan(domain, number, tuple(generator.sequence() for _ in range(sequences))))
    return plans


def task_plans(domain: Domain, tasks: Sequence[Task], *, sequences: int, seed: int = 0) -> list[Plan]:
    """A plan for each task: its gold calls, each after a random sequence, then so many more of those."""
    plans = []
    for number, task in enumerate(tasks):
        draw = Generator(domain, random.Random(f"{seed} {domain.name} {number}"), (), tasks)
        gold = [Call(call.name, dict(call.arguments), call.by) for call in task.gold]  # type: ignore[arg-type]
        mixed = [part for call in gold for part in (draw.sequence(), (call,))]
        more = [draw.sequence() for _ in range(sequences)]
        plans.append(Plan(domain, number, (*mixed, *more), task))
    return plans
