"""Recorded runs of each format are scored as when they were recorded: published definitions do not move."""

import asyncio
import json
from pathlib import Path

import pytest

from toolgym.judge.scoring.scorer import make_judge, score
from toolgym.sandbox.runtime.trajectory import read_trajectories

RUNS = Path(__file__).parents[2] / "sandbox" / "runtime"
SCORES = Path(__file__).with_name("scores-of-recorded.jsonl").read_text(encoding="utf-8").splitlines()
"""Verdicts, published rewards with their components, and the rule judge's turn scores of the recorded trajectories."""


@pytest.mark.parametrize("name", ["trajectories-v1.jsonl", "trajectories-v2.jsonl"])
def test_recorded_runs_keep_their_scores(name: str) -> None:
    judge = make_judge("rules")
    found = [asyncio.run(score(trajectory, judge)).to_json("state") for trajectory in read_trajectories(RUNS / name)]
    for item in found:
        item.pop("violations", None)  # a list of toolgym's own beside what is published
    assert [json.dumps(item, ensure_ascii=False) for item in found] == SCORES
