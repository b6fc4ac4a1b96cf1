"""Tasks for tools of which nothing is known but their measured graph: chains of calls whose values flow.

A measurement is recorded; its successful calls are put together along the graph's value edges; each chain is asked for
by the names of tools and fields, and proven by playing it again.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.task import Answer, Task
from toolgym.sandbox.kit.tool import ToolResult
from toolgym.sandbox.synthesis.graph.bench import Bench
from toolgym.sandbox.synthesis.graph.model import Graph, Path, shown
from toolgym.sandbox.synthesis.graph.records import leaves, telling
from toolgym.sandbox.synthesis.graph.slots import Place, path_of, places, replaced, scrambled

_LONGEST = 6
"""Calls of a chain at most."""
_FEEDING = 4
"""Ways to come by a value that are tried."""


@dataclass(frozen=True, eq=False)
class Seen:
    """A call that succeeded while nothing had been written but by `before`."""

    tool: str
    arguments: dict[str, Json]
    value: Json
    before: tuple[tuple[str, str], ...]


class Recorder:
    """A bench that keeps what succeeds on it."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.cards, self.generous = bench.cards, bench.generous
        self._writes = {card.name for card in bench.cards if card.kind == "write"}
        self._standing: list[tuple[str, str]] = []
        self.seen: list[Seen] = []

    def call(self, tool: str, arguments: Mapping[str, Json]) -> ToolResult:
        """Call a tool of the bench."""
        before = tuple(call for call in self._standing if call[0] in self._writes)
        self._standing.append((tool, json.dumps(arguments)))
        result = self._bench.call(tool, arguments)
        if result.ok and result.value not in (None, "", [], {}):
            self.seen.append(Seen(tool, dict(arguments), result.value, before))
        return result

    def mark(self) -> int:
        """This moment of the bench."""
        return self._bench.mark()

    def undo(self, mark: int) -> None:
        """Go back to a moment."""
        self._bench.undo(mark)
        del self._standing[mark:]

    def known(self) -> Iterator[tuple[str, dict[str, Json]]]:
        """What the bench knows."""
        return self._bench.known()


class Live(Protocol):
    """A fresh session of the tools."""

    def call(self, name: str, arguments: Mapping[str, Json]) -> ToolResult:
        """Call a tool."""
        ...

    def close(self) -> None:
        """End it."""
        ...


@dataclass(frozen=True)
class Feed:
    """Where a step's value comes from: the `number`-th value at `path` in an earlier step's result."""

    step: int
    path: Path
    number: int
    only: bool


@dataclass
class Chain:
    """Calls in their order, and which of their values earlier ones show."""

    calls: list[tuple[str, dict[str, Json]]] = field(default_factory=list)
    feeds: dict[tuple[int, Place], Feed] = field(default_factory=dict)

    @property
    def depth(self) -> int:
        """Calls of the longest line in which each needs an earlier one's result."""
        deep = [1] * len(self.calls)
        for (step, _), feed in sorted(self.feeds.items(), key=lambda item: item[0][0]):
            deep[step] = max(deep[step], deep[feed.step] + 1)
        return max(deep, default=0)

    def request(self) -> str:
        """The chain in words, by the names of tools and fields."""
        lines = [
            f"{number + 1}. {tool}{self._given(number, arguments)}"
            for number, (tool, arguments) in enumerate(self.calls)
        ]
        return "\n".join(["Use these tools in this order, each once:", *lines, "Then report the last one's result."])

    def _given(self, step: int, arguments: Mapping[str, Json]) -> str:
        told = [f"{'.'.join(map(str, place))} = {self._told(step, place, value)}" for place, value in places(arguments)]
        return f" with {'; '.join(told)}" if told else ""

    def _told(self, step: int, place: Place, value: Json) -> str:
        feed = self.feeds.get((step, place))
        if feed is None:
            return json.dumps(value, ensure_ascii=False)
        which = "the only value" if feed.only else f"value number {feed.number}"
        return f"{which} at {shown(feed.path)} in the result of {feed.step + 1}"


