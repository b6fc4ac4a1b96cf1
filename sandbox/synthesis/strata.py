"""A split by depth: so many tasks of each depth, as even as can be over their shapes and kinds of information.

Depth is TIER's (section 3): the longest chain of calls in which each needs a value that one before it returned. Every
task can be talked about; those that the engine builds by relations, one row described by another, can also be answered
by a program, as ToolDepth's are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.task import Interaction, Task
from toolgym.sandbox.synthesis.distinct import Distinct
from toolgym.sandbox.synthesis.generator import Cell, Generator

SPLIT = "depth"
DEPTHS, EACH = range(9), 20
DRAWS, RARE, RARER = 4, 4, 3
"""Draws of each kind for a wanted task; a shape or kind of information that none of them comes to does not exist. From
this depth on, so many times as many.
"""
GAP = 2
"""So many depths without a task end the search for deeper ones."""


def by_depth(
    domain: Domain, seed: int = 0, data: str = "v2", *, each: int = EACH, step: Callable[[], None] = lambda: None
) -> Iterator[Task]:
    """The tasks of a split by depth, in the rows and of the people of test; fewer of a depth that has not so many.

    Args:
        domain: the world.
        seed: decides which tasks.
        data: the version.
        each: tasks of a depth.
        step: called after each depth that was looked into.
    """
    empty = 0
    for depth in DEPTHS:
        found = list(_evenly(_drawn(domain, seed, data, depth, each), each))
        for number, task in enumerate(found):
            name = f"{domain.name}-{data}-{SPLIT}-{depth}-{number:02d}"
            yield task.model_copy(update={"id": name, "split": SPLIT})
        step()
        empty = 0 if found else empty + 1
        if empty == GAP:
            return


def _drawn(domain: Domain, seed: int, data: str, depth: int, each: int) -> Iterator[Task]:
    """The different tasks of a depth: wishes, and questions built by relations."""
    kinds: tuple[Interaction, ...] = ("dialogue", "program")
    draws = DRAWS * (RARER if depth >= RARE else 1)
    kept = Distinct()
    for interaction in kinds:
        cell = Cell((depth, depth), interaction=interaction)
        drawn = Generator(domain, seed, "test", cell, data=data).tried(draws * each)
        yield from (task for task in drawn if kept.add(task))


def _evenly(tasks: Iterable[Task], count: int) -> Iterator[Task]:
    """So many tasks; the next is always one whose shape, then whose information, then whose interaction is rarest."""
    left, shapes, told, ways = list(tasks), Counter[str](), Counter[str | None](), Counter[str]()
    for _ in range(min(count, len(left))):
        task = min(left, key=lambda each: (shapes[each.structure], told[each.information], ways[each.interaction]))
        left.remove(task)
        shapes[task.structure] += 1
        told[task.information] += 1
        ways[task.interaction] += 1
        yield task
