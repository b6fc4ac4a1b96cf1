"""Some tasks of any installed world, published or drawn from what it declares, and how to play them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from toolgym.judge.evaluation.run import unspoken
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.sandbox.kit.task import Task, write_tasks
from toolgym.sandbox.runtime.registry import get_domain, names
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.generator import Generator

WORLDS = tuple(sorted(names("domains")))
DECLARED = tuple(name for name in WORLDS if get_domain(name).goals)
SEED = 11


@cache
def drawn_tasks(world: str, count: int = 25) -> tuple[Task, ...]:
    """Tasks that the engine draws for a world with goals."""
    return tuple(Generator(get_domain(world), seed=SEED, split="test").tasks(count))


@cache
def some_tasks(world: str, count: int = 25) -> tuple[Task, ...]:
    """Drawn tasks; in a world without goals published ones, evenly spaced."""
    if world in DECLARED:
        return drawn_tasks(world, count)
    published = get_domain(world).tasks("test", "own")
    return tuple(published[:: max(1, len(published) // count)][:count])


def played(world: str, agent: str, tasks: Sequence[Task]) -> Sequence[Trajectory]:
    """Episodes of a scripted agent with the scripted user."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "tasks.jsonl"
        write_tasks(file, tasks)
        return unspoken(EvalSettings(env=world, agent=agent, data=f"own:{file}", split="test"))
