"""What is worked out for a wish is worked out once, and anew for a task that plays otherwise."""

from __future__ import annotations

import asyncio

from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_user
from toolgym.sandbox.synthesis.generator import Generator
from toolgym.sandbox.users.declared_form import wish_of
from toolgym.sandbox.users.once_a_wish import once_a_wish


def _drawn(count: int) -> list[Task]:
    return list(Generator(get_domain("retail")).tasks(count))


def test_every_episode_of_a_task_has_the_same_wish() -> None:
    (task,) = _drawn(1)
    assert wish_of(task, task.goals[0]) is wish_of(task.model_copy(update={"goals": task.goals[:1]}), task.goals[0])


def test_a_task_that_plays_otherwise_has_a_wish_of_its_own() -> None:
    (task,) = _drawn(1)
    goal, later = task.goals[0], task.model_copy(update={"now": get_domain("retail").now.replace(year=2031)})
    assert wish_of(later, goal).now.year == 2031
    assert wish_of(task, goal).now.year != 2031


def test_an_equal_goal_that_is_another_object_has_a_wish_of_its_own() -> None:
    (task,) = _drawn(1)
    goal = task.goals[0]
    assert (
        wish_of(task, goal.model_copy(update={"utterance": "I want my money back."})).goal.utterance != goal.utterance
    )


def test_that_nothing_can_be_made_of_a_wish_is_known_too() -> None:
    made = []

    @once_a_wish
    def nothing(task: Task, goal: Goal) -> None:
        made.append(goal)

    (task,) = _drawn(1)
    assert nothing(task, task.goals[0]) is None and nothing(task, task.goals[0]) is None
    assert len(made) == 1


def test_what_is_kept_does_not_grow_without_end() -> None:
    made = []

    @once_a_wish
    def number(task: Task, goal: Goal) -> int:
        made.append(goal)
        return len(made)

    (task,) = _drawn(1)
    goals = [task.goals[0].model_copy() for _ in range(600)]
    assert [number(task, goal) for goal in goals] == list(range(1, 601))
    assert number(task, goals[-1]) == 600 and number(task, goals[0]) == 601


def test_two_users_of_one_task_do_not_hear_each_other() -> None:
    task = next(task for task in _drawn(40) if len(task.goals[0].facts) > 1 and task.goals[0].outcome == "done")
    line = f"To confirm: {task.goals[0].utterance} Shall I proceed?"

    async def replies() -> list[str]:
        first, second = (make_user("scripted", {"style": "terse"}).open(task, seed=1) for _ in range(2))
        alone = make_user("scripted", {"style": "terse"}).open(task, seed=1)
        told = [Message(role="assistant", content=line)]
        other = [Message(role="assistant", content="Shall I close your account instead?")]
        said = await alone.reply(told)
        await second.reply(other)
        heard = await first.reply(told)
        return [said.content or "", heard.content or ""]

    said, heard = asyncio.run(replies())
    assert said == heard


def test_a_wish_of_plain_facts_has_the_form_of_a_declared_one() -> None:
    """At most five of a hundred published tasks of version 1 hold a wish with calls that no declared goal says."""
    for world in ("retail", "airline"):
        tasks = get_domain(world).tasks("dev", "own")
        wishes = [wish_of(task, goal) for task in tasks for goal in task.goals if goal.calls]
        plain = [wish for wish in wishes if wish.declared is None]
        assert len(plain) <= 0.05 * len(wishes), [wish.goal.kind for wish in plain]
