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
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.synthesis.graph.chains import Chain, ChainWriter, Feed
from toolgym.sandbox.synthesis.graph.records import leaves, telling
from toolgym.sandbox.synthesis.teaching.conversation import Step
from toolgym.sandbox.synthesis.teaching.source import Source

EVERY = 25
"""Conversations after which the entities are sampled anew (the paper's k)."""
SHORTEST, LONGEST = 2, 5
"""Calls of a chain (section 3.2, step 1)."""
FEW = 10
"""Chains of a block below which single calls are asked for as well: tools of which hardly any two hang together."""
RICH = 3
"""Values that a result must show to count as sufficient supporting data; others come after."""


@dataclass(frozen=True)
class Context:
    """The live entities of a block.

    Attributes:
        owner: whom the conversations are with.
        chains: planned calls with live values, those with enough data first; no two of them alike.
        chance: decides which ones come together once all were used.
    """

    owner: Json
    chains: Sequence[tuple[Step, ...]]
    chance: int

    def plans(self, place: int, turns: int) -> list[tuple[Step, ...]]:
        """The chains of one conversation; a block's conversations take them in turn, each round in another order."""
        found = []
        for turn in range(turns):
            again, at = divmod(place * turns + turn, len(self.chains))
            order = list(self.chains)
            if again:
                Random(f"{self.chance}:{again}").shuffle(order)
            found.append(order[at])
        return found


def sampled(source: Source, block: int, seed: int) -> Context:
    """The context of a block; the same arguments give the same one."""
    chance = Random(f"{source.name}:{seed}:context {block}").getrandbits(32)
    seen = source.seen(block, chance)
    shown = {_key(each.tool, each.arguments): each.value for each in seen}
    written = ChainWriter(source.graph, seen, chance).chains()
    chains = [chain for chain in written if _is_fit(chain)]
    if len(chains) < FEW:
        chains += [chain for chain in written if len(chain.calls) == 1]
    chains.sort(key=lambda chain: not _is_rich(chain, shown))
    return Context(source.owner(block), [steps_of(chain, shown, source.domain.tools) for chain in chains], chance)


def steps_of(chain: Chain, shown: Mapping[str, Json], tools: Mapping[str, Tool]) -> tuple[Step, ...]:
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
        steps.append(Step(tool, tools[tool].summary, tools[tool].confirm, given, found))
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
