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
    turns = len(trajectory.turns())
    return RewardResult("outcome", passed, {"passed": passed}, tuple([0.0] * (turns - 1) + [passed]) if turns else ())
