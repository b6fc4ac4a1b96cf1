"""ART's rollouts where ART is installed: real choices of a real endpoint become trajectories with our rewards."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from openai_server import OpenAIServer

ART = os.environ.get("TOOLGYM_TRAINERS_PYTHON")
EXAMPLE = Path(__file__).parents[3] / "examples" / "trainers" / "art_rollout.py"
DRIVER = Path(__file__).parents[2] / "servers" / "art_driver.py"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.turns(3, 1),
    pytest.mark.skipif(ART is None, reason="`make` installs ART and names its interpreter"),
]


Printed = tuple[list[str], list[str], OpenAIServer]


@pytest.fixture(scope="module")
def printed() -> Iterator[Printed]:
    """What the driver and the example printed, and the example's endpoint, which was asked."""
    assert ART is not None
    offline = os.environ | {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "WANDB_MODE": "disabled"}
    with OpenAIServer() as odd, OpenAIServer() as server:
        odd.misbehave("agent", "unknown_tool", "broken_arguments")
        server.misbehave("agent", "400")
        example = [str(EXAMPLE), "--base-url", server.url, "--model", "agent", "--reward", "tarl"]
        done = subprocess.run(
            [ART, str(DRIVER), odd.url, *example], env=offline, capture_output=True, text=True, timeout=600
        )
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines()
        yield lines[:3], lines[3:], server


def test_the_example_gathers_groups_and_leaves_out_what_breaks(printed: Printed) -> None:
    _, lines, server = printed
    [broken] = [line for line in lines if line.startswith("left out:")]
    assert "the conversation is too long" in broken
    rewards = {line.split()[0]: float(line.split()[1]) for line in lines if line not in broken}
    assert rewards.keys() == {"kiosk-4", "kiosk-5", "kiosk-6"} and min(rewards.values()) >= 10.0
    assert len(lines) == 6 and {line.split()[2] for line in lines if line != broken} == {"user_stop"}
    assert server.requests[0]["tools"] and server.requests[0]["messages"][1]["role"] == "user"


def test_a_trajectory_holds_the_choices_and_calls_that_cannot_be_read_are_answered(printed: Printed) -> None:
    roles, rewards, components = (line.split() for line in printed[0])
    assert roles[:3] == ["system", "user", "Choice"] and roles[-1] == "user"
    assert roles[3] == roles[5] == "tool", "every call is answered, whatever was wrong with it"
    assert rewards == ["1.0", "1.0"] and {"passed", "clean", "duration"} <= set(components)
