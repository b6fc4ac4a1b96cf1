"""Hermes and Qwen: each call as a JSON object with `name` and `arguments` between `<tool_call>` tags.

Thoughts stand in `<think>` blocks; tool results are read between `<tool_response>` tags.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from toolgym.sandbox.formats.base import (
    FormatError,
    arguments_of,
    call_from,
    protect,
    read_object,
    spoken,
    with_reasoning,
)
from toolgym.sandbox.formats.thoughts import end_of_json
from toolgym.sandbox.kit.message import Json, Message, ToolCall

_OPEN, _CLOSE = "<tool_call>", "</tool_call>"


class HermesFormat:
    """`<tool_call>` tags."""

    name = "hermes"

    def render_tools(self, tools: Sequence[dict[str, Json]]) -> str:
        """The tools, one JSON object a line, and how to call them."""
        lines = "\n".join(json.dumps(entry, ensure_ascii=False) for entry in tools)
        return (
            f"You can call these tools:\n<tools>\n{lines}\n</tools>\n"
            f'To call one, write {_OPEN}{{"name": TOOL, "arguments": {{ARGUMENT: VALUE}}}}{_CLOSE}; several calls '
            "stand one after another. To talk to the user, write plain text without these tags."
        )

    def render(self, message: Message) -> str:
        """The message with its calls in tags; a tool's result in `<tool_response>`."""
        text = message.content or ""
        if message.role == "tool":
            return f"<tool_response>\n{text}\n</tool_response>"
        if message.role != "assistant":
            return text
        blocks = [f"{_OPEN}\n{_object(call)}\n{_CLOSE}" for call in message.tool_calls]
        return with_reasoning(message, "\n".join([text, *blocks] if text else blocks))

    def parse(self, text: str) -> Message:
        """The message that the text holds; what stands outside the tags is its content."""
        found = spoken(text)
        body, calls, said, index = found.words, [], [], 0
        while (start := body.find(_OPEN, index)) >= 0:
            said.append(body[index:start])
            begin = start + len(_OPEN)
            end = end_of_json(body, begin)
            index = body.find(_CLOSE, end)
            if index < 0:
                raise FormatError(f"{_OPEN} has no partner", text, found.place(start))
            place = found.place(begin)
            calls.append(call_from(read_object(body[begin:index], text, place), text, place))
            index += len(_CLOSE)
        rest = "".join([*said, body[index:]])
        if _CLOSE in rest:
            raise FormatError(f"{_CLOSE} has no partner", text, found.place(max(0, body.rfind(_CLOSE))))
        content = rest.strip("\n") if calls else body
        return Message(role="assistant", content=content or None, tool_calls=tuple(calls), reasoning=found.thoughts)


def _object(call: ToolCall) -> str:
    return protect(json.dumps({"name": call.name, "arguments": arguments_of(call)}, ensure_ascii=False))
