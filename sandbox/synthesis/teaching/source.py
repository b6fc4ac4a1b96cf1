"""What rows are made from: live tools, their measured graph, sessions of them. A world of ours is one such source.

Somebody's MCP server is another (`toolgym.sandbox.remote.teaching_source`).
"""

from __future__ import annotations

import json
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
from toolgym.sandbox.synthesis.graph.chains import Recorder, Seen
from toolgym.sandbox.synthesis.graph.measuring import measure
from toolgym.sandbox.synthesis.graph.model import Graph
from toolgym.sandbox.synthesis.graph.records import leaves
from toolgym.sandbox.synthesis.graph.slots import places
from toolgym.sandbox.synthesis.knobs import foreign_tools
from toolgym.sandbox.synthesis.teaching.conversation import Live
from toolgym.sandbox.synthesis.teaching.nowhere import is_day

SAMPLED = 1000
"""Live calls by which one context is sampled: half a second of a processor, and a few hundred calls that succeed."""


class Source(Protocol):
    """Live tools.

    Attributes:
        name: by which it is told from the run's others.
        domain: their world.
        fresh: how many fresh sessions a gold run must end alike in.
    """

    name: str
    domain: Domain
    fresh: int

    @property
    def graph(self) -> Graph:
        """How they depend on one another (step 1)."""
        ...

    def use(self, graph: Graph) -> None:
        """Take another graph instead."""
        ...

    def owner(self, block: int) -> Json:
        """Whom the conversations of a block are with."""
        ...

    def seen(self, block: int, chance: int) -> list[Seen]:
        """Calls that succeeded on the live tools for the conversations of a block, as `chance` drew them."""
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
        self.name, self.domain, self._seed = domain.name, domain, seed

    @cached_property
    def graph(self) -> Graph:
        """Measured by live calls, and kept on disk; its own seed is always 0, so that one measurement serves all."""
        return cache.measured(self.domain, "own", 0)

    def use(self, graph: Graph) -> None:
        """Take another graph instead."""
        self.graph = graph

    @cached_property
    def _people(self) -> Sequence[Json]:
        """Those of the train split, so that no row is about somebody whom tests are about."""
        return Generator(self.domain, self._seed).people if self.domain.goals else [None]

    def owner(self, block: int) -> Json:
        """The people in a shuffled order, again and again."""
        people = list(self._people)
        Random(f"{self.domain.name}:{self._seed}:people").shuffle(people)
        return people[block % len(people)] if self.domain.owner is not None else None

    def seen(self, block: int, chance: int) -> list[Seen]:
        """A few hundred calls on that person's rows, all taken back."""
        bench = SamplingBench(self.domain, Task(id="", domain=self.domain.name, owner=self.owner(block)))
        recorder = Recorder(bench)
        measure(self.name, recorder, chance)
        return grounded(bench, recorder.seen)

    def session(self, task: Task) -> Live:
        """A session of the task."""
        return Session(self.domain, task=task)

    def distractors(self, rng: Random, count: int) -> dict[str, Json]:
        """Tools of other installed worlds."""
        parts = self.domain.name.split("+")
        found = [name for name in foreign_tools(self.domain) if name.partition(".")[0] not in parts]
        return {"distractors": tuple(rng.sample(found, min(count, len(found))))}

    def offered(self) -> tuple[str, ...] | None:
        """All of the world's."""
        return None


def grounded(bench: Bench, seen: Sequence[Seen]) -> list[Seen]:
    """The calls whose texts all stand somewhere: in a result, in what people know, or in the tool's schema.

    What a result only repeats, or shows once something was written, does not count.
    """
    there: set[Json] = set()
    for each in seen:
        if not each.before:
            given = [value for _, value in places(each.arguments)]
            there |= {leaf for _, _, leaf in leaves(each.value) if leaf not in given}
    there |= {fact for _, facts in bench.known() for fact in facts.values()}
    schemas = {card.name: json.dumps(card.parameters, ensure_ascii=False) for card in bench.cards}

    def stands(tool: str, value: Json) -> bool:
        return not isinstance(value, str) or value in there or value in schemas[tool] or is_day(value)

    return [each for each in seen if all(stands(each.tool, value) for _, value in places(each.arguments))]
