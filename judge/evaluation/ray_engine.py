"""Spreads an evaluation over a Ray cluster; what it plays and how is `judge.evaluation.evaluate`, here is only where.

Every processor of the cluster gets an actor with an evaluation of its own. An episode's seed is a function of the run's
seed, the task and the trial, so the trajectories are those of one process. Not for training, which verl spreads.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import ray
from ray.exceptions import RayTaskError

from judge.evaluation.evaluate import Evaluation
from judge.evaluation.settings import EvalSettings
from sandbox.kit.errors import BadInput
from sandbox.kit.task import Task
from sandbox.runtime.env_passthrough import forwarded
from sandbox.runtime.trajectory import Trajectory, parse_line

CHUNK = 8
"""Trials handed to an actor at once."""

RESTARTS = 2
"""How often an actor is started again when its machine or process dies; its chunk is then played again."""

Trial = tuple[str, int]
"""A task as JSON, and the trial's number."""


class Player:
    """One process of the cluster, with an evaluation of its own."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = settings

    @cached_property
    def _evaluation(self) -> Evaluation:
        """Made by the first call, because Ray wraps what goes wrong in a constructor."""
        return Evaluation(EvalSettings.model_validate(self._settings))

    def play(self, trials: Sequence[Trial]) -> list[str]:
        """Play trials; the trajectories as lines of a file."""
        found: list[str] = []
        chosen = [(Task.model_validate_json(task), trial) for task, trial in trials]
        asyncio.run(self._evaluation.play_all(chosen, lambda trajectory: found.append(trajectory.to_line())))
        return found


def play_all(settings: EvalSettings, trials: Sequence[tuple[Task, int]], done: Callable[[Trajectory], None]) -> None:
    """Play trials on the cluster that RAY_ADDRESS names, or on one started here; `done` is told of each as it ends.

    Raises:
        BadInput: a person plays, or recordings would stay on other machines.
    """
    if settings.user == "human" or settings.modality == "speech":
        raise BadInput("--engine ray plays text with programs on both sides; use --engine local for people and speech.")
    started = not ray.is_initialized()
    if started:
        # without an address Ray would join whatever cluster was started on this machine last
        address = os.environ.get("RAY_ADDRESS", "local")
        ray.init(address, log_to_driver=False, runtime_env={"env_vars": forwarded()})
    try:
        _play(settings, [(task.model_dump_json(), trial) for task, trial in trials], done)
    except RayTaskError as error:
        raise error.cause from None
    finally:
        if started:
            ray.shutdown()


def _play(settings: EvalSettings, trials: Sequence[Trial], done: Callable[[Trajectory], None]) -> None:
    chunks = [trials[start : start + CHUNK] for start in range(0, len(trials), CHUNK)]
    actors = _actors(settings, len(chunks))
    free = list(actors)
    working: dict[Any, Any] = {}
    while chunks or working:
        while chunks and free:
            actor = free.pop()
            working[actor.play.remote(chunks.pop(0))] = actor
        (ready, *_), _ = ray.wait(list(working))
        free.append(working.pop(ready))
        for line in ray.get(ready):
            done(parse_line(line, "a trajectory from the cluster"))
    for actor in actors:
        ray.kill(actor)


def _actors(settings: EvalSettings, chunks: int) -> list[Any]:
    """As many players as the cluster has processors, no more than there is work; spread over the machines."""
    count = max(1, min(int(ray.cluster_resources().get("CPU", 1)), chunks))
    # an evaluation's whole concurrency is shared out, so that a model's endpoint sees no more than it was promised
    share = settings.model_copy(
        update={"concurrency": max(1, settings.concurrency // count), "out": None, "engine": "local"}
    ).model_dump(mode="json")
    made = ray.remote(Player).options(
        num_cpus=1, scheduling_strategy="SPREAD", max_restarts=RESTARTS, max_task_retries=RESTARTS
    )
    return [made.remote(share) for _ in range(count)]
