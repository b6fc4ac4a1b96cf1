"""Wishes, the parts of a task: questions, forbidden ones, conditional ones, changes of mind, and one after another.

What can be wished for in a world is that world's business; here is only how wishes are put together.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from random import Random
from typing import Any

from sandbox.kit.message import ToolCall
from sandbox.kit.task import Fact, Goal
from sandbox.synthesis.wording import CANNOT, CHANGED, HINTS, LATER, first, lower_first, second


@dataclass(frozen=True)
class GoalDraft:
    """A wish ready for a task.

    Attributes:
        goal: for the scripted user.
        want: for the scenario, in second person, everything the user knows about it.
        reads: the look-ups that an agent needs, in order.
    """

    goal: Goal
    want: str
    reads: tuple[ToolCall, ...] = ()


@dataclass(frozen=True)
class ForbiddenGoal:
    """A forbidden wish before it is worded.

    Attributes:
        kind: the tool that the customer would have used.
        ways: how to ask for it.
        why: accepted ways to say why not.
        reads: what shows the agent that it is forbidden.
        facts: what the customer knows about it.
    """

    kind: str
    ways: tuple[str, ...]
    why: str
    reads: tuple[ToolCall, ...]
    facts: tuple[Fact, ...]


def call(name: str, **arguments: Any) -> ToolCall:
    """A tool call."""
    return ToolCall(name=name, arguments=arguments)


def question(
    rng: Random,
    ways: Sequence[str],
    know: str,
    tell: tuple[str, ...],
    reads: tuple[ToolCall, ...],
    facts: tuple[Fact, ...] = (),
) -> GoalDraft:
    """A wish to know: `ways` of asking it, and what the scenario says of it."""
    say = first(rng.choice(ways))
    told = (*facts, Fact(name="question", value=say))
    goal = Goal(kind="ask", utterance=say, must_communicate=tell, outcome="answered", facts=told)
    return GoalDraft(goal, second(f"You want to know {know}."), reads)


def refused(rng: Random, no: ForbiddenGoal) -> GoalDraft:
    """A wish that the agent has to decline, with the reason."""
    way = rng.choice(no.ways)
    goal = Goal(
        kind=no.kind, utterance=first(way), facts=no.facts, outcome="refused", must_communicate=(CANNOT, no.why)
    )
    want = f"You want the following, and nothing else in its place: {second(way)} If it is refused, you accept that."
    return GoalDraft(goal, want, no.reads)


def told(wish: GoalDraft, say: str) -> GoalDraft:
    """The same wish in other words."""
    return GoalDraft(wish.goal.model_copy(update={"utterance": say}), wish.want, wish.reads)


def either(
    rng: Random, wish: GoalDraft, other: GoalDraft, *, possible: bool, open_facts: Set[str] = frozenset()
) -> GoalDraft:
    """A wish and what to do if it is impossible; only a possible one keeps its calls.

    Args:
        rng: the task's draw.
        wish: the first choice.
        other: the second.
        possible: whether the first can be granted.
        open_facts: names of facts of the second choice that are told with it, withheld or not.
    """
    facts = tuple(
        fact.model_copy(update={"on_request": fact.on_request and fact.name not in open_facts})
        for fact in other.goal.facts
    )
    reserve = other.goal.model_copy(update={"facts": facts})
    kept: dict[str, object] = {} if possible else {"calls": (), "must_communicate": ()}
    hint = rng.choice(HINTS)
    goal = wish.goal.model_copy(update={**kept, "utterance": f"{wish.goal.utterance}{hint}", "fallback": reserve})
    want = f"{wish.want} If that turns out to be impossible, {lower_first(other.want)}"
    return GoalDraft(goal, want, wish.reads if possible else (*wish.reads, *other.reads))


def turned(rng: Random, begun: GoalDraft, final: GoalDraft) -> GoalDraft:
    """A wish that becomes another when the agent proposes to carry it out."""
    say = rng.choice(CHANGED).format(say=lower_first(final.goal.utterance))
    last: Goal = final.goal.model_copy(update={"utterance": say})
    goal = begun.goal.model_copy(update={"calls": (), "must_communicate": (), "revised_to": last})
    turn = "But as soon as the agent asks you to confirm exactly that, you change your mind"
    return GoalDraft(goal, f"{begun.want} {turn}: {lower_first(final.want)}", final.reads)


def later(rng: Random, wish: GoalDraft | None, index: int) -> GoalDraft | None:
    """A wish in its place among several; from the second on it is introduced as a further one."""
    if wish is None or index == 0:
        return wish
    return told(wish, rng.choice(LATER).format(say=lower_first(wish.goal.utterance)))
