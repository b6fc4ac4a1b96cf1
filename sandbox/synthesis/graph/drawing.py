"""Draws arguments for a tool from what earlier calls have shown, so that the values of one call belong together.

Which source suits which parameter is first guessed from names and the look of values, later learned from success.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.synthesis.graph.bench import Card
from toolgym.sandbox.synthesis.graph.model import Path
from toolgym.sandbox.synthesis.graph.records import Index, Record, Records, Source, source_of, texts_of
from toolgym.sandbox.synthesis.graph.slots import Place, Slot, path_of, places, schema_of, shape, slots_of

_KEYS = {"<key>", "*", "<line>"}
_TRIED = 60
"""Texts tried in one place of a call while all others stay; of numbers, whose names tell less, three times as many."""
_ADDED = 3
"""Values tried of a parameter that may be left out."""
_LIKELY = 0.5
"""The weight of a source whose name or values have something in common with a parameter's."""
_FAR = 0.1
"""How often a value is drawn from anywhere instead of from records that share values with the call's others."""


@cache
def words(text: str) -> frozenset[str]:
    """The words of a name: `orderIds` and `order_id` have the same ones."""
    split = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", text).replace("_", " ").replace("-", " ").lower().split()
    return frozenset(word.rstrip("s") for word in split)


def likeness(slot: Slot, source: Source) -> float:
    """How alike the names of a parameter and a source are, from 0 to 1."""
    names = [part for part in slot.path if part != "*"]
    wanted = words(names[-1]) if names else frozenset()
    tail = [part for part in source.path if part not in _KEYS]
    offered = words(tail[-1]) if tail else words(source.tool)
    if not tail or source.path[-1] in _KEYS:
        offered |= words(source.tool)
    return len(wanted & offered) / max(1, len(wanted))


