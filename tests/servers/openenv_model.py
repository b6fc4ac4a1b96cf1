"""An OpenAI-compatible endpoint whose models are our scripted agents, playing from OpenEnv observations as text.

That is what verifiers' bridge sends a model: each user message is a JSON object with an `observation`. The model's name
is an agent's; its calls are written as text. For trying such bridges by hand:

    python tests/servers/openenv_model.py --world retail
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from fastapi import Response
from openai_server import Body, OpenAIServer, completion

from toolgym.sandbox.formats import get_format
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Briefing, make_agent

AGENTS = ("oracle", "demonstrator", "rules", "inert", "reckless")


def played_by(agent: str, world: str) -> Callable[[Body], Awaitable[Body | Response]]:
    """The brain of a model: the agent's next message after the whole conversation."""

    async def answer(body: Body) -> Body | Response:  # as conversations go on, all of it is played again
        view: list[Message] = []
        player, hermes = None, get_format("hermes")
        for record in body["messages"]:
            if record["role"] == "user":
                observation = observed(record["content"])
                player = player or make_agent(agent).open(briefing_of(get_domain(world), agent, observation))
                view += [message_of(each) for each in observation["messages"]]
            elif record["role"] == "assistant" and player is not None:
                await player.act(tuple(view))  # as it did then: a scripted agent says the same again
                view.append(hermes.parse(record["content"]))
        assert player is not None
        reply = {"role": "assistant", "content": hermes.render(await player.act(tuple(view)))}
        return streamed(reply, body) if body.get("stream") else reply

    return answer


def streamed(reply: Body, body: Body) -> Response:
    """A reply as a stream of two events: all of it, and what it took."""
    whole = json.loads(completion(reply, body))
    choice = {"index": 0, "delta": reply, "finish_reason": "stop"}
    head = {"id": whole["id"], "object": "chat.completion.chunk", "created": 0, "model": whole["model"]}
    events = [head | {"choices": [choice]}, head | {"choices": [], "usage": whole["usage"]}]
    lines = [f"data: {json.dumps(event)}\n\n" for event in events]
    return Response("".join([*lines, "data: [DONE]\n\n"]), media_type="text/event-stream")


def observed(content: Any) -> dict[str, Any]:
    """The observation in a user message, which may be in parts and have a note before it."""
    text = content if isinstance(content, str) else "".join(part["text"] for part in content)
    found = json.JSONDecoder().raw_decode(text, text.index('{"observation"'))[0]["observation"]
    assert isinstance(found, dict)
    return found


def briefing_of(world: Domain, agent: str, opening: dict[str, Any]) -> Briefing:
    """What the agent is told; a privileged one is shown the task of the opening."""
    privileged = getattr(make_agent(agent), "privileged", False)
    task = next(each for each in tasks(world) if each.id == opening["task_id"]) if privileged else None
    return Briefing(domain=world.name, policy=opening["policy"], tools=tuple(opening["tools"]), task=task)


def tasks(world: Domain) -> Iterator[Task]:
    """All of the world's newest tasks."""
    for split in world.open_data(world.newest_data).splits:
        yield from world.tasks(split, world.newest_data)


def message_of(record: dict[str, Any]) -> Message:
    """A message of an observation."""
    calls = tuple(
        ToolCall(name=each["function"]["name"], arguments=json.loads(each["function"]["arguments"]), id=each["id"])
        for each in record.get("tool_calls", ())
    )
    identifier = record.get("tool_call_id")
    return Message(role=record["role"], content=record["content"], tool_calls=calls, tool_call_id=identifier)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", default="retail")
    world = parser.parse_args().world
    with OpenAIServer() as server:
        server.brains |= {agent: played_by(agent, world) for agent in AGENTS}
        print(server.url, flush=True)
        while True:
            time.sleep(60)


if __name__ == "__main__":
    main()
