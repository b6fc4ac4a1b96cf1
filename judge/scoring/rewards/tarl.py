"""TARL: the verifier's result and a judge's turn scores in one scale.

Paper: Turn-level Adjudicated Reinforcement Learning, section 3.2.

    total = 10 R + sum over turns of s(r_i),   s(-1) = -5,  s(0) = 0,  s(1) = 5 / T

with R in {0, 1} from the verifier, r_i in {-1, 0, 1} from the judge, T turns. So turns add at most 5 whatever the
length. The four classes: perfect (15), good (10 to 15), good attempt (0 to 5, not passed), failed (below 0).
"""

from __future__ import annotations

from typing import Literal

from toolgym.judge.scoring.reward import RewardResult, TurnScores
from toolgym.judge.scoring.verifier import Verdict
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.trajectory import Trajectory

TERMINAL, MAJOR, MINOR = 10.0, 5.0, 5.0
Class = Literal["perfect", "good", "good attempt", "failed"]


def tarl(
    trajectory: Trajectory, *, verdict: Verdict, scores: TurnScores | None = None, progress: float = 0.0
) -> RewardResult:
    """TARL's reward; `turns` carries each turn's share, the terminal reward on the last.

    Raises:
        BadInput: the trajectory was not judged, so it has no turn scores; leave it out rather than guess.
    """
    if scores is None or scores.scores is None:
        raise BadInput("TARL needs a judge's turn scores, and this trajectory was not judged.")
    values = scores.scores
    if len(values) != len(trajectory.turns()):
        raise BadInput(f"The judge scored {len(values)} turns and the trajectory has {len(trajectory.turns())}.")
    terminal = TERMINAL * verdict.passed()
    turns = [_scaled(value, len(values)) for value in values]
    components = {"terminal": terminal, "deviation": -MAJOR * values.count(-1), "turns": sum(t for t in turns if t > 0)}
    if turns:
        turns[-1] += terminal
    return RewardResult("tarl", sum(components.values()), components, tuple(turns))


def _scaled(score: int, turns: int) -> float:
    return -MAJOR if score < 0 else MINOR / turns if score > 0 else 0.0


def class_of(result: RewardResult, tolerance: float = 1e-9) -> Class:
    """Which of the paper's four classes a reward belongs to.

    A passed trajectory with a major deviation (5 to 10, a case the paper does not name) counts as good.
    """
    if result.components["terminal"] > 0:
        return "perfect" if result.total >= TERMINAL + MINOR - tolerance else "good"
    return "good attempt" if result.total >= 0 else "failed"
