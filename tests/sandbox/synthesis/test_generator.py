"""Tasks drawn from declarations: proven, the same from the same seed, solved by the oracle and by nobody idle."""

import subprocess
import sys
from collections import defaultdict

import pytest

from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import Cell, Generator
from toolgym.sandbox.synthesis.proof.lint import lint
from toolgym.sandbox.synthesis.proof.replay import gold_of
from toolgym.sandbox.synthesis.statistics import masked

WORLDS = ("banking", "retail")


@pytest.mark.parametrize("world", WORLDS)
def test_every_drawn_task_is_proven(world: str) -> None:
    tasks = list(Generator(get_domain(world), seed=3).tasks(40))
    report = lint(tasks)
    assert len(tasks) == 40
    assert not report.problems
    assert not report.idle


@pytest.mark.parametrize("world", ("calendar", "filesystem", "retail"))
def test_what_the_gold_calls_show_is_what_a_session_of_their_own_shows(world: str) -> None:
    """The look-ups with which they begin are not made once more for the proof."""
    for task in Generator(get_domain(world), seed=8).tasks(15):
        gold = gold_of(task)
        with Session(world, task=task) as session:
            shown = [session.call(call.name, call.arguments, by=call.by) for call in task.gold]
            assert shown == [record.result() for record in gold.log] and tuple(session.diff()) == gold.diff
            assert [record.kind for record in session.log] == [record.kind for record in gold.log]


@pytest.mark.parametrize("world", WORLDS)
def test_the_same_seed_draws_the_same_tasks(world: str) -> None:
    one, other = (list(Generator(get_domain(world), seed=5).tasks(10)) for _ in range(2))
    assert one == other


@pytest.mark.parametrize("world", WORLDS)
def test_no_person_is_in_two_splits(world: str) -> None:
    splits = [set(Generator(get_domain(world), split=split).people) for split in ("train", "dev", "test")]
    assert not splits[0] & splits[1] and not splits[0] & splits[2] and not splits[1] & splits[2]


@pytest.mark.slow
def test_two_processes_draw_the_same_tasks_as_one() -> None:
    one, two = (list(Generator(get_domain("banking"), seed=5).tasks(12, workers=workers)) for workers in (1, 2))
    assert one == two


DRAWING = """
import sys
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.generator import Generator

one, two = (list(Generator(get_domain("retail"), seed=5).tasks(60, workers=workers)) for workers in (1, 2))
assert len(one) == 60 and one == two
"""


@pytest.mark.slow
def test_processes_that_begin_as_copies_draw_the_same_tasks() -> None:
    subprocess.run([sys.executable, "-c", DRAWING], check=True)  # where no other thread runs


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_depth_that_is_asked_for_is_what_the_gold_calls_have(depth: int) -> None:
    tasks = list(Generator(get_domain("banking"), seed=2, cell=Cell(depth=(depth, depth))).tasks(5))
    assert len(tasks) == 5
    assert {task.depth for task in tasks} == {depth}
    assert not lint(tasks).problems


def test_a_ticket_holds_what_a_user_would_tell_when_asked() -> None:
    tasks = list(Generator(get_domain("banking"), seed=2, cell=Cell(interaction="solo")).tasks(10))
    for task in tasks:
        assert task.interaction == "solo"
        for fact in (fact for goal in task.goals for fact in goal.final.facts if fact.on_request):
            assert fact.words.lower() in (task.ticket or "").lower()


@pytest.mark.slow
def test_pairs_stand_on_both_sides_of_an_edge_in_the_same_words() -> None:
    tasks = list(Generator(get_domain("banking"), seed=7).tasks(150))
    pairs = defaultdict(list)
    for task in tasks:
        if "pair" in task.metadata:
            pairs[task.metadata["pair"]].append(task)
    whole = [pair for pair in pairs.values() if len(pair) == 2]
    assert len(whole) >= 3
    for granted, refused in whole:
        assert (granted.goals[0].outcome, refused.goals[0].outcome) == ("done", "refused")
        assert masked(granted.goals[0]) == masked(refused.goals[0])
        assert granted.persona == refused.persona
