"""Episodes in which both sides act: with the scripted user, with a model as the user, and without any user."""

import asyncio
import json
from typing import Any

import gymnasium
import pytest
from openai_server import OpenAIServer

import toolgym  # noqa: F401  # makes the ids known
from toolgym.domains.telecom.user_tool_driver import user_tool_driver
from toolgym.judge.evaluation.episodes import Evaluation
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.scoring.judges.rules import judge
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import STOP, Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory


def repair(faults: int = 3) -> Task:
    tasks = get_domain("telecom").tasks("dev", "own")
    return next(task for task in tasks if task.assertions and len(task.metadata["faults"]) == faults)


def play_all(**settings: Any) -> list[Trajectory]:
    evaluation = Evaluation(EvalSettings(env="ToolTelecom-v0", **settings))
    played: list[Trajectory] = []
    asyncio.run(evaluation.play_all(((task, 0) for task in evaluation.tasks), played.append))
    return played


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [
        {"split": "dev"},
        {"split": "dev", "solo": True},
        {"split": "base", "data": "tau2"},
        {"split": "base", "data": "tau2", "solo": True},
    ],
    ids=["own", "own solo", "tau2", "tau2 solo"],
)
def test_the_gold_run_passes_everything_and_idleness_nothing(settings: dict[str, Any]) -> None:
    assert all(verify(trajectory).passed() for trajectory in play_all(agent="oracle", **settings))
    assert not any(verify(trajectory).passed() for trajectory in play_all(agent="inert", **settings))


@pytest.mark.slow
@pytest.mark.parametrize("auth", ["spoken", "profile"])
def test_the_rules_agent_solves_by_talking_what_the_world_holds(auth: str) -> None:
    played = play_all(agent="rules", split="dev", auth=auth)
    assert [trajectory.task.id for trajectory in played if not verify(trajectory).passed()] == []
    spoken = [trajectory for trajectory in played if trajectory.task.family == "mms"]
    assert all(any(record.by == "user" for record in trajectory.calls) for trajectory in spoken)


def test_the_users_calls_go_through_the_users_tools_and_stay_with_the_user() -> None:
    task = repair()
    seen: list[Message] = []

    class Watching:
        privileged = True

        def open(self, briefing: Any) -> Any:
            player = make_agent("oracle").open(briefing)

            class Player:
                async def act(self, messages: Any) -> Message:
                    seen[:] = messages
                    return await player.act(messages)

            return Player()

    with Session("telecom", task=task) as session:
        episode = Episode(get_domain("telecom"), task, session, make_user("scripted"), seed=1)
        trajectory = asyncio.run(run_episode(episode, Watching()))
    assert verify(trajectory).passed()
    wanted = [(call.name, call.by) for call in task.gold]
    assert [(record.name, record.by) for record in trajectory.calls] == wanted
    assert {"agent", "user"} == {record.by for record in trajectory.calls}
    users = {call.name for call in task.gold if call.by == "user"}
    assert not any(message.name in users for message in seen), "the agent hears of it only from the user"
    assert any("status bar" in (message.content or "") for message in seen if message.role == "user")


# --- a model as the user ---


class ModelUser:
    """Plays the model behind the user: does what the agent's last message says, then reads out the results."""

    def __init__(self, task: Task) -> None:
        self.task = task

    async def __call__(self, body: dict[str, Any]) -> dict[str, Any]:
        messages = body["messages"]
        last = max(index for index, message in enumerate(messages) if message["role"] == "user")
        calls = {call["id"]: call["function"] for message in messages[last:] for call in message.get("tool_calls", ())}
        done = [
            (ToolCall(name=calls[message["tool_call_id"]]["name"], by="user"), message["content"])
            for message in messages[last:]
            if message["role"] == "tool"
        ]
        if last == 1:
            return _said(self.task.goals[0].utterance)
        due = user_tool_driver.follow(messages[last]["content"], done)
        if due:
            return {"role": "assistant", "content": None, "tool_calls": [_native(call, len(messages)) for call in due]}
        if done:
            return _said(" ".join(user_tool_driver.report(call, result) for call, result in done))
        return _said(f"Thanks, it works. {STOP}")


def _said(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": f"Thought: I look at the phone.\nReply: {text}"}


def _native(call: ToolCall, index: int) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments_text()}
    return {"id": f"{index}_{call.name}_{hash(call.arguments_text())}", "type": "function", "function": function}


