"""The contract of a format: how tools and messages are written as model text, and how that text is read.

One module per format; the registry is the entry-point group `toolgym.formats`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from typing import Protocol, cast, runtime_checkable

from toolgym.sandbox.kit.errors import BadInput, Unreadable
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.runtime import registry


class FormatError(Unreadable):
    """Text that is not in its format: what is wrong, and where.

    Attributes:
        reason: what is wrong.
        offset: character position in the text.
    """

    def __init__(self, reason: str, text: str, offset: int = 0) -> None:
        line = text.count("\n", 0, offset) + 1
        column = offset - (text.rfind("\n", 0, offset) + 1) + 1
        super().__init__(f"{reason} (line {line}, column {column}).", text)
        self.reason = reason
        self.offset = offset


_NO_THOUGHT = re.compile(r"\A\s*(?:[\[{]|(?:Thought|Action|Answer):)|<think>|<tool_call|<response>")
"""What stands before a `</think>` that is only quoted."""


@runtime_checkable
class Format(Protocol):
    """How calls are written in model text."""

    name: str

    def render_tools(self, tools: Sequence[dict[str, Json]]) -> str:
        """The tools (OpenAI's list) and how to call them, for a system prompt."""
        ...

    def render(self, message: Message) -> str:
        """A message as model text: an assistant's as the model writes it, a tool's as the model reads it."""
        ...

    def parse(self, text: str) -> Message:
        """An assistant message from model text.

        Raises:
            FormatError: the text is not in the format.
        """
        ...


@cache
def get_format(name: str) -> Format:
    """The format registered as `name` (BadInput names the nearest one)."""
    return cast(Format, registry.load("formats", name)())


def split_reasoning(text: str) -> tuple[str | None, str, int]:
    """Thoughts in a leading `<think>` block, the rest, and where the rest begins.

    The opening tag may be missing, as chat templates put it into the prompt.

    Raises:
        FormatError: the block is opened and never closed.
    """
    start = len(text) - len(text.lstrip())
    opened, end = text.startswith("<think>", start), text.find("</think>")
    if not opened and (end < 0 or _NO_THOUGHT.search(text, 0, end)):
        return None, text, 0
    if end < 0:
        raise FormatError("<think> is never closed", text, start)
    thoughts = text[start + len("<think>") if opened else 0 : end].strip("\n")
    rest = text[end + len("</think>") :].lstrip("\n")
    return thoughts, rest, len(text) - len(rest)


def with_reasoning(message: Message, body: str) -> str:
    """The body after the message's thoughts, if it has any."""
    if message.reasoning is None:
        return body
    safe = message.reasoning.replace("</think>", "<\\/think>")
    return f"<think>\n{safe}\n</think>\n{body}"


def read_json(text: str, whole: str, offset: int) -> Json:
    """A JSON value (FormatError says where it breaks in the whole text)."""
    try:
        value = json.loads(text)
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise FormatError(f"The call is not valid JSON: {error.msg}", whole, offset + error.pos) from None
    except RecursionError:
        raise FormatError("The call is nested too deeply", whole, offset) from None
    except ValueError:
        raise FormatError(
            "The call holds what JSON does not know: NaN, Infinity, half a character or an endless number",
            whole,
            offset,
        ) from None
    return value


def read_object(text: str, whole: str, offset: int) -> dict[str, Json]:
    """A JSON object (FormatError says where it breaks in the whole text)."""
    value = read_json(text, whole, offset)
    if not isinstance(value, dict):
        raise FormatError("The call must be a JSON object", whole, offset)
    return value


def call_from(record: dict[str, Json], whole: str, offset: int, *, key: str = "arguments") -> ToolCall:
    """A call from an object with `name` and its arguments under `key`."""
    name, arguments = record.get("name"), record.get(key)
    if not isinstance(name, str) or not name:
        raise FormatError('The call has no "name"', whole, offset)
    for other in {"arguments", "parameters"} - {key} if key not in record else ():
        if other in record:
            raise FormatError(f'Write the arguments under "{key}", not "{other}"', whole, offset)
    if isinstance(arguments, str):
        try:
            arguments = read_object(arguments or "{}", arguments, 0)
        except FormatError as error:
            reason = f'The text under "{key}" is no JSON object: {error.reason} (character {error.offset + 1} of it)'
            raise FormatError(reason, whole, offset) from None
    if not isinstance(arguments, dict | None):
        raise FormatError(f'"{key}" must be an object', whole, offset)
    return ToolCall(name=name, arguments=arguments or {})


def arguments_of(call: ToolCall) -> dict[str, Json]:
    """A call's arguments as an object (BadInput when they are a model's text that is none)."""
    if isinstance(call.arguments, dict):
        return call.arguments
    try:
        return read_object(call.arguments, call.arguments, 0)
    except FormatError as error:
        raise BadInput(
            f"The call of {call.name} carries arguments that are no JSON object, which only the format 'openai' can "
            f"show: {error}"
        ) from None


def protect(text: str) -> str:
    """JSON text in which no angle bracket can be mistaken for a tag."""
    return re.sub(r"[<>]", lambda match: f"\\u{ord(match[0]):04x}", text)
