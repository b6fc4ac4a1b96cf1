"""Plays episodes over OpenEnv with its official client; run in the environment of that client, never imported.

Standard input holds {"url", "headers", "plays": [{"reset": {...}, "actions": [...]}]}; standard output gets, for each
play, what came of it: the rewards, the last metadata, or the error.
"""

import json
import sys

from openenv import GenericEnvClient
from openenv.core.mcp_client import MCPToolClient


def played(env, play: dict) -> dict:
    """What comes of one play."""
    result = env.reset(**play["reset"])
    rewards, said = [], [result.observation["messages"]]
    for action in play["actions"]:
        if result.done:
            break
        result = env.step(action)
        rewards.append(result.reward)
        said.append(result.observation["messages"])
    return {"rewards": rewards, "done": result.done, "said": said, "metadata": result.metadata, "state": env.state()}


def by_mcp(url: str, headers: dict, asked: dict) -> dict:
    """Tools listed and called by the client for MCP, which makes its session over HTTP, in an episode of its socket."""
    with MCPToolClient(base_url=url, headers=headers).sync() as env:
        before = [tool.name for tool in env.list_tools(use_cache=False)]
        env.reset(**asked["reset"])
        value = env.call_tool(asked["tool"], **asked["arguments"])
        return {"tools": before, "value": value, "steps": env.state().step_count}


asked = json.load(sys.stdin)
answers = []
if "mcp" in asked:
    answers.append(by_mcp(asked["url"], asked["headers"], asked["mcp"]))
with GenericEnvClient(base_url=asked["url"], headers=asked["headers"]).sync() as client:
    for each in asked["plays"]:
        try:
            answers.append(played(client, each))
        except RuntimeError as error:
            answers.append({"error": str(error)})
json.dump(answers, sys.stdout)
