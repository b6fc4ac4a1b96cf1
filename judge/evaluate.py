"""Plays tasks with an agent and a user, many episodes at once in one process, into a run folder."""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from judge.run import RunFolder
from judge.worlds import Worlds
from sandbox import registry
from sandbox.domain import Domain, get_domain
from sandbox.episode import Episode, Limits, run_episode
from sandbox.errors import BadInput, InfrastructureError, unknown
from sandbox.extras import missing
from sandbox.models.settings import CIRCUMSTANCES, RoleModels
from sandbox.profile import Auth, authenticated
from sandbox.roles import Agent, User, make_agent, make_user
from sandbox.speech.settings import SpeechSettings
from sandbox.task import Task
from sandbox.trajectory import Fault, Trajectory

if TYPE_CHECKING:
    from sandbox.speech.line import Studio

PLACE = frozenset({"concurrency", "engine", "sandbox", "sandbox_protocol"})
"""Settings that say where and how many at once; they decide no result."""


class EvalSettings(RoleModels, SpeechSettings):
    """What an evaluation runs: one schema for flags, TOML file, environment and run.json."""

    env: str = Field(description="environment id such as ToolRetail-v0, or a domain's name")
    agent: str = Field("rules", description="agent: oracle, rules, inert, random, llm or an installed one")
    agent_options: dict[str, Any] = Field({}, description="options of the agent")
    user: str = Field("scripted", description="user: scripted, human, llm or an installed one")
    user_options: dict[str, Any] = Field({}, description="options of the user")
    user_check: Literal["on", "off"] = Field("on", description="check every reply of an llm user for consistency")
    solo: bool = Field(False, description="no user: the agent works on the task's ticket with both sides' tools")
    data: str = Field("own", description="body of data: own, tau2 or tau2:PATH")
    split: str = Field("test", description="split of the tasks")
    tasks: tuple[str, ...] = Field((), description="task ids, or one number to take the first so many; all by default")
    trials: int = Field(1, ge=1, le=1000, description="episodes per task")
    concurrency: int = Field(64, ge=1, le=10_000, description="episodes at the same time")
    engine: Literal["local", "ray"] = Field("local", description="play here, or spread over a Ray cluster")
    seed: int = Field(0, description="seeds everything random")
    max_turns: int = Field(30, ge=1, description="agent steps per episode")
    sandbox: str | None = Field(None, description="play on a sandbox server, such as http://127.0.0.1:8000")
    sandbox_protocol: Literal["rest", "mcp"] = Field("rest", description="how tools are called there")
    modality: Literal["text", "speech"] = Field("text", description="how the user talks; speech needs an extra")
    auth: Auth = Field("spoken", description="the user says who they are, or the agent is given their profile")
    basis: Literal["state", "writes"] = Field("state", description="what the binary reward compares with gold")
    judge: str = Field("rules", description="judge of the turns: rules, llm or an installed one")
    judge_options: dict[str, Any] = Field({}, description="options of the judge, such as model=NAME samples=3")
    out: Path | None = Field(None, description="folder of the run; runs/DOMAIN-AGENT-DATA-SPLIT by default")

    def identity(self) -> dict[str, Any]:
        """The settings that decide a run's results, as saved in run.json; an environment has one name there."""
        silent = SpeechSettings.model_fields if self.modality == "text" else ("speech_cache",)
        left_out = {"out", "judge", "judge_options", *PLACE, *CIRCUMSTANCES, *silent}
        return self.model_dump(mode="json", exclude=left_out) | {"env": registry.full_id(self.env)}

    def circumstances(self) -> dict[str, Any]:
        """How a run was made, as saved in run.json beside what decides its results."""
        return self.model_dump(mode="json", include={*PLACE, *CIRCUMSTANCES})

    def workers(self) -> int:
        """How many episodes to play at once: with models no more than keep their endpoints busy, so that a reply's
        time is spent on the reply and not in a queue; with speech twice what there are processors.
        """
        if self.modality == "speech":
            return min(self.concurrency, 2 * (os.cpu_count() or 1))
        if self.agent == "llm" or self.user == "llm":
            return min(self.concurrency, 2 * self.model_concurrency)
        return self.concurrency

    def make_players(self) -> tuple[Agent, User | None]:
        """The agent and the user, with their models; no user in solo work."""
        agent, user = registry.load("agents", self.agent), registry.load("users", self.user)
        own = self.user_options | ({"check": False} if self.user == "llm" and self.user_check == "off" else {})
        return (
            make_agent(self.agent, self.options("agent", self.agent, agent, self.agent_options)),
            None if self.solo else make_user(self.user, self.options("user", self.user, user, own)),
        )

    def speech(self) -> SpeechSettings:
        """The settings of speech alone."""
        return SpeechSettings(**{name: getattr(self, name) for name in SpeechSettings.model_fields})

    def repeats_freely(self) -> bool:
        """Whether playing the tasks once more costs nobody money or time: no model and no person takes part."""
        return self.user == "scripted" and self.agent != "llm" and not self.agent_model

    def player_names(self) -> tuple[str, str]:
        """The agent and the user as trajectories name them."""
        agent, user = registry.load("agents", self.agent), registry.load("users", self.user)
        return self.label("agent", self.agent, agent), "none" if self.solo else self.label("user", self.user, user)


