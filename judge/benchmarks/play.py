"""Plays a benchmark's rows with an agent into a run folder, and asks its checker what the answers are worth."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from toolgym.judge.benchmarks.contract import Benchmark, Found, Row, Score, in_its_form, task_of
from toolgym.judge.benchmarks.conversation import RowAgent, RowEpisode, RowSession, RowUser, world_of
from toolgym.judge.benchmarks.estimate import estimate
from toolgym.judge.benchmarks.settings import BenchSettings
from toolgym.judge.evaluation import times
from toolgym.judge.evaluation.budget import Budget
from toolgym.judge.evaluation.episodes import episode_seed, never_played
from toolgym.judge.evaluation.made_with import MadeWith, tasks_digest, toolgym_version
from toolgym.judge.evaluation.pool import Admits, always, side_by_side
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.agents.inert import InertAgent
from toolgym.sandbox.kit import format_1
from toolgym.sandbox.kit.errors import BadInput, InfrastructureError, unknown
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.runtime.episode import run_episode
from toolgym.sandbox.runtime.roles import Agent, Briefing
from toolgym.sandbox.runtime.trajectory import Trajectory


@dataclass(frozen=True)
class Scored:
    """An episode with its score; None where the checker itself broke, with its text."""

    row: Row
    trajectory: Trajectory
    score: Score | None
    broken: str = ""


def chosen(benchmark: Benchmark, settings: BenchSettings) -> list[Row]:
    """The rows that the settings name, category by category.

    Raises:
        BadInput: no such category or row.
    """
    asked = settings.category or ("all",)
    categories = list(dict.fromkeys(each for name in asked for each in benchmark.named(name)))
    number = len(settings.tasks) == 1 and settings.tasks[0].lstrip("+-").isdecimal()
    if number and int(settings.tasks[0]) < 1:
        raise BadInput(f"--tasks takes row ids, or how many of each category, at least 1; got {settings.tasks[0]}.")
    count = int(settings.tasks[0]) if number else None

    def read() -> list[Row]:
        return [row for category in categories for row in list(benchmark.rows(category))[:count]]

    rows = in_its_form(benchmark.name, read)
    if number or not settings.tasks:
        return rows
    by_id = {row.id: row for row in rows}
    for identifier in settings.tasks:
        if identifier not in by_id:
            raise unknown(f"row of {benchmark.name} in {', '.join(asked)}", identifier, by_id)
    return [by_id[identifier] for identifier in dict.fromkeys(settings.tasks)]


class Gold:
    """The agent that makes a row's right calls: the ceiling."""

    privileged = True

    def __init__(self, messages: Sequence[Message]) -> None:
        self._messages = iter(messages)

    def open(self, briefing: Briefing) -> Gold:
        """Start an episode; it is its own player, made for one."""
        return self

    async def act(self, messages: Sequence[Message]) -> Message:
        """The next message."""
        return next(self._messages, Message(role="assistant", content="Done."))


class Player:
    """Plays rows with one agent.

    Args:
        benchmark: whose rows.
        settings: how.
        agent: who plays; None takes each row's right answer.
    """

    def __init__(self, benchmark: Benchmark, settings: BenchSettings, agent: Agent | None, name: str) -> None:
        self._benchmark, self._settings, self._agent, self._name = benchmark, settings, agent, name
        self._domain = world_of(benchmark.name)

    async def play(self, row: Row, trial: int) -> Trajectory:
        """One episode; what breaks is recorded with its text as an infrastructure failure."""
        benchmark, settings = self._benchmark, self._settings
        task = task_of(benchmark.name, row)
        seed = episode_seed(settings.seed, task, trial)
        native = settings.native and self._agent is not None
        tools = list(row.tools)
        world = None
        try:
            agent = self._agent or Gold(benchmark.oracle(row))
            world = await asyncio.to_thread(benchmark.world, row) if row.lasting else None
            session, user = RowSession(world), RowUser(row, tools, told=settings.in_text)
            episode = RowEpisode(self._domain, benchmark.name, row, session, user, seed)
            told = RowAgent(agent, benchmark, row, tools, native=native)
            return await run_episode(episode, told, trial=trial, agent_name=self._name, user_name="none")
        except InfrastructureError as error:
            return never_played((self._name, "none"), task, trial, seed, error)
        finally:
            if world is not None:
                await asyncio.to_thread(world.close)

    async def play_all(
        self, wanted: Sequence[tuple[Row, int]], done: Callable[[Trajectory], None], admits: Admits = always
    ) -> None:
        """Play them, so many at a time; `admits` says whether one more may begin."""
        await side_by_side(wanted, self._play, done, workers=self._workers(), admits=admits)

    async def _play(self, trial: tuple[Row, int]) -> Trajectory:
        return await self.play(*trial)

    def _workers(self) -> int:
        settings = self._settings
        if settings.agent == "llm":
            return min(settings.concurrency, 2 * settings.model_concurrency)
        return min(settings.concurrency, 2 * (os.cpu_count() or 1))


