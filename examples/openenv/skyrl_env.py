"""A world of a running `toolgym serve` in SkyRL-gym, through OpenEnv's client; toolgym is not needed on this side.

    pip install openenv==0.10.0 skyrl-gym==0.4.0
    python examples/openenv/skyrl_env.py --url http://127.0.0.1:8000/openenv/retail

SkyRL's own integration of OpenEnv starts containers of six environments that it names; this class takes any address.
Played by hand here; in training SkyRL's generator calls the same three methods.
"""

import argparse
import json

import skyrl_gym
from openenv import GenericEnvClient
from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput

TOOLS = """

# Tools

{tools}

To call a tool write only <tool_call>{{"name": ..., "arguments": {{...}}}}</tool_call>. The customer hears all else."""


class OpenEnvWorld(BaseTextEnv):
    """One conversation. `extras`: `url`, the world's address, and `reset`, what its reset takes."""

    def __init__(self, env_config=None, extras=None):
        super().__init__()
        self.client, self.asked = GenericEnvClient(extras["url"]).sync(), extras.get("reset", {})
        self.client.connect()

    def init(self, prompt):
        """The policy with the tools, and the customer's first words; the row's own prompt is not used."""
        opening = self.client.reset(**self.asked).observation
        tools = "\n".join(json.dumps(tool) for tool in opening["tools"])
        system = {"role": "system", "content": opening["policy"] + TOOLS.format(tools=tools)}
        return [system, *opening["messages"]], {"task": opening["task_id"]}

    def step(self, action):
        """Raises RuntimeError where something broke: such an episode has no reward. Who writes nothing has lost."""
        if not action.strip():
            return BaseTextEnvStepOutput(observations=[], reward=0.0, done=True, metadata={"termination": "empty"})
        result = self.client.step({"message": action})
        return BaseTextEnvStepOutput(
            observations=[as_user(message) for message in result.observation["messages"]],
            reward=result.reward or 0.0,
            done=result.done,
            metadata={"termination": (result.metadata or {}).get("termination")},
        )

    def close(self):
        """The server ends the session."""
        self.client.close()


def as_user(message):
    """A tool's result is told to the model as a user's message, as many chat templates do."""
    told = message["content"]
    return {
        "role": "user",
        "content": f"<tool_response>\n{told}\n</tool_response>" if message["role"] == "tool" else told,
    }


skyrl_gym.register(id="openenv_world", entry_point=OpenEnvWorld)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="http://127.0.0.1:8000/openenv/retail")
    parser.add_argument("--index", type=int, default=0, help="task of the split test")
    given = parser.parse_args()
    reset = {"split": "test", "index": given.index, "seed": 0}
    env = skyrl_gym.make("openenv_world", extras={"url": given.url, "reset": reset})
    conversation, _ = env.init([])
    print("customer:", conversation[-1]["content"])
    output = {"done": False, "reward": 0.0}
    while not output["done"]:
        output = env.step(input("you: "))
        for message in output["observations"]:
            print(message["content"])
    env.close()
    print("reward:", output["reward"])


if __name__ == "__main__":
    main()
