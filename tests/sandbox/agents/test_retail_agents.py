"""Users and agents on generated retail tasks: the oracle solves all, `rules` many, and nobody says a wrong fact."""

import asyncio
import os
import re
import subprocess
import sys
from functools import cache

import pytest

from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import STOP
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory

pytestmark = pytest.mark.slow

RETAIL = get_domain("retail")
_GIVE_UP = re.compile(r"nowhere|in circles|not getting anywhere")


async def play(agent: str, task: Task, seed: int = 0) -> Trajectory:
    with Session(RETAIL, task=task) as session:
        episode = Episode(RETAIL, task, session, make_user("scripted"), seed=seed)
        return await run_episode(episode, make_agent(agent))


@cache
def played(agent: str) -> list[Trajectory]:
    """The test split, one episode after another."""
    return [asyncio.run(play(agent, task)) for task in RETAIL.tasks("test", "own")]


def user_words(trajectory: Trajectory) -> list[str]:
    return [message.content or "" for message in trajectory.messages if message.role == "user"]


def test_the_oracle_solves_every_task_and_every_user_is_content() -> None:
    for trajectory in played("oracle"):
        verdict = verify(trajectory)
        assert verdict.passed("state") and verdict.passed("writes"), trajectory.task.id
        assert verdict.communicate is not False, trajectory.task.id
        assert not any(_GIVE_UP.search(text) for text in user_words(trajectory)), trajectory.task.id


@pytest.mark.slow
def test_the_oracle_solves_training_tasks_of_every_family() -> None:
    for task in RETAIL.tasks("train", "own")[:300]:
        assert verify(asyncio.run(play("oracle", task, seed=7))).passed(), task.id


def test_the_rules_agent_writes_only_after_a_yes() -> None:
    for trajectory in played("rules"):
        heard = ""
        for message in trajectory.messages:
            if message.role == "user":
                heard = (message.content or "").lower()
            for call in message.tool_calls:
                if RETAIL.tools[call.name].kind == "write":
                    assert heard.startswith("yes"), trajectory.task.id


@pytest.mark.parametrize("agent", ["rules", "random", "inert"])
def test_users_never_say_what_their_task_does_not_hold(agent: str) -> None:
    for trajectory in played(agent):
        known = trajectory.task.model_dump_json()
        for text in user_words(trajectory):
            for token in re.findall(r"[#\w@.-]*\d[\w@.-]*\w|\S+@\S+|\d", text.replace(STOP, "")):
                assert token in known, (trajectory.task.id, token, text)


def test_withheld_facts_stay_withheld_when_nobody_asks() -> None:
    hidden = 0
    for trajectory in played("inert"):
        said = " ".join(user_words(trajectory))
        goals = list(trajectory.task.every_goal())
        wishes = " ".join(goal.utterance for goal in goals)
        for fact in (*trajectory.task.facts, *(fact for goal in goals for fact in goal.facts)):
            if fact.on_request and isinstance(fact.value, str) and fact.value not in wishes:
                hidden += 1
                assert fact.value not in said, (trajectory.task.id, fact)
    assert hidden > 100


@pytest.mark.parametrize("agent", ["oracle", "rules", "random"])
def test_the_same_at_any_concurrency(agent: str) -> None:
    async def together() -> list[Trajectory]:
        return list(await asyncio.gather(*(play(agent, task) for task in RETAIL.tasks("test", "own"))))

    assert [t.canonical() for t in asyncio.run(together())] == [t.canonical() for t in played(agent)]


_DIGEST = """
import asyncio, hashlib
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.roles import make_agent, make_user
from toolgym.sandbox.runtime.session import Session
retail, digest = get_domain("retail"), hashlib.sha256()
for agent in ("rules", "random"):
    for task in retail.tasks("dev", "own")[:40]:
        with Session(retail, task=task) as session:
            episode = Episode(retail, task, session, make_user("scripted"), seed=1)
            digest.update(asyncio.run(run_episode(episode, make_agent(agent))).canonical().encode())
print(digest.hexdigest())
"""


@pytest.mark.slow
def test_the_same_in_another_process() -> None:
    """Nothing depends on the order of sets, which differs from process to process."""
    digests = set()
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run([sys.executable, "-c", _DIGEST], env=environment, capture_output=True, check=True)
        digests.add(done.stdout)
    assert len(digests) == 1


def test_the_oracle_solves_every_task_of_tau2() -> None:
    try:
        RETAIL.open_data("tau2")
    except BadInput as error:  # the data package is not a dependency
        pytest.skip(str(error))
    tasks = [task for split in ("train", "test") for task in RETAIL.tasks(split, "tau2")]
    assert len(tasks) == 114
    for task in tasks:
        assert verify(asyncio.run(play("oracle", task))).state, task.id
