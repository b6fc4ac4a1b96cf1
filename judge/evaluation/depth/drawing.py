"""How the tasks of ToolDepth are drawn: every depth and structure that can exist has the same number, over its worlds.

The worlds are split, so that no tool of the validation tasks is in a training task. The same code draws the same tasks;
`python benchmarks/tooldepth.py draw` writes them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import zip_longest
from multiprocessing import get_context

from toolgym.judge.evaluation.depth.benchmark import DISTRACTORS, SPLITS, VERSION
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.generator import Cell, Generator
from toolgym.sandbox.synthesis.knobs import foreign_tools

Worlds = Mapping[str, Sequence[str]]
"""Which worlds a split draws from."""
PEOPLE = {"train": "train", "validation": "test"}
"""Whose people a split's tasks are about, as elsewhere."""
DEPTHS = range(9)
SHAPES = {0: ("none",), 1: ("single", "parallel")}
DEEPER = ("chain", "funnel", "mixed")
"""The shapes of calls that build on one another; where none does, they are parallel or there is one."""
COUNT, DRAWS, SEED = 12, 150, 1
"""Tasks of each depth and structure in a split; draws for those of one depth of a world; what decides which."""
Cells = dict[tuple[int, str], list[Task]]
"""Tasks by depth and structure."""


def of_world(split: str, world: str) -> Cells:
    """Up to so many tasks of each depth and structure of a world; none deeper than two depths that have none."""
    found: Cells = {}
    for depth in DEPTHS:
        cells: dict[str, list[Task]] = {shape: [] for shape in SHAPES.get(depth, DEEPER)}
        cell = Cell(depth=(depth, depth), interaction="program")
        domain = get_domain(world)
        for task in Generator(domain, SEED, PEOPLE[split], cell, data=domain.newest_data).tried(DRAWS):
            if len(cells.get(task.structure, range(COUNT))) < COUNT:
                cells[task.structure].append(task)
            if all(len(tasks) == COUNT for tasks in cells.values()):
                break
        found |= {(depth, shape): tasks for shape, tasks in cells.items()}
        if depth > 1 and not any(tasks for (other, _), tasks in found.items() if other >= depth - 1):
            break
    return found


def draw(
    worlds: Worlds, workers: int, step: Callable[[str, str, Cells], None] = lambda *told: None
) -> dict[str, list[Task]]:
    """The tasks by split, the same ones with any number of processes and whatever other worlds are installed.

    Args:
        worlds: of which the tasks are, by split.
        workers: processes that draw.
        step: told of each split and world what was found.
    """
    every = [(split, world) for split in SPLITS for world in worlds[split]]
    found: dict[tuple[str, str], Cells] = {}
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for (split, world), cells in zip(every, pool.map(of_world, *zip(*every, strict=True)), strict=True):
            step(split, world, cells)
            found[split, world] = cells
    return {
        split: list(_chosen(split, {world: found[split, world] for world in worlds[split]}, worlds)) for split in SPLITS
    }


def _chosen(split: str, found: Mapping[str, Cells], worlds: Worlds) -> Iterator[Task]:
    """Of each depth and structure the same number, in turn from the worlds that have some."""
    for depth in DEPTHS:
        for structure in SHAPES.get(depth, DEEPER):
            of_worlds = [cells.get((depth, structure), []) for cells in found.values()]
            in_turn = [task for tasks in zip_longest(*of_worlds) for task in tasks if task is not None]
            for number, task in enumerate(in_turn[:COUNT]):
                name = f"depth-v{VERSION}-{split}-{depth}-{structure}-{number:02d}-{task.domain}"
                yield task.model_copy(
                    update={"id": name, "split": split, "distractors": _distractors(name, task, worlds)}
                )


def _distractors(name: str, task: Task, every: Worlds) -> tuple[str, ...]:
    """Tools of other worlds; none of a world in which the request of a task without a fitting tool could be granted."""
    worlds = {world for split in SPLITS for world in every[split]} - {task.domain}
    if not task.gold:
        kinds = {goal.kind for goal in task.goals}
        worlds -= {world for world in worlds if kinds & {goal.name for goal in get_domain(world).goals}}
    tools = [tool for tool in foreign_tools(get_domain(task.domain)) if tool.partition(".")[0] in worlds]
    return tuple(random.Random(name).sample(tools, DISTRACTORS))
