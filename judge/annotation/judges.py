"""What judges say of a run's turns: the one that scored the run, and the rules beside it, which cost nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolgym.judge.scoring.judges.rules import judge as by_rules
from toolgym.judge.scoring.reward import TurnScores
from toolgym.sandbox.kit.errors import ToolgymError
from toolgym.sandbox.runtime.trajectory import Trajectory

RULES = "rules"


def judges_of(trajectory: Trajectory, score: Mapping[str, Any]) -> dict[str, TurnScores]:
    """The turn scores of each judge by its name; one that could not judge is not there.

    Args:
        trajectory: the episode.
        score: its line of scores.jsonl; empty where it has none.
    """
    found: dict[str, TurnScores] = {}
    count = len(trajectory.turns())
    if score.get("turns") is not None and len(score["turns"]) == count:
        found[score["judge"]] = TurnScores(tuple(score["turns"]), tuple(score["reasons"]), score["judge"])
    if RULES not in found:
        try:
            ruled = by_rules(trajectory)
        except (ToolgymError, LookupError, ValueError):  # its world is not installed, or is another one now
            return found
        if ruled.scores is not None:
            found[RULES] = ruled
    return found
