"""What a sample of Inspect's keeps of an episode: its trajectory, and a judge's scores where it has been judged."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from inspect_ai.util import Store

from toolgym.judge.scoring.reward import TurnScores
from toolgym.sandbox.runtime.trajectory import Trajectory, parse_line

TRAJECTORY, TURNS = "toolgym_trajectory", "toolgym_turns"
"""Keys of a sample's store."""


def keep(store: Store, trajectory: Trajectory) -> None:
    """Put an episode into a sample's store."""
    store.set(TRAJECTORY, trajectory.model_dump(mode="json"))


def as_kept(trajectory: Trajectory, turns: TurnScores | None) -> dict[str, Any]:
    """A sample's store that holds an episode and, where a judge was asked, its scores."""
    found: dict[str, Any] = {TRAJECTORY: trajectory.model_dump(mode="json")}
    if turns is not None:
        found[TURNS] = {"scores": turns.scores, "reasons": turns.reasons, "source": turns.source}
    return found


def kept_trajectory(store: Store | Mapping[str, Any], where: str) -> Trajectory | None:
    """The episode in a sample's store; None where there is none.

    Raises:
        BadInput: what is there is no trajectory of ours.
    """
    record = store.get(TRAJECTORY)
    return None if record is None else parse_line(json.dumps(record), where)


def kept_turns(store: Store | Mapping[str, Any]) -> TurnScores | None:
    """The judge's scores in a sample's store; None where there are none."""
    record = store.get(TURNS)
    if record is None:
        return None
    scores = record["scores"]
    return TurnScores(None if scores is None else tuple(scores), tuple(record["reasons"]), record["source"])
