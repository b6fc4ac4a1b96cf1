"""Version 3 of the tasks: stored, played where it is named, with splits that training has not seen, passed clean."""

from __future__ import annotations

import gzip
import hashlib
from functools import lru_cache
from pathlib import Path

import pytest

import toolgym
from toolgym import domains
from toolgym.judge.evaluation.run import unspoken
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.task import Task, write_tasks
from toolgym.sandbox.runtime.registry import data_of, environment_id, environments, get_domain
from toolgym.sandbox.synthesis.generator import Generator
from toolgym.sandbox.synthesis.information import information_of
from toolgym.sandbox.synthesis.knobs import OFF, Knobs
from toolgym.sandbox.synthesis.mixture import MIXTURES
from toolgym.sandbox.synthesis.statistics import statistics

SIZES = {"train": 2000, "train-prove": 2000, "dev": 100, "test": 115, "hard": 100}
MIXTURE = {"train": "train", "train-prove": "train", "dev": "3", "test": "3", "hard": "hard"}
KNOBS = {"train-prove": Knobs(changes=0)}
DIGESTS = {
}
"""SHA-256 of each stored split's lines. They never change: another split is another version, in files of its own."""
WORLDS = sorted({name.split("/")[0] for name in DIGESTS})
MEGABYTE = 1_000_000
EVERY = 12
"""Of so many tasks one is played, each time the tests run another place of a split would be: the first here."""
worlds = pytest.mark.parametrize("world", WORLDS)


def file_of(world: str, split: str) -> Path:
    return Path(domains.__path__[0]) / world / "splits" / "v3" / f"{split}.jsonl.gz"


@lru_cache(maxsize=4)
def tasks_of(world: str, split: str) -> tuple[Task, ...]:
    return tuple(get_domain(world).tasks(split, "v3"))


@pytest.mark.parametrize(("world", "split"), [name.split("/") for name in DIGESTS])
def test_a_stored_split_does_not_move(world: str, split: str) -> None:
    content = gzip.decompress(file_of(world, split).read_bytes())
    assert hashlib.sha256(content).hexdigest() == DIGESTS[f"{world}/{split}"]
    tasks = tasks_of(world, split)
    assert len({task.id for task in tasks}) == len(tasks) == SIZES[split]
    assert all(task.id.startswith(f"{world}-v3-{split}-") for task in tasks)


@pytest.mark.parametrize(("world", "split"), [("retail", "test"), ("calendar", "hard"), ("shopping", "train-prove")])
def test_the_same_command_draws_the_same_tasks(world: str, split: str) -> None:
    mixture, knobs = MIXTURES[MIXTURE[split]], KNOBS.get(split, OFF)
    drawn = Generator(get_domain(world), 0, split, knobs=knobs, data="v3", mixture=mixture).tasks(3)
    assert [task.model_dump() for task in drawn] == [task.model_dump() for task in tasks_of(world, split)[:3]]


@worlds
def test_nothing_of_test_and_hard_is_in_training(world: str) -> None:
    """Neither a person, nor the same sorts of wishes about the same rows."""

    def wished(split: str) -> set[tuple[str, ...]]:
        return {tuple(sorted(each)) for task in tasks_of(world, split) if (each := list(_rows(task)))}

    for trained in ("train", "train-prove"):
        for held in ("test", "hard"):
            assert not people(world, trained) & people(world, held)
            assert not wished(trained) & wished(held)


def people(world: str, split: str) -> set[tuple[str, ...]]:
    return {(str(task.owner), *sorted(str(fact.value) for fact in task.facts)) for task in tasks_of(world, split)}


def _rows(task: Task) -> list[str]:
    facts = [(goal, fact) for goal in task.every_goal() for fact in goal.facts if fact.kind == "reference"]
    return [f"{goal.kind}:{fact.name}:{fact.value}" for goal, fact in facts]


@worlds
def test_how_wishes_are_put_is_measured_and_hangs_together(world: str) -> None:
    tasks = tasks_of(world, "test")
    assert all(task.information in (None, information_of(task)) for task in tasks)
    shares = statistics(tasks).shares
    share, several = shares["several wishes: two of them share a row"]
    assert share >= 0.6 * several
    assert shares["wishes: one says a key that people do not say"][0] == 0


@pytest.mark.parametrize("split", ["test", "hard"])
@worlds
def test_a_sample_is_passed_by_the_oracle_and_clean_by_the_demonstrator(
    world: str, split: str, tmp_path: Path
) -> None:
    path = tmp_path / "tasks.jsonl"
    write_tasks(path, tasks_of(world, split)[::EVERY])
    for agent in ("oracle", "demonstrator"):
        settings = EvalSettings(env=world, agent=agent, data=f"own:{path}", split=split)
        verdicts = [verify(trajectory) for trajectory in unspoken(settings)]
        assert all(verdict.passed() if agent == "oracle" else verdict.clean for verdict in verdicts)


@worlds
def test_training_as_prove_has_it_is_perturbed_and_the_others_are_not(world: str) -> None:
    def share(split: str) -> float:
        tasks = tasks_of(world, split)
        return sum(bool(task.distractors) for task in tasks) / len(tasks)

    assert share("test") == share("hard") == share("train") == 0
    assert 0.3 < share("train-prove") < 0.45


@worlds
def test_an_environment_plays_it_and_a_worlds_name_does_not(world: str) -> None:
    identifier = environment_id(world, "v3")
    assert identifier.endswith("-v2") and environments()[identifier] == (world, "v3")
    assert (data_of(identifier), data_of(world), get_domain(world).newest_data) == ("v3", "v2", "v2")
    env = toolgym.make(identifier, split="hard")
    try:
        assert env.reset(seed=1)[1]["task_id"].startswith(f"{world}-v3-hard-")
    finally:
        env.close()


def test_the_files_are_small() -> None:
    assert sum(path.stat().st_size for world in WORLDS for path in file_of(world, "").parent.iterdir()) <= 25 * MEGABYTE
