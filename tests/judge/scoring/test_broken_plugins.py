"""A judge or a reward of somebody else's that breaks is one sentence with its file and line."""

import asyncio
import importlib
from pathlib import Path

import pytest

from toolgym.judge.scoring.judges.rules import RulesJudge
from toolgym.judge.scoring.scorer import score
from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory

MINE = """class Hasty:
    async def score(self, trajectory):
        return {}["turns"]


def bonus(trajectory, *, verdict, scores):
    return 1 / 0
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "mine_that_breaks.py").write_text(MINE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return importlib.import_module("mine_that_breaks")


@pytest.fixture(scope="module")
def trajectory() -> Trajectory:
    task = get_domain("kiosk").task("kiosk-1")
    with Session("kiosk", task=task) as session:
        episode = Episode(get_domain("kiosk"), task, session, make_user("scripted"))
        return asyncio.run(run_episode(episode, make_agent("oracle")))


def test_a_judge(mine, trajectory: Trajectory) -> None:
    with pytest.raises(
        ConfigurationError, match=r"The judge Hasty is broken: .*mine_that_breaks\.py, line 3: KeyError: 'turns'"
    ):
        asyncio.run(score(trajectory, mine.Hasty()))


def test_a_reward(mine, trajectory: Trajectory, monkeypatch: pytest.MonkeyPatch) -> None:
    load = registry.load
    monkeypatch.setattr(registry, "load", lambda group, name: mine.bonus if group == "rewards" else load(group, name))
    with pytest.raises(
        ConfigurationError, match=r"The reward 'bonus' is broken: .*mine_that_breaks\.py, line 7: ZeroDivision"
    ):
        asyncio.run(score(trajectory, RulesJudge(), ["bonus"]))
