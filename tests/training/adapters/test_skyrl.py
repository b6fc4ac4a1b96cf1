"""SkyRL-gym's environments: made by its own registry, with real user turns and any reward."""

import io
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow.parquet as pq
import pytest
import skyrl_gym
from skyrl_gym.envs.base_text_env import BaseTextEnv

from toolgym.sandbox.formats import get_format
from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.training.adapters import skyrl

EXAMPLES = Path(__file__).parents[3] / "examples" / "trainers"
RESERVE = (
    '<tool_call>\n{"name": "reserve_ticket", "arguments": {"ticket_id": "T118", "holder": "Ines Costa"}}\n</tool_call>'
)
DONE = "Your ticket has been reserved. Anything else?"


@pytest.fixture
def row() -> dict[str, Any]:
    return next(row for row in skyrl.rows("kiosk", "test") if row["task"] == "kiosk-4")


@pytest.fixture(autouse=True)
def registered() -> Any:
    names = skyrl.register()
    yield names
    for name in names:
        skyrl_gym.envs.registration.deregister(name)


def test_every_world_is_registered_by_its_gymnasium_ids(registered: list[str]) -> None:
    assert {"ToolKiosk-v0", "ToolRetail-v0", "ToolRetail-v1"} <= skyrl_gym.registry.keys() & set(registered)
    assert skyrl.register() == registered, "a second time is no error"


def test_a_task_well_done_is_rewarded_at_its_end(row: dict[str, Any]) -> None:
    env = skyrl_gym.make(row["env_class"], env_config=None, extras=row)
    assert isinstance(env, BaseTextEnv)
    conversation, info = env.init(row["prompt"])
    assert [message["role"] for message in conversation] == ["system", "user"] and info["task_id"] == "kiosk-4"
    assert "reserve_ticket" in conversation[0]["content"] and "seat" in conversation[1]["content"]
    output = env.step(RESERVE)
    assert output["observations"][0]["content"].startswith("<tool_response>") and not output["done"]
    while not output["done"]:
        assert output["reward"] == 0.0
        output = env.step(DONE)
    assert output["reward"] == 1.0 and output["metadata"]["termination"] == "user_stop"
    assert env.get_metrics() == {"passed": 1.0, "clean": 0.0, "turns": 2.0}, "nobody was asked for a yes"
    env.close()


def test_a_named_reward_and_a_turn_that_cannot_be_read(row: dict[str, Any]) -> None:
    env = skyrl_gym.make(row["env_class"], extras=row, reward="tarl", max_turns=2)
    env.init(row["prompt"])
    assert "could not be read" in env.step("<tool_call>{broken</tool_call>")["observations"][0]["content"]
    output = env.step(RESERVE)
    assert output["done"] and output["metadata"]["termination"] == "max_turns"
    assert set(output["metadata"]["components"]) == {"terminal", "deviation", "turns"} and output["reward"] < 0


def test_what_breaks_is_an_error_and_no_reward(row: dict[str, Any]) -> None:
    unreachable = {"model": {"model": "m", "base_url": "http://127.0.0.1:9/v1", "retries": 0}}
    env = skyrl_gym.make(row["env_class"], extras=row, user="llm", user_options=unreachable)
    with pytest.raises(InfrastructureError):
        env.init(row["prompt"])
    env = skyrl_gym.make(
        row["env_class"], extras=row, reward="tarl", judge="llm", judge_options=unreachable, max_turns=1
    )
    env.init(row["prompt"])
    with pytest.raises(InfrastructureError, match="not judged"):
        env.step(DONE)


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    example = SimpleNamespace(**runpy.run_path(str(EXAMPLES / "skyrl_env.py")))
    monkeypatch.setattr(sys, "stdin", io.StringIO("What is your name?\n" + "I am sorry, that cannot be done.\n" * 40))
    assert example.main(["--split", "test", "--out", str(tmp_path / "rows.parquet")]) == 0.0
    assert pq.read_table(tmp_path / "rows.parquet").num_rows == 3


def test_where_calls_are_approved_a_no_is_the_calls_result() -> None:
    row = skyrl.rows("banking", "test", consent="call")[1]
    verify_pin, pay = get_domain("banking").task(row["task"], "v2").goals[0].calls
    wrong = pay.model_copy(update={"arguments": pay.arguments | {"amount_cents": 9999}})  # type: ignore[operator]
    env = skyrl_gym.make(row["env_class"], extras=row, consent="call")
    conversation, _ = env.init(row["prompt"])
    assert "shown to the user by the system" in conversation[0]["content"]
    both = get_format("hermes").render(Message(role="assistant", tool_calls=(verify_pin, wrong)))
    assert "[declined]" in env.step(both)["observations"][-1]["content"]
    env.close()
