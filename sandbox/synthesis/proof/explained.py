"""What a rule comes to in its world's own rows: a call that keeps it, one that breaks it, and what shows which.

For authors: `toolgym check WORLD --explain RULE`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from toolgym.sandbox.kit.author_errors import place_of
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import unknown
from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.kit.rule import Rule
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.synthesis.arguments import Arguments, call_of
from toolgym.sandbox.synthesis.sampler import Sampler

PEOPLE = 24
"""Whose wishes are counted."""


def explained(domain: Domain, name: str) -> Iterator[str]:
    """A rule in lines.

    Args:
        domain: its world.
        name: the rule's.

    Raises:
        BadInput: there is no such rule.
    """
    rule = next((rule for rule in domain.rules if rule.name == name), None)
    if rule is None:
        raise unknown(f"rule of {domain.name}", name, [rule.name for rule in domain.rules])
    yield f"{place_of(rule.holds)}{rule.sentence}"
    holder = "tool" if rule.by == "tool" else "agent"
    yield f"held by the {holder}, for {_listed(rule.on)}; shown by {_listed(rule.reads)}"
    if rule.remedy is not None:
        yield f"{rule.remedy.name} makes it hold; before that it is broken by every call"
        return
    goals = [goal for goal in domain.goals if rule.applies(goal.tool)]
    if not goals:
        yield "no goal is about these tools, so that no task can break it"
    for now in (domain.now, *domain.clocks):
        people = [Sampler(domain, key, now) for key in islice(domain.owner_keys() or [None], PEOPLE)]
        try:
            yield f"at the clock {now:%Y-%m-%d %H:%M}, of {len(people)} people:"
            for goal in goals:
                yield from _sides(people, rule, goal)
        finally:
            for sampler in people:
                sampler.session.close()


def _sides(people: list[Sampler], rule: Rule, goal: Goal) -> Iterator[str]:
    """How many people's wishes of a goal keep the rule and how many can break it alone, each with the first call."""
    rng = Random(0)
    for title, found in (
        ("can be granted", [(each, each.allowed(goal, rng)) for each in people]),
        ("break it alone", [(each, each.forbidden(goal, rule, rng)) for each in people]),
    ):
        drawn = [(sampler, arguments) for sampler, arguments in found if arguments is not None]
        example = f", such as {_called(*drawn[0], rule, goal)}" if drawn else ""
        yield f"  {goal.name}: {len(drawn)} {title}{example}"


def _called(sampler: Sampler, arguments: Arguments, rule: Rule, goal: Goal) -> str:
    """The call with what becomes of it."""
    call = call_of(goal.tool, arguments, sampler.database)
    given = f"{call.name} of {call.arguments}"
    if sampler.holds(rule, arguments):
        return given
    reason = rule.reason(sampler.known(rule, arguments)).split("|", 1)[0]
    return f"{given}: {reason!r}"


def _listed(tools: Sequence[Tool]) -> str:
    return ", ".join(tool.name for tool in tools) or "no tool"
