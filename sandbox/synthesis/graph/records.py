"""What live calls have shown: the values of each success, where they stood, and which calls have values in common."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.text import is_plain
from toolgym.sandbox.synthesis.graph.model import Path

_ELEMENTS = 24
"""Elements of a list that are looked at."""
_NEAR = 20
"""Records that one call's arguments are drawn from."""
_SHARED = 12
"""Records of one value that are looked at: what many records share links nothing."""


@dataclass(frozen=True, eq=False)
class Source:
    """Where values come from: a place in a tool's result, or (`given`) in the arguments it was called with.

    Made by `source_of` alone: there is one object of each, so that looking one up costs no comparison.
    """

    tool: str
    path: Path
    given: bool


@cache
def source_of(tool: str, path: Path, given: bool = False) -> Source:
    """The source of that name."""
    return Source(tool, path, given)


Index = tuple[int, ...]


@dataclass(slots=True)
class Record:
    """One successful call.

    Attributes:
        tool: the tool, or `user`.
        leaves: the values of each source with their positions in the lists that they stand in.
        own: the values that the tool was given.
    """

    tool: str
    leaves: dict[Source, list[tuple[Index, Json]]]
    own: frozenset[Json]


def read(value: Json) -> Json:
    """A result whose texts are read where they are JSON objects or lists, as those of others' tools often are."""
    if isinstance(value, list):
        return [read(each) for each in value]
    if not isinstance(value, str) or value[:1] not in {"{", "["}:
        return value
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return found if is_plain(found) else value


def telling(value: Json) -> bool:
    """Whether two equal values are likely one and the same: neither a flag nor a small number."""
    if isinstance(value, str):
        return len(value) >= 2
    return not isinstance(value, bool) and isinstance(value, int | float) and abs(value) >= 10


def leaves(value: Json, path: Path = (), index: Index = ()) -> Iterator[tuple[Path, Index, Json]]:
    """The single values of a result; of an object whose keys are data (`gift_card_123`), the keys as well."""
    if isinstance(value, Mapping):
        data = _keys_are_data(value)
        for position, (key, inner) in enumerate(islice(value.items(), _ELEMENTS if data else None)):
            if data:
                yield (*path, "<key>"), (*index, position), key
                yield from leaves(inner, (*path, "*"), (*index, position))
            else:
                yield from leaves(inner, (*path, key), index)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for position, inner in enumerate(islice(value, _ELEMENTS)):
            yield from leaves(inner, (*path, "*"), (*index, position))
    elif value is not None and not isinstance(value, bool):
        yield path, index, value
        if isinstance(value, str) and "\n" in value:  # a text for people: its lines may be values
            for position, line in enumerate(islice(value.splitlines(), _ELEMENTS)):
                yield (*path, "<line>"), (*index, position), line.strip()


def _keys_are_data(value: Mapping[str, Json]) -> bool:
    """Names of fields are lower-case words; most of the others hold digits, spaces or capitals."""
    like_data = sum(re.search(r"\d{3}|^[A-Z#]|[\s/@.]", key) is not None for key in value)
    return like_data * 2 > len(value)


@dataclass(slots=True)
class Records:
    """All records, found by source and by value."""

    all: list[Record] = field(default_factory=list)
    by_source: dict[Source, list[int]] = field(default_factory=lambda: defaultdict(list))
    by_value: dict[Json, list[int]] = field(default_factory=lambda: defaultdict(list))
    values: dict[Source, dict[Json, bool]] = field(default_factory=lambda: defaultdict(dict))
    """Of each source the values it has shown, and whether one was ever news: not given to that call itself."""
    news: dict[Source, None] = field(default_factory=dict)
    """The sources that have ever shown something that was not given to them."""
    _known: set[tuple[str, str]] = field(default_factory=set)

    def add(self, tool: str, given: Mapping[str, Json], value: Json) -> Record:
        """Keep a call; the same call with the same result is kept once."""
        record = self.made(tool, given, value)
        key = (tool, repr((given, value)))
        if key not in self._known:
            self._known.add(key)
            self._index(record)
        return record

    @staticmethod
    def made(tool: str, given: Mapping[str, Json], value: Json) -> Record:
        """The record of a call."""
        found: dict[Source, list[tuple[Index, Json]]] = defaultdict(list)
        for path, index, leaf in leaves(value):
            found[source_of(tool, path)].append((index, leaf))
        own = []
        for path, index, leaf in leaves(given):
            found[source_of(tool, path, True)].append((index, leaf))
            own.append(leaf)
        return Record(tool, dict(found), frozenset(own))

    def _index(self, record: Record) -> None:
        number = len(self.all)
        self.all.append(record)
        for source, held in record.leaves.items():
            self.by_source[source].append(number)
            shown = self.values[source]
            for _, value in held:
                new = value not in record.own
                shown[value] = shown.get(value, False) or new
                if new and not source.given:
                    self.news[source] = None
                if isinstance(value, str) and telling(value) and self.by_value[value][-1:] != [number]:
                    self.by_value[value].append(number)

    def near(self, values: Iterable[Json]) -> list[Record]:
        """The records that share values with these, those that share the rarest first."""
        scores: Counter[int] = Counter()
        for value in values:
            numbers = self.by_value.get(value, ())
            for number in numbers[-_SHARED:]:
                scores[number] += 1 / len(numbers)  # type: ignore[assignment]  # a counter of floats
        return [self.all[number] for number, _ in scores.most_common(_NEAR)]


def texts_of(record: Record) -> list[Json]:
    """The telling texts of a record, each once."""
    found = (value for held in record.leaves.values() for _, value in held[:_ELEMENTS])
    return list(dict.fromkeys(value for value in found if isinstance(value, str) and telling(value)))
