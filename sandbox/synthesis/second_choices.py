"""What a person wants instead of what is refused: the same with another value or another thing, or the next best means.

Only what the broken rule looks at becomes another one; what else the first wish was about stays what it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.kit.task import Information
from toolgym.sandbox.synthesis.arguments import drawn_names
from toolgym.sandbox.synthesis.composition import second_choice
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.threads import following
from toolgym.sandbox.synthesis.wish import Drawn, Mentioned, worded
from toolgym.sandbox.synthesis.wording import led_in

MEANS = 0.25
"""The share of second choices that are other means, where there are some; the others are the same with other values."""


def next_best(
    sampler: Sampler, first: Drawn, goals: Sequence[Goal], rng: Random, information: Information
) -> Drawn | None:
    """A wish that must be refused with what is wanted then; None where nothing near it can be granted.

    Args:
        sampler: the person's world.
        first: what must be refused.
        goals: what may be wanted instead.
        rng: decides everything.
        information: how the person puts it.
    """
    goal = next((each for each in goals if each.name == first.wish.kind), None)
    ways = [partial_of(sampler, first, goal, rng, information)] if goal is not None else []
    means = (
        other for other in [following(sampler, [first], goals, rng, information, is_instead=True)] if other is not None
    )
    ordered = [means, *ways] if rng.random() < MEANS else [*ways, means]
    for other in (each for way in ordered for each in way):
        instead = other.wish.model_copy(update={"utterance": led_in(other.wish, rng, instead=True)})
        both = second_choice(first, replace(other, wish=instead), rng, is_near=True)
        if both is not None:
            return both
    return None


def partial_of(sampler: Sampler, first: Drawn, goal: Goal, rng: Random, information: Information) -> Iterator[Drawn]:
    """Wishes of the same goal in which what the broken rule looks at is another: plain values first, then means."""
    assert first.broken is not None
    looked_at = set(first.broken.parameters) & set(drawn_names(goal))
    plain = {name for name in looked_at if name not in goal.tables}
    means = {name for name in looked_at - plain if _is_means(goal, name)}
    for names in filter(None, (plain, means, plain | means)):
        other = {filled for name in names for filled in (name, goal.slot(name).name, *goal.slot(name).fills)}
        kept = {
            name: value
            for name, value in first.arguments.items()
            if name not in other and name not in goal.worked_out and name not in goal.fixed
        }
        arguments = sampler.allowed_with(goal, rng, kept)
        if arguments is None or arguments == first.arguments:
            continue
        known = {
            fact.name: Mentioned(kept.get(fact.name), fact, fact.words)
            for fact in first.wish.facts
            if fact.name not in other
            and all(_same(arguments, first.arguments, name) for name in _names(goal, fact.name))
        }
        found = worded(sampler, goal, arguments, rng, information, None, known)
        if found is not None:
            yield found


def _is_means(goal: Goal, name: str) -> bool:
    """Whether a row is one by which something is done, such as an account, and not what it is done to."""
    others = [each for each in goal.tables if each not in goal.fixed]
    return len(others) > 1 and goal.tables[name] not in goal.tool.shows


def _names(goal: Goal, slot: str) -> Sequence[str]:
    return tuple(goal.slot(slot).fills) or (slot,)


def _same(one: dict[str, Any], other: dict[str, Any], name: str) -> bool:
    return name in one and name in other and bool(one[name] == other[name])
