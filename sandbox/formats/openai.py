"""OpenAI's chat objects as JSON text: `{"content": ..., "tool_calls": [...]}`, one bare call, or a list of calls.

Text that is no such JSON is a plain message.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from toolgym.sandbox.formats.base import (
    FormatError,
    call_from,
    read_json,
    read_object,
    require_none_beside,
    spoken,
    with_reasoning,
)
from toolgym.sandbox.kit.message import Json, Message, ToolCall

_JSON = re.compile(r"\{|\[\s*(?:[\[{\]]|\Z)")
"""How JSON begins that is meant as calls; `[1]` and `[Note]` are words."""

_PLACE = "function.arguments"

_TAKEN = re.compile(r"\A\s*[\[{<]|</think>")
"""Words that would not be read back as words."""


class OpenAIFormat:
    """OpenAI-style JSON."""

    name = "openai"

    def render_tools(self, tools: Sequence[dict[str, Json]]) -> str:
        """The tools as JSON, and how to call them."""
        return (
            "You can call these tools:\n"
            f"{json.dumps(list(tools), ensure_ascii=False)}\n"
            'To call tools, write only a JSON object: {"tool_calls": [{"type": "function", "function": '
            '{"name": TOOL, "arguments": {ARGUMENT: VALUE}}}]}. To talk to the user, write plain text.'
        )

    def render(self, message: Message) -> str:
        """The message as an OpenAI object; plain text stays plain unless it looks like JSON."""
        text = message.content or ""
        if message.role != "assistant":
            return text
        if not message.tool_calls and not _TAKEN.search(text):
            return with_reasoning(message, text)
        record: dict[str, Json] = {"content": message.content}
        if message.tool_calls:
            record["tool_calls"] = [_entry(call) for call in message.tool_calls]
        return with_reasoning(message, json.dumps(record, ensure_ascii=False))

    def parse(self, text: str) -> Message:
        """The message that the text holds."""
        said = spoken(text)
        stripped = said.words.strip()
        if not _JSON.match(stripped):
            return Message(role="assistant", content=said.words, reasoning=said.thoughts)
        offset = said.place(len(said.words) - len(said.words.lstrip()))
        if stripped.startswith("["):
            calls = [_read(item, text, offset) for item in _list(stripped, text, offset)]
            return Message(role="assistant", tool_calls=tuple(calls), reasoning=said.thoughts)
        record = read_object(stripped, text, offset)
        if "name" in record:
            return Message(role="assistant", tool_calls=(call_from(record, text, offset),), reasoning=said.thoughts)
        if not {"content", "tool_calls"} & record.keys():
            raise FormatError('The object has neither "name" nor "tool_calls" nor "content"', text, offset)
        listed, content = record.get("tool_calls") or [], record.get("content")
        if not isinstance(listed, list) or not (content is None or isinstance(content, str)):
            raise FormatError('"tool_calls" must be a list and "content" text', text, offset)
        calls = [_read(item, text, offset) for item in listed]
        thoughts, content = _apart(said.thoughts, content, text, offset)
        return Message(role="assistant", content=content, tool_calls=tuple(calls), reasoning=thoughts)


def _apart(thoughts: str | None, content: str | None, text: str, offset: int) -> tuple[str | None, str | None]:
    """Thoughts and words, where thoughts stand in the object's text as well; a lone closing tag is a quoted one."""
    if content is None or "<think" not in content:
        return thoughts, content
    try:
        inner = spoken(content)
    except FormatError as error:
        raise FormatError(error.reason, text, offset, kind=error.kind) from None
    return "\n".join(part for part in (thoughts, inner.thoughts) if part) or None, inner.words


def _entry(call: ToolCall) -> dict[str, Json]:
    entry: dict[str, Json] = {
        "type": "function",
        "function": {"name": call.name, "arguments": call.arguments_text()},
    }
    return {"id": call.id, **entry} if call.id else entry


def _list(stripped: str, text: str, offset: int) -> list[Json]:
    value = read_json(stripped, text, offset)
    if not isinstance(value, list) or not value:
        raise FormatError("The list of calls is empty", text, offset)
    return value


def _read(item: Json, text: str, offset: int) -> ToolCall:
    if not isinstance(item, dict):
        raise FormatError("Each call must be an object", text, offset)
    inner = item.get("function", item)
    if not isinstance(inner, dict):
        raise FormatError('"function" must be an object', text, offset)
    call = call_from(inner, text, offset)
    if inner is not item and not call.arguments:
        require_none_beside({_PLACE: {}} | item, text, offset, key=_PLACE)
    identifier = item.get("id")
    return call.model_copy(update={"id": identifier}) if isinstance(identifier, str) else call
