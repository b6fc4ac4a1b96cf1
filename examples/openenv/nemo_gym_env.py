"""A world of a running `toolgym serve` as the classes that NeMo Gym's `resources_servers/openenv` imports.

    pip install openenv nemo-gym            # 0.4.0 admits Python 3.12; 0.5.0 and later want 3.13.14

In its configuration, with this folder on PYTHONPATH and TOOLGYM_URL naming the world:

    env_class: "nemo_gym_env.World"
    action_class: "nemo_gym_env.Action"
    is_mcp: false
    reset_kwargs: {split: train, max_turns: 30}      # one for all rows: NeMo Gym hands a reset nothing of the row
"""

import os
from typing import Any

from openenv import GenericEnvClient
from pydantic import BaseModel, ConfigDict


class Action(BaseModel):
    """What the model gave its tool `step`: `message`, or a call's `name` and `arguments`."""

    model_config = ConfigDict(extra="allow")


class Seen(BaseModel):
    """What came back."""

    observation: dict[str, Any]
    reward: float | None
    done: bool


class World:
    """One conversation."""

    def __init__(self) -> None:
        self.client = GenericEnvClient(os.environ["TOOLGYM_URL"]).sync()
        self.client.connect()

    def reset(self, **asked: Any) -> Seen:
        """Begin; `asked` is what a reset takes."""
        return seen(self.client.reset(**asked))

    def step(self, action: Action) -> Seen:
        """Play one action."""
        return seen(self.client.step(action.model_dump()))

    def close(self) -> None:
        """The server ends the session."""
        self.client.close()


def seen(result: Any) -> Seen:
    return Seen(observation=result.observation, reward=result.reward, done=result.done)
