"""Tasks drawn from declarations: proven, the same from the same seed, solved by the oracle and by nobody idle."""

import pytest

from sandbox.runtime.registry import get_domain
from sandbox.synthesis.generator import Generator
from sandbox.synthesis.proof.lint import lint

WORLDS = ("banking",)


@pytest.mark.parametrize("world", WORLDS)
def test_every_drawn_task_is_proven(world: str) -> None:
    tasks = list(Generator(get_domain(world), seed=3).tasks(40))
    report = lint(tasks)
    assert len(tasks) == 40
    assert not report.problems
    assert not report.idle


@pytest.mark.parametrize("world", WORLDS)
def test_the_same_seed_draws_the_same_tasks(world: str) -> None:
    one, other = (list(Generator(get_domain(world), seed=5).tasks(10)) for _ in range(2))
    assert one == other


@pytest.mark.parametrize("world", WORLDS)
def test_no_person_is_in_two_splits(world: str) -> None:
    splits = [set(Generator(get_domain(world), split=split).people) for split in ("train", "dev", "test")]
    assert not splits[0] & splits[1] and not splits[0] & splits[2] and not splits[1] & splits[2]