async def test_a_model_that_plays_the_user_calls_the_users_tools_natively() -> None:
    task = repair()
    with OpenAIServer("telecom") as server, Session("telecom", task=task) as session:
        server.brains["user"] = ModelUser(task)
        user = make_user("llm", {"model": {"model": "user", "base_url": server.url, "timeout": 5.0}})
        episode = Episode(get_domain("telecom"), task, session, user, seed=2)
        trajectory = await run_episode(episode, make_agent("oracle"))
        request = server.requests[-1]
    assert trajectory.termination == "user_stop" and verify(trajectory).passed()
    assert {tool["function"]["name"] for tool in request["tools"]} == set(get_domain("telecom").user_tools)
    users = [record.name for record in trajectory.calls if record.by == "user"]
    assert users == [call.name for call in task.gold if call.by == "user"]
    assert {"tool"} < {message["role"] for message in request["messages"]}


# --- alone ---


def test_alone_the_agent_holds_both_tool_sets_and_a_ticket() -> None:
    task, domain = repair(), get_domain("telecom")
    told = briefing(domain, task, solo=True)
    assert told.ticket == task.ticket and told.task is None
    assert {tool["function"]["name"] for tool in told.tools} == {*domain.tools, *domain.user_tools}
    with_user = briefing(domain, task)
    assert with_user.ticket is None and len(with_user.tools) == len(domain.tools)


def test_alone_calls_find_their_door_and_a_message_ends_the_work() -> None:
    task, domain = repair(), get_domain("telecom")
    with Session(domain, task=task) as session:
        episode = Episode(domain, task, session, None)
        opening = asyncio.run(episode.start())
        assert opening[0].content == task.ticket
        calls = (
            ToolCall(name="check_status_bar"),
            ToolCall(name="get_customer_by_id", arguments={"customer_id": "C1"}),
        )
        asyncio.run(episode.step(Message(role="assistant", tool_calls=calls)))
        assert [record.by for record in session.log] == ["user", "agent"]
        assert asyncio.run(episode.step(Message(role="assistant", content="That is all."))) == []
        assert episode.termination == "agent_stop"


def test_with_a_user_the_agent_cannot_touch_the_phone() -> None:
    task, domain = repair(), get_domain("telecom")
    with Session(domain, task=task) as session:
        episode = Episode(domain, task, session, make_user("scripted"))
        asyncio.run(episode.start())
        call = ToolCall(name="toggle_data", by="user")
        feedback = asyncio.run(episode.step(Message(role="assistant", tool_calls=(call,))))
    assert "unknown_tool" in (feedback[0].content or "")


def test_a_world_without_tickets_cannot_be_worked_alone() -> None:
    with pytest.raises(BadInput, match="no ticket"):
        Evaluation(EvalSettings(env="kiosk", agent="oracle", solo=True))


def test_the_gymnasium_environment_plays_it_both_ways() -> None:
    task = repair()
    gold = [json.dumps([{"name": call.name, "arguments": call.arguments}]) for call in task.gold]
    alone = gymnasium.make("ToolTelecom-v0", split="dev", task=task.id, user=None)
    observation, info = alone.reset(seed=0)
    assert task.ticket in json.loads(observation)[0]["content"] and len(info["tools"]) == 43
    for action in gold:
        alone.step(action)
    *_, terminated, _, info = alone.step("It is repaired.")
    assert terminated and info["verdict"]["assertions"] is True
    alone.close()
    with_user = gymnasium.make("ToolTelecom-v0", split="dev", task=task.id)
    _, info = with_user.reset(seed=0)
    assert len(info["tools"]) == 13
    heard, *_ = with_user.step("Please look at the status bar.")
    assert "status bar:" in json.loads(heard)[0]["content"]
    with_user.close()


@pytest.mark.parametrize("solo", [False, True])
def test_rewards_count_the_calls_that_are_the_agents(solo: bool) -> None:
    played = play_all(agent="oracle", split="dev", solo=solo, tasks=("20",))
    for trajectory in played:
        assert trajectory.solo == solo
        made = trajectory.of_agent(trajectory.calls)
        assert (len(made) == len(trajectory.calls)) == (solo or all(call.by == "agent" for call in trajectory.calls))
        verdict = verify(trajectory)
        prove = registry.load("rewards", "prove")(trajectory, verdict=verdict)
        assert prove.components["coverage"] == prove.components["validity"] == prove.components["name"] == 1
        assert registry.load("rewards", "tier")(trajectory, verdict=verdict).total == 1
        correct = registry.load("rewards", "toolrl")(trajectory, verdict=verdict).components["correctness"]
        assert correct == 3
        if solo:
            assert set(judge(trajectory).scores or ()) == {1}, "nobody is there to be asked for a yes"
