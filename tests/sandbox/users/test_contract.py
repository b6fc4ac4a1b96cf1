"""The contract of users in every world with goals: no yes to another value, nearly always one to what is wanted."""

from __future__ import annotations

import re
from functools import cache

import pytest
from user_proposals import Proposals, drawn

from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import User, make_user

GOALS = [
    (name, goal.name)
    for name in registry.names("domains")
    for goal in get_domain(name).goals
    if goal.tool.kind == "write" and goal.against is None  # what is never granted is never proposed
]
YES = re.compile(
    r"\b(?:yes|yeah|(?<!make )sure|correct(?! the)|go ahead|please do|that's right|confirm|do it)\b", re.IGNORECASE
)
A_GOAL = 1
"""Tasks a goal."""
EVERY = 3
"""Of the wrong proposals, which differ by a slot or a word, one in so many."""
pytestmark = pytest.mark.slow


@cache
def user(style: str) -> User:
    return make_user("scripted", {"style": style})


async def answer(task: Task, says: str) -> str:
    """What the user of a task says to a first message."""
    player = user("terse").open(task, seed=1)
    messages = [await player.reply([])]
    messages.append(Message(role="assistant", content=says))
    return (await player.reply(messages)).content or ""


@cache
def drawn_of(world: str, goal: str) -> list[Task]:
    domain = get_domain(world)
    return drawn(domain, next(each for each in domain.goals if each.name == goal), 0, A_GOAL)


def tasks_of(world: str, goal: str) -> list[Proposals]:
    return [Proposals(get_domain(world), task) for task in drawn_of(world, goal)]


WORLDS = sorted({world for world, _ in GOALS})
TYPED, ACTS = re.compile(r"\w+ is (?!my )"), re.compile(r"tool |another|fee")
"""Wrong proposals in which a slot has another value, and those in which something else is done or charged."""


@pytest.mark.parametrize("world", WORLDS)
async def test_another_value_or_act_is_hardly_ever_agreed_to(world: str) -> None:
    """What contradicts the wish by a value is declined, as is another act; what is only left open need not be."""
    wrong: dict[re.Pattern[str], list[tuple[str, str]]] = {TYPED: [], ACTS: []}
    declined = {TYPED: 0, ACTS: 0}
    for goal in [goal for name, goal in GOALS if name == world]:
        for proposals in tasks_of(world, goal):
            for what, text in [*proposals.wrong_ones()][::EVERY]:
                for kind in (kind for kind in wrong if kind.match(what)):
                    said = (await answer(proposals.task, text)).replace(proposals.task.goals[0].utterance, "")
                    wrong[kind].append((text, said))
                    declined[kind] += not YES.search(said)
    assert declined[TYPED] >= 0.9 * len(wrong[TYPED]), [each for each in wrong[TYPED] if YES.search(each[1])]
    assert declined[ACTS] >= 0.65 * len(wrong[ACTS]), [each for each in wrong[ACTS] if YES.search(each[1])]


@pytest.mark.parametrize("world", WORLDS)
async def test_a_yes_to_what_is_wanted_however_it_is_worded(world: str) -> None:
    said = [
        (text, await answer(each.task, text))
        for name, goal in GOALS
        if name == world
        for each in tasks_of(world, goal)
        for text in each.right_ones()
    ]
    missed = [(text, reply) for text, reply in said if not YES.search(reply)]
    assert len(said) >= 20 * A_GOAL and len(missed) <= 0.05 * len(said), missed