def domain_of(env: str) -> Domain:
    """The domain of an environment id (`ToolRetail-v0`) or of a plain domain name."""
    return get_domain(registry.domain_name(env))


def choose_tasks(domain: Domain, settings: EvalSettings) -> list[Task]:
    """The tasks that the settings name, in the data's order."""
    every = list(domain.tasks(settings.split, settings.data))
    if not every:
        raise BadInput(f"The split {settings.split!r} of {domain.name} ({settings.data}) holds no task.")
    if settings.solo and not all(task.ticket for task in every):
        raise BadInput(
            f"The tasks of {domain.name} ({settings.data}) have no ticket, so nobody can work on them alone."
        )
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
            data = "" if settings.data == "own" else f" --data {settings.data}"
            advice = f"`toolgym tasks list {domain.name} --split {settings.split}{data}` lists them."
            raise unknown(f"task in {domain.name}'s {settings.split} split", identifier, by_id, advice)
    return [by_id[identifier] for identifier in dict.fromkeys(settings.tasks)]


def episode_seed(seed: int, task: Task, trial: int) -> int:
    """An episode's seed: a function of the run's seed, the task and the trial alone."""
    digest = hashlib.blake2b(f"{seed}:{task.domain}:{task.id}:{trial}".encode(), digest_size=6).digest()
    return int.from_bytes(digest, "big")


