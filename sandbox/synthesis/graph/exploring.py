"""Makes tools succeed: draws calls, then climbs from refusal to refusal, one changed argument at a time.

How far a refused call came is measured, not read from its words: those of its arguments had been accepted that, made
nonsense one by one, bring another refusal.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.tool import ToolResult
from toolgym.sandbox.synthesis.graph.bench import Bench, Card
from toolgym.sandbox.synthesis.graph.drawing import Drawer
from toolgym.sandbox.synthesis.graph.model import USER, Path
from toolgym.sandbox.synthesis.graph.records import Record, Records, texts_of
from toolgym.sandbox.synthesis.graph.slots import Place, path_of, places, replaced, scrambled, shape

OK, EMPTY = "ok", "(empty)"
_KEPT = 40
"""Successful argument sets of a tool, and refused ones of each code, that are kept."""
_CLIMB_CALLS = 1000
_FRESH_STARTS = 3
"""How often one climb goes on from other arguments where no single change helps."""
_FOLLOWED = 15
"""Values of a record that are looked up in turn."""
_SIDESTEP = 0.3
"""How often another refusal that came no further is followed: the rarer one is not always the later one."""


@dataclass(frozen=True, slots=True)
class Success:
    """A call that succeeded.

    Attributes:
        arguments: what it was called with.
        code: `ok`, or `(empty)`.
        record: what it returned.
        after: the calls that it succeeded after.
    """

    arguments: dict[str, Json]
    code: str
    record: Record
    after: tuple[tuple[Card, dict[str, Json]], ...] = ()


@dataclass(slots=True)
class Tally:
    """What was seen of one tool.

    Attributes:
        codes: outcomes by code; `ok`, and `(empty)` for a success that shows nothing.
        drawn: the refusals among them of calls that were drawn as a whole.
        successes: argument sets that succeeded.
        lifted: argument sets that succeeded after other calls.
        refused: argument sets by the code that refused them.
        passed: by code, the parameters that had been accepted before it.
        accepted: by parameter, the values with which calls succeeded.
    """

    codes: Counter[str] = field(default_factory=Counter)
    successes: dict[str, Success] = field(default_factory=dict)
    lifted: dict[str, Success] = field(default_factory=dict)
    drawn: Counter[str] = field(default_factory=Counter)
    refused: dict[str, list[dict[str, Json]]] = field(default_factory=lambda: defaultdict(list))
    passed: dict[str, frozenset[Path]] = field(default_factory=dict)
    accepted: dict[Path, dict[Json, int]] = field(default_factory=lambda: defaultdict(dict))

    def examples(self) -> list[Success]:
        """Successes, those that showed something first; after other calls only where none succeeds alone."""
        found = list((self.successes or self.lifted).values())
        return [success for success in found if success.code == OK] or found


class Explorer:
    """Calls tools and keeps what was seen.

    Args:
        bench: the live tools.
        rng: decides what is tried.
    """

    def __init__(self, bench: Bench, rng: random.Random) -> None:
        self.bench, self.rng, self.calls = bench, rng, 0
        self._standing: tuple[tuple[Card, dict[str, Json]], ...] = ()
        self.records = Records()
        self.drawer = Drawer(bench.cards, self.records, rng)
        self.tallies = {card.name: Tally() for card in bench.cards}
        for topic, facts in bench.known():
            self.records.add(USER, {}, {topic: facts})

    # --- single calls ---

    def call(self, card: Card, arguments: Mapping[str, Json]) -> tuple[str, ToolResult]:
        """Call a tool without keeping anything; what it wrote stays."""
        result = self.bench.call(card.name, arguments)
        self.calls += 1
        if result.error is not None:
            return result.error.code, result
        return (EMPTY if result.value in (None, "", [], {}) else OK), result

    @contextmanager
    def after(self, *calls: tuple[Card, dict[str, Json]]) -> Iterator[bool]:
        """Try things in the state after these calls, which are taken back at the end; tells whether all succeeded."""
        mark, before = self.bench.mark(), self._standing
        try:
            done = all(self.call(card, arguments)[0] in (OK, EMPTY) for card, arguments in calls)
            self._standing = (*before, *calls)
            yield done
        finally:
            self._standing = before
            self.bench.undo(mark)

    def attempt(self, card: Card, arguments: dict[str, Json]) -> str:
        """Call a tool, keep what was seen and take back what it wrote; returns the outcome's code."""
        mark = self.bench.mark()
        try:
            code, result = self.call(card, arguments)
        finally:
            self.bench.undo(mark)
        self.tallies[card.name].codes[code] += 1
        self._keep(card, arguments, code, result)
        return code

    def outcome(self, card: Card, arguments: dict[str, Json]) -> tuple[str, int]:
        """The code of a call that is taken back and not kept, and how many noes (`"accepted": false`) it answered."""
        mark = self.bench.mark()
        try:
            code, result = self.call(card, arguments)
        finally:
            self.bench.undo(mark)
        self.tallies[card.name].codes[code] += 1
        return code, sum(value is False for _, value in places(result.value))

    def _keep(self, card: Card, arguments: dict[str, Json], code: str, result: ToolResult) -> None:
        tally = self.tallies[card.name]
        if code not in (OK, EMPTY):
            held = tally.refused[code]
            if len(held) < _KEPT:
                held.append(arguments)
            elif self.rng.random() < 0.3:
                held[self.rng.randrange(_KEPT)] = arguments
            return
        record = self.records.add(card.name, arguments, result.value)
        kept, key = tally.lifted if self._standing else tally.successes, repr(arguments)
        if key not in kept:
            if code == OK:
                self._accept(card, tally, arguments)
            if len(kept) < _KEPT or (self.rng.random() < 0.2 and not self._standing):
                kept[key] = Success(arguments, code, record, self._standing)

    def _accept(self, card: Card, tally: Tally, arguments: Mapping[str, Json]) -> None:
        for place, value in places(arguments):
            accepted = tally.accepted[path_of(place)]
            accepted[value] = accepted.get(value, 0) + 1
            if isinstance(value, str) and len(accepted) < 2 * _KEPT:
                self.drawer.learn(card.name, place, value)

    # --- searching ---

    def draw(self, card: Card, times: int) -> None:
        """Call a tool with drawn arguments."""
        for _ in range(times):
            arguments = self.drawer.draw(card)
            self.tallies[card.name].drawn[self.attempt(card, arguments)] += 1

    def climb(self, card: Card) -> bool:
        """Search for a success from one of the calls that came furthest; returns whether it was found."""
        self.draw(card, 12)
        refused = self.tallies[card.name].refused
        if not refused:
            return True
        furthest = sorted(refused, key=lambda code: self._progress(card, refused[code][0], code))[-3:]
        code = self.rng.choice(furthest[-1:] + furthest)
        current, limit = self.rng.choice(refused[code]), self.calls + _CLIMB_CALLS
        shaken = self.drawer.shaken(card, current)
        if self.attempt(card, shaken) == code:
            current = shaken
        fresh_starts = 0
        while self.calls < limit and code not in (OK, EMPTY) and fresh_starts < _FRESH_STARTS:
            self.look_up(current)
            better = self._step(card, current, code, limit)
            fresh_starts += better is None
            current, code = better or (self._elsewhere(card, current, code), code)
        return code in (OK, EMPTY)

    def _elsewhere(self, card: Card, current: dict[str, Json], code: str) -> dict[str, Json]:
        """Other arguments that are refused in the same way, for a fresh start from there."""
        for other in [*islice(self.drawer.grafts(card, current), 8), self.drawer.shaken(card, current)]:
            if self.rng.random() < 0.5 and self.attempt(card, other) == code:
                current = self.drawer.shaken(card, other)
                if self.attempt(card, current) != code:
                    current = other
                break
        return current

    def look_up(self, arguments: dict[str, Json]) -> None:
        """Read what a call's values are about, and what that leads to, so that others can be drawn from it."""
        values = [value for _, value in places(arguments)]
        for _ in range(2):
            told = [record for value in values for record in self._read(value)]
            values = list(dict.fromkeys(text for record in told for text in texts_of(record)))[:_FOLLOWED]
        about = self.records.add(USER, arguments, None)
        for card in self.bench.cards:
            if card.kind != "write" and len(card.parameters.get("required", ())) > 1:
                for _ in range(2):
                    self.attempt(card, self.drawer.draw(card, around=about))

    def _read(self, value: Json) -> Iterator[Record]:
        """The results of those tools that need one value only and have taken others that look like this one."""
        for card in self.bench.cards:
            needed = [
                slot for slot in self.drawer.slots[card.name] if slot.path[0] in card.parameters.get("required", ())
            ]
            if card.kind == "write" or len(needed) != 1 or len(needed[0].path) != 1 or not isinstance(value, str):
                continue
            name, tally = needed[0].path[0], self.tallies[card.name]
            taken = [text for text in list(tally.accepted[needed[0].path])[:5] if isinstance(text, str)]
            new = shape(value) in map(shape, taken) and repr({name: value}) not in tally.successes
            if new and self.attempt(card, {name: value}) == OK:
                yield self.records.all[-1]

    def _progress(self, card: Card, arguments: dict[str, Json], code: str) -> tuple[int, int]:
        """How far a refused call came; of two that had as much accepted, the rarer refusal is the later one."""
        if code in (OK, EMPTY):
            return (1000, 0)
        return (len(self._passed(card, arguments, code)), -self.tallies[card.name].drawn[code])

    def _step(self, card: Card, current: dict[str, Json], code: str, limit: int) -> tuple[dict[str, Json], str] | None:
        """The arguments with one changed that come further; None where no single change helps."""
        come = self._progress(card, current, code)
        for changed in self.changes(card, current, self._passed(card, current, code)):
            if self.calls >= limit:
                return None
            other = self.attempt(card, changed)
            if other == code:
                continue
            reached = self._progress(card, changed, other)
            if reached > come or (reached[0] == come[0] and self.rng.random() < _SIDESTEP):
                return changed, other
        return None

    def changes(
        self, card: Card, arguments: dict[str, Json], last: frozenset[Path] = frozenset()
    ) -> Iterator[dict[str, Json]]:
        """The arguments with one value or list changed, with one added, or with several changed, in random order.

        Args:
            card: the tool.
            arguments: what is changed.
            last: parameters whose turn comes after all others, and not always.
        """
        together_first = self.rng.random() < 0.5
        if together_first:
            yield from self.drawer.grafts(card, arguments)
        at: list[Place] = [place for place, _ in places(arguments)]
        at += [(name,) for name, value in arguments.items() if isinstance(value, list)]
        self.rng.shuffle(at)
        at = [place for place in at if path_of(place) not in last or self.rng.random() < 0.3] if last else at
        for place in sorted(at, key=lambda place: path_of(place) in last):
            yield from self._replaced_at(card, arguments, place)
        yield from self.drawer.additions(card, arguments)
        if not together_first:
            yield from self.drawer.grafts(card, arguments)

    def _replaced_at(self, card: Card, arguments: dict[str, Json], place: Place) -> Iterator[dict[str, Json]]:
        inner: Json = arguments
        for part in place:
            inner = inner[part]
        drawer = self.drawer
        others: list[Json] = drawer.choices(card, arguments, place)
        if isinstance(inner, list):
            others = list(drawer.lists(card, arguments, str(place[0])))
        for value in others:
            if value != inner:
                yield replaced(arguments, place, value)

    def _passed(self, card: Card, arguments: dict[str, Json], code: str) -> frozenset[Path]:
        """The parameters that a refused call had accepted; measured once for each code."""
        known = self.tallies[card.name].passed
        if code not in known:
            of_each = {path_of(place): (place, value) for place, value in places(arguments)}
            known[code] = frozenset(
                path
                for path, (place, value) in of_each.items()
                if not isinstance(value, bool)
                and self.outcome(card, replaced(arguments, place, scrambled(value, self.rng)))[0] != code
            )
        return known[code]
