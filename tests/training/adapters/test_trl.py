"""TRL's environments: a method for every tool with the schema that TRL reads; its own trainer takes steps on them."""

import asyncio
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from transformers.utils import get_json_schema

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.training.adapters.customer import LEFT, TALK
from toolgym.training.adapters.trl import environment, rows

TRAINERS = os.environ.get("TOOLGYM_TRAINERS_PYTHON")
EXAMPLE = Path(__file__).parents[3] / "examples" / "trainers" / "trl_grpo.py"
DRIVER = Path(__file__).parents[2] / "servers" / "trl_driver.py"
UNREACHABLE = {"model": {"model": "m", "base_url": "http://127.0.0.1:9/v1", "retries": 0}}


def reward_of(played: Any) -> float | None:
    return asyncio.run(played.get_reward())


@pytest.mark.parametrize("world", ["kiosk", "retail", pytest.param("airline", marks=pytest.mark.slow)])
def test_every_tool_is_a_method_with_the_schema_that_trl_reads(world: str) -> None:
    made = environment(world)
    played = made()
    ours = {tool["function"]["name"]: tool["function"] for tool in get_domain(world).tools.to_openai()}
    methods = {name for name in vars(made) if not name.startswith("_")} - {"reset", "get_reward"}
    assert methods == {*ours, TALK}
    for name, tool in ours.items():
        read = get_json_schema(getattr(played, name))["function"]
        assert read["name"] == name
        assert read["description"].split() == tool["description"].split()
        said, wanted = read["parameters"]["properties"], tool["parameters"].get("properties", {})
        assert said.keys() == wanted.keys()
        assert set(read["parameters"].get("required", ())) == set(tool["parameters"].get("required", ()))
        for argument, schema in wanted.items():
            assert said[argument].get("enum") == schema.get("enum")
            assert said[argument].get("type") == schema.get("type") or "anyOf" in schema
            words = " ".join(schema.get("description", "").split())
            assert said[argument]["description"].startswith(words)


def test_a_task_well_done_earns_the_reward_and_one_left_earns_none() -> None:
    [row] = [row for row in rows("kiosk", "test") if row["task"] == "kiosk-4"]
    assert row["prompt"][-1] == {"role": "user", "content": ""} and "Kiosk policy" in row["prompt"][0]["content"]
    played = environment("kiosk")()
    assert "seat" in played.reset(**row)
    assert played.reserve_ticket(ticket_id="T118", holder="Ines Costa").startswith("{")
    for _ in range(4):
        heard = played.talk_to_customer(message="Your ticket has been reserved. Anything else?")
        if LEFT in heard:
            break
    assert "###" not in heard and played.list_free_seats(evening="Friday") == LEFT
    assert reward_of(played) == 1.0
    played.reset(**row)
    assert reward_of(played) == 0.0, "the same instance, another episode, in which nothing was done"


def test_what_a_model_gets_wrong_is_told_to_it() -> None:
    played = environment("kiosk")()
    played.reset(**rows("kiosk")[0])
    assert "holder is missing" in played.find_tickets(name="Ines Costa")
    assert "takes a text" in played.talk_to_customer(words="Hello")
    assert played.talk_to_customer(message='{"name": "reserve_ticket", "arguments": {}}'), "words, and no call"
    assert reward_of(played) == 0.0
    assert [call.name for call in played._rollout.record.calls] == ["find_tickets"]


def test_what_breaks_has_no_reward() -> None:
    played = environment("kiosk", user="llm", user_options=UNREACHABLE)()
    assert "does not count" in played.reset(**rows("kiosk")[0])
    assert "does not count" in played.list_free_seats(evening="Friday")
    assert reward_of(played) is None
    judged = environment("kiosk", reward="tarl", judge="llm", judge_options=UNREACHABLE)()
    judged.reset(**rows("kiosk")[0])
    judged.talk_to_customer(message="Hello")
    assert reward_of(judged) is None


def test_wrong_names_are_told_when_the_class_is_made() -> None:
    for settings, sentence in (
        ({"world": "kiosc"}, "did you mean 'kiosk'"),
        ({"world": "kiosk", "reward": "tarll"}, "did you mean 'tarl'"),
        ({"world": "kiosk", "data": "v3"}, "v3"),
    ):
        with pytest.raises(BadInput, match=sentence):
            environment(**settings)
    with pytest.raises(BadInput, match="split"):
        rows("kiosk", "tomorrow")


@pytest.mark.slow
@pytest.mark.turns(3, 0)
@pytest.mark.skipif(TRAINERS is None, reason="`make` installs TRL and names its interpreter")
def test_trls_own_trainer_takes_steps_on_a_tiny_model() -> None:
    """The example as it is printed: calls are made and answered, rewards differ, and the model learns from them."""
    assert TRAINERS is not None
    done = subprocess.run([TRAINERS, str(DRIVER), str(EXAMPLE)], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert max(entry.get("tools/call_frequency", 0) for entry in found["history"]) > 0
    assert max(entry.get("grad_norm", 0) for entry in found["history"]) > 0
    assert found["talked"], "somebody answered the model"
    assert set(found["terminations"]) <= {"agent_stop", "user_stop"}
    assert found["verdicts"]


def test_where_calls_are_approved_a_no_is_the_calls_result() -> None:
    row = rows("banking", "test", consent="call")[1]
    verify_pin, pay = get_domain("banking").task(row["task"], "v2").goals[0].calls
    assert "shown to the user by the system" in row["prompt"][0]["content"]
    played: Any = environment("banking", consent="call")()
    played.reset(**row)
    played.verify_pin(**verify_pin.arguments)
    assert played.send_payment(**pay.arguments | {"amount_cents": 9999}).endswith("[declined]")  # type: ignore[operator]
    assert played.send_payment(**pay.arguments).startswith("{")
    with pytest.raises(BadInput, match="consent=call is for worlds' own data"):
        environment("retail", data="tau2", consent="call")
