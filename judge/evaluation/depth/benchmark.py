"""ToolDepth, the benchmark by depth: which tasks it has, and how a run chooses among them.

Its tasks are stored beside this module and do not move; how they are drawn is
`toolgym.judge.evaluation.depth.drawing`'s business.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from toolgym.sandbox.kit.errors import BadInput, unknown
from toolgym.sandbox.kit.task import Task, read_tasks

VERSION = 2
"""The newest; a version stands in the folder of its tasks and in their ids."""
NAME = "ToolDepth"
VERSIONS = {f"{NAME}-v{version - 1}": version for version in range(1, VERSION + 1)}
"""By the environments that play them."""
ENV = f"{NAME}-v{VERSION - 1}"
SPLITS = ("train", "validation")
USUAL = "validation"
"""The split that is played where none is named."""
DISTRACTORS = 20
"""Tools of other worlds that every task has at hand; a run offers the first so many of them."""
FOLDER = Path(__file__).with_name("splits")


def is_tooldepth(env: str) -> bool:
    """Whether an environment's name is that of this benchmark."""
    return env == NAME or env in VERSIONS


@cache
def stored(split: str, env: str = ENV) -> tuple[Task, ...]:
    """The tasks of a split, each with all its distractors.

    Raises:
        BadInput: there is no such split.
    """
    if split not in SPLITS:
        raise unknown(f"split of {NAME}", split, SPLITS)
    return tuple(read_tasks(FOLDER / f"v{VERSIONS.get(env, VERSION)}" / f"{split}.jsonl.gz"))


def tasks_of(split: str, distractors: int = 0, env: str = ENV) -> list[Task]:
    """The tasks of a split that offer so many tools of other worlds."""
    if distractors > DISTRACTORS:
        raise BadInput(f"--distractors takes 0 to {DISTRACTORS} with {NAME}; got {distractors}.")
    return [task.model_copy(update={"distractors": task.distractors[:distractors]}) for task in stored(split, env)]


def depths_of(text: str) -> range:
    """The depths that `3` or `1..4` names.

    Raises:
        BadInput: it names none.
    """
    low, _, high = text.partition("..")
    whole = low.isdecimal() and (high or low).isdecimal() and len(text) < 12
    if not whole or int(low) > int(high or low):
        raise BadInput(f"--depth takes a number such as 3, or a range such as 1..4; got {text!r}.")
    return range(int(low), int(high or low) + 1)


def of_depth(tasks: Sequence[Task], text: str) -> list[Task]:
    """The tasks whose depth is named.

    Raises:
        BadInput: there are none.
    """
    depths = depths_of(text)
    found = [task for task in tasks if task.depth in depths]
    if not found:
        there = sorted({task.depth for task in tasks})
        raise BadInput(f"No task has depth {text}; there are tasks of depth {', '.join(map(str, there))}.")
    return found
