"""Our messages and tools as Inspect's, for its models to read and its viewer to show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ContentReasoning,
    ContentText,
)
from inspect_ai.tool import ToolCall as InspectCall
from inspect_ai.tool import ToolCallError, ToolInfo, ToolParams

from toolgym.judge.interop.chat import arguments
from toolgym.sandbox.kit.message import Json, Message, ToolCall


def tool_infos(tools: Iterable[Mapping[str, Any]]) -> list[ToolInfo]:
    """OpenAI's `tools` list as Inspect's, for the native calls of any of its providers."""
    return [
        ToolInfo(
            name=tool["function"]["name"],
            description=tool["function"]["description"],
            parameters=ToolParams.model_validate(tool["function"]["parameters"]),
        )
        for tool in tools
    ]


def to_inspect(message: Message) -> ChatMessage:
    """One message; a refused call's result is an error, as the viewer marks it."""
    content = message.content or ""
    if message.role == "assistant":
        return ChatMessageAssistant(content=_with_thoughts(message), tool_calls=calls_of(message.tool_calls) or None)
    if message.role == "tool":
        error = ToolCallError("unknown", content) if content.startswith("Error") else None
        return ChatMessageTool(content=content, tool_call_id=message.tool_call_id, function=message.name, error=error)
    return ChatMessageSystem(content=content) if message.role == "system" else ChatMessageUser(content=content)


def _with_thoughts(message: Message) -> Any:
    if message.reasoning is None:
        return message.content or ""
    said = [ContentText(text=message.content)] if message.content else []
    return [ContentReasoning(reasoning=message.reasoning), *said]


def calls_of(calls: Sequence[ToolCall]) -> list[InspectCall]:
    """Tool calls; arguments that are no JSON object stand under a name of their own."""
    return [
        InspectCall(
            id=call.id,
            function=call.name,
            arguments=call.arguments if isinstance(call.arguments, dict) else {"unreadable": call.arguments},
        )
        for call in calls
    ]


def from_chat(record: Mapping[str, Json]) -> Message:
    """A message of OpenAI's chat format, text alone."""
    calls = tuple(
        ToolCall(name=call["function"]["name"], arguments=arguments(call["function"]["arguments"]), id=call["id"])
        for call in record.get("tool_calls") or ()
    )
    return Message(
        role=record["role"],
        content=record["content"],
        tool_calls=calls,
        tool_call_id=record.get("tool_call_id"),
    )
