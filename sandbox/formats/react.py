"""ReAct text: `Thought:`, then `Action:` with `Action Input:` as JSON, or `Answer:` to the user (Yao et al. 2023)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from toolgym.sandbox.formats.base import FormatError, arguments_of, read_object, spoken
from toolgym.sandbox.kit.message import Json, Message, ToolCall

_ACTION = re.compile(r"^Action: *(?P<name>[^\n]*)\nAction Input: *(?P<given>[^\n]*)$", re.MULTILINE)
_ANSWER = re.compile(r"(?:^|\n)Answer: ?", re.DOTALL)


class ReActFormat:
    """Thought, Action, Action Input, Answer."""

    name = "react"

    def render_tools(self, tools: Sequence[dict[str, Json]]) -> str:
        """The tools, and how to call them."""
        lines = "\n".join(json.dumps(entry["function"], ensure_ascii=False) for entry in tools)
        return (
            f"You can call these tools:\n{lines}\n"
            "Begin with a line 'Thought: ...'. To call a tool, write a line 'Action: TOOL' and a line 'Action Input: "
            "{\"PARAMETER\": VALUE}' with JSON on one line. To talk to the user, write 'Answer: TEXT'."
        )

    def render(self, message: Message) -> str:
        """The message as labelled lines; a tool's result as an observation."""
        text = message.content or ""
        if message.role == "tool":
            return f"Observation: {text}"
        if message.role != "assistant":
            return text
        lines = [f"Thought: {message.reasoning}"] if message.reasoning is not None else []
        for call in message.tool_calls:
            lines.append(f"Action: {call.name}\nAction Input: {json.dumps(arguments_of(call))}")
        if text:
            lines.append(f"Answer: {text}")
        return "\n".join(lines)

    def parse(self, text: str) -> Message:
        """The message that the text holds; text without labels is a message to the user."""
        said = spoken(text)
        head, content, body = said.words, None, said.words
        answer = _ANSWER.search(body)
        if answer:
            head, content = body[: answer.start()], body[answer.end() :]
        calls = []
        for match in _ACTION.finditer(head):
            name, index = match["name"].strip(), said.place(match.start("given"))
            if not name:
                raise FormatError("Action names no tool", text, said.place(match.start()))
            calls.append(ToolCall(name=name, arguments=read_object(match["given"] or "{}", text, index)))
        if not calls and (bare := re.search(r"^Action:", head, re.MULTILINE)):
            raise FormatError("Action needs a line 'Action Input: {...}' after it", text, said.place(bare.start()))
        thought = None
        if head.startswith("Thought:"):
            first = _ACTION.search(head)
            thought = head[len("Thought:") : first.start() if first else len(head)].strip()
        elif not calls and content is None:
            content = body
        thoughts = [part for part in (said.thoughts, thought) if part is not None]
        return Message(
            role="assistant",
            content=content or None,
            tool_calls=tuple(calls),
            reasoning="\n".join(thoughts) if thoughts else None,
        )
