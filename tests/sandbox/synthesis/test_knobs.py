"""Knobs make tasks harder and leave what is right as it was."""

import pytest

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.distinct import Distinct
from toolgym.sandbox.synthesis.generator import Generator
from toolgym.sandbox.synthesis.knobs import FEWEST, MOST, OFF, Knobs
from toolgym.sandbox.synthesis.proof.lint import lint

BANKING = get_domain("banking")
WORLDS = ("airline", "banking", "calendar", "retail", "telecom")


def test_distractors_are_live_tools_of_other_worlds() -> None:
    tasks = list(Generator(BANKING, 4, knobs=Knobs(1, 0, 0, 0)).tasks(10))
    assert not lint(tasks).problems
    for task in tasks:
        assert FEWEST <= len(task.distractors) <= MOST
        names = [tool["function"]["name"] for tool in briefing(BANKING, task).tools]
        assert len(names) == len(BANKING.tools) + len(task.distractors)


def test_stripped_schemas_list_no_values_and_calls_are_checked_as_ever() -> None:
    task = next(Generator(BANKING, 4, knobs=Knobs(0, 1, 0, 0)).tasks(1))
    assert '"enum"' not in str(briefing(BANKING, task).tools).replace("'", '"')
    with Session(BANKING, task=task) as session:
        assert session.call("list_accounts", {"kind": "gold"}).error is not None
    assert "enum" in str(BANKING.tools["list_accounts"].parameters)


@pytest.mark.parametrize(("knobs", "family"), [(Knobs(0, 0, 1, 0), "irrelevant"), (Knobs(0, 0, 0, 1), "hidden_tool")])
def test_where_no_tool_fits_nothing_is_called(knobs: Knobs, family: str) -> None:
    tasks = list(Generator(BANKING, 4, knobs=knobs).tasks(8))
    assert len(tasks) == 8
    assert {task.family for task in tasks} == {family}
    assert {(task.depth, task.gold, task.structure) for task in tasks} == {(0, (), "none")}
    assert not [problem for problem in lint(tasks).problems if "idle" not in problem.text]


def test_a_hidden_tool_is_not_offered() -> None:
    for task in Generator(BANKING, 4, knobs=Knobs(0, 0, 0, 1)).tasks(5):
        assert task.tools is not None and len(task.tools) == len(BANKING.tools) - 1


def test_a_share_beyond_one_is_a_sentence() -> None:
    with pytest.raises(BadInput, match="distractors must be from 0 to 1"):
        Knobs(distractors=2)


def test_a_task_like_one_that_was_kept_is_a_duplicate() -> None:
    first, second = Generator(BANKING, 4, knobs=OFF).tasks(2)
    kept = Distinct()
    assert kept.add(first)
    assert not kept.add(first.model_copy(update={"id": "another", "seed": 9}))
    assert kept.add(second)


def test_where_nothing_fits_the_same_wish_in_other_words_is_a_duplicate() -> None:
    first = next(Generator(BANKING, 4, knobs=Knobs(0, 0, 1, 0)).tasks(1))
    reworded = [goal.model_copy(update={"utterance": f"Well: {goal.utterance}"}) for goal in first.goals]
    kept = Distinct()
    assert not first.gold and kept.add(first)
    assert not kept.add(first.model_copy(update={"id": "another", "goals": tuple(reworded)}))


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
def test_large_shares_of_what_no_tool_does_are_drawn_in_full(world: str) -> None:
    tasks = list(Generator(get_domain(world), 4, knobs=Knobs(0, 0, 0.5, 0.5, 0)).tasks(30))
    assert len(tasks) == 30 and {task.family for task in tasks} == {"irrelevant", "hidden_tool"}
    assert not any(task.gold for task in tasks)
    human = {goal.name for name in WORLDS for goal in get_domain(name).goals if goal.tool.ends_episode}
    assert not human & {task.goals[0].kind for task in tasks if task.family == "irrelevant"}


@pytest.mark.parametrize("world", WORLDS)
def test_changes_come_two_or_three_at_once_each_about_something_else(world: str) -> None:
    tasks = list(Generator(get_domain(world), 4, knobs=Knobs(0, 0, 0, 0, 1)).tasks(20))
    several = [task for task in tasks if task.family == "changes"]
    assert len(tasks) == 20 and len(several) > 5 and any(len(task.goals) == 3 for task in several)
    for task in several:
        calls = [
            {(call.name, call.arguments_text()) for call in goal.calls} for goal in task.goals if goal.kind != "ask"
        ]
        assert all(calls) and len(set.union(*calls)) >= len(calls), task.id


@pytest.mark.slow
def test_by_default_a_granted_task_of_the_shop_has_as_many_writes_as_in_tau2() -> None:
    tasks = list(Generator(get_domain("retail"), 4, knobs=Knobs()).tasks(150))
    done = [task for task in tasks if task.family not in ("forbidden", "irrelevant", "hidden_tool")]
    assert sum(len(goal.final.calls) for task in done for goal in task.goals) / len(done) >= 1.5
