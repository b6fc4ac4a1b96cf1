"""ART's rollouts where ART is installed: real choices of a real endpoint become trajectories with our rewards."""

import os
import subprocess
from pathlib import Path

import pytest
from openai_server import OpenAIServer

ART = os.environ.get("TOOLGYM_TRAINERS_PYTHON")
EXAMPLE = Path(__file__).parents[3] / "examples" / "trainers" / "art_rollout.py"
DRIVER = Path(__file__).parents[2] / "servers" / "art_driver.py"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(ART is None, reason="`make` installs ART and names its interpreter"),
]


def run(script: Path, *words: str) -> str:
    assert ART is not None
    offline = os.environ | {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "WANDB_MODE": "disabled"}
    done = subprocess.run([ART, str(script), *words], env=offline, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_gathers_groups_and_leaves_out_what_breaks() -> None:
    with OpenAIServer() as server:
        server.misbehave("agent", "400")
        lines = run(EXAMPLE, "--base-url", server.url, "--model", "agent", "--reward", "tarl").splitlines()
        [broken] = [line for line in lines if line.startswith("left out:")]
        assert "the conversation is too long" in broken
        rewards = {line.split()[0]: float(line.split()[1]) for line in lines if line not in broken}
        assert rewards.keys() == {"kiosk-4", "kiosk-5", "kiosk-6"} and min(rewards.values()) >= 10.0
        assert len(lines) == 6 and {line.split()[2] for line in lines if line != broken} == {"user_stop"}
        assert server.requests[0]["tools"] and server.requests[0]["messages"][1]["role"] == "user"


def test_a_trajectory_holds_the_choices_and_calls_that_cannot_be_read_are_answered() -> None:
    with OpenAIServer() as server:
        server.misbehave("agent", "unknown_tool", "broken_arguments")
        roles, rewards, components = (line.split() for line in run(DRIVER, server.url).splitlines())
    assert roles[:3] == ["system", "user", "Choice"] and roles[-1] == "user"
    assert roles[3] == roles[5] == "tool", "every call is answered, whatever was wrong with it"
    assert rewards == ["1.0", "1.0"] and {"passed", "clean", "duration"} <= set(components)
