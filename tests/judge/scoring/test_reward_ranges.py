"""On trajectories of agents that act at random every reward stays in its range, and adds up from its parts."""

import asyncio

import pytest

from toolgym.judge.evaluation.episodes import Evaluation
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.scoring.judges.rules import judge
from toolgym.judge.scoring.reward import Reward
from toolgym.judge.scoring.rewards.prove import prove
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.trajectory import Trajectory

RANGES = {"outcome": (0, 1), "tarl": (-5, 15), "toolrl": (-3, 4), "tier": (0, 1), "prove": (-10, 1.3)}
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("reward-ranges")]


@pytest.fixture(scope="module")
def trajectories() -> list[Trajectory]:
    found: list[Trajectory] = []
    for env, agent in (("kiosk", "random"), ("retail", "random"), ("retail", "rules"), ("retail", "oracle")):
        settings = EvalSettings(env=env, agent=agent, split="train", tasks=("30",), trials=2)
        evaluation = Evaluation(settings)
        asyncio.run(evaluation.play_all(((t, n) for t in evaluation.tasks for n in range(2)), found.append))
    return [trajectory for trajectory in found if trajectory.fault is None]


@pytest.mark.parametrize("name", RANGES)
def test_ranges(name: str, trajectories: list[Trajectory]) -> None:
    reward: Reward = registry.load("rewards", name)
    low, high = RANGES[name]
    totals = []
    for trajectory in trajectories:
        result = reward(trajectory, verdict=verify(trajectory), scores=judge(trajectory))
        assert low - 1e-9 <= result.total <= high + 1e-9, (trajectory.task.id, result)
        if result.turns:
            assert sum(result.turns) == pytest.approx(result.total)
        totals.append(result.total)
    assert min(totals) < max(totals), "the reward tells runs apart"


def test_proves_parts_have_their_ranges(trajectories: list[Trajectory]) -> None:
    for trajectory in trajectories:
        parts = prove(trajectory, verdict=verify(trajectory)).components
        for part, value in parts.items():
            assert value <= 0 if part == "efficiency" else 0 <= value <= 1, (part, value)


def test_the_rule_judge_gives_one_valid_score_a_turn(trajectories: list[Trajectory]) -> None:
    for trajectory in trajectories:
        scores = judge(trajectory).scores
        assert scores is not None and len(scores) == len(trajectory.turns())
        verdict = verify(trajectory)
        right = verdict.clean and verdict.told is not False
        assert set(scores) <= {-1, 0, 1} and scores.count(-1) == (not right and bool(scores))
