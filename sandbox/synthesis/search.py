"""The search for arguments of a goal's call: parameter by parameter, in a random order, from a person's live rows.

What breaks a rule too early is not pursued, and a number at which a rule begins to refuse is halved down to and
not looked for. A search ends after `LOOKS` values: what is rarer than that counts as impossible for this person.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from inspect import Parameter
from itertools import chain
from random import Random
from types import MappingProxyType
from typing import Any, TypeVar, get_args

from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.author_errors import place_of
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.kit.goal import Goal, Slot
from toolgym.sandbox.kit.reference import bare
from toolgym.sandbox.kit.rule import OWNER, Rule
from toolgym.sandbox.kit.table import key_column
from toolgym.sandbox.kit.view import View
from toolgym.sandbox.synthesis.arguments import (
    Arguments,
    bounds,
    drawn_names,
    hints,
    is_whole,
    kind_in,
    parameters,
    takes_several,
)
from toolgym.sandbox.synthesis.relations import holders
from toolgym.sandbox.synthesis.scene import Scene

Model = TypeVar("Model", bound=DeclarativeBase)
Value = TypeVar("Value")
FREE_TEXT = "As the customer asked."
"""What gold calls write where an agent composes the text; what it must mention is checked apart."""
LOOKS = 150
"""Values looked at before a goal counts as impossible for a person; 98 of 100 lucky searches need fewer than 50."""
DRAWS, VALUES, STRANGERS, LISTS = 6, 12, 20, 10
"""Of these at most: draws of a slot's own function; values of a slot's list; other people's rows; lists of rows."""


class Unknown(ConfigurationError):
    """A value that nothing in the declarations says how to draw."""


@dataclass
class Drawing:
    """What a slot's value is drawn from (see `toolgym.sandbox.kit.goal.Draw`)."""

    rng: Random
    sampler: Scene
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def now(self) -> datetime:
        """The moment at which the task plays."""
        return self.sampler.now

    @property
    def database(self) -> Database:
        """The world's rows before anything is done; only to be read."""
        return self.sampler.database

    @property
    def person(self) -> Any:
        """The person's own row."""
        return self.sampler.person

    def rows(self, model: type[Model]) -> list[Model]:
        """The person's rows of a table."""
        return self.sampler.rows(model)

    def one_of(self, among: Iterable[Value]) -> Value | None:
        """One of some rows or values; None where there are none."""
        found = list(among)
        return self.rng.choice(found) if found else None

    def view(self, row: Any) -> View[Any]:
        """What tools show of a row, as attributes."""
        return self.sampler.view(row)


