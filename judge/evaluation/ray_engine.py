"""Spreads an evaluation over a Ray cluster; what and how it plays is in `toolgym.judge.evaluation.episodes`.

An episode's seed is a function of the run's seed, the task and the trial, so the trajectories are those of one process.
Not for training, which verl spreads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from toolgym.judge.evaluation.episodes import Evaluation, episode_seed, never_played
from toolgym.judge.evaluation.pool import Admits, always
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime import parts
from toolgym.sandbox.runtime.cluster import HeadLost, Lost, joined, spread, workers_for
from toolgym.sandbox.runtime.trajectory import Trajectory, parse_line

Trial = tuple[str, int]
"""A task as JSON, and the trial's number."""


class Player:
    """One process of the cluster, with an evaluation of its own."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = settings

    @cached_property
    def _evaluation(self) -> Evaluation:
        """Made by the first call, because Ray wraps what goes wrong in a constructor."""
        return Evaluation(EvalSettings.model_validate(self._settings), tasks=())

    async def work(self, trial: Trial) -> str:
        """Play a trial; the trajectory as a line of a file."""
        task, number = trial
        return (await self._evaluation.play(Task.model_validate_json(task), number)).to_line()


def play_all(
    settings: EvalSettings,
    trials: Sequence[tuple[Task, int]],
    done: Callable[[Trajectory], None],
    admits: Admits = always,
) -> None:
    """Play trials on the cluster that RAY_ADDRESS names, or on one started here; `done` is told of each as it ends.

    `admits` says whether another may begin while so many are under way; refusing one when none is ends it all.

    Raises:
        BadInput: a person plays, recordings would stay on other machines, or there is no such cluster.
        HeadLost: the cluster's head died; what was finished is with `done` already.
    """
    if settings.user == "human" or settings.modality == "speech":
        raise BadInput("--engine ray plays text with programs on both sides; use --engine local for people and speech.")
    own: tuple[tuple[parts.Group, str], ...] = (("agents", settings.agent), ("users", settings.user))
    for group, name in own:
        if not parts.is_importable(group, name):
            raise BadInput(
                f"--engine ray plays in other processes, which cannot be handed the object {name!r}; give its "
                "name instead, as FILE.py:NAME or package.module:NAME."
            )
    by_job = {(task.model_dump_json(), trial): (task, trial) for task, trial in trials}
    try:
        with joined():
            share, at_once = _share(settings, len(trials)), settings.workers()
            for job, line in spread(Player, (share,), by_job, at_once=at_once, admits=admits):
                done(_lost(settings, *by_job[job], line) if isinstance(line, Lost) else parse_line(line, "the cluster"))
    except HeadLost as error:
        raise HeadLost(f"{error} What was finished is kept; the same command plays the rest.") from None


def _lost(settings: EvalSettings, task: Task, trial: int, lost: Lost) -> Trajectory:
    error = InfrastructureError("session", f"The processes that played this died: {lost.why}")
    return never_played(settings.player_names(), task, trial, episode_seed(settings.seed, task, trial), error)


def _share(settings: EvalSettings, trials: int) -> dict[str, Any]:
    """One worker's settings; what may be under way at once is shared out, as a model's endpoint was promised."""
    several = workers_for(trials)
    shared = {name: max(1, getattr(settings, name) // several) for name in ("concurrency", "model_concurrency")}
    return settings.model_copy(update={"out": None, "engine": "local"} | shared).model_dump(mode="json")
