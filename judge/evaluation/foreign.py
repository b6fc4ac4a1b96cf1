"""Evaluation on someone else's MCP server: one process for each episode, passed by what was called and what came of it.

A verdict is a pure function of the record, as everywhere: nothing is asked of the server again.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from toolgym.judge.evaluation.budget import Budget
from toolgym.judge.evaluation.pool import side_by_side
from toolgym.judge.scoring.verifier import ORDERLY
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.remote.foreign import ForeignWorld
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.limits import Limits
from toolgym.sandbox.runtime.roles import Agent
from toolgym.sandbox.runtime.trajectory import Trajectory

PROCESSES = 4
"""Sessions, each with a process, at the same time."""


def passed(trajectory: Trajectory, writes: frozenset[str]) -> bool:
    """Whether an episode did what its task asks.

    The last gold call was made and came to the task's answer, the calls that may write are those of the gold run, each
    as often and no other, and the agent came to an end by itself.
    """
    task = trajectory.task
    assert task.answer is not None
    [answer] = task.answer.values
    last = task.gold[-1].name
    reached = any(call.ok and call.name == last and call.value == answer for call in trajectory.calls)
    wanted = Counter(_key(call.name, call.arguments) for call in task.gold if call.name in writes)
    made = Counter(_key(call.name, call.arguments) for call in trajectory.calls if call.ok and call.name in writes)
    return reached and wanted == made and trajectory.termination in ORDERLY


def _key(name: str, arguments: Json) -> tuple[str, str]:
    return name, json.dumps(arguments, sort_keys=True)


async def play(
    world: ForeignWorld,
    tasks: Sequence[Task],
    agent: Agent,
    name: str,
    *,
    trials: int,
    seed: int,
    max_turns: int,
    budget: Budget,
    keep: Callable[[Trajectory], None],
) -> list[Trajectory]:
    """Every task so many times, as far as the budget lets it; what breaks is recorded with its text, as an
    infrastructure failure. `keep` is given each episode when it ends.
    """
    played: list[Trajectory] = []

    async def one(trial: tuple[Task, int]) -> Trajectory:
        task, number = trial
        session = world.session()
        try:
            limits = Limits(max_turns=max_turns)
            episode = Episode(world.domain, task, session, None, seed=seed + number, limits=limits)
            return await run_episode(episode, agent, trial=number, agent_name=name)
        finally:
            await asyncio.to_thread(session.close)

    def done(trajectory: Trajectory) -> None:
        played.append(trajectory)
        budget.add(trajectory)
        keep(trajectory)

    wanted = [(task, number) for task in tasks for number in range(trials)]
    await side_by_side(wanted, one, done, workers=PROCESSES, admits=budget.admits)
    order = {task.id: index for index, task in enumerate(tasks)}
    return sorted(played, key=lambda trajectory: (order[trajectory.task.id], trajectory.trial))


def summary(trajectories: Sequence[Trajectory], writes: frozenset[str]) -> dict[str, Any]:
    """Success over what was played, and apart from it what broke."""
    played = [each for each in trajectories if each.termination != "infrastructure_error"]
    right = sum(passed(each, writes) for each in played)
    broken = Counter(each.fault.message for each in trajectories if each.fault is not None)
    return {
        "episodes": len(trajectories),
        "passed": right,
        "success": round(right / len(played), 3) if played else None,
        "infrastructure_failures": dict(broken),
        "terminations": dict(Counter(str(each.termination) for each in trajectories)),
    }
