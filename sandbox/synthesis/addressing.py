"""How a request that nobody can ask about describes a row, so that every look-up has a single hit.

A program cannot look at a list and choose. So a row is described by what a list tool filters by, with the row that it
belongs to; as the only one of another row; by a row that refers to it ("the account of the card ending in 1234"); or by
a value that another row has as well ("booked on the day of ..."). Each such step makes the chain of calls longer. How
it is said is the world's to declare (`toolgym.sandbox.kit.goal.Relation`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from random import Random
from typing import Any, NamedTuple

from toolgym.sandbox.kit.goal import Relation
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.reference import kind_of
from toolgym.sandbox.kit.sentence import filled, places, without_untold
from toolgym.sandbox.kit.table import brief_columns, column_types, key_column
from toolgym.sandbox.synthesis.listing import Listing, alone, first_entry, first_row, held, only_row, showing
from toolgym.sandbox.synthesis.lookup import filters
from toolgym.sandbox.synthesis.relations import IT, holders, is_shared, referred_table, relations_of
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.value_words import coarsely, in_words

LOOKS, STEPS, FRUITLESS = 6, 300, 10
"""Other rows that are tried for one step; steps in all, and ways one after the other that are no deeper than what was
found, until no deeper one is looked for.
"""
HOME = "home"
"""The place of the row that one belongs to, in a sentence that goes on with another one."""


class Way(NamedTuple):
    """Words for a row, and the calls that lead to it.

    Attributes:
        words: how the row is spoken of.
        columns: what the words tell: columns with values, those of other rows under `of` and `in`.
        calls: look-ups of which each has a single hit.
        deep: how many of them stand in the longest chain in which each needs the one before.
    """

    words: str
    columns: Mapping[str, Any]
    calls: tuple[ToolCall, ...]
    deep: int


class Seen(NamedTuple):
    """What a way has passed.

    Attributes:
        rows: the rows that are described by those to come.
        values: what those are still to tell.
    """

    rows: tuple[Any, ...] = ()
    values: tuple[Any, ...] = ()


def addressed(sampler: Sampler, row: Any, rng: Random, deep: int) -> Way | None:
    """A way to a row over a chain of so many calls, or of fewer where none was found soon; None where there is none."""
    search, best, fruitless = _Search(sampler, rng), None, 0
    while search.left > 0 and fruitless < FRUITLESS and (best is None or best.deep < deep):
        way = search.way(row, max(deep, 1), Seen())
        fruitless += 1
        if way is not None and (best is None or best.deep < way.deep <= deep):
            best, fruitless = way, 0
    return best


@dataclass
class _Search:
    """Walks from a row back to what can be said of it, in a random direction at each step."""

    sampler: Sampler
    rng: Random
    left: int = STEPS

    def way(self, row: Any, deep: int, seen: Seen, column: str = "") -> Way | None:
        """A way to a row that passes none of those seen, in words that tell neither their names nor what is to be found
        out: a column of it, its key without one.
        """
        self.left -= 1
        if row == self.sampler.person:
            return Way("", {}, (), 1) if self.sampler.domain.owner is None else None
        if row in seen.rows or self.left < 0 or getattr(row, key_column(row.model)) in seen.values:
            return None
        called = {*seen.values, *(name for each in seen.rows for name in self._names(each))}
        seen = Seen((*seen.rows, row), seen.values)
        sources = (
            [self._by_another, self._as_only_one, self._by_parent, self._as_first, self._by_value] if deep > 1 else []
        )
        self.rng.shuffle(sources)
        for source in (*sources, self._by_itself):
            for way in source(row, deep, seen):
                if called.isdisjoint(_every(way.columns)) and not self._is_idle(way, row, column):
                    return way
        return None

    def _names(self, row: Any) -> Iterator[Any]:
        """The key of a row and the texts by which people know it: who hears one of them needs no further look-up."""
        yield getattr(row, key_column(row.model))
        view, tools = self.sampler.view(row), self.sampler.domain.tools.values()
        if not any(row.model in tool.lists for tool in tools):
            return  # it is found with the row that it belongs to alone
        for name in {name for sentence in self._sentences(row) for name, _ in places(sentence)}:
            value = getattr(view, name)
            if isinstance(value, str):
                yield value

    def _by_another(self, row: Any, deep: int, seen: Seen) -> Iterator[Way]:
        """By a row that refers to it: "the account of {card}"."""
        key = getattr(row, key_column(row.model))
        for other, relation in self._some(
            [each for each in holders(self.sampler).get(key, ()) if each[0] not in seen.rows]
        ):
            whole = self._showing(other, relation.column, deep, seen)
            if whole is not None:
                words = filled(relation.says, {IT: whole.words})
                yield Way(words, {"of": whole.columns}, whole.calls, whole.deep)

    def _as_only_one(self, row: Any, deep: int, seen: Seen) -> Iterator[Way]:
        """As the only row of another one: "the only standing order of {account}"."""
        for listing in alone(self.sampler, row, {}):
            for relation, parent in self._parents(row):
                whole = self.way(parent, deep - 1, seen) if relation.only and parent == listing.parent else None
                if whole is not None:
                    words, columns = filled(relation.only, {IT: whole.words}), {"in": whole.columns}
                    yield Way(words, columns, (*whole.calls, listing.call), whole.deep + 1)

    def _by_itself(self, row: Any, deep: int, seen: Seen) -> Iterator[Way]:
        """By its own columns alone."""
        for sentence, values in self._told(row, self._sentences(row)):
            if any(listing.parent is None for listing in alone(self.sampler, row, values)):
                call = next(each.call for each in alone(self.sampler, row, values) if each.parent is None)
                yield Way(filled(sentence, self._words(row, values)), values, (call,), 1)

    def _by_parent(self, row: Any, deep: int, seen: Seen) -> Iterator[Way]:
        """By its own columns and the row that it belongs to: "the charge from Bell Market on {account}"."""
        for relation, parent in self._parents(row):
            without = [(each.tool, each.parent) for each in alone(self.sampler, row, {})]
            for sentence, values in self._told(row, self._among(row, relation)):
                for listing in alone(self.sampler, row, values):
                    told = listing.parent == parent and (listing.tool, parent) not in without  # what is told is needed
                    whole = self.way(parent, deep - 1, seen) if told else None
                    if whole is not None:
                        words = filled(sentence, self._words(row, values) | {IT: whole.words})
                        columns = {**values, "in": whole.columns}
                        yield Way(words, columns, (*whole.calls, listing.call), whole.deep + 1)

    def _as_first(self, row: Any, deep: int, seen: Seen) -> Iterator[Way]:
        """As the first that a list shows of another row's: "the next payment from {account}"."""
        for relation, parent in self._parents(row):
            for listing in alone(self.sampler, row, {}, first=True) if relation.first else ():
                whole = self.way(parent, deep - 1, seen) if listing.parent == parent else None
                if whole is not None:
                    words, columns = filled(relation.first, {IT: whole.words}), {"in": whole.columns}
                    yield Way(words, columns, (*whole.calls, listing.call), whole.deep + 1)

    def _by_value(self, row: Any, deep: int, seen: Seen) -> Iterator[Way]:
        """By its own columns, and a value that another row has as well: "booked on the day of {payment}"."""
        for shared, value in self._shared(row, seen):
            plans = list(self._borrowing(row, seen, shared, value))
            others = (
                [each for each in holders(self.sampler).get(value, ()) if each[0] not in seen.rows] if plans else []
            )
            for other, relation in self._some(others):
                whole = self._showing(other, relation.column, deep - 1, Seen(seen.rows, (*seen.values, value)))
                sentence, values, listing = self.rng.choice(plans)
                home = None if whole is None else self._home(listing, seen)
                if whole is None or home is None:
                    continue
                said = {IT: filled(relation.says, {IT: whole.words}), HOME: home.words}
                columns = {**values, "of": whole.columns, **({"in": home.columns} if home.columns else {})}
                calls = (*whole.calls, *home.calls, listing.call)
                words = filled(sentence, self._words(row, values) | said)
                yield Way(words, columns, calls, max(whole.deep, home.deep) + 1)

    def _borrowing(
        self, row: Any, seen: Seen, shared: Relation, value: Any
    ) -> Iterator[tuple[str, dict[str, Any], Listing]]:
        """Sentences that leave a value to another row, with what they tell and the calls that look for it."""
        for relation, parent in [(None, None), *self._parents(row)]:
            if parent in seen.rows:
                continue
            for says, first in ((shared.first, True), (shared.only, False)):
                sentence = says if relation is None else says.replace(f"{{{relation.column}}}", f"{{{HOME}}}")
                if {name for name, _ in places(sentence)} == ({IT} if relation is None else {IT, HOME}):
                    for listing in alone(self.sampler, row, {shared.column: value}, first=first):
                        if listing.parent == parent and listing.seeks(value):
                            yield sentence, {}, listing
            for sentence, values in self._told(row, self._among(row, shared, relation)):
                without = {(each.tool, each.parent) for each in alone(self.sampler, row, values)}
                for listing in alone(self.sampler, row, {**values, shared.column: value}):
                    known = (listing.tool, listing.parent) in without
                    if listing.parent == parent and listing.seeks(value) and not known:
                        yield sentence, values, listing

    def _home(self, listing: Listing, seen: Seen) -> Way | None:
        """The shortest way to the row that a listed one belongs to; an empty one where none has to be known."""
        return Way("", {}, (), 0) if listing.parent is None else self.way(listing.parent, 1, seen)

    # --- steps ---

    def _showing(self, row: Any, column: str, deep: int, seen: Seen) -> Way | None:
        """A way to a row that goes on to the call that shows a column, where its last one does not."""
        if row == self.sampler.person and self._introduced(column):
            return self.way(row, 1, seen)
        brief = column in brief_columns(row.model)
        way = self.way(row, deep if brief else deep - 1, seen, column if brief else "") if brief or deep > 1 else None
        if way is None or (way.calls and held(self._shown(way.calls[-1], row), column) is not None):
            return way
        further = next((call for call in showing(self.sampler, row) if held(self._shown(call, row), column)), None)
        return None if further is None else way._replace(calls=(*way.calls, further), deep=way.deep + 1)

    def _is_idle(self, way: Way, row: Any, column: str) -> bool:
        """Whether the first row of a way's last list has the wanted value also without what other results give it."""
        call = way.calls[-1] if way.calls else None
        tool = None if call is None else self.sampler.domain.tools[call.name]
        if call is None or tool is None or isinstance(call.arguments, str) or row.model not in tool.lists:
            return False
        own = {name: told for name, told in way.columns.items() if name not in ("of", "in")}
        kept = {*tool.parameters.get("required", ()), *(tool.inputs[name] for name in filters(tool, own))}
        left = {name: value for name, value in call.arguments.items() if name in kept}
        if left == call.arguments:
            return False
        name = column or key_column(row.model)
        careless = first_entry(self.sampler.read(call.model_copy(update={"arguments": left})).value)
        return careless is not None and held(careless, name) == held(self._shown(call, row), name)

    def _introduced(self, column: str) -> bool:
        """Whether every look-up by which the person is known shows a column of theirs."""
        identity, person = self.sampler.domain.identity, self.sampler.person
        if identity is None:
            return False
        told = [(tool, identity.known(self.sampler.database, person, tool)) for tool in identity.found_by]
        calls = [ToolCall(name=tool.name, arguments=said) for tool, said in told if said is not None]
        return bool(calls) and all(held(self._shown(call, person), column) is not None for call in calls)

    def _shown(self, call: ToolCall, row: Any) -> Json:
        result = self.sampler.read(call).value
        return only_row(result, row) or first_row(result, row)

    # --- what the world has ---

    def _some(self, found: Sequence[tuple[Any, Relation]]) -> Iterator[tuple[Any, Relation]]:
        """Some of the rows that hold a value, along each relation in turn, so that many of one sort hide no other."""
        along: defaultdict[Relation, list[tuple[Any, Relation]]] = defaultdict(list)
        for each in self.rng.sample(found, len(found)):
            along[each[1]].append(each)
        turns = [rows[:LOOKS] for rows in self.rng.sample(list(along.values()), len(along))]
        return (each for turn in zip_longest(*turns) for each in turn if each is not None)

    def _parents(self, row: Any) -> list[tuple[Relation, Any]]:
        """The rows that a row belongs to, with the relations that tell it apart by them."""
        found = []
        for (table, column), relation in relations_of(self.sampler.domain).items():
            target = referred_table(table, column) if table is row.model else None
            key = getattr(row, column) if target is not None else None
            parent = None if target is None or key is None else self.sampler.database.get(target, key)
            if parent is not None:
                found.append((relation, parent))
        return self.rng.sample(found, len(found))

    def _shared(self, row: Any, seen: Seen) -> list[tuple[Relation, Any]]:
        """The columns whose values other rows may have as well, as relations, with the values.

        A value that was left to another row before is none of them: the first result that holds it would do.
        """
        relations, types, view = relations_of(self.sampler.domain), column_types(row.model), self.sampler.view(row)
        spoken = {name for sentence in self._sentences(row) for name, _ in places(sentence)}
        names = sorted({name for table, name in relations if table is row.model} | spoken)
        found = []
        for name in names:
            value = getattr(view, name) if name in types and referred_table(row.model, name) is None else None
            if is_shared(value) and value not in seen.values:
                found.append((relations.get((row.model, name), Relation(row.model, name)), value))
        return self.rng.sample(found, len(found))

    def _sentences(self, row: Any) -> Sequence[str]:
        thing = self.sampler.thing(row.model)
        return () if thing is None or row not in self.sampler.rows(row.model) else thing.says

    def _among(self, row: Any, relation: Relation, home: Relation | None = None) -> list[str]:
        """The sentences of a row that go on with what one of its columns holds, after the row that it belongs to.

        What the column holds may also stand in the place of the value itself, at a sentence's end, where no more can
        follow what is said of another row.
        """
        sentences = self._sentences(row) if home is None else self._among(row, home)
        if home is not None:
            sentences = [sentence.replace(f"{{{IT}}}", f"{{{HOME}}}") for sentence in sentences]
        place = f" {{{relation.column}}}"
        ends = [each for each in sentences if each.endswith(place) and not each.endswith((f"the{place}", f"my{place}"))]
        at_end = [each.removesuffix(place) + f" {{{IT}}}" for each in ends]
        own = {name for name, _ in places(relation.by)} - {IT}
        if own:
            keys = {name for name in own if referred_table(row.model, name) is not None}
            whole = relation.by if home is None else relation.by.replace(f"{{{home.column}}}", f"{{{HOME}}}")
            return [whole, *at_end] if keys == ({home.column} if home is not None else set()) else at_end
        joined = " " if home is None else ", "
        return [*(f"{sentence}{joined}{relation.by}" for sentence in sentences if relation.by), *at_end]

    def _told(self, row: Any, sentences: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
        """The sentences that can be said of a row, in a random order, with the columns that they speak of."""
        view = self.sampler.view(row)
        for sentence in self.rng.sample(list(sentences), len(sentences)):
            columns = [place for place in places(sentence) if place[0] not in (IT, HOME)]
            values = coarsely({column: getattr(view, column) for column, _ in columns}, columns)
            values = {column: value for column, value in values.items() if value not in (None, "")}
            whole = without_untold(sentence, {IT: "", HOME: ""} | dict.fromkeys(values, ""))
            told = {name for name, _ in places(whole)} - {IT, HOME}
            if told <= set(values):
                yield whole, {column: value for column, value in values.items() if column in told}

    def _words(self, row: Any, values: Mapping[str, Any]) -> dict[str, str]:
        types, now = column_types(row.model), self.sampler.now
        return {name: in_words(kind_of(name, types[name]), value, self.rng, now=now) for name, value in values.items()}


def _every(columns: Mapping[str, Any]) -> list[Any]:
    """All values that a description tells."""
    return [value for each in columns.values() for value in (_every(each) if isinstance(each, Mapping) else [each])]