class Search:
    """One search for arguments of a goal.

    Args:
        sampler: the person's world.
        goal: what is wanted.
        rng: decides the order.
        rules: those that have to hold.
        breaking: the one of them that has to be broken.
        given: arguments that are decided already.
    """

    def __init__(
        self,
        sampler: Scene,
        goal: Goal,
        rng: Random,
        rules: Sequence[Rule] = (),
        breaking: Rule | None = None,
        given: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self.sampler, self.goal, self.rng, self.breaking, self._given = sampler, goal, rng, breaking, given
        self._rules = [(rule, decided_by(goal, rule)) for rule in rules]
        self._looks = 0

    def first(self) -> Arguments | None:
        """Arguments that make sense and fit; None when none were found."""
        return next(self._filled(Drawing(self.rng, self.sampler, {**self.goal.fixed, **self._given}), ()), None)

    def _filled(self, drawing: Drawing, decided: tuple[Rule, ...]) -> Iterator[Arguments]:
        """The values so far with all that is still to be drawn; `decided` are the rules that were looked at."""
        name = next((name for name in drawn_names(self.goal) if name not in drawing.values), None)
        if name is None:
            fits = self._fits(
                self._ready(decided, drawing.values), drawing.values
            )  # where all is fixed, none was looked at
            if fits and self.sampler.sensible(self.goal, drawing.values):
                yield drawing.values
            return
        ready: list[Rule] | None = None
        for more in chain(self._strangers(name), self._values(name, drawing)):
            if self._looks >= LOOKS:
                return
            self._looks += 1
            values = drawing.values | more
            if ready is None:
                ready = self._ready(decided, values)
            if self._fits(ready, values):
                yield from self._filled(Drawing(drawing.rng, self.sampler, values), (*decided, *ready))

    def _ready(self, decided: tuple[Rule, ...], values: Arguments) -> list[Rule]:
        """The rules that can be looked at now and were not yet."""
        return [rule for rule, asked in self._rules if rule not in decided and asked <= values.keys()]

    def _fits(self, rules: Sequence[Rule], values: Arguments) -> bool:
        """Whether values keep these rules, and break the one that is to be broken."""
        return all(self.sampler.holds(rule, values) == (rule is not self.breaking) for rule in rules)

    def _strangers(self, name: str) -> Iterator[Arguments]:
        """Other people's rows, for a rule that looks at whose a row is, at a desk that serves anybody."""
        rule, table = self.breaking, self.goal.tables.get(name)
        if rule is None or self.sampler.domain.owner is not None or table is None:
            return
        if {OWNER, name} <= set(rule.parameters):
            rows = self.sampler.session.database.find(table)
            yield from ({name: row} for row in self.rng.sample(rows, min(len(rows), STRANGERS)))

    def _values(self, name: str, drawing: Drawing) -> Iterator[Arguments]:
        """What a parameter, or the slot that fills it, may be."""
        goal = self.goal
        if name in goal.worked_out:
            value = goal.worked_out[name](drawing)
            yield from () if value is None else ({name: value},)
            return
        slot, parameter = goal.slot(name), parameters(goal.tool).get(name)
        optional = parameter is not None and parameter.default is not Parameter.empty
        if optional and (slot not in goal.slots or drawing.rng.random() >= slot.given):
            assert parameter is not None
            yield {name: parameter.default}
            return
        edge = self._just_refused(name, drawing.values)
        if edge is not None:
            yield from ({name: value} for value in edge)
            return
        for value in choices(self.sampler, goal, slot, drawing):
            if value is not None:
                yield value if slot.fills else {name: value}

    def _just_refused(self, name: str, values: Arguments) -> tuple[int, ...] | None:
        """The numbers with which the rule that is to be broken begins to refuse; None where it has no such edge."""
        rule = self.breaking
        if (
            rule is None
            or name not in decided_by(self.goal, rule)
            or not decided_by(self.goal, rule) <= {*values, name}
        ):
            return None
        found = edge(self.sampler, self.goal, rule, values, name)
        return None if found is None else (_round(self.goal.tool.kinds[name], found[1]), found[1])


@cache
def decided_by(goal: Goal, rule: Rule) -> frozenset[str]:
    """What of a goal's arguments a rule looks at."""
    return frozenset(rule.parameters) & {*drawn_names(goal), *goal.fixed}


def choices(sampler: Scene, goal: Goal, slot: Slot, drawing: Drawing) -> Iterator[Any]:
    """Values of a slot in a random order.

    Raises:
        Unknown: its type says nothing of what to draw, and no `draw` is declared.
    """
    rng, tool = drawing.rng, goal.tool
    if callable(slot.draw):
        yield from (slot.draw(drawing) for _ in range(DRAWS))
        return
    if slot.same_as and rng.random() < sampler.same:
        same = rng.choice(slot.same_as)
        others = sampler.rows(same.table)
        yield from (abs(getattr(row, same.column)) for row in rng.sample(others, min(len(others), 1)))
    if slot.draw is not None:
        yield from rng.sample(slot.draw, min(len(slot.draw), VALUES))
        return
    table = goal.tables.get(slot.name)
    if table is None:
        options = _plain(sampler, goal, slot)
        yield from rng.sample(options, min(len(options), VALUES))
        return
    person = sampler.person
    rows: list[Any]
    if person is not None and person.model is table and slot not in goal.slots:
        rows = [person]
    else:
        rows = sampler.rows(table, slot.where)
        if sampler.changed or (person is not None and person.model is table):
            rows = [row for row in rows if row != person and not sampler.is_changed(row)]
    if slot.name in tool.kinds and takes_several(tool, slot.name):
        counts = (min(len(rows), rng.choice((1, 1, 2, 2, 3))) for _ in range(LISTS))
        yield from (rng.sample(rows, count) for count in counts if count)
        return
    rows = shuffled(rows, rng)
    if sampler.deep is not None and sampler.deep > 1:  # a program's chain ends at what other rows lead to
        led = holders(sampler)
        rows.sort(key=lambda row: getattr(row, key_column(row.model)) not in led)
    yield from rows


def shuffled(rows: Sequence[Model], rng: Random) -> list[Model]:
    """The rows in a random order: the one of `rng.sample(rows, len(rows))`, at a third of its cost."""
    pool, left, bits = list(rows), len(rows), rng.getrandbits
    found = []
    for size in range(left.bit_length(), 0, -1):
        least = 1 << (size - 1)
        while left >= least:
            place = bits(size)
            while place >= left:
                place = bits(size)
            found.append(pool[place])
            left -= 1
            pool[place] = pool[left]
    return found


def _plain(sampler: Scene, goal: Goal, slot: Slot) -> Sequence[Any]:
    """What a slot without rows or a draw of its own may be, by its type."""
    kind = kind_in(goal.tool, slot.name)
    if kind == "choice":
        return list(slot.words) if slot.words else get_args(bare(hints(goal.tool)[slot.name])[0])
    if kind == "flag":
        return (True, False)
    if kind == "date":
        return [sampler.now.date() + timedelta(days=days) for days in range(1, 22)]
    if kind == "free" or slot.mentions:
        return (FREE_TEXT,)
    raise Unknown(
        f"{place_of(goal.at)}goal {goal.name}: Slot({slot.name!r}) says not how its {kind} is drawn; give it `draw`."
    )


# --- a rule's edge ---


def edge(sampler: Scene, goal: Goal, rule: Rule, arguments: Mapping[str, Any], name: str) -> tuple[int, int] | None:
    """The last value of a whole number that a rule allows and the first that it refuses; None without an edge."""
    if not is_whole(goal.tool, name):
        return None
    low, high = bounds(goal.tool, name)
    if not sampler.holds(rule, {**arguments, name: low}) or sampler.holds(rule, {**arguments, name: high}):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if sampler.holds(rule, {**arguments, name: middle}):
            low = middle
        else:
            high = middle
    return low, high


def at_edge(sampler: Scene, goal: Goal, rule: Rule, arguments: Arguments) -> Arguments | None:
    """The arguments with a whole number where the rule begins to refuse; None where that breaks other things."""
    for name in (name for name in rule.parameters if name in arguments and _is_asked_about(goal, name)):
        found = edge(sampler, goal, rule, arguments, name)
        for value in () if found is None else (_round(goal.tool.kinds[name], found[1]), found[1]):
            changed = arguments | {name: value}
            if sampler.sensible(goal, changed) and sampler.broken(goal.tool, changed) == [rule]:
                return changed
    return None


def _is_asked_about(goal: Goal, name: str) -> bool:
    """Whether a wish of this goal is about this parameter at all."""
    slot, parameter = goal.slot(name), parameters(goal.tool).get(name)
    asked = slot in goal.slots or (parameter is not None and parameter.default is Parameter.empty)
    return asked and name not in goal.fixed and name not in goal.worked_out


def _round(kind: str, number: int) -> int:
    """A number a little higher that a person would name."""
    step = 1
    if kind == "money":
        step = 500 if number < 100_000 else 5_000
    elif kind == "duration":
        step = 15
    return -(-number // step) * step
