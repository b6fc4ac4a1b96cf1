"""Plays tasks on someone else's MCP server, a session each; the verdict is the verifier's, from the record alone."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from toolgym.judge.evaluation.budget import Budget
from toolgym.judge.evaluation.pool import side_by_side
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.remote.foreign import ForeignWorld
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.limits import Limits
from toolgym.sandbox.runtime.roles import Agent
from toolgym.sandbox.runtime.trajectory import Trajectory

PROCESSES = 4
"""Sessions, each with a process, at the same time."""


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
) -> None:
    """Every task so many times, as far as the budget lets it; what breaks is recorded with its text, as an
    infrastructure failure. `keep` is given each episode when it ends.
    """

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
        budget.add(trajectory)
        keep(trajectory)

    wanted = [(task, number) for task in tasks for number in range(trials)]
    await side_by_side(wanted, one, done, workers=PROCESSES, admits=budget.admits)


def summary(trajectories: Sequence[Trajectory]) -> dict[str, Any]:
    """Success over what was played, and apart from it what broke."""
    played = [each for each in trajectories if each.fault is None]
    right = sum(verify(each).passed() for each in played)
    return {
        "episodes": len(trajectories),
        "passed": right,
        "success": round(right / len(played), 3) if played else None,
        "infrastructure_failures": dict(Counter(each.fault.message for each in trajectories if each.fault is not None)),
        "terminations": dict(Counter(str(each.termination) for each in trajectories)),
    }
