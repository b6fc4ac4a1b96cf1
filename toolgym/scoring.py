"""Scoring one recorded episode from Python: what `toolgym judge` does with a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolgym.judge.scoring import scorer
from toolgym.judge.scoring.reward import Judge
from toolgym.sandbox.runtime.background_loop import run_sync
from toolgym.sandbox.runtime.trajectory import Trajectory


def score(
    trajectory: Trajectory,
    judge: str | Judge = "rules",
    rewards: Sequence[str] = scorer.REWARDS,
    *,
    judge_options: Mapping[str, Any] | None = None,
) -> scorer.Score:
    """The verdict, the judge's turn scores and the rewards of a recorded episode.

    Args:
        trajectory: the episode.
        judge: `rules`, `llm` or an installed name, or a judge of your own.
        rewards: which rewards, by name.
        judge_options: options of a judge given by name.

    Raises:
        BadInput: there is no such judge or reward, or an option does not fit.
        ConfigurationError: the judge or a reward is broken; the sentence names file and line.

    Examples:
        >>> from toolgym import Trajectory, score
        >>> from toolgym.kit import get_domain
        >>> task = get_domain("kiosk").open_data().tasks("test")[0]
        >>> found = score(Trajectory(task=task, messages=(), termination="agent_stop"), rewards=["outcome", "prove"])
        >>> {name: reward.total for name, reward in found.rewards.items()}
        {'outcome': 0.0, 'prove': 0.0}
    """
    made = scorer.make_judge(judge, judge_options) if isinstance(judge, str) else judge
    return run_sync(scorer.score(trajectory, made, rewards))
