"""The two sides of a rule's edge: the last value that it allows and the first that it refuses, in the same words."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from itertools import pairwise
from random import Random
from typing import Any

from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.kit.rule import Rule
from toolgym.sandbox.kit.table import shown_columns
from toolgym.sandbox.kit.task import Information
from toolgym.sandbox.synthesis.arguments import Arguments
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.search import edge
from toolgym.sandbox.synthesis.statistics import masked
from toolgym.sandbox.synthesis.wish import Drawn, worded

TRIES = 6
"""Draws before a rule counts as having no edge for a person."""


def pair(sampler: Sampler, goal: Goal, rule: Rule, rng: Random, information: Information) -> tuple[Drawn, Drawn] | None:
    """A wish just allowed and the same wish just refused; None when this person has nothing at the rule's edge."""
    for _ in range(TRIES):
        arguments = sampler.allowed(goal, rng)
        if arguments is None:
            return None
        seed = rng.random()
        for sides in _sides(sampler, goal, rule, arguments):
            allowed, refused = (_worked_out(sampler, goal, side, rng) for side in sides)
            if None in (*(allowed[name] for name in goal.worked_out), *(refused[name] for name in goal.worked_out)):
                continue
            fits = sampler.sensible(goal, allowed) and sampler.sensible(goal, refused)
            if not fits or sampler.broken(goal.tool, allowed) or sampler.broken(goal.tool, refused) != [rule]:
                continue
            granted = worded(sampler, goal, allowed, Random(seed), information, None)
            denied = worded(sampler, goal, refused, Random(seed), information, rule)
            if granted and denied and masked(granted.wish) == masked(denied.wish):
                return granted, denied
    return None


def _worked_out(sampler: Sampler, goal: Goal, arguments: Arguments, rng: Random) -> Arguments:
    """The arguments with what the agent works out from them: another row has other sums."""
    drawing = sampler.drawing(rng, {name: value for name, value in arguments.items() if name not in goal.worked_out})
    return arguments | {name: reckoned(drawing) for name, reckoned in goal.worked_out.items()}


def _sides(sampler: Sampler, goal: Goal, rule: Rule, arguments: Arguments) -> Iterator[tuple[Arguments, Arguments]]:
    """Arguments on both sides, by every argument that the rule looks at."""
    for name in rule.parameters:
        if name not in arguments:
            continue
        numbers = edge(sampler, goal, rule, arguments, name)
        if numbers is not None:
            yield arguments | {name: numbers[0]}, arguments | {name: numbers[1]}
        table = goal.tool.references.get(name)
        value = arguments[name]
        if table is not None and hasattr(value, "model") and value.model is table:
            for kept, refused in _neighbours(sampler, goal, rule, arguments, name):
                yield arguments | {name: kept}, arguments | {name: refused}


def _neighbours(sampler: Sampler, goal: Goal, rule: Rule, arguments: Arguments, name: str) -> Iterator[tuple[Any, Any]]:
    """Rows on both sides, nearest to each other by the column that decides; any two where no column does."""
    rows: list[Any] = sampler.rows(goal.tool.references[name], goal.slot(name).where)
    verdicts = {id(row): sampler.holds(rule, arguments | {name: row}) for row in rows}
    if len(set(verdicts.values())) < 2:
        return

    def fits(row: Any) -> bool:
        changed = arguments | {name: row}
        return sampler.sensible(goal, changed) and not set(sampler.broken(goal.tool, changed)) - {rule}

    for column in shown_columns(rows[0].model):
        values = [getattr(sampler.view(row), column) for row in rows]
        if not all(isinstance(value, int | date | datetime) and not isinstance(value, bool) for value in values):
            continue
        ordered = [row for _, row in sorted(zip(values, rows, strict=True), key=lambda each: each[0])]
        sides = [verdicts[id(row)] for row in ordered]
        if sum(one != other for one, other in pairwise(sides)) == 1:
            switch = sides.index(not sides[0])
            before = next(filter(fits, reversed(ordered[:switch])), None)
            after = next(filter(fits, ordered[switch:]), None)
            if before is not None and after is not None:
                yield (before, after) if sides[0] else (after, before)
            return
    kept, refused = ([row for row in rows if verdicts[id(row)] == side] for side in (True, False))
    found = next(filter(fits, kept), None), next(filter(fits, refused), None)
    if found[0] is not None and found[1] is not None:
        yield found
