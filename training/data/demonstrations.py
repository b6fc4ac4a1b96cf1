"""Trajectories to learn from: those of finished runs, or played on the spot by a scripted agent; only what passed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path

from toolgym.judge.evaluation.episodes import Evaluation
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.trajectory import Trajectory


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
    """What a scripted agent does right on tasks, with the scripted user, world by world in the tasks' order.

    Raises:
        BadInput: it does nothing right.
    """
    found: list[Trajectory] = []
    for domain in dict.fromkeys(task.domain for task in tasks):
        chosen = [task for task in tasks if task.domain == domain]
        settings = EvalSettings.model_validate({"env": domain, "agent": agent, "data": chosen[0].data, "seed": seed})
        played_now: list[Trajectory] = []
        trials = ((task, 0) for task in chosen)
        asyncio.run(Evaluation(settings, tasks=chosen).play_all(trials, played_now.append))
        order = {task.id: index for index, task in enumerate(chosen)}
        found += sorted(played_now, key=lambda trajectory: order[trajectory.task.id])
    kept = passed(found)
    if not kept:
        raise BadInput(f"The agent {agent} passes none of the {len(tasks)} tasks, so there is nothing to learn from.")
    return kept
