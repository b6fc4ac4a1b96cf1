"""What rows are made from: live tools, their measured graph, sessions of them. A world of ours is one such source.

Somebody's MCP server is another (`toolgym.sandbox.remote.teaching_source`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Protocol

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import ToolResult
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import Generator
from toolgym.sandbox.synthesis.graph import cache
from toolgym.sandbox.synthesis.graph.bench import Bench, OutOfCalls, WorldBench
from toolgym.sandbox.synthesis.graph.model import Graph
from toolgym.sandbox.synthesis.knobs import foreign_tools
from toolgym.sandbox.synthesis.teaching.conversation import Live

SAMPLED = 1500
"""Live calls by which one context is sampled: half a second, and a few hundred calls that succeed."""


class Source(Protocol):
    """Live tools.

    Attributes:
        domain: their world.
        fresh: how many fresh sessions a gold run must end alike in.
    """

    domain: Domain
    fresh: int

    @property
    def graph(self) -> Graph:
        """How they depend on one another (step 1)."""
        ...

    def owner(self, block: int) -> Json:
        """Whom the conversations of a block are with."""
        ...

    def bench(self, owner: Json) -> Bench:
        """A bench to sample live entities on."""
        ...

    def session(self, task: Task) -> Live:
        """A fresh session."""
        ...

    def distractors(self, rng: Random, count: int) -> dict[str, Json]:
        """Fields of a task by which so many tools of other sources are offered as well."""
        ...

    def offered(self) -> tuple[str, ...] | None:
        """The tools that every task offers; None for all."""
        ...


class SamplingBench(WorldBench):
    """A world's bench that is used up after a few calls, so that sampling stays a sample."""

    generous = False

    def __init__(self, domain: Domain, task: Task) -> None:
        super().__init__(domain, task=task)
        self._left = SAMPLED

    def call(self, tool: str, arguments: Mapping[str, Json]) -> ToolResult:
        """Call a tool (OutOfCalls when none is left)."""
        if self._left <= 0:
            raise OutOfCalls
        self._left -= 1
        return super().call(tool, arguments)


class WorldSource:
    """A world of ours, or several joined.

    Args:
        domain: the world.
        seed: the run's.
    """

    fresh = 1

    def __init__(self, domain: Domain, seed: int = 0) -> None:
        self.domain, self._seed = domain, seed

    @cached_property
    def graph(self) -> Graph:
        """Measured by live calls, and kept on disk; its own seed is always 0, so that one measurement serves all."""
        return cache.measured(self.domain, "own", 0)

    @cached_property
    def _people(self) -> Sequence[Json]:
        """Those of the train split, so that no row is about somebody whom tests are about."""
        first = self.domain
        return Generator(first, self._seed).people if first.goals else [None]

    def owner(self, block: int) -> Json:
        """The people in a shuffled order, again and again."""
        people = list(self._people)
        Random(f"{self.domain.name}:{self._seed}:people").shuffle(people)
        return people[block % len(people)] if self.domain.owner is not None else None

    def bench(self, owner: Json) -> Bench:
        """A session's tools on that person's rows."""
        return SamplingBench(self.domain, Task(id="", domain=self.domain.name, owner=owner))

    def session(self, task: Task) -> Live:
        """A session of the task."""
        return Session(self.domain, task=task)

    def distractors(self, rng: Random, count: int) -> dict[str, Json]:
        """Tools of other installed worlds."""
        found = foreign_tools(self.domain)
        parts = self.domain.name.split("+")
        found = [name for name in found if name.partition(".")[0] not in parts]
        return {"distractors": tuple(rng.sample(found, min(count, len(found))))}

    def offered(self) -> tuple[str, ...] | None:
        """All of the world's."""
        return None
