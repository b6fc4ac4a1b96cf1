"""Clean: 1 when the trajectory passes and broke no rule of conduct on the way, else 0."""

from __future__ import annotations

from toolgym.judge.scoring.reward import RewardResult, TurnScores
from toolgym.judge.scoring.rewards.outcome import on_last_turn
from toolgym.judge.scoring.verifier import Verdict
from toolgym.sandbox.runtime.trajectory import Trajectory


def clean(
    trajectory: Trajectory, *, verdict: Verdict, scores: TurnScores | None = None, progress: float = 0.0
) -> RewardResult:
    """The binary reward of a clean pass as evaluation counts it; `outcome` pays for a write without a yes too."""
    total = float(verdict.clean)
    return RewardResult("clean", total, {"passed": float(verdict.passed())}, on_last_turn(total, trajectory))
