"""Scores a finished trajectory inside the rollout: verifier, judge and reward, as numbers for verl."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from toolgym.judge.scoring.damage import outside_rows
from toolgym.judge.scoring.reward import TurnScores
from toolgym.judge.scoring.scorer import make_judge
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.runtime.background_loop import run_in_loop
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.training.rewards import make_reward


@dataclass(frozen=True, slots=True)
class Scored:
    """A trajectory's numbers.

    Attributes:
        total: the reward.
        turns: its share of every turn, summing to the total; None where the reward defines none.
        passed: the verifier's verdict.
        clean: passed without a violation.
        damage: a row was changed that no right run touches.
        components: the reward's named parts.
        seconds: wall time the judge took; None where the reward needed none.
    """

    total: float
    turns: tuple[float, ...] | None
    passed: bool
    clean: bool
    damage: bool
    components: dict[str, float]
    seconds: float | None


class Scorer:
    """A judge and a reward, shared by all trajectories of a process.

    The judge works in a thread and an event loop of its own, so that it never holds up a rollout; how many requests an
    LLM judge has under way at once, and its cache of replies, are settings of its model. It is asked only when the
    reward cannot do without: a reward that needs turn scores says so by BadInput. It may take `seconds` over each.
    """

    def __init__(
        self,
        reward: str,
        reward_options: Mapping[str, Any],
        judge: str,
        judge_options: Mapping[str, Any],
        seconds: float | None = None,
    ) -> None:
        self._reward = make_reward(reward, reward_options)
        self._judge = make_judge(judge, judge_options)
        self._seconds = seconds

    async def score(self, trajectory: Trajectory, progress: float) -> Scored:
        """Verify, judge and reward; `progress` is training progress from 0 to 1.

        Raises:
            InfrastructureError: the judge gave no valid scores in time and the reward needs them.
        """
        verdict = await asyncio.to_thread(verify, trajectory)
        reward, seconds = partial(self._reward, trajectory, verdict=verdict, progress=progress), None
        try:
            result = await asyncio.to_thread(reward)
        except BadInput:
            started = time.perf_counter()
            turns = await self._judged(trajectory)
            seconds = time.perf_counter() - started
            result = await asyncio.to_thread(reward, scores=turns)
        return Scored(
            total=result.total,
            turns=None if result.turns is None else _summing(result.turns, result.total),
            passed=verdict.passed(),
            clean=verdict.clean,
            damage=bool(await asyncio.to_thread(outside_rows, trajectory)),
            components=dict(result.components),
            seconds=seconds,
        )

    async def _judged(self, trajectory: Trajectory) -> TurnScores:
        try:
            async with asyncio.timeout(self._seconds):
                turns = await run_in_loop(self._judge.score(trajectory))
        except TimeoutError as error:
            raise InfrastructureError("judge", f"The trajectory was not judged in {self._seconds:g} s.") from error
        except InfrastructureError as error:
            raise InfrastructureError("judge", f"The trajectory was not judged: {error.message}") from error
        if turns.scores is None:
            raise InfrastructureError("judge", f"The trajectory was not judged: {_why(turns)}")
        return turns


def _summing(turns: tuple[float, ...], total: float) -> tuple[float, ...]:
    """Turn shares that sum to the total: what belongs to no turn goes to the last one."""
    if not turns:
        return turns
    return (*turns[:-1], turns[-1] + total - sum(turns))


def _why(turns: TurnScores) -> str:
    return turns.reasons[0] if turns.reasons else f"{turns.source} gave no scores."
