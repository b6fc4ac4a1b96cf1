"""Plays tasks with an agent and a user, many episodes at once in one process, into a run folder."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from toolgym.judge.evaluation.depth.benchmark import NAME, is_tooldepth, of_depth, tasks_of
from toolgym.judge.evaluation.pool import Admits, always, side_by_side
from toolgym.judge.evaluation.session_provider import SessionProvider
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput, InfrastructureError, unknown
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.perturbations.episode import PerturbedEpisode
from toolgym.sandbox.perturbations.spec import Perturbations
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.extras import missing
from toolgym.sandbox.runtime.limits import Limits
from toolgym.sandbox.runtime.preauthenticate import authenticated
from toolgym.sandbox.runtime.registry import domain_of, get_domain, is_benchmark
from toolgym.sandbox.runtime.trajectory import Fault, Trajectory

if TYPE_CHECKING:
    from toolgym.sandbox.speech.voice_call import SpeechRuntime


def choose_tasks(domain: Domain | None, settings: EvalSettings) -> list[Task]:
    """The tasks that the settings name, in the data's order; those of ToolDepth where there is no one world."""
    name = domain.name if domain is not None else NAME
    if domain is None:
        every = tasks_of(settings.split, settings.distractors, settings.env)
    elif settings.distractors:
        raise BadInput(f"--distractors belongs to {NAME}; the tasks of {name} come with those that they have.")
    else:
        every = list(domain.tasks(settings.split, settings.data))
    if not every:
        raise BadInput(f"The split {settings.split!r} of {name} ({settings.data}) holds no task.")
    if settings.depth is not None:
        every = of_depth(every, settings.depth)
    if not settings.program and any(task.returns is not None for task in every):
        raise BadInput(f"The requests of {name} are answered by programs alone; add --program.")
    if settings.alone and not all(task.ticket for task in every):
        raise BadInput(f"The tasks of {name} ({settings.data}) have no ticket, so nobody can work on them alone.")
    if not settings.tasks:
        return every
    by_id = {task.id: task for task in every}
    first = settings.tasks[0]
    if len(settings.tasks) == 1 and first not in by_id and re.fullmatch(r"[-+]?[0-9]{1,9}", first):
        if int(first) < 1:
            raise BadInput(f"--tasks takes task ids, or how many of the first ones to play, at least 1; got {first}.")
        return every[: int(first)]
    for identifier in settings.tasks:
        if identifier not in by_id:
            data = "" if domain is None else f" --data {settings.data}"
            advice = f"`toolgym tasks list {name} --split {settings.split}{data}` lists them."
            raise unknown(f"task in {name}'s {settings.split} split", identifier, by_id, advice)
    return [by_id[identifier] for identifier in dict.fromkeys(settings.tasks)]


def episode_seed(seed: int, task: Task, trial: int) -> int:
    """An episode's seed: a function of the run's seed, the task and the trial alone."""
    digest = hashlib.blake2b(f"{seed}:{task.domain}:{task.id}:{trial}".encode(), digest_size=6).digest()
    return int.from_bytes(digest, "big")


def never_played(names: tuple[str, str], task: Task, trial: int, seed: int, error: InfrastructureError) -> Trajectory:
    """The record of an episode that broken infrastructure kept from being played; `names`: agent's and user's."""
    return Trajectory(
        task=task,
        trial=trial,
        seed=seed,
        agent=names[0],
        user=names[1],
        termination="infrastructure_error",
        fault=Fault(boundary=error.boundary, message=error.message),
    )


class Evaluation:
    """Everything needed to play episodes of one evaluation.

    Args:
        settings: what to run.
        folder: where spoken utterances are kept; None keeps none.
        tasks: what is played; by default what the settings name.
    """

    def __init__(self, settings: EvalSettings, folder: Path | None = None, tasks: Sequence[Task] | None = None) -> None:
        self.settings = settings
        self.perturbations = settings.perturbations()
        if settings.sandbox is not None and is_benchmark(settings.env):
            raise BadInput(f"The tools of {settings.env} run beside the episode, on no server; leave --sandbox out.")
        self._domain = None if is_tooldepth(settings.env) else domain_of(settings.env)
        self.tasks = choose_tasks(self._domain, settings) if tasks is None else list(tasks)
        self.agent, self.user = settings.make_players()
        self.names = settings.player_names()
        self.limits = Limits(max_turns=settings.max_turns, max_retries=settings.retries)
        self.worlds = SessionProvider(self.limits, settings.sandbox, settings.sandbox_protocol)
        self._folder = folder
        self.runtime = self._open_runtime() if settings.modality == "speech" else None

    def _open_runtime(self) -> SpeechRuntime:
        try:
            from toolgym.sandbox.speech.voice_call import SpeechRuntime  # loads the speech engines
        except ModuleNotFoundError as error:
            raise missing(error, "Speech") from error
        runtime = SpeechRuntime(self.settings.speech())
        runtime.admit(self.agent, self.settings.agent)
        return runtime

    async def play(self, task: Task, trial: int) -> Trajectory:
        """One episode from its first message to its record; broken infrastructure is recorded, never raised."""
        seed = episode_seed(self.settings.seed, task, trial)
        agent_name, user_name = self.names
        domain = self._domain or get_domain(task.domain)
        try:
            voice_call = self.runtime.voice_call(task, seed, self._folder) if self.runtime is not None else None
            task, profile = authenticated(domain, task) if self.settings.auth == "profile" else (task, None)
            changed = self._perturbed(domain, task, seed)
            task, agent = (changed.task, changed.agent(self.agent)) if changed is not None else (task, self.agent)
            user = voice_call.user(self.user) if voice_call is not None and self.user is not None else self.user
            agent = voice_call.agent(agent) if voice_call is not None else agent
            async with self.worlds.open(domain, task) as opened:
                session = changed.session(opened) if changed is not None else opened
                program = self.settings.program
                episode = Episode(
                    domain,
                    task,
                    session,
                    user,
                    seed=seed,
                    limits=self.limits,
                    profile=profile,
                    program=program,
                    consent=self.settings.consent,
                )
                played = await run_episode(episode, agent, trial=trial, agent_name=agent_name, user_name=user_name)
            played = changed.record(played) if changed is not None else played
            return await voice_call.record(played) if voice_call is not None else played
        except InfrastructureError as error:
            return never_played(self.names, task, trial, seed, error)

    def _perturbed(self, domain: Domain, task: Task, seed: int) -> PerturbedEpisode | None:
        spec, canary = self.perturbations, self.settings.canary
        if spec is None and not canary:
            return None
        return PerturbedEpisode(spec or Perturbations(), domain, task, seed, canary=canary)

    async def play_all(
        self,
        trials: Iterable[tuple[Task, int]],
        done: Callable[[Trajectory], None],
        admits: Admits = always,
    ) -> None:
        """Play trials, at most `concurrency` at a time, handing each record to `done` as it ends.

        Args:
            trials: tasks and the trials' numbers.
            done: told of each record.
            admits: whether another may begin while so many are under way; refusing one when none is ends it all.

        Raises:
            ToolgymError: a role says that it cannot work at all; what was finished is with `done` already.
        """
        await side_by_side(trials, self._play, done, workers=self.settings.workers(), admits=admits)

    async def _play(self, trial: tuple[Task, int]) -> Trajectory:
        return await self.play(*trial)
