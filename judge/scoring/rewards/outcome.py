"""Outcome: 1 when the verifier passes the trajectory, else 0."""

from __future__ import annotations

from toolgym.judge.scoring.reward import RewardResult, TurnScores
from toolgym.judge.scoring.verifier import Verdict
from toolgym.sandbox.runtime.trajectory import Trajectory


def outcome(
    trajectory: Trajectory, *, verdict: Verdict, scores: TurnScores | None = None, progress: float = 0.0
) -> RewardResult:
    """The binary reward on the state basis (TARL section 2.1), on the last turn."""
    passed = float(verdict.passed())
    return RewardResult("outcome", passed, {"passed": passed}, on_last_turn(passed, trajectory))


def on_last_turn(total: float, trajectory: Trajectory) -> tuple[float, ...]:
    """The shares of the turns where the last one earns it all."""
    turns = len(trajectory.turns())
    return (*[0.0] * (turns - 1), total) if turns else ()
