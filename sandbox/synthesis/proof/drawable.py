"""Whether a world's seed data let its goals be drawn: each goal granted, each rule kept and broken, each thing found.

Rules on time are tried at every clock that tasks may play at. Everything is drawn live from people's rows; a person who
has nothing for a goal does not count against it, only a world in which nobody has.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from random import Random

from toolgym.sandbox.kit.author_errors import place_of
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.goal import Goal, Thing
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.rule import NOW, Rule
from toolgym.sandbox.kit.sentence import places
from toolgym.sandbox.kit.trouble import broken_by
from toolgym.sandbox.kit.view import tables_of
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.synthesis.assembly import assembled
from toolgym.sandbox.synthesis.lookup import filters
from toolgym.sandbox.synthesis.proof.prove import prove
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.wish import drawn

DRAWS = 12
"""How many people's wishes are tried before a goal counts as one that nobody can prove."""
PEOPLE = 120
"""How many people are tried before nobody counts as having what is looked for."""


class _World:
    """A world's people at its clocks, each opened once."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.keys: list[Json] = list(domain.owner_keys())[:PEOPLE] or [None]
        self.clocks = (domain.now, *domain.clocks)
        self._samplers: dict[tuple[Json, datetime], Sampler] = {}

    def at(self, now: datetime) -> Iterator[Sampler]:
        """Everybody's world at a moment."""
        for key in self.keys:
            if (key, now) not in self._samplers:
                self._samplers[key, now] = Sampler(self.domain, key, now)
            yield self._samplers[key, now]

    def close(self) -> None:
        """Close the sessions."""
        for sampler in self._samplers.values():
            sampler.session.close()


def drawable(domain: Domain) -> Iterator[str]:
    """What cannot be drawn, one sentence each."""
    if not domain.goals:
        return
    world = _World(domain)
    try:
        possible = [goal for goal in domain.goals if goal.against is not None or _granted(world, goal)]
        for goal in domain.goals:
            if goal not in possible:
                yield (
                    f"{place_of(goal.at)}goal {goal.name}: it cannot be drawn; nobody in the seed data has rows for it "
                    "with which no rule is broken."
                )
            elif domain.name in registry.names("domains"):
                yield from _provable(world, goal)
        for rule in domain.rules:
            yield from _rule(world, rule, [goal for goal in domain.goals if rule.applies(goal.tool)])
        for thing in domain.things:
            yield from _thing(world, thing)
    finally:
        world.close()


def _granted(world: _World, goal: Goal) -> bool:
    rng = Random(0)  # one for all: drawn anew for each, people whose rows are laid out alike would draw the same
    return any(sampler.allowed(goal, rng) is not None for now in world.clocks for sampler in world.at(now))


def _provable(world: _World, goal: Goal) -> Iterator[str]:
    """Why no task of the goal can be proven, where none of some draws can."""
    why = ""
    for tried, sampler in enumerate(islice(world.at(world.domain.now), DRAWS)):
        wish = None if goal.against is not None else drawn(sampler, goal, Random(tried), "complete")
        if wish is not None:
            task = assembled(sampler, [wish], Random(tried), goal.name, "train", "complete", "granted")
            why = next(iter(prove(task)), "")
            if not why:
                return
    if why:
        yield f"{place_of(goal.at)}goal {goal.name}: none of its drawn tasks can be proven; {why}"


def _rule(world: _World, rule: Rule, goals: list[Goal]) -> Iterator[str]:
    if not goals:
        return  # that no goal is about it was said
    where = f"{place_of(rule.holds)}rule {rule.name}:"
    timed = NOW in rule.parameters and any(tables_of(annotation) for annotation in rule.parameters.values())
    sides = {now: _sides(world, rule, goals, now) for now in world.clocks}
    kept, broken = (any(side[index] for side in sides.values()) for index in (0, 1))
    if rule in broken_by(world.domain.troubles):
        return
    if not kept:
        yield f"{where} it never holds for anything that a goal draws from the seed data; seed rows for which it does."
    if not broken:
        yield f"{where} it always holds for what goals draw from the seed data, so that no task can break it alone."
    if not (timed and kept and broken):
        return
    for now, (allowed, refused) in sides.items():
        if not (allowed and refused):
            lacking = "keeps" if not allowed else "breaks"
            yield f"{where} at the clock {now:%Y-%m-%d %H:%M} nothing in the seed data {lacking} it; seed rows that do."


def _sides(world: _World, rule: Rule, goals: list[Goal], now: datetime) -> tuple[bool, bool]:
    """Whether somebody keeps the rule at a moment, and whether somebody breaks it."""
    kept, broken, rng = False, False, Random(0)
    for sampler in world.at(now):
        for goal in goals:
            kept = kept or _keeps(sampler, rule, goal, rng)
            broken = broken or _breaks(sampler, rule, goal, rng)
            if kept and broken:
                return True, True
    return kept, broken


def _keeps(sampler: Sampler, rule: Rule, goal: Goal, rng: Random) -> bool:
    """Whether it holds for something that this person wants, after its remedy where there is one."""
    if rule.remedy is not None:
        return True
    drawn = (sampler.draw(goal, rng) for _ in range(10))
    return any(arguments is not None and sampler.holds(rule, arguments) for arguments in drawn)


def _breaks(sampler: Sampler, rule: Rule, goal: Goal, rng: Random) -> bool:
    if rule.remedy is None:
        return sampler.forbidden(goal, rule, rng) is not None
    arguments = sampler.draw(goal, rng)
    return arguments is not None and not sampler.holds(rule, arguments)


def _thing(world: _World, thing: Thing) -> Iterator[str]:
    """Whether what is described can be filtered by one of the columns that it is known by."""
    tools = [tool for tool in world.domain.tools.values() if tool.kind == "read" and thing.table in tool.lists]
    if thing.found_by or not tools:
        return
    above = {table for tool in tools for table in tool.references.values()}  # what is listed of the row it belongs to
    tools += [tool for tool in world.domain.tools.values() if tool.kind == "read" and above & {*tool.lists}]
    found = (sampler for sampler in world.at(world.domain.now) if sampler.rows(thing.table))
    sampler = next(found, None)
    where = f"{place_of(thing.at)}thing {thing.table.__name__}:"
    if sampler is None:
        yield f"{where} nobody in the seed data has one."
        return
    view = sampler.view(sampler.rows(thing.table)[0])
    for sentence in thing.says:
        columns = [name for name, _ in places(sentence)]
        known = {name: value for name in columns if (value := getattr(view, name, None)) is not None}
        if columns and known and not any(filters(tool, {name: known[name]}) for tool in tools for name in known):
            names = " or ".join(tool.name for tool in tools)
            yield f"{where} {names} cannot be filtered by {' or '.join(columns)} of {sentence!r}; give it a parameter."
