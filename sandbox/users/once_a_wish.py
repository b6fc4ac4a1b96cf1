"""What is worked out for a wish of a task, once for all the episodes that play the task."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

from toolgym.sandbox.kit.task import Goal, Task

Made = TypeVar("Made")
KEPT = 512
"""Wishes kept in memory, for each thing that is worked out: those of a batch of tasks that are played again."""


def once_a_wish(make: Callable[[Task, Goal], Made]) -> Callable[[Task, Goal], Made]:
    """The same function, which works its result out once for a wish of a task.

    Args:
        make: reads nothing but its arguments; nobody changes what it gives.
    """
    made: OrderedDict[int, tuple[Task, Goal, Made]] = OrderedDict()

    def known(task: Task, goal: Goal) -> Made:
        found = made.get(id(goal))  # the goal is kept as well, so that no other one can have its number
        if found is None or found[1] is not goal or not _plays_alike(found[0], task):
            found = made[id(goal)] = (task, goal, make(task, goal))
            while len(made) > KEPT:
                made.popitem(last=False)
        return found[2]

    return known


def _plays_alike(one: Task, other: Task) -> bool:
    """Whether two tasks differ in their other wishes at most: one was copied from the other."""
    if one is other:
        return True
    theirs = vars(other)
    return all(theirs[name] is value for name, value in vars(one).items() if name != "goals")
