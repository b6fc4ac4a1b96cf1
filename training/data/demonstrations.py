"""Trajectories to learn from: those of finished runs, or played on the spot by a scripted agent; only what passed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path

from judge.evaluation.evaluate import Evaluation
from judge.evaluation.run_folder import RunFolder
from judge.evaluation.settings import EvalSettings
from judge.scoring.verifier import verify
from sandbox.kit.errors import BadInput
from sandbox.kit.task import Task
from sandbox.runtime.trajectory import Trajectory


def passed(trajectories: Iterable[Trajectory]) -> list[Trajectory]:
    """The trajectories that the verifier passes."""
    return [
        trajectory
        for trajectory in trajectories
        if trajectory.termination != "infrastructure_error" and verify(trajectory).passed()
    ]


def from_runs(folders: Sequence[Path]) -> list[Trajectory]:
    """What passed in run folders (BadInput when nothing did)."""
    found = passed(trajectory for folder in folders for trajectory in RunFolder(folder).trajectories())
    if not found:
        names = ", ".join(str(folder) for folder in folders)
        raise BadInput(f"No trajectory in {names} passed, so there is nothing to learn from.")
    return found


def played(tasks: Sequence[Task], *, agent: str = "oracle", seed: int = 0) -> list[Trajectory]:
    """What a scripted agent does right on tasks, with the scripted user, world by world in the tasks' order."""
    found: list[Trajectory] = []
    for domain in dict.fromkeys(task.domain for task in tasks):
        chosen = [task for task in tasks if task.domain == domain]
        played_with = {"env": domain, "agent": agent, "split": chosen[0].split, "data": chosen[0].data, "seed": seed}
        settings = EvalSettings.model_validate(played_with)
        played_now: list[Trajectory] = []
        asyncio.run(Evaluation(settings).play_all(((task, 0) for task in chosen), played_now.append))
        order = {task.id: index for index, task in enumerate(chosen)}
        found += sorted(played_now, key=lambda trajectory: order[trajectory.task.id])
    return passed(found)