def made_with(benchmark: Benchmark, found: Found, rows: Sequence[Row]) -> MadeWith:
    """What the run is made with: our version, and the benchmark's with the digest of its files and of our policy."""
    told = hashlib.sha256(benchmark.policy.encode()).hexdigest()[:12]
    name = f"{benchmark.name} ({found.version})"
    return {
        "toolgym": [toolgym_version()],
        "trajectory_format": format_1.TRAJECTORY,
        "tasks": tasks_digest(task_of(benchmark.name, row) for row in rows),
        "rows": {name: found.digest},
        "prompts": {name: told},
    }


@dataclass(frozen=True)
class Played:
    """What a run holds, in the rows' order; `stopped` says why it is less than was wanted, where a limit stopped it."""

    every: list[Scored]
    stopped: dict[str, Any] | None


def run(
    benchmark: Benchmark,
    found: Found,
    settings: BenchSettings,
    folder: RunFolder,
    begun: Callable[[int, int], None] = lambda done, total: None,
    told: Callable[[Trajectory], None] = lambda trajectory: None,
    say: Callable[[str], None] = lambda sentence: None,
) -> Played:
    """Play what is missing in a run folder as far as its limits let it, and score all that is there.

    Args:
        benchmark: whose rows.
        found: what of it is installed.
        settings: what to play, and how.
        folder: where to.
        begun: told how many episodes are there already, of how many.
        told: told of each episode as it ends.
        say: told the estimate, where a model plays.

    Raises:
        BadInput: nothing such to play, the folder holds another run or one of other data, or dollars are limited and
            the model has no price.
    """
    rows = chosen(benchmark, settings)
    agent = settings.make()
    oracle = settings.agent == "oracle"
    if oracle:
        rows = [row for row in rows if _has_answer(benchmark, row)]
    by_id = {row.id: row for row in rows}
    wanted = [(row, trial) for row in rows for trial in range(settings.trials)]
    keys = {(row.id, trial) for row, trial in wanted}
    made = made_with(benchmark, found, rows)
    Budget(settings, estimate(benchmark, settings, wanted))  # a missing price is said before a folder is made
    finished = folder.open(settings.identity(benchmark.name, found), settings.circumstances(), keys, made)
    times.begin(folder.path)
    missing = [(row, trial) for row, trial in wanted if (row.id, trial) not in finished]
    count = len(wanted) - len(missing)
    expected = estimate(benchmark, settings, missing)
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

    player = Player(benchmark, settings, None if oracle else agent, settings.agent_label())
    asyncio.run(player.play_all(missing, done, budget.admits))
    order = {key: index for index, key in enumerate((row.id, trial) for row, trial in wanted)}
    played = folder.sort(lambda key: order[key]) if folder.trajectories_file.is_file() else []
    every = [scored(benchmark, by_id[trajectory.task.id], trajectory) for trajectory in played]
    return Played(every, budget.stopped(count, len(wanted)))


def _has_answer(benchmark: Benchmark, row: Row) -> bool:
    try:
        in_its_form(benchmark.name, lambda: benchmark.oracle(row))
    except BadInput:
        return False
    return True


def scored(benchmark: Benchmark, row: Row, trajectory: Trajectory) -> Scored:
    """What the checker says of an episode."""
    try:
        return Scored(row, trajectory, benchmark.score(row, trajectory))
    except InfrastructureError as error:
        return Scored(row, trajectory, None, error.message)


def silence(benchmark: Benchmark, settings: BenchSettings, rows: Sequence[Row]) -> list[Scored]:
    """What an agent that does nothing gets on the same rows: the floor."""
    found: list[Trajectory] = []
    player = Player(benchmark, settings.model_copy(update={"agent": "inert", "format": None}), InertAgent(), "inert")
    asyncio.run(player.play_all([(row, 0) for row in rows], found.append))
    by_id = {row.id: row for row in rows}
    played = [each for each in found if each.termination != "infrastructure_error"]
    return [scored(benchmark, by_id[each.task.id], each) for each in played]


def score_lines(every: Sequence[Scored]) -> list[str]:
    """The lines of scores.jsonl."""
    return [json.dumps(_line(each), ensure_ascii=False) for each in every]


def _line(each: Scored) -> dict[str, object]:
    task, score = each.trajectory.task, each.score
    told = {"right": score.passed, **({score.why: True} if score.why else {})} if score is not None else {}
    return {
        "task": task.id,
        "trial": each.trajectory.trial,
        "category": each.row.category,
        "passed": score.passed if score is not None else None,
        "value": score.value if score is not None else None,
        "verdict": told,
        "message": score.message if score is not None else each.broken,
        "turns": None,
        "reasons": [],
        "rewards": {},
    }