class Drawer:
    """Draws arguments.

    Args:
        cards: the tools.
        records: what live calls have shown.
        rng: decides.
    """

    def __init__(self, cards: Iterable[Card], records: Records, rng: random.Random) -> None:
        self._records, self._rng = records, rng
        self.slots = {card.name: list(slots_of(card.parameters)) for card in cards}
        self._required = {card.name: set(card.parameters.get("required", ())) for card in cards}
        self.learned: dict[tuple[str, Path], dict[Source, int]] = defaultdict(dict)
        self._likely: dict[tuple[str, Path], tuple[int, list[Source]]] = {}
        self._priors: dict[tuple[str, Path], dict[Source, float]] = defaultdict(dict)

    # --- which source suits ---

    def weight(self, tool: str, slot: Slot, source: Source) -> float:
        """How likely a source is the right one for a parameter; 0 where its values are of another type."""
        priors = self._priors[tool, slot.path]
        prior = priors.get(source)
        if prior is None:
            prior = priors[source] = self._prior(slot, source)
        return prior * (1 + min(self.learned[tool, slot.path].get(source, 0), 8)) if prior else 0.0

    def likely(self, tool: str, slot: Slot) -> list[Source]:
        """The sources whose name or values have something in common with a parameter's."""
        known, found = self._likely.get((tool, slot.path), (0, []))
        if known != len(self._records.by_source):
            found = [source for source in self._records.by_source if self.weight(tool, slot, source) > _LIKELY]
            self._likely[tool, slot.path] = (len(self._records.by_source), found)
        return found

    def _prior(self, slot: Slot, source: Source) -> float:
        example = next(iter(self._records.values[source]))
        if not slot.fits(example):
            return 0.0
        alike = isinstance(example, str) and shape(example) in {shape(text) for text in slot.examples}
        telling = 0.3 if alike and len(shape(example)) == 1 else 2.0 * alike  # any word looks like a word
        prior = 0.02 + 4 * likeness(slot, source) ** 2 + telling
        return prior / 4 if source.given else prior

    def learn(self, tool: str, place: Place, value: Json) -> None:
        """Remember where a value that was accepted could have come from."""
        for number in self._records.by_value.get(value, ())[:6]:
            for source, held in self._records.all[number].leaves.items():
                if any(leaf == value for _, leaf in held):
                    learned = self.learned[tool, path_of(place)]
                    learned[source] = learned.get(source, 0) + 1

    # --- a whole call ---

    def draw(
        self,
        card: Card,
        anchor: tuple[Slot, Source] | None = None,
        around: Record | None = None,
        *,
        alone: bool = False,
    ) -> dict[str, Json]:
        """Arguments for a call.

        Args:
            card: the tool.
            anchor: a parameter and the source that it must be drawn from.
            around: a record that the values should have to do with.
            alone: whether to draw from that record only, as far as it goes.
        """
        draw = _Draw(self, self._records, self._rng, card.name)
        if around is not None:
            draw.come_near(around, alone=alone)
        draw.start(self.slots[card.name], anchor)
        wanted = self._required[card.name] | ({anchor[0].path[0]} if anchor else set())
        given = {}
        for name, schema in card.parameters.get("properties", {}).items():
            if name in wanted or (self._rng.random() < 0.1 and schema.get("default") is None):
                given[name] = draw.value(schema, (name,))
        return given

    # --- one place of a call ---

    def choices(self, card: Card, arguments: Mapping[str, Json], place: Place) -> list[Json]:
        """Other values for a place, likely ones first: from records that share values with the arguments."""
        slot = next((slot for slot in self.slots[card.name] if slot.path == path_of(place)), None)
        if slot is None:
            return []
        if slot.type == "choice":
            return list(slot.choices)
        found: dict[Json, float] = {}
        for rank, record in enumerate(self._around(arguments)):
            for source, held in record.leaves.items():
                weight = self.weight(card.name, slot, source) / (1 + rank / 4)
                if weight and (source.given or source in self._records.news):
                    for _, value in held[:20]:
                        found[value] = max(found.get(value, 0.0), weight)
        found |= {value: 1.0 for value in constants(slot) if value not in found}
        ranked = sorted(found, key=lambda value: -found[value] * self._rng.random())
        return [value for value in ranked if slot.fits(value)][: _TRIED if slot.type == "string" else 3 * _TRIED]

    def lists(self, card: Card, arguments: Mapping[str, Json], name: str) -> list[list[Json]]:
        """Other lists for a parameter that takes one."""
        schema = schema_of(card.parameters["properties"][name])
        if schema.get("type") != "array":
            return []
        found = []
        for record in self._around(arguments):
            found += list(self.elements(card.name, record, schema, (name,)))
        shorter = [held[:1] for held in found if len(held) > 1]
        return list({repr(held): held for held in [*found, *shorter]}.values())[:_TRIED]

    def additions(self, card: Card, arguments: Mapping[str, Json]) -> Iterator[dict[str, Json]]:
        """The arguments with one more, of those that may be left out."""
        near = self._around(arguments)[:3]
        for name, schema in card.parameters.get("properties", {}).items():
            for _ in range(_ADDED if name not in arguments else 0):
                draw = _Draw(self, self._records, self._rng, card.name)
                for record in near:
                    draw.come_near(record)
                yield {**arguments, name: draw.value(schema, (name,))}

    def shaken(self, card: Card, arguments: Mapping[str, Json]) -> dict[str, Json]:
        """The arguments with other choices where the schema lists them, and with other small numbers."""
        changed = dict(arguments)
        for slot in self.slots[card.name]:
            options = list(slot.choices) if slot.type == "choice" else constants(slot) if slot.type == "integer" else []
            if options and len(slot.path) == 1 and slot.path[0] in changed and self._rng.random() < 0.7:
                changed[slot.path[0]] = self._rng.choice(options)
        return changed

    def grafts(self, card: Card, arguments: Mapping[str, Json]) -> Iterator[dict[str, Json]]:
        """The arguments with all those exchanged at once that one record has by the same names."""
        for record in self._around(arguments):
            named = {
                slot.path[0]
                for slot in self.slots[card.name]
                if any(likeness(slot, source) == 1 for source in record.leaves)
            }
            if len(named) > 1:
                drawn = self.draw(card, around=record, alone=True)
                yield {**arguments, **{name: drawn[name] for name in named if name in drawn}}

    def _around(self, arguments: Mapping[str, Json]) -> list[Record]:
        near = self._records.near(value for _, value in places(arguments) if isinstance(value, str))
        further = self._records.near(text for record in near[:4] for text in texts_of(record))
        return list({id(record): record for record in [*near, *further]}.values())

    def elements(self, tool: str, record: Record, schema: Mapping[str, Json], path: Path) -> Iterator[list[Json]]:
        """The lists of a record that can stand for a list parameter: of values, or of objects with the right fields."""
        slots = list(slots_of(schema, path))
        plain = {
            source.path[-1]: held[0][1] for source, held in record.leaves.items() if source.path and not held[0][0]
        }
        lists: dict[tuple[Path, Index], dict[int, dict[str, Json]]] = defaultdict(lambda: defaultdict(dict))
        for source, held in record.leaves.items():
            stem = _list_of(source.path)
            if stem is not None:
                for index, value in held:
                    lists[stem, index[:-1]][index[-1]][source.path[-1]] = value
        for rows in lists.values():
            built = [_projected(slots, path, plain | row) for row in rows.values()]
            if all(element is not None for element in built):
                yield built


def _list_of(path: Path) -> Path | None:
    """The list that a value is an element of, or a field of an element; None for one that stands alone."""
    if path[-1:] and path[-1] in _KEYS:
        return path[:-1]
    return path[:-2] if path[-2:-1] == ("*",) else None


def _projected(slots: Sequence[Slot], path: Path, row: Mapping[str, Json]) -> Json:
    """An object's fields from a record's element that has fields of the same names; None where one is missing."""
    if len(slots) == 1 and slots[0].path == (*path, "*"):
        named = [tail for tail in row if tail in _KEYS or likeness(slots[0], source_of("", (tail,))) == 1]
        return next((row[tail] for tail in named if slots[0].fits(row[tail])), None)
    element = {}
    for slot in slots:
        named = [tail for tail in row if words(tail) == words(slot.path[-1])]
        if not named or not (slot.fits(row[named[0]]) or row[named[0]] in slot.choices):
            return None
        element[slot.path[-1]] = row[named[0]]
    return element


