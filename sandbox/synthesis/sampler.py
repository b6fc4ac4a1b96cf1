"""Live sampling: one person's rows in a world at a moment, and arguments drawn from them.

Every value comes from the running world: which wishes can be granted and which break exactly one rule is found by the
rules' own predicates, never guessed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache, cached_property
from inspect import Parameter, signature
from itertools import chain
from random import Random
from typing import Any, TypeVar, get_args

from sqlalchemy.orm import DeclarativeBase

from sandbox.kit.author_errors import place_of
from sandbox.kit.database import Database
from sandbox.kit.domain import Domain
from sandbox.kit.errors import ConfigurationError
from sandbox.kit.goal import Goal, Slot, Thing
from sandbox.kit.message import Json, ToolCall
from sandbox.kit.reference import bare
from sandbox.kit.rule import OWNER, Rule, known
from sandbox.kit.task import Task
from sandbox.kit.tool import Tool, ToolResult
from sandbox.kit.view import View
from sandbox.runtime.session import Session
from sandbox.synthesis.arguments import (
    Arguments,
    bounds,
    drawn_names,
    hints,
    is_whole,
    kind_in,
    parameters,
    takes_several,
)

Model = TypeVar("Model", bound=DeclarativeBase)
SAME = 0.35
"""The share of draws in which a value stands elsewhere as well, so that it can be described."""
FREE_TEXT = "As the customer asked."
"""What gold calls write where an agent composes the text; what it must mention is checked apart."""
DRAWS, LOOKS, TRIES = 6, 150, 10
"""Draws of one slot's own function; values looked at, and arguments tried, before a goal counts as impossible."""


class Unknown(ConfigurationError):
    """A value that nothing in the declarations says how to draw."""


@dataclass
class Drawing:
    """What a slot's value is drawn from (see `sandbox.kit.goal.Draw`)."""

    rng: Random
    sampler: Sampler
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

    def view(self, row: Any) -> View[Any]:
        """What tools show of a row, as attributes."""
        return self.sampler.view(row)


