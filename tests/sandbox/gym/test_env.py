"""The Gymnasium environment keeps Gymnasium's contract: spaces, seeding, endings, vectorisation, no import needed."""

from __future__ import annotations

import asyncio
import json
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

import toolgym
from toolgym.sandbox.formats.program import program_format, render_program
from toolgym.sandbox.kit.errors import BadInput, ToolgymError
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.kit.task import Task, write_tasks
from toolgym.sandbox.runtime.registry import environments, get_domain
from toolgym.sandbox.synthesis.generator import Cell, Generator
from toolgym.sandbox.synthesis.program import program_of


@pytest.fixture
def env() -> Iterator[gymnasium.Env[str, str]]:
    made = gymnasium.make("ToolKiosk-v0", split="test", render_mode="ansi")
    yield made
    made.close()


def call(name: str, **arguments: Any) -> str:
    return json.dumps({"name": name, "arguments": arguments})


@pytest.mark.slow
@pytest.mark.parametrize(
    "imports",
    [
        "import gymnasium as gym, toolgym; name = 'ToolKiosk-v0'",
        "import toolgym, gymnasium as gym; name = 'ToolKiosk-v0'",
        "import gymnasium as gym; name = 'toolgym:ToolKiosk-v0'",
    ],
)
def test_ids_are_known_once_both_packages_are(imports: str) -> None:
    code = f"{imports}; env = gym.make(name); print(env.reset(seed=1)[1]['task_id']); env.close()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=600)
    assert done.stdout.startswith("kiosk-"), done.stderr


@pytest.mark.parametrize(
    "name",
    [
        name if name in ("ToolKiosk-v0", "ToolBanking-v1") else pytest.param(name, marks=pytest.mark.slow)
        for name, (world, data) in sorted(environments().items())
        if get_domain(world).open_data(data).splits
    ],
)
def test_gymnasiums_own_checker_has_no_complaint(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that an id is out of date is another thing
        env = gymnasium.make(name, split="test")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped, skip_render_check=False)
    env.close()


def test_a_task_well_done_is_rewarded(env: gymnasium.Env[str, str]) -> None:
    observation, info = env.reset(seed=0, options={"task": "kiosk-4"})
    assert json.loads(observation)[0]["role"] == "user" and info["task_id"] == "kiosk-4"
    assert {tool["function"]["name"] for tool in info["tools"]} >= {"reserve_ticket"}
    observation, reward, terminated, truncated, _ = env.step(
        call("reserve_ticket", ticket_id="T118", holder="Ines Costa")
    )
    assert json.loads(observation)[0]["role"] == "tool" and not (reward or terminated or truncated)
    for _ in range(4):
        observation, reward, terminated, truncated, info = env.step("Your ticket has been reserved. Anything else?")
        if terminated:
            break
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert info["verdict"]["state"] and json.loads(info["trajectory"])["termination"] == "user_stop"
    assert "reserve_ticket" in str(env.render())


def test_hermes_tags_are_understood(env: gymnasium.Env[str, str]) -> None:
    env.reset(seed=0, options={"task": "kiosk-4"})
    body = json.dumps({"name": "list_free_seats", "arguments": {"evening": "Sunday"}})
    message = json.loads(env.step(f"<think>\nlook\n</think>\n<tool_call>{body}</tool_call>")[0])[0]
    assert message["role"] == "tool" and "T118" in message["content"]


def test_a_malformed_action_is_feedback(env: gymnasium.Env[str, str]) -> None:
    env.reset(seed=0)
    for action in ("{not json", "<tool_call>{}", "[]", '{"name": 3}'):
        observation, reward, terminated, truncated, info = env.step(action)
        assert "could not be read" in json.loads(observation)[0]["content"]
        assert not (reward or terminated or truncated)
    assert info["messages"][-2]["content"] == '{"name": 3}'


def test_truncation_at_the_turn_limit() -> None:
    env = gymnasium.make("ToolKiosk-v0", max_turns=2)
    env.reset(seed=0)
    env.step(call("find_tickets", holder="x"))
    _, reward, terminated, truncated, _ = env.step(call("find_tickets", holder="x"))
    assert (reward, terminated, truncated) == (0.0, False, True)
    env.close()