class Evaluation:
    """Everything needed to play episodes of one evaluation.

    Args:
        settings: what to run.
        folder: where spoken utterances are kept; None keeps none.
    """

    def __init__(self, settings: EvalSettings, folder: Path | None = None) -> None:
        self.settings = settings
        self.domain = domain_of(settings.env)
        self.tasks = choose_tasks(self.domain, settings)
        self.agent, self.user = settings.make_players()
        self.names = settings.player_names()
        self.limits = Limits(max_turns=settings.max_turns)
        self.worlds = Worlds(self.domain, self.limits, settings.sandbox, settings.sandbox_protocol)
        self._folder = folder
        self.studio = self._open_studio() if settings.modality == "speech" else None

    def _open_studio(self) -> Studio:
        try:
            from sandbox.speech.line import Studio  # loads the speech engines
        except ModuleNotFoundError as error:
            raise missing(error, "Speech") from error
        studio = Studio(self.settings.speech())
        studio.admit(self.agent, self.settings.agent)
        return studio

    async def play(self, task: Task, trial: int) -> Trajectory:
        """One episode from its first message to its record; broken infrastructure is recorded, never raised."""
        seed = episode_seed(self.settings.seed, task, trial)
        agent_name, user_name = self.names
        try:
            line = self.studio.line(task, seed, self._folder) if self.studio is not None else None
            task, profile = authenticated(self.domain, task) if self.settings.auth == "profile" else (task, None)
            user = line.user(self.user) if line is not None and self.user is not None else self.user
            agent = line.agent(self.agent) if line is not None else self.agent
            async with self.worlds.open(task) as session:
                episode = Episode(self.domain, task, session, user, seed=seed, limits=self.limits, profile=profile)
                played = await run_episode(episode, agent, trial=trial, agent_name=agent_name, user_name=user_name)
            return await line.record(played) if line is not None else played
        except InfrastructureError as error:
            fault = Fault(boundary=error.boundary, message=error.message)
            return Trajectory(
                task=task,
                trial=trial,
                seed=seed,
                agent=agent_name,
                user=user_name,
                termination="infrastructure_error",
                fault=fault,
            )

    async def play_all(self, trials: Iterable[tuple[Task, int]], done: Callable[[Trajectory], None]) -> None:
        """Play trials, at most `concurrency` at a time, handing each record to `done` as it ends.

        Raises:
            ToolgymError: a role says that it cannot work at all; what was finished is with `done` already.
        """
        waiting = iter(list(trials))

        async def worker() -> None:
            for task, trial in waiting:
                done(await self.play(task, trial))
                await asyncio.sleep(0)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self.settings.workers()):
                    group.create_task(worker())
        except ExceptionGroup as several:  # the first one stopped the others
            raise several.exceptions[0] from None


def run(settings: EvalSettings, folder: RunFolder, progress: Callable[[int, int], None]) -> list[Trajectory]:
    """Play what is missing in a run folder and return all its trajectories in task order.

    Args:
        settings: what to run.
        folder: where to; a folder with the same settings is gone on with, also for more tasks or trials.
        progress: told how many episodes are done, of how many.
    """
    evaluation = Evaluation(settings, folder.path)
    wanted = [(task, trial) for task in evaluation.tasks for trial in range(settings.trials)]
    keys = {(task.id, trial) for task, trial in wanted}
    finished = folder.open(settings.identity(), settings.circumstances(), keys)
    missing = [(task, trial) for task, trial in wanted if (task.id, trial) not in finished]
    count = len(wanted) - len(missing)
    progress(count, len(wanted))

    def done(trajectory: Trajectory) -> None:
        nonlocal count
        folder.add(trajectory)
        count += 1
        progress(count, len(wanted))

    if settings.engine == "ray":  # found by name: scoring does not know the room of training
        importlib.import_module("training.spread").play_all(settings, missing, done)
    else:
        asyncio.run(evaluation.play_all(missing, done))
    order = {(task.id, trial): place for place, (task, trial) in enumerate(wanted)}
    if folder.trajectories_file.is_file():
        return folder.sort(lambda key: order.get(key, len(order)))
    return []


def baseline(settings: EvalSettings, agent: str = "inert") -> Sequence[Trajectory]:
    """What another agent does on the same tasks in text, once each, without a folder."""
    other: dict[str, Any] = {"agent": agent, "agent_options": {}, "agent_model": None, "trials": 1, "sandbox": None}
    return unspoken(settings.model_copy(update=other))


def unspoken(settings: EvalSettings) -> Sequence[Trajectory]:
    """The same tasks and trials played in text, without a folder."""
    evaluation = Evaluation(settings.model_copy(update={"modality": "text"}))
    found: list[Trajectory] = []
    trials = range(settings.trials)
    asyncio.run(evaluation.play_all(((task, trial) for task in evaluation.tasks for trial in trials), found.append))
    order = {task.id: place for place, task in enumerate(evaluation.tasks)}
    return sorted(found, key=lambda trajectory: (order[trajectory.task.id], trajectory.trial))
