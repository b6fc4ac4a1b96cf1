"""The contracts of scoring: what a judge says about turns, what a reward makes of a trajectory. No formula is here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from toolgym.judge.scoring.verifier import Verdict
from toolgym.sandbox.kit.text import escaped
from toolgym.sandbox.runtime.trajectory import Trajectory


@dataclass(frozen=True, slots=True)
class TurnScores:
    """A judge's scores of a trajectory's turns.

    Attributes:
        scores: one of -1, 0, 1 per turn, at most one -1 (TARL, section 3.2); None when the judge gave no valid answer.
        reasons: one sentence per turn; for None, why there are no scores.
        source: which judge.
    """

    scores: tuple[int, ...] | None
    reasons: tuple[str, ...]
    source: str

    def __post_init__(self) -> None:
        """Keep a judge's words in a form that can be written."""
        object.__setattr__(self, "reasons", tuple(map(escaped, self.reasons)))


@dataclass(frozen=True, slots=True)
class NLAssertions:
    """What a judge says of the assertions in natural language that a task makes about a right conversation.

    Attributes:
        holds: for each assertion whether it is true; None when they were not judged.
        reasons: one sentence per assertion; for None, why there is no judgement.
    """

    holds: tuple[bool, ...] | None
    reasons: tuple[str, ...]

    def __post_init__(self) -> None:
        """Keep a judge's words in a form that can be written."""
        object.__setattr__(self, "reasons", tuple(map(escaped, self.reasons)))


@dataclass(frozen=True, slots=True)
class RewardResult:
    """A reward in parts.

    Attributes:
        name: which reward.
        total: its value.
        components: the named numbers it is made of.
        turns: its share of every turn, where the reward defines one.
    """

    name: str
    total: float
    components: dict[str, float]
    turns: tuple[float, ...] | None = None


@runtime_checkable
class Reward(Protocol):
    """A pure function of a recorded trajectory; entry-point group `toolgym.rewards`.

    Examples:
        >>> from toolgym import Reward
        >>> from toolgym.judge.scoring.reward import RewardResult
        >>> def short(trajectory, *, verdict, scores=None, progress=0.0):
        ...     return RewardResult("short", float(len(trajectory.turns()) < 5), {})
        >>> isinstance(short, Reward)
        True
    """

    def __call__(
        self, trajectory: Trajectory, *, verdict: Verdict, scores: TurnScores | None = None, progress: float = 0.0
    ) -> RewardResult:
        """The reward; `progress` is training progress from 0 to 1, for schedules."""
        ...


@runtime_checkable
class Judge(Protocol):
    """Scores the turns of a trajectory; entry-point group `toolgym.judges`.

    Examples:
        >>> from toolgym import Judge
        >>> from toolgym.judge.scoring.reward import TurnScores
        >>> class Content:
        ...     async def score(self, trajectory):
        ...         turns = len(trajectory.turns())
        ...         return TurnScores((1,) * turns, ("Fine.",) * turns, "content")
        >>> isinstance(Content(), Judge)
        True
    """

    async def score(self, trajectory: Trajectory) -> TurnScores:
        """The scores; a failure to judge is scores None, never a pass."""
        ...