def test_seeds_decide_task_and_words() -> None:
    env = gymnasium.make("ToolRetail-v0", split="dev")
    first, again, other = env.reset(seed=5), env.reset(seed=5), env.reset(seed=6)
    assert first[0] == again[0] and first[1]["task_id"] == again[1]["task_id"]
    assert other[0] != first[0]
    env.close()


def test_step_before_reset() -> None:
    env = gymnasium.make("ToolKiosk-v0").unwrapped
    with pytest.raises(ToolgymError, match="reset"):
        env.step("hello")


def test_a_reset_that_was_refused_costs_nothing(env: gymnasium.Env[str, str]) -> None:
    with pytest.raises(BadInput, match="no task 'nope'"):
        env.reset(seed=0, options={"task": "nope"})
    env.reset(seed=0)
    assert json.loads(env.step("hello")[0])[0]["role"] == "user"


@pytest.mark.parametrize("copied", [deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deepcopy", "pickle"])
def test_a_copy_goes_on_where_the_environment_is(copied: Callable[[Any], Any]) -> None:
    env = gymnasium.make("ToolBanking-v1", split="dev", max_turns=4)
    fresh = copied(env)
    assert fresh.spec == env.spec and fresh.reset(seed=4)[0] == env.reset(seed=4)[0]
    env.reset()  # a task that is drawn
    env.step("Hello, what can I do for you?")
    twin = copied(env)
    for action in ("Anything else?", call("list_accounts"), "Goodbye!"):
        first, second = (each.step(action) for each in (env, twin))
        assert first[:4] == second[:4] and first[4]["messages"] == second[4]["messages"]
    assert env.reset()[1]["task_id"] == twin.reset()[1]["task_id"], "they draw the same next task"
    env.step(call("list_accounts"))
    assert len(twin.unwrapped._episode.messages) == 1, "they share nothing"
    for each in (env, fresh, twin):
        each.close()


class Moody:
    """A user whose words are other ones every time."""

    told = 0

    def open(self, task: Task, *, seed: int, tools: Sequence[Any] = ()) -> Moody:
        return self

    async def reply(self, messages: Sequence[Message]) -> Message:
        Moody.told += 1
        return Message(role="user", content=f"For the {Moody.told}th time!")


def test_an_episode_that_cannot_be_played_again_is_not_copied() -> None:
    env = toolgym.make("kiosk", user=Moody())
    env.reset(seed=0)
    with pytest.raises(BadInput, match="cannot be copied within an episode"):
        deepcopy(env)
    env.step("hello")
    env.close()


class Noting(Moody):
    """A user that notes its errors, as a language model's player does."""

    notes = {"replies": 1, "faulty": 1, "uncorrected": 1, "faults": {"wrong_yes": 4}}


def test_what_the_user_noted_reaches_whoever_trains() -> None:
    env = toolgym.make("kiosk", user=Noting(), max_turns=1)
    env.reset(seed=0)
    info = env.step("hello")[-1]
    assert info["user"] == Noting.notes and json.loads(info["trajectory"])["info"]["user"] == Noting.notes
    plain = toolgym.make("kiosk", user=Moody(), max_turns=1)
    plain.reset(seed=0)
    assert "user" not in plain.step("hello")[-1]


@pytest.mark.parametrize("action", [3, None, ["hello"]])
def test_an_action_that_is_no_text(env: gymnasium.Env[str, str], action: Any) -> None:
    env.reset(seed=0)
    with pytest.raises(BadInput, match="An action is text"):
        env.step(action)
    env.step("hello")


def test_a_world_without_training_tasks_plays_its_first_split() -> None:
    kiosk = get_domain("kiosk")
    only_test = replace(kiosk, data={"own": lambda path: replace(kiosk.data["own"](path), splits=("test",))})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("toolgym.sandbox.gym.env.get_domain", lambda name: only_test)
        env = gymnasium.make("ToolKiosk-v0")
    assert env.reset(seed=0)[1]["task_id"] in {task.id for task in kiosk.tasks("test")}
    env.close()


@pytest.mark.parametrize("name", ["kiosk", "ToolKiosk-v0"])
def test_the_package_makes_them_by_name_or_id(name: str) -> None:
    env = toolgym.make(name, split="test")
    assert env.reset(seed=0)[1]["task_id"].startswith("kiosk-")
    env.close()
    with pytest.raises(BadInput, match="did you mean 'ToolKiosk-v0'"):
        toolgym.make("ToolKisk-v0")


def test_spaces_say_what_they_hold(env: gymnasium.Env[str, str]) -> None:
    assert repr(env.action_space) == "AnyText(max_length=1000000)" and "é 猫" in env.action_space


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"user": "scriptd"}, "did you mean 'scripted'"),
        ({"split": "tset"}, "did you mean 'test'"),
        ({"data": "tau3"}, "did you mean 'tau2'"),
        ({"task": "nope"}, "no task 'nope'"),
        ({"action_format": "herms"}, "did you mean 'hermes'"),
        ({"render_mode": "human"}, "ansi"),
        ({"splt": "test"}, "no setting 'splt' of the environment; did you mean 'split'"),
        ({"modality": "speach"}, "did you mean 'speech'"),
    ],
)
def test_wrong_names_are_answered_with_the_right_one(options: dict[str, Any], expected: str) -> None:
    with pytest.raises(BadInput) as caught:
        gymnasium.make("ToolRetail-v0", **options)
    assert expected in str(caught.value)


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vector_environments(mode: str) -> None:
    envs = gymnasium.make_vec("ToolKiosk-v0", num_envs=2, vectorization_mode=mode)
    first, _ = envs.reset(seed=3)
    assert [json.loads(text)[0]["role"] for text in first] == ["user", "user"]
    second, rewards, *_ = envs.step(["hello", "hello"])
    assert [json.loads(text)[0]["role"] for text in second] == ["user", "user"] and list(rewards) == [0.0, 0.0]
    assert list(second) != list(first), "a step's observation is not the one before"
    envs.close()