class Sampler:
    """One person in a world at a moment.

    At a desk that serves anybody, references find everybody's rows, but a person speaks of their own.

    Args:
        domain: the world.
        owner: the person's key; None where nobody is known.
        now: the moment; the world's own clock without one.
        data: the body of data.
        same: the share of draws in which a value that also stands elsewhere is drawn from there.
        session: the world as it is by now; as it begins without one.
        hops: over how many other rows a row may be described where a program has to find it (see
            `sandbox.synthesis.addressing`); None where a user can be asked.
    """

    def __init__(
        self,
        domain: Domain,
        owner: Json = None,
        now: datetime | None = None,
        data: str = "own",
        *,
        same: float = SAME,
        session: Session | None = None,
        hops: int | None = None,
    ) -> None:
        self.same, self.hops = same, hops
        self.domain, self.owner, self.data = domain, owner, data
        self.now = now or domain.now
        self.session = session or Session(domain, task=self.task(), now=self.now)
        self._scoped = self.session.database
        if domain.owner is None and owner is not None:
            self._scoped = self.session.database.fork((owner,))
        self._rows: dict[type[DeclarativeBase], list[Any]] = {}
        self._chosen: dict[tuple[type[DeclarativeBase], Callable[[Any], bool]], list[Any]] = {}
        self._results: dict[str, ToolResult] = {}
        self.alike: Mapping[Any, list[tuple[Any, str]]] | None = None
        """The person's rows by the texts that they show, once somebody asked."""
        self.texts: dict[str, tuple[str, ...]] = {}
        """Texts that right runs compose, with what each must mention."""

    def after(self, calls: Sequence[ToolCall]) -> Sampler:
        """The same person once these calls were made."""
        session = self.session.fork()
        for call in calls:
            session.call(call.name, call.arguments, by=call.by)
        later = Sampler(self.domain, self.owner, self.now, self.data, same=self.same, session=session, hops=self.hops)
        later.texts = self.texts
        return later

    def task(self, **fields: Any) -> Task:
        """A task of this person at this moment."""
        now = None if self.now == self.domain.now else self.now
        return Task(
            **{"id": "", "domain": self.domain.name, "data": self.data, "owner": self.owner, "now": now} | fields
        )

    @property
    def database(self) -> Database:
        """The person's rows; only to be read."""
        return self._scoped

    @cached_property
    def person(self) -> Any:
        """The person's own row; None where the world knows no persons."""
        identity = self.domain.identity
        table = self.domain.owner or (identity.table if identity else None)
        return None if table is None or self.owner is None else self.database.owner(table)

    def rows(self, model: type[Model], where: Callable[[Any], bool] | None = None) -> list[Model]:
        """The rows of a table that the person may see and would speak of; of them, those that something is true of."""
        if where is not None:
            if (model, where) not in self._chosen:
                self._chosen[model, where] = [row for row in self.rows(model) if where(self.view(row))]
            return self._chosen[model, where]
        if model not in self._rows:
            thing = self.thing(model)
            where = thing.where if thing and thing.where else None
            found = [row for row in self.database.mine(model) if not self._is_new(row)]
            self._rows[model] = found if where is None else [row for row in found if where(self.view(row))]
        return self._rows[model]

    def _is_new(self, row: Any) -> bool:
        """Whether an earlier wish made the row: its key is another one in every session."""
        made = self.database.state.new_ids
        return bool(made) and any(value in made for value in row if isinstance(value, str))

    def thing(self, model: type[DeclarativeBase]) -> Thing | None:
        """How people speak of a table's rows."""
        return next((thing for thing in self.domain.things if thing.table is model), None)

    def view(self, row: Any) -> View[Any]:
        """What tools show of a row."""
        return View(row).bound(self.database)

    def read(self, call: ToolCall) -> ToolResult:
        """The result of a read call in the person's world as it is before anything was done."""
        signed = json.dumps([call.name, call.arguments], sort_keys=True)
        if signed not in self._results:
            self._results[signed] = self.session.call(call.name, call.arguments)
        return self._results[signed]

    # --- arguments ---

    def draw(self, goal: Goal, rng: Random) -> Arguments | None:
        """Arguments that make sense for a goal, whatever the rules say; None when the person has nothing for it."""
        return next(self._filled(goal, self.drawing(rng, goal.fixed), lambda values, more: True), None)

    def drawing(self, rng: Random, values: Mapping[str, Any]) -> Drawing:
        """What slots are drawn from."""
        return Drawing(rng, self, dict(values))

    def _filled(
        self, goal: Goal, drawing: Drawing, fits: Callable[[Arguments, Arguments], bool], breaking: Rule | None = None
    ) -> Iterator[Arguments]:
        """Arguments that make sense, parameter by parameter; what does not fit so far is not gone on with."""
        name = next((name for name in drawn_names(goal) if name not in drawing.values), None)
        if name is None:
            if self.sensible(goal, drawing.values):
                yield drawing.values
            return
        others = ({name: row} for row in self._strangers(goal, breaking, name, drawing.rng))
        for more in chain(others, self._values(goal, name, drawing)):
            further = Drawing(drawing.rng, self, drawing.values | more)
            if fits(further.values, more):
                yield from self._filled(goal, further, fits, breaking)

    def _values(self, goal: Goal, name: str, drawing: Drawing) -> Iterator[Arguments]:
        """What a parameter, or the slot that fills it, may be."""
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
        for value in self.choices(goal, slot, drawing):
            if value is not None:
                yield value if slot.fills else {name: value}

    def choices(self, goal: Goal, slot: Slot, drawing: Drawing) -> Iterator[Any]:
        """Values of a slot in a random order.

        Raises:
            Unknown: its type says nothing of what to draw, and no `draw` is declared.
        """
        rng, tool = drawing.rng, goal.tool
        if callable(slot.draw):
            yield from (slot.draw(drawing) for _ in range(DRAWS))
            return
        if slot.same_as and rng.random() < self.same:
            same = rng.choice(slot.same_as)
            yield from (abs(getattr(row, same.column)) for row in rng.sample(self.rows(same.table), 1))
        options: Sequence[Any]
        if slot.draw is not None:
            yield from rng.sample(slot.draw, len(slot.draw))
            return
        table = goal.tables.get(slot.name)
        kind = kind_in(tool, slot.name) if table is None else "reference"
        person = self.person
        if table is not None and person is not None and person.model is table and slot not in goal.slots:
            options = (person,)
        elif table is not None:
            options = [row for row in self.rows(table, slot.where) if row != person]
        elif kind == "choice":
            options = list(slot.words) if slot.words else get_args(bare(hints(tool)[slot.name])[0])
        elif kind == "flag":
            options = (True, False)
        elif kind == "date":
            options = [self.now.date() + timedelta(days=days) for days in range(1, 22)]
        elif kind == "free":
            options = (FREE_TEXT,)
        else:
            raise Unknown(
                f"{place_of(goal.at)}goal {goal.name}: Slot({slot.name!r}) says not how its {kind} is drawn; give it "
                "`draw`."
            )
        if table is not None and slot.name in tool.kinds and takes_several(tool, slot.name):
            counts = (min(len(options), rng.choice((1, 1, 2, 2, 3))) for _ in range(TRIES))
            yield from (rng.sample(options, count) for count in counts if count)
            return
        yield from rng.sample(options, len(options))

    def sensible(self, goal: Goal, arguments: Arguments) -> bool:
        """Whether the goal's own `where` takes these arguments."""
        if goal.where is None:
            return True
        asked = _asked(goal.where)
        return goal.where(**{name: self._shown(arguments[name]) for name in asked})

    def _shown(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._shown(each) for each in value]
        return self.view(value) if hasattr(value, "model") else value

    # --- rules ---

    def broken(self, tool: Tool, arguments: Arguments) -> list[Rule]:
        """The rules that a call would break, those apart that another call mends first."""
        rules = [rule for rule in self.domain.rules if rule.applies(tool) and rule.remedy is None]
        return [rule for rule in rules if not self.holds(rule, arguments)]

    def holds(self, rule: Rule, arguments: Arguments) -> bool:
        """Whether a rule holds for a call in the person's world as it is."""
        return rule.allows(known(self.database, rule, arguments, lambda call: self.read(call).value))

    def _fitting(self, goal: Goal, breaking: Rule | None = None) -> Callable[[Arguments, Arguments], bool]:
        """Whether what was drawn last breaks no rule but the one that is to be broken; no more after many looks."""
        rules = [rule for rule in self.domain.rules if rule.applies(goal.tool) and rule.remedy is None]
        names = {*drawn_names(goal), *goal.fixed}
        asked = {rule.name: {name for name in rule.parameters if name in names} for rule in rules}
        looks = iter(range(LOOKS))

        @cache
        def ready(values: tuple[str, ...], more: tuple[str, ...]) -> list[Rule]:
            """The rules that can be decided now and could not be before."""
            first = len(values) == len(more) + len(goal.fixed)
            known = [rule for rule in rules if asked[rule.name] <= {*values}]
            return [rule for rule in known if first or asked[rule.name] & {*more}]

        def fits(values: Arguments, more: Arguments) -> bool:
            decided = ready(tuple(values), tuple(more))
            right = all(self.holds(rule, values) == (rule is not breaking) for rule in decided)
            return right and next(looks, None) is not None

        return fits

    def allowed(self, goal: Goal, rng: Random) -> Arguments | None:
        """Arguments that break no rule; None when none were found."""
        return next(self._filled(goal, self.drawing(rng, goal.fixed), self._fitting(goal)), None)

    def forbidden(self, goal: Goal, rule: Rule, rng: Random) -> Arguments | None:
        """Arguments that break exactly this rule, near its edge where it has one; None when none were found."""
        exact = next(self._filled(goal, self.drawing(rng, goal.fixed), self._fitting(goal, rule), rule), None)
        if exact is not None:
            return self._at_edge(goal, rule, exact) or exact
        for _ in range(TRIES if any(is_whole(goal.tool, name) for name in rule.parameters) else 0):
            arguments = self.draw(goal, rng)
            found = arguments and self._at_edge(goal, rule, arguments)
            if found:
                return found
        return None

    def _at_edge(self, goal: Goal, rule: Rule, arguments: Arguments) -> Arguments | None:
        """The arguments with a whole number where the rule begins to refuse; None where that breaks other things."""
        decided = [name for name in rule.parameters if name in arguments and self._decided(goal, name)]
        for name in decided:
            edge = self.edge(goal, rule, arguments, name)
            for value in () if edge is None else (_round(goal.tool.kinds[name], edge[1]), edge[1]):
                changed = arguments | {name: value}
                if self.sensible(goal, changed) and self.broken(goal.tool, changed) == [rule]:
                    return changed
        return None

    def _decided(self, goal: Goal, name: str) -> bool:
        """Whether a wish of this goal is about this parameter at all."""
        slot, parameter = goal.slot(name), parameters(goal.tool).get(name)
        asked = slot in goal.slots or (parameter is not None and parameter.default is Parameter.empty)
        return asked and name not in goal.fixed and name not in goal.worked_out

    def _strangers(self, goal: Goal, rule: Rule | None, name: str, rng: Random) -> Iterator[Any]:
        """Other people's rows, for a rule that looks at whose a row is, at a desk that serves anybody."""
        table = goal.tables.get(name)
        if rule is None or self.domain.owner is not None or table is None or not {OWNER, name} <= set(rule.parameters):
            return
        rows = self.session.database.find(table)
        yield from rng.sample(rows, min(len(rows), 20))

    def edge(self, goal: Goal, rule: Rule, arguments: Arguments, name: str) -> tuple[int, int] | None:
        """The last value of a whole number that a rule allows and the first that it refuses; None without an edge."""
        if not is_whole(goal.tool, name):
            return None
        low, high = bounds(goal.tool, name)
        if not self.holds(rule, arguments | {name: low}) or self.holds(rule, arguments | {name: high}):
            return None
        while high - low > 1:
            middle = (low + high) // 2
            if self.holds(rule, arguments | {name: middle}):
                low = middle
            else:
                high = middle
        return low, high


@cache
def _asked(where: Callable[..., bool]) -> tuple[str, ...]:
    return tuple(signature(where).parameters)


def _round(kind: str, number: int) -> int:
    """A number a little higher that a person would name."""
    step = 1
    if kind == "money":
        step = 500 if number < 100_000 else 5_000
    elif kind == "duration":
        step = 15
    return -(-number // step) * step
