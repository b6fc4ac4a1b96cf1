"""Measures the dependency graph of live tools from their names, JSON schemas and results alone.

Value flow: a tool was accepted with a value that another tool's result had shown, and is refused with nonsense in its
place. Order: see `toolgym.sandbox.synthesis.graph.ordering`. Every call is taken back at once.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.synthesis.graph.bench import Bench, Card, OutOfCalls
from toolgym.sandbox.synthesis.graph.drawing import likeness
from toolgym.sandbox.synthesis.graph.exploring import EMPTY, OK, Explorer
from toolgym.sandbox.synthesis.graph.model import Edge, Graph, Node, Path
from toolgym.sandbox.synthesis.graph.ordering import order_edges, try_after
from toolgym.sandbox.synthesis.graph.records import Source, telling
from toolgym.sandbox.synthesis.graph.slots import Slot, path_of, places, replaced, scrambled

_ROUNDS = (6, 20, 40, 40)
"""Calls drawn for each tool: few at first, since what others show makes later draws better."""
_SPARING_ROUNDS = (2, 3, 4)
"""The same where calls are few."""
_CLIMBS, _LAST_CLIMBS = 6, 30
"""Searches for a success of each tool that has none: after every round, and when all else has been seen."""
_FEW, _MORE_CLIMBS, _IN_VAIN = 40, 30, 12
"""A tool with fewer successes than this is searched for more, until so many searches found none."""
_MET = 12
"""Successes of a tool that all others are tried on."""
_ORDER_CALLS = 30_000
"""About how many calls may go into looking for order; a world with many writes looks at fewer successes of each."""
_MALFORMED = "invalid_arguments"


def measure(name: str, bench: Bench, seed: int = 0) -> Graph:
    """The dependency graph of a bench's tools; what was found when its calls are used up.

    Args:
        name: what the graph is called.
        bench: the live tools.
        seed: decides what is tried; the same seed finds the same graph.
    """
    started = time.perf_counter()
    found = _Measurement(bench, random.Random(seed))
    with suppress(OutOfCalls):
        found.run()
    seconds = round(time.perf_counter() - started, 3)
    return Graph(name, seed, found.explorer.calls, seconds, tuple(found.nodes()), tuple(found.edges()))


class _Measurement:
    def __init__(self, bench: Bench, rng: random.Random) -> None:
        self.bench, self.rng = bench, rng
        self.explorer = Explorer(bench, rng)
        self.slots = {
            card.name: {slot.path: slot for slot in self.explorer.drawer.slots[card.name]} for card in bench.cards
        }
        self.checked: set[tuple[str, Path]] = set()
        self.order: list[Edge] = []

    def run(self) -> None:
        """Try everything, or with few calls the most telling things first."""
        if self.bench.generous:
            self._thoroughly()
        else:
            self._sparingly()

    def _thoroughly(self) -> None:
        self._explore()
        self._look_for_order(self.bench.cards)
        stuck = self._stuck()
        self._explore_stuck(_LAST_CLIMBS)
        self._look_for_order([card for card in stuck if self.explorer.tallies[card.name].examples()])
        self._try_sources()
        self._explore_rare()
        self._meet()
        self._check()
        self._tell_order()

    def _sparingly(self) -> None:
        """Each round ends with what makes edges of it, since the calls may be used up in the next one."""
        for times in _SPARING_ROUNDS:
            for card in self.bench.cards:
                self.explorer.draw(card, times if self.slots[card.name] else 1)
            self._check(1)
        self._look_for_order(self.bench.cards, times=1, tries=4)
        self._tell_order()
        for card in self.bench.cards:
            self._try_likely(card)
        self._check(1)
        self._explore_stuck(1)
        self._check(1)
        self._tell_order()

    # --- trying ---

    def _explore(self) -> None:
        for times in _ROUNDS:
            for card in self.bench.cards:
                self.explorer.draw(card, times if self.slots[card.name] else 1)
            if times == _ROUNDS[0]:
                continue
            self._explore_stuck(_CLIMBS)

    def _explore_stuck(self, climbs: int) -> None:
        for card in self._stuck():
            tally = self.explorer.tallies[card.name]
            any(self.explorer.climb(card) or tally.examples() for _ in range(climbs))

    def _stuck(self) -> list[Card]:
        return [card for card in self.bench.cards if not self.explorer.tallies[card.name].examples()]

    def _explore_rare(self) -> None:
        """More successes of the tools that have few: by other values, other tools are found to feed them."""
        for card in self.bench.cards:
            tally = self.explorer.tallies[card.name]
            in_vain = 0
            for _ in range(_MORE_CLIMBS):
                examples = tally.examples()
                if not 0 < len(examples) < _FEW or not self.slots[card.name] or in_vain == _IN_VAIN:
                    break
                with self.explorer.after(*examples[0].after):
                    self.explorer.climb(card)
                in_vain += len(tally.examples()) == len(examples)
            for success in tally.examples()[:_FEW]:
                self.explorer.look_up(success.arguments)

    def _meet(self) -> None:
        """Each tool on what each other one succeeded on: two tools have values in common only where they met."""
        for other in self.bench.cards:
            examples = self.explorer.tallies[other.name].examples()
            for success in self.rng.sample(examples, min(_MET, len(examples))):
                for card in self.bench.cards:
                    if card is not other and self.slots[card.name]:
                        self.explorer.attempt(card, self.explorer.drawer.draw(card, around=success.record))

    def _try_sources(self) -> None:
        """Each source whose name or values look right, live, in each parameter of the tools that succeed."""
        for card in self.bench.cards:
            for success in self.explorer.tallies[card.name].examples()[:3]:
                with self.explorer.after(*success.after):
                    for changed in self.explorer.changes(card, success.arguments):
                        self.explorer.attempt(card, changed)
            for success in self.explorer.tallies[card.name].examples()[:1]:
                with self.explorer.after(*success.after):
                    self._try_likely(card)

    def _try_likely(self, card: Card) -> None:
        for slot in self.slots[card.name].values():
            for source in self._likely(card, slot):
                for _ in range(3):
                    self.explorer.attempt(card, self.explorer.drawer.draw(card, anchor=(slot, source)))

    def _likely(self, card: Card, slot: Slot) -> Iterator[Source]:
        accepted = self.explorer.tallies[card.name].accepted[slot.path]
        for source, shown in list(self.explorer.records.values.items()):
            right = not source.given and self.explorer.drawer.weight(card.name, slot, source) > 1
            if right and not any(value in accepted for value in shown):
                yield source

    def _look_for_order(self, firsts: Sequence[Card], times: int = 10, tries: int = 12) -> None:
        writes = [card for card in firsts if card.kind == "write"]
        times = min(times, max(2, _ORDER_CALLS // (max(1, len(writes)) * len(self.bench.cards) * tries)))
        for first in writes:
            others = [card for card in self.bench.cards if card is not first and self.slots[card.name]]
            try_after(self.explorer, first, others, times, tries)

    def _check(self, times: int = 4) -> None:
        """Which parameters matter: with nonsense in their place the call is refused, finds nothing, or says no."""
        for card in self.bench.cards:
            examples = self.explorer.tallies[card.name].examples()
            for success in self.rng.sample(examples, min(times, len(examples))):
                with self.explorer.after(*success.after):
                    self._check_call(card, success.arguments)

    def _check_call(self, card: Card, arguments: dict[str, Json]) -> None:
        whole = self.explorer.outcome(card, arguments)
        for place, value in places(arguments):
            if (card.name, path_of(place)) in self.checked or isinstance(value, bool):
                continue
            code, noes = self.explorer.outcome(card, replaced(arguments, place, scrambled(value, self.rng)))
            if code not in (OK, whole[0], _MALFORMED) or (code == OK and noes > whole[1]):
                self.checked.add((card.name, path_of(place)))

    def _tell_order(self) -> None:
        self.order = [edge for card in self.bench.cards for edge in order_edges(self.explorer, card)]

    # --- telling ---

    def nodes(self) -> Iterator[Node]:
        for card in self.bench.cards:
            tally = self.explorer.tallies[card.name]
            refusals = {code: count for code, count in tally.codes.most_common() if code not in (OK, EMPTY)}
            successes = tally.codes[OK] + tally.codes[EMPTY]
            best = (
                max(refusals, key=lambda code: len(tally.passed.get(code, ())), default=None) if not successes else None
            )
            free = tuple(
                path
                for path, slot in self.slots[card.name].items()
                if slot.type != "choice" and (card.name, path) not in self.checked and tally.accepted[path]
            )
            yield Node(card.name, card.kind, sum(tally.codes.values()), successes, refusals, best, free)

    def edges(self) -> Iterator[Edge]:
        for card in self.bench.cards:
            for slot in self.slots[card.name].values():
                yield from self._value_edges(card, slot)
            yield from (edge for edge in self.order if edge.target == card.name)

    def _value_edges(self, card: Card, slot: Slot) -> Iterator[Edge]:
        accepted = self.explorer.tallies[card.name].accepted[slot.path]
        checked = (card.name, slot.path) in self.checked
        if slot.type == "choice":
            return
        for source, shown in self.explorer.records.values.items():
            named = likeness(slot, source) == 1
            if source.given or not (checked or named):
                continue
            small = named and slot.type != "string"  # a count says nothing, unless it is called the same
            passed = [value for value in accepted if value in shown and (small or telling(value))]
            if passed:
                echo = not any(shown[value] for value in passed)
                if echo and likeness(slot, source) < 0.5:  # one parameter's value tried in another that takes anything
                    continue
                yield Edge("value", source.tool, card.name, source.path, slot.path, len(passed), echo, not checked)