def constants(slot: Slot) -> list[Json]:
    """Values that need no source: small numbers, a parameter's own example, words."""
    if slot.type in {"integer", "number"}:
        return [0, 1, 2]
    return [text for text in slot.examples if slot.fits(text)]


class _Draw:
    """One call's arguments in the making.

    The first value is drawn from anywhere; the others come from records that share values with it, and from the same
    elements of their lists.
    """

    def __init__(self, drawer: Drawer, records: Records, rng: random.Random, tool: str) -> None:
        self._drawer, self._records, self._rng, self._tool = drawer, records, rng, tool
        self._near: dict[Source, list[Record]] = {}
        self._closeness: dict[Source, float] = {}
        self._positions: dict[tuple[int, Path], int] = {}
        self._preset: dict[Path, Json] = {}
        self._whole = rng.random() < 0.4

    def start(self, slots: Sequence[Slot], anchor: tuple[Slot, Source] | None) -> None:
        """Choose the value that the others have to do with."""
        free = [slot for slot in slots if slot.type == "string"]
        if anchor is None and free and not self._near:
            slot = free[0] if self._rng.random() < 0.5 else self._rng.choice(free)
            source = self._pick(slot, self._records.news)
            anchor = (slot, source) if source else None
        if anchor is not None:
            numbers = self._records.by_source[anchor[1]]
            record = self._records.all[self._rng.choice(numbers)]
            self._preset[anchor[0].path] = self._leaf(record, anchor[1])
            self.come_near(record)

    def come_near(self, record: Record, *, alone: bool = False) -> None:
        """Draw from this record and, unless `alone`, from what shares values with it."""
        for rank, other in enumerate([record, *([] if alone else self._records.near(texts_of(record)))]):
            for source in other.leaves:
                if source.given or source in self._records.news:
                    self._near.setdefault(source, []).append(other)
                    self._closeness.setdefault(source, 4 / (1 + rank))

    def value(self, schema: Mapping[str, Json], path: Path) -> Json:
        """A value that the schema takes."""
        schema = schema_of(schema)
        kind = schema.get("type")
        if kind == "object":
            inner = schema.get("properties", {})
            return {
                name: self.value(inner[name], (*path, name)) for name in schema.get("required", inner) if name in inner
            }
        if kind == "array":
            return self._list(schema, path)
        return self._single(next(iter(slots_of(schema, path))))

    def _list(self, schema: Mapping[str, Json], path: Path) -> Json:
        slots = list(slots_of(schema, path))
        if (self._whole or len(slots) > 1) and self._rng.random() < 0.8:
            near = list({id(record): record for found in self._near.values() for record in found}.values())
            self._rng.shuffle(near)
            for record in near[:12]:
                for held in self._drawer.elements(self._tool, record, schema, path):
                    return held if self._whole else [self._rng.choice(held)]
        return [self.value(schema.get("items", {}), (*path, "*"))]

    def _single(self, slot: Slot) -> Json:
        if slot.type == "choice":
            return self._rng.choice(slot.choices)
        if slot.path in self._preset:
            return self._preset[slot.path]
        plain = constants(slot)
        far = self._rng.random() < _FAR or not self._suits(slot)
        source = self._pick(slot, self._records.news if far else self._near)
        if source is None or (plain and self._rng.random() < 0.25):
            return self._rng.choice(plain) if plain else "Qzxv"
        if far:
            return self._leaf(self._records.all[self._rng.choice(self._records.by_source[source])], source)
        close = self._near[source]
        return self._leaf(close[min(int(self._rng.expovariate(1)), len(close) - 1)], source)

    def _suits(self, slot: Slot) -> bool:
        return any(source in self._near for source in self._drawer.likely(self._tool, slot))

    def _pick(self, slot: Slot, offered: Mapping[Source, object]) -> Source | None:
        likely = self._drawer.likely(self._tool, slot)
        weights = {source: self._weight(slot, source) for source in likely if source in offered}
        if not weights or self._rng.random() > 0.85:
            weights = {source: self._weight(slot, source) for source in offered}
        if not any(weights.values()):
            return None
        return self._rng.choices(list(weights), list(weights.values()))[0]

    def _weight(self, slot: Slot, source: Source) -> float:
        return self._drawer.weight(self._tool, slot, source) * self._closeness.get(source, 1)

    def _leaf(self, record: Record, source: Source) -> Json:
        """A value of a record from the list elements that earlier ones of this call came from."""
        stems = [source.path[:at] for at, part in enumerate(source.path) if part in _KEYS]
        held = record.leaves[source]
        for depth, stem in enumerate(stems):
            position = self._positions.get((id(record), (source.path[:0] if source.given else ("result",)) + stem))
            same = [leaf for leaf in held if leaf[0][depth] == position]
            held = same or held
        index, value = self._rng.choice(held)
        for depth, stem in enumerate(stems):
            self._positions[(id(record), (() if source.given else ("result",)) + stem)] = index[depth]
        return value
