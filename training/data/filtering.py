"""Leaves out tasks that teach nothing: those on which every trial of a pilot run earned the same reward.

A group-relative advantage of a constant group is 0. DAPO (Yu et al. 2025) drops such groups while training, which
`filter_groups=true` does through verl; this drops the tasks beforehand, from a run's scores.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.task import Task


def varying(folder: Path, reward: str) -> set[str]:
    """The tasks on which a scored run's trials earned different rewards.

    Raises:
        BadInput: no scores, no such reward among them, or fewer than two trials.
    """
    path = RunFolder(folder).scores_file
    if not path.is_file():
        raise BadInput(f"{folder} has no scores.jsonl; `toolgym judge {folder}` writes it.")
    totals: dict[str, list[float]] = defaultdict(list)
    with path.open(encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            if reward in record["rewards"]:
                totals[record["task"]].append(record["rewards"][reward]["total"])
    if not totals:
        raise BadInput(f"{path} holds no reward {reward!r}; score the run with it first.")
    if all(len(values) < 2 for values in totals.values()):
        raise BadInput(f"{folder} has one trial per task; a pilot needs at least 2 (toolgym eval ... --trials 4).")
    return {task for task, values in totals.items() if len(set(values)) > 1}


def keep_varying(tasks: Sequence[Task], folder: Path, reward: str) -> list[Task]:
    """The tasks worth training on, in their order (BadInput when none is left)."""
    worth = varying(folder, reward)
    kept = [task for task in tasks if task.id in worth]
    if not kept:
        raise BadInput(f"By the pilot run {folder}, every one of these tasks earns a constant {reward} reward.")
    return kept
