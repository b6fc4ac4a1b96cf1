"""Plays a run: what is missing in its folder, in this process or over a Ray cluster."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from toolgym.judge.evaluation import times
from toolgym.judge.evaluation.budget import Budget
from toolgym.judge.evaluation.cost_estimate import estimate
from toolgym.judge.evaluation.episodes import Evaluation
from toolgym.judge.evaluation.made_with import made_with
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.sandbox.runtime.trajectory import Trajectory


@dataclass(frozen=True)
class Played:
    """What a run holds.

    Attributes:
        trajectories: in task order.
        stopped: why it holds less than was wanted, where a limit stopped it.
    """

    trajectories: list[Trajectory]
    stopped: dict[str, Any] | None = None


def run(
    settings: EvalSettings,
    folder: RunFolder,
    begun: Callable[[int, int], None] = lambda done, total: None,
    told: Callable[[Trajectory], None] = lambda trajectory: None,
    say: Callable[[str], None] = lambda sentence: None,
) -> Played:
    """Play what is missing in a run folder, as far as its limits let it.

    Args:
        settings: what to run.
        folder: where to; a run with the same settings is resumed, also for more tasks or trials.
        begun: told how many episodes are there already, of how many.
        told: told of each episode as it ends.
        say: told the estimate, where models play.

    Raises:
        BadInput: dollars are limited and a model has no price, or the folder holds another run.
    """
    evaluation = Evaluation(settings, folder.path)
    wanted = [(task, trial) for task in evaluation.tasks for trial in range(settings.trials)]
    keys = {(task.id, trial) for task, trial in wanted}
    user = None if settings.alone else settings.user
    made = made_with(evaluation.tasks, user=user, solo=settings.alone, consent=settings.consent, code=settings.code())
    Budget(settings, estimate(settings, wanted[:1]))  # a missing price is said before a folder is made
    finished = folder.open(settings.identity(), settings.circumstances(), keys, made)
    times.begin(folder.path)
    missing = [(task, trial) for task, trial in wanted if (task.id, trial) not in finished]
    count = len(wanted) - len(missing)
    expected = estimate(settings, missing)
    budget = Budget(settings, expected, folder.attempts())
    if expected is not None and missing:
        say(expected.sentence())
    begun(count, len(wanted))

    def done(trajectory: Trajectory) -> None:
        nonlocal count
        folder.add(trajectory)
        budget.add(trajectory)
        count += 1
        told(trajectory)

    if settings.engine == "ray":
        from toolgym.judge.evaluation import ray_engine  # Ray is an extra, and slow to load

        ray_engine.play_all(settings, missing, done, budget.admits)
    else:
        asyncio.run(evaluation.play_all(missing, done, budget.admits))
    order = {(task.id, trial): index for index, (task, trial) in enumerate(wanted)}
    stopped = budget.stopped(count, len(wanted))
    if folder.trajectories_file.is_file():
        return Played(folder.sort(lambda key: order.get(key, len(order))), stopped)
    return Played([], stopped)


def baseline(settings: EvalSettings, agent: str, step: Callable[[], None] = lambda: None) -> Sequence[Trajectory]:
    """What another agent does on the same tasks in text, once each, without a folder."""
    other: dict[str, Any] = {
        "agent": agent,
        "agent_options": {},
        "agent_model": None,
        "format": None,
        "repair": False,
        "trials": 1,
        "sandbox": None,
    }
    return unspoken(settings.model_copy(update=other), step)


def unspoken(settings: EvalSettings, step: Callable[[], None] = lambda: None) -> Sequence[Trajectory]:
    """The same tasks and trials played in text, without a folder; `step` is told of each that ends."""
    evaluation = Evaluation(settings.model_copy(update={"modality": "text"}))
    found: list[Trajectory] = []
    trials = range(settings.trials)

    def done(trajectory: Trajectory) -> None:
        found.append(trajectory)
        step()

    asyncio.run(evaluation.play_all(((task, trial) for task in evaluation.tasks for trial in trials), done))
    order = {task.id: index for index, task in enumerate(evaluation.tasks)}
    return sorted(found, key=lambda trajectory: (order[trajectory.task.id], trajectory.trial))