def test_inside_and_outside_a_running_loop(env: gymnasium.Env[str, str]) -> None:
    async def notebook() -> str:
        env.step("hello")  # reset outside, stepped inside
        observation, _ = env.reset(seed=0)
        return observation

    env.reset(seed=0)
    assert json.loads(asyncio.run(notebook()))[0]["role"] == "user"
    env.step("hello")


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts open files the Linux way")
def test_environments_share_one_event_loop(env: gymnasium.Env[str, str]) -> None:
    env.reset(seed=0)
    before = len(list(Path("/proc/self/fd").iterdir()))
    many = [gymnasium.make("ToolKiosk-v0") for _ in range(20)]
    for each in many:
        each.reset(seed=0)
    assert len(list(Path("/proc/self/fd").iterdir())) - before < 3
    for each in many:
        each.close()


def test_half_a_character_is_recorded_as_its_escape(env: gymnasium.Env[str, str]) -> None:
    env.reset(seed=0, options={"task": "kiosk-4"})
    info: dict[str, Any] = {}
    for _ in range(31):
        *_, terminated, truncated, info = env.step("half \ud83d")
        if terminated or truncated:
            break
    assert json.loads(info["trajectory"])["messages"][1]["content"] == "half \\ud83d"


def test_a_request_is_answered_by_one_program(tmp_path: Path) -> None:
    cell = Cell(depth=(2, 2), interaction="program")
    (task, *_) = tasks = list(Generator(get_domain("banking"), seed=4, cell=cell).tasks(3))
    write_tasks(tmp_path / "p.jsonl", tasks)
    settings = {"data": f"own:{tmp_path / 'p.jsonl'}", "split": "train", "interaction": "program", "retries": 1}
    env = gymnasium.make("ToolBanking-v1", **settings)
    refused = '<tool_call return="one">{"0": {"get_account": {"account_id": "A-1"}}}</tool_call>'
    for wrong in ("Which account?", refused):
        observation, info = env.reset(seed=0, options={"task": task.id})
        assert json.loads(observation)[0]["content"] == task.ticket and info["tools"]
        observation, reward, terminated, truncated, _ = env.step(wrong)
        assert (reward, terminated, truncated) == (0.0, False, False)
        text = render_program(program_of(task), program_format("json_ast"))
        _, reward, terminated, truncated, info = env.step(text)
        assert (reward, terminated, truncated) == (1.0, True, False)
        assert json.loads(info["trajectory"])["info"]["programs"][0]["fault"]["message"]
        env.reset(seed=0, options={"task": task.id})
        env.step(wrong)
        assert env.step(wrong)[1:4] == (0.0, True, False)
    env.close()
    with pytest.raises(BadInput, match="dialogue, program"):
        toolgym.make("banking", **settings | {"interaction": "solo"})
