"""ART's rollout: an OpenAI-compatible model plays a task with real user turns, and its choices become a trajectory."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from openai import DefaultAsyncHttpxClient

from toolgym.sandbox.agents.llm import system_prompt
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.models.chat import to_chat
from toolgym.sandbox.runtime.extras import missing
from toolgym.sandbox.runtime.roles import Briefing
from toolgym.training.adapters.rollout import Rollout, Row, conversations, newest

try:
    import art
except ModuleNotFoundError as error:
    raise missing(error, "The adapter for ART", "art") from error

_SECONDS = 1200.0
"""What a completion may take, as in ART's own client."""

Play = Callable[[art.Model, Mapping[str, Any]], Awaitable[art.Trajectory]]


def rollout_of(world: str, *, sampling: Mapping[str, Any] | None = None, **settings: Any) -> Play:
    """The function `rollout(model, scenario) -> art.Trajectory` of a world.

    Args:
        world: its name, with its newest tasks, or an environment's id.
        sampling: further arguments of every chat completion, such as `temperature`.
        settings: `data`, `reward`, `judge`, `user`, `consent`, `max_turns`, ... of
            `toolgym.training.adapters.rollout.Rollout`.

    Returns:
        A coroutine function. It raises where the episode, the judge or the endpoint breaks, and ART's groups keep that
        as an exception, beside the trajectories that count.
    """

    async def rollout(model: art.Model, scenario: Mapping[str, Any]) -> art.Trajectory:
        played = await asyncio.to_thread(Rollout, world, action_format="openai", **settings)
        try:
            return await _played(played, model, scenario, sampling or {})
        finally:
            played.close()

    return rollout


def scenarios(world: str, split: str | None = None, *, data: str | None = None, count: int | None = None) -> list[Row]:
    """A scenario for each task of a split."""
    tasks = conversations(world, split, count, newest(world, data))
    return [{"task": task.id, "seed": task.seed} for task in tasks]


async def _played(
    played: Rollout, model: art.Model, scenario: Mapping[str, Any], sampling: Mapping[str, Any]
) -> art.Trajectory:
    info = await asyncio.to_thread(played.open, scenario["task"], int(scenario.get("seed", 0)))
    told = Briefing(domain=played.domain.name, policy=info["policy"], tools=info["tools"])
    shown: list[Any] = [{"role": "system", "content": system_prompt(told, None)}, *_chat(info["messages"])]
    trajectory = art.Trajectory(messages_and_choices=list(shown), tools=info["tools"])
    async with DefaultAsyncHttpxClient(timeout=_SECONDS) as http:
        # ART's own HTTP client sets its timeout by httpx, which openai 3 no longer knows
        client = model.openai_client().with_options(timeout=_SECONDS, http_client=http)
        while not played.over:
            completion = await client.chat.completions.create(
                model=model.get_inference_name(), messages=shown, tools=info["tools"], **sampling
            )
            choice = completion.choices[0]
            said = _message(choice)
            heard = _chat(_answers(said, await asyncio.to_thread(played.play, json.dumps(said, ensure_ascii=False))))
            trajectory.messages_and_choices += [choice, *heard]
            shown += [*_chat([said]), *heard]
    scored = await played.scored()
    assert played.record is not None
    trajectory.reward = scored.total
    trajectory.metrics = {"passed": scored.passed, "clean": scored.clean, **scored.components}
    trajectory.metadata = {"task": played.record.task.id, "termination": played.record.termination}
    return trajectory.finish()


def _message(choice: Any) -> dict[str, Any]:
    """A choice's message in OpenAI's chat format."""
    calls = [call.model_dump(mode="json") for call in choice.message.tool_calls or ()]
    return {"role": "assistant", "content": choice.message.content, "tool_calls": calls}


def _answers(said: dict[str, Any], heard: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What came back; a notice that calls could not be read answers each of them, as endpoints want calls answered."""
    if not said["tool_calls"] or any(message["role"] == "tool" for message in heard):
        return heard
    notice = "\n".join(message["content"] for message in heard)
    return [{"role": "tool", "tool_call_id": call["id"], "content": notice} for call in said["tool_calls"]]


def _chat(messages: list[dict[str, Any]]) -> list[Any]:
    """Messages as an endpoint takes them, also where a call's arguments are no JSON."""
    return [to_chat(_read(message)) for message in messages]


def _read(message: dict[str, Any]) -> Message:
    calls = [{**call["function"], "id": call["id"]} for call in message.get("tool_calls", ())]
    return Message.model_validate(message | {"tool_calls": calls})
