"""ToolRL's format: `<think>`, then `<tool_call>` with one JSON object a line (`name`, `parameters`), then `<response>`.

Facts from ToolRL, Figure 4: thoughts come first, calls and a reply may stand together, results are read in `<obs>`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from toolgym.sandbox.formats.base import FormatError, arguments_of, call_from, protect, read_object, with_reasoning
from toolgym.sandbox.formats.tags import read_block
from toolgym.sandbox.kit.message import Json, Message, ToolCall

_RESPONSE = re.compile(r"<response>(.*)</response>", re.DOTALL)


class ToolRLFormat:
    """ToolRL's tags."""

    name = "toolrl"

    def render_tools(self, tools: Sequence[dict[str, Json]]) -> str:
        """The tools as a numbered list, and how to call them."""
        lines = []
        for number, entry in enumerate(tools, start=1):
            tool = entry["function"]
            schema = json.dumps(tool["parameters"], ensure_ascii=False)
            lines.append(f"{number}. Name: {tool['name']}\nDescription: {tool['description']}\nParameters: {schema}")
        listed = "\n".join(lines)
        return (
            f"You can call these tools:\n{listed}\n"
            "Write your thoughts first: <think>THOUGHTS</think>. To call tools, write one JSON object a line:\n"
            '<tool_call>\n{"name": TOOL, "parameters": {PARAMETER: VALUE}}\n</tool_call>\n'
            "To talk to the user, write <response>TEXT</response>."
        )

    def render(self, message: Message) -> str:
        """The message in tags; a tool's result in `<obs>`."""
        text = message.content or ""
        if message.role == "tool":
            return f"<obs>{text}</obs>"
        if message.role != "assistant":
            return text
        parts = []
        if message.tool_calls:
            parts.append("<tool_call>\n" + "\n".join(_line(call) for call in message.tool_calls) + "\n</tool_call>")
        if text:
            parts.append(f"<response>{text}</response>")
        return with_reasoning(message, "\n".join(parts))

    def parse(self, text: str) -> Message:
        """The message that the text holds."""
        block = read_block(text)
        calls, offset = [], block.offset
        if block.attributes is not None:
            for line in block.body.split("\n"):
                if line.strip():
                    calls.append(call_from(read_object(line, text, offset), text, offset, key="parameters"))
                offset += len(line) + 1
        match = _RESPONSE.search(block.rest)
        if match is None and "response>" in block.rest:
            raise FormatError("<response> has no partner", text, max(0, text.find("response>") - 1))
        content = match[1] if match else block.rest
        return Message(role="assistant", content=content or None, tool_calls=tuple(calls), reasoning=block.reasoning)


def _line(call: ToolCall) -> str:
    return protect(json.dumps({"name": call.name, "parameters": arguments_of(call)}, ensure_ascii=False))
