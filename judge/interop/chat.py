"""OpenAI's chat messages: read from a recorded run, and written as lines for supervised fine-tuning."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from toolgym.judge.interop.recorded import Thread, Unreadable
from toolgym.sandbox.agents.llm import system_prompt
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.models.chat import to_chat
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import Trajectory


def read_messages(messages: Json) -> tuple[Message, ...]:
    """A conversation of OpenAI's chat messages; system messages are left out.

    Raises:
        Unreadable: something in it is no such message.
    """
    if not isinstance(messages, list):
        raise Unreadable("the conversation is no list of messages")
    thread = Thread()
    for number, message in enumerate(messages, start=1):
        if not isinstance(message, Mapping):
            raise Unreadable(f"message {number} is no object")
        role = message.get("role")
        if role == "tool":
            thread.answer(str(message.get("tool_call_id") or ""), text_of(message.get("content")) or "")
        elif role == "function":
            thread.answer("", text_of(message.get("content")) or "")
        elif role in ("user", "assistant"):
            content = text_of(message.get("content"))
            thread.say(role, content, _calls(message), message.get("reasoning_content"))
        elif role not in ("system", "developer"):
            raise Unreadable(f"message {number} has the role {role!r}; known are system, user, assistant and tool")
    return tuple(thread.messages)


def text_of(content: Json) -> str | None:
    """A message's content as text: a string as it is, a list of parts joined."""
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    return None if content is None else str(content)


def _calls(message: Mapping[str, Any]) -> list[ToolCall]:
    found = []
    for call in message.get("tool_calls") or ():
        function = call.get("function") if isinstance(call, Mapping) else None
        if not isinstance(function, Mapping) or not function.get("name"):
            raise Unreadable("a tool call has no function name")
        found.append(
            ToolCall(
                name=str(function["name"]), arguments=arguments(function.get("arguments")), id=str(call.get("id") or "")
            )
        )
    older = message.get("function_call")
    if isinstance(older, Mapping) and not found:
        found.append(ToolCall(name=str(older.get("name")), arguments=arguments(older.get("arguments"))))
    return found


def arguments(value: Json) -> dict[str, Json] | str:
    """A call's arguments: an object where the text is one, else the text."""
    if isinstance(value, Mapping):
        return dict(value)
    try:
        read = json.loads(value or "{}")
    except (TypeError, ValueError):
        return str(value)
    return read if isinstance(read, dict) else str(value)


def agent_side(trajectory: Trajectory) -> list[Message]:
    """The messages that the agent saw or wrote: the user's own calls and their results are left out."""
    asides = (message for message in trajectory.messages if message.role == "user")
    hidden = {call.id for message in asides for call in message.tool_calls}
    return [
        message
        for message in trajectory.messages
        if message.tool_call_id not in hidden and not (message.role == "user" and message.tool_calls)
    ]


def training_lines(trajectories: Iterable[Trajectory]) -> Iterable[str]:
    """One JSON line per conversation: `messages` with the prompt that the LLM agent gets, and `tools`."""
    for trajectory in trajectories:
        told = briefing(
            get_domain(trajectory.task.domain),
            trajectory.task,
            solo=trajectory.solo,
            program=trajectory.by_program,
            consent=trajectory.consent,
        )
        messages = [
            {"role": "system", "content": system_prompt(told, None)},
            *(to_chat(message) for message in agent_side(trajectory)),
        ]
        yield json.dumps({"messages": messages, "tools": list(told.tools)}, ensure_ascii=False)
