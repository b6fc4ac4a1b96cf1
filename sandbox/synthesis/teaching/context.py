"""Step 2, live sampling: what a block of conversations is about, read from the running tools before anything is asked.

A sampling run calls the tools with drawn arguments, every call is taken back. What succeeded, put together along the
measured graph's edges, gives chains whose every value is there: a chain comes with the entities that it needs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.synthesis.graph.bench import Bench
from toolgym.sandbox.synthesis.graph.chains import Chain, ChainWriter, Feed, Recorder, Seen
from toolgym.sandbox.synthesis.graph.measuring import measure
from toolgym.sandbox.synthesis.graph.records import leaves, telling
from toolgym.sandbox.synthesis.graph.slots import places
from toolgym.sandbox.synthesis.teaching.conversation import Step
from toolgym.sandbox.synthesis.teaching.nowhere import is_day
from toolgym.sandbox.synthesis.teaching.source import Source

EVERY = 25
"""Conversations after which the entities are sampled anew (the paper's k)."""
SHORTEST, LONGEST = 2, 5
"""Calls of a chain (section 3.2, step 1)."""
RICH = 3
"""Values that a result must show to count as sufficient supporting data; others come after."""


@dataclass(frozen=True)
class Context:
    """The live entities of a block.

    Attributes:
        owner: whom the conversations are with.
        chains: planned calls with live values, those with enough data first; no two of them alike.
    """

    owner: Json
    chains: Sequence[tuple[Step, ...]]

    def plans(self, place: int, turns: int) -> list[tuple[Step, ...]]:
        """The chains of one conversation, a block's conversations taking them in turn."""
        return [self.chains[(place * turns + turn) % len(self.chains)] for turn in range(turns)]


def sampled(source: Source, block: int, seed: int) -> Context:
    """The context of a block; the same arguments give the same one."""
    owner = source.owner(block)
    bench = source.bench(owner)
    recorder = Recorder(bench)
    chance = Random(f"{source.domain.name}:{seed}:context {block}").getrandbits(32)
    measure(source.domain.name, recorder, chance)
    seen = grounded(bench, recorder.seen)
    about = {name: tool.summary for name, tool in source.domain.tools.items()}
    shown = {_key(each.tool, each.arguments): each.value for each in seen}
    chains = [chain for chain in ChainWriter(source.graph, seen, chance).chains() if _is_fit(chain)]
    chains.sort(key=lambda chain: not _is_rich(chain, shown))
    return Context(owner, [steps_of(chain, shown, about) for chain in chains])


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


def steps_of(chain: Chain, shown: Mapping[str, Json], about: Mapping[str, str]) -> tuple[Step, ...]:
    """A chain as planned calls."""
    steps = []
    for number, (tool, arguments) in enumerate(chain.calls):
        feeds = {place: feed for (step, place), feed in chain.feeds.items() if step == number}
        given = {name: value for name, value in arguments.items() if (name,) not in feeds}
        found = {
            ".".join(map(str, place)): {
                **{"step": feed.step, "place": list(place), "path": list(feed.path), "number": feed.number - 1},
                "words": _which(feed, shown.get(_key(*chain.calls[feed.step]))),
            }
            for place, feed in feeds.items()
        }
        steps.append(Step(tool, about[tool], given, found))
    return tuple(steps)


def _which(feed: Feed, value: Json) -> str:
    """How a person tells one of several values from the others: by what stands beside it, else by its place."""
    if feed.only:
        return ""
    found = list(leaves(value))
    at = [index for path, index, _ in found if path == feed.path]
    index = at[feed.number - 1] if feed.number <= len(at) else None
    for path, where, leaf in found:
        others = [other for its, _, other in found if its == path]
        is_name = isinstance(leaf, str) and telling(leaf) and not re.search(r"\d", leaf)
        if where == index and path != feed.path and is_name and others.count(leaf) == 1:
            return f"whose {path[-1].replace('_', ' ')} is {leaf}"
    return f"number {feed.number}"


def _is_fit(chain: Chain) -> bool:
    """Whether a chain is of the right length, and no list is read only to be read again by what it shows."""
    again = any(chain.calls[feed.step][0] == chain.calls[step][0] for (step, _), feed in chain.feeds.items())
    return SHORTEST <= len(chain.calls) <= LONGEST and not again


def _is_rich(chain: Chain, shown: Mapping[str, Json]) -> bool:
    return all(sum(1 for _ in leaves(shown.get(_key(*call)))) >= RICH for call in _feeding(chain))


def _feeding(chain: Chain) -> Iterator[tuple[str, dict[str, Json]]]:
    for step in sorted({feed.step for feed in chain.feeds.values()}):
        yield chain.calls[step]


def _key(tool: str, arguments: Mapping[str, Json]) -> str:
    return json.dumps([tool, arguments], sort_keys=True)
