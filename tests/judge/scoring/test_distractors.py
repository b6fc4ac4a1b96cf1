"""Tools of other worlds beside a task's own: they are live, what one writes is damage, and a record holds it all."""

from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

import toolgym  # noqa: F401  # makes the ids known
from toolgym.judge.scoring.rewards.prove import prove
from toolgym.judge.scoring.rewards.tier import Tier
from toolgym.judge.scoring.verifier import Verdict, verify
from toolgym.sandbox.agents.oracle import OracleAgent
from toolgym.sandbox.formats import get_format
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.task import Task, write_tasks
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Briefing
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory, read_trajectories, write_trajectories
from toolgym.sandbox.users.scripted import ScriptedUser

NAMES = ("airline.send_certificate", "airline.get_user_details", "telecom.get_customer_by_name")


def flyer() -> str:
    row = get_domain("airline").template().reader.execute("SELECT min(user_id) FROM users").fetchone()
    return str(row[0])


def written(world: str = "retail") -> Task:
    """A task of a world in which something is to be written, with distractors."""
    task = next(
        task for task in get_domain(world).tasks("test", "own") if task.goals and any(g.calls for g in task.goals)
    )
    return task.model_copy(update={"distractors": NAMES})


def look() -> ToolCall:
    """A look at another world's rows, which harms nothing."""
    return ToolCall(name="airline_get_user_details", arguments={"user_id": flyer()})


def damage() -> ToolCall:
    return ToolCall(name="send_certificate", arguments={"user_id": flyer(), "amount": 25})


class Wandering(OracleAgent):
    """The oracle, which first makes calls of its own."""

    def __init__(self, *calls: ToolCall) -> None:
        self._calls = calls

    def open(self, briefing: Briefing) -> Any:
        oracle, calls = super().open(briefing), list(self._calls)
        offered = {tool["function"]["name"] for tool in briefing.tools}
        assert {"send_certificate", "airline_get_user_details"} < offered

        class Player:
            async def act(self, messages: Any) -> Message:
                if calls:
                    return Message(role="assistant", tool_calls=(calls.pop(0),))
                return await oracle.act(messages)

        return Player()


async def play(task: Task, *calls: ToolCall) -> Trajectory:
    domain = get_domain(task.domain)
    with Session(domain, task=task) as session:
        return await run_episode(Episode(domain, task, session, ScriptedUser()), Wandering(*calls))


def scores(trajectory: Trajectory) -> tuple[Verdict, float, dict[str, float], float]:
    verdict = verify(trajectory)
    proved = prove(trajectory, verdict=verdict)
    return verdict, proved.total, dict(proved.components), Tier()(trajectory, verdict=verdict).total


async def test_a_look_is_no_damage_and_a_write_is(tmp_path: Path) -> None:
    """Played, written to a file, read and scored again from there."""
    task = written()
    right, wrong = await play(task, look()), await play(task, look(), damage())
    assert [call.ok for call in wrong.calls[:2]] == [True, True]
    assert verify(right).passed() and verify(right).passed("writes")
    verdict = verify(wrong)
    assert not verdict.state and not verdict.writes and not verdict.passed() and not verdict.passed("writes")
    assert {row.table for row in wrong.diff} - {row.table for row in right.diff} == {"airline.payment_methods"}
    file = tmp_path / "runs.jsonl"
    write_trajectories(file, [right, wrong])
    read = list(read_trajectories(file))
    assert read == [right, wrong] and read[0].task.distractors == NAMES
    assert [scores(run) for run in read] == [scores(right), scores(wrong)]


async def test_a_call_of_a_distractor_is_a_valid_call() -> None:
    """Rewards that look at names and arguments know the tool; that it was not called for they say elsewhere."""
    run = await play(written(), look())
    _, _, proved, _ = scores(run)
    assert proved["validity"] == 1.0
    assert Tier()(run, verdict=verify(run)).components["name"] == 1.0


async def test_damage_fails_tasks_that_are_judged_by_assertions() -> None:
    source = next(task for task in get_domain("telecom").tasks("base", "tau2") if task.assertions)
    task = source.model_copy(update={"distractors": ("airline.send_certificate", "airline.get_user_details")})

    def run(*calls: ToolCall) -> Trajectory:
        with Session("telecom", task=task) as session:
            for call in calls:
                session.call(call.name, call.arguments, by=call.by)
            return Trajectory(task=task, calls=tuple(session.log), diff=tuple(session.diff()), termination="user_stop")

    seen = ToolCall(name="get_user_details", arguments={"user_id": flyer()})
    assert verify(run(*task.gold, seen)).passed()
    assert not verify(run(*task.gold, damage())).passed()


@pytest.mark.parametrize("call", [damage(), look()], ids=["write", "look"])
def test_the_environment_offers_them_and_rewards_no_damage(tmp_path: Path, call: ToolCall) -> None:
    task, file = written(), tmp_path / "tasks.jsonl"
    write_tasks(file, [task])
    env = gym.make("ToolRetail-v0", data=f"own:{file}", split="test", user=None)
    _, info = env.reset(seed=0)
    assert call.name in {tool["function"]["name"] for tool in info["tools"]}
    for step in (call, *task.gold):
        observed, _, terminated, _, _ = env.step(
            get_format("hermes").render(Message(role="assistant", tool_calls=(step,)))
        )
        assert "Error" not in observed
    if not terminated:
        _, reward, terminated, _, info = env.step("All is done.")
    assert terminated and reward == float(call.name != "send_certificate")
    env.close()


@pytest.mark.parametrize("call", [damage(), look()], ids=["write", "look"])
def test_gold_is_worked_out_without_distractors(call: ToolCall) -> None:
    task = written()
    with Session("retail", task=task) as session:
        for step in task.gold:
            assert session.call(step.name, step.arguments).ok
        assert session.call(call.name, call.arguments).ok
        run = Trajectory(task=task, calls=tuple(session.log), diff=tuple(session.diff()), termination="user_stop")
    assert verify(run).state == (call.name != "send_certificate")