class ChainWriter:
    """Draws chains from what a measurement saw.

    Args:
        graph: what was measured.
        seen: the calls that succeeded in it.
        seed: decides which are drawn.
    """

    def __init__(self, graph: Graph, seen: Sequence[Seen], seed: int) -> None:
        self._graph, self._rng = graph, random.Random(seed)
        self._seen = list({(each.tool, json.dumps(each.arguments), each.before): each for each in seen}.values())
        self._writes = {node.name for node in graph.nodes if node.kind == "write"}
        self._shows = {each: {(at, leaf) for at, _, leaf in leaves(each.value)} for each in self._seen}
        self._given = {each: {value for _, value in places(each.arguments)} for each in self._seen}

    def chains(self) -> list[Chain]:
        """All chains, each tool's turn by turn and its deepest first; those by chance in one order for one seed."""
        by_tool: dict[str, list[Chain]] = {}
        for last in self._rng.sample(self._seen, len(self._seen)):
            chain = Chain()
            if self._add(chain, last) is not None:
                by_tool.setdefault(last.tool, []).append(chain)
        for found in by_tool.values():
            found.sort(key=lambda chain: -chain.depth)
        most = max(map(len, by_tool.values()), default=0)
        turns = [found[turn] for turn in range(most) for found in by_tool.values() if turn < len(found)]
        distinct = {chain.request(): chain for chain in turns}
        return sorted(distinct.values(), key=lambda chain: chain.depth == 1)  # whose values flow, before the others

    def _add(self, chain: Chain, seen: Seen, asking: tuple[Seen, ...] = ()) -> int | None:
        """Put a call behind what it needs; its place, or None where the chain gets too long or turns in a circle."""
        if seen in asking or len(asking) >= _LONGEST:
            return None
        for tool, text in seen.before:
            if (tool, json.loads(text)) not in chain.calls:
                chain.calls.append((tool, json.loads(text)))
        feeds: dict[Place, Feed] = {}
        for place, value in places(seen.arguments):
            feed = self._fed(chain, (*asking, seen), place, value) if telling(value) else None
            if feed is not None:
                feeds[place] = feed
        call = (seen.tool, seen.arguments)
        if call in chain.calls:
            return chain.calls.index(call)
        if len(chain.calls) >= _LONGEST:
            return None
        chain.calls.append(call)
        step = len(chain.calls) - 1
        chain.feeds |= {(step, place): feed for place, feed in feeds.items()}
        return step

    def _fed(self, chain: Chain, asking: tuple[Seen, ...], place: Place, value: Json) -> Feed | None:
        """The value's way from a call that shows it, which is added to the chain."""
        for source, path in self._sources(asking[-1], place, value)[:_FEEDING]:
            held = [leaf for at, _, leaf in leaves(source.value) if at == path]
            before = len(chain.calls), dict(chain.feeds)
            step = self._add(chain, source, asking)
            if step is not None:
                return Feed(step, path, held.index(value) + 1, len(held) == 1)
            del chain.calls[before[0] :]
            chain.feeds = before[1]
        return None

    def _sources(self, target: Seen, place: Place, value: Json) -> list[tuple[Seen, Path]]:
        edges = {
            (edge.source, edge.path)
            for edge in self._graph.into(target.tool, "value")
            if edge.parameter == path_of(place) and not edge.echo
        }
        return [
            (each, path)
            for each in self._seen
            for source, path in sorted(edges)
            if source == each.tool
            and each.tool not in self._writes
            and not each.before
            and value not in self._given[each]
            and (path, value) in self._shows[each]
        ]


def proven(chain: Chain, fresh: Callable[[], Live], writes: frozenset[str], seed: int) -> Json:
    """What a chain's last call comes to, where that can be relied on; None where not.

    Two sessions give the same results; no value that flows stands in the request, and another in its place is refused
    or gives another result; without a call that writes the end is another.
    """
    first = _played(chain.calls, fresh)
    second = first and _played(chain.calls, fresh)
    if first is None or first != second or not _values_matter(chain, first, fresh, writes, seed):
        return None
    for step in range(len(chain.calls) - 1):
        if chain.calls[step][0] not in writes:
            continue
        without = _played([*chain.calls[:step], *chain.calls[step + 1 :]], fresh)
        if without is not None and without[-1] == first[-1]:
            return None
    fed = {feed.step for feed in chain.feeds.values()}
    idle = set(range(len(chain.calls) - 1)) - fed - {n for n, (tool, _) in enumerate(chain.calls) if tool in writes}
    return None if idle else first[-1]


def _values_matter(
    chain: Chain, results: Sequence[Json], fresh: Callable[[], Live], writes: frozenset[str], seed: int
) -> bool:
    """Whether each value that flows has to be found, and decides what comes of its call."""
    request, rng = chain.request(), random.Random(seed)
    for step, place in chain.feeds:
        tool, arguments = chain.calls[step]
        value = dict(places(arguments))[place]
        if str(value) in request:
            return False
        other = (tool, replaced(arguments, place, scrambled(value, rng)))
        before = [call for call in chain.calls[:step] if call[0] in writes]
        changed = _played([*before, other], fresh)
        if changed is not None and changed[-1] == results[step]:
            return False
    return True


def _played(calls: Sequence[tuple[str, dict[str, Json]]], fresh: Callable[[], Live]) -> list[Json] | None:
    """What calls come to in a fresh session; None where one is refused or the session breaks."""
    session, results = fresh(), []
    try:
        for tool, arguments in calls:
            result = session.call(tool, arguments)
            if not result.ok:
                return None
            results.append(result.value)
        return results
    except InfrastructureError:
        return None
    finally:
        session.close()


def task_of(chain: Chain, answer: Json, *, world: str, number: int, seed: int) -> Task:
    """A proven chain as a task for an agent that works alone."""
    return Task(
        id=f"{world}-{seed}-{number:03}",
        domain=world,
        split="test",
        family=chain.calls[-1][0],
        depth=chain.depth - 1,
        structure="chain" if chain.feeds else "single",
        scenario=chain.request(),
        ticket=chain.request(),
        gold=tuple(ToolCall(name=tool, arguments=arguments) for tool, arguments in chain.calls),
        answer=Answer(values=(answer,)),
        interaction="solo",
        seed=seed,
    )
