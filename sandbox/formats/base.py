"""The contract of a format: how tools and messages are written as model text, and how that text is read.

One module per format; the registry is the entry-point group `toolgym.formats`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal, Protocol, cast, runtime_checkable

from toolgym.sandbox.formats.thoughts import Spoken, read_thoughts
from toolgym.sandbox.kit.errors import BadInput, Unreadable
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.runtime import registry

Fault = Literal["format", "call_as_text", "beside_name", "unclosed_thoughts"]
"""What can be wrong with a text: it breaks the format, it holds a call that nobody reads as one, a call's arguments
stand beside the tool's name, or thoughts do not end."""


class FormatError(Unreadable):
    """Text that is not in its format: what is wrong, and where.

    Attributes:
        reason: what is wrong.
        offset: character position in the text.
        kind: which sort of fault it is, for counting.
    """

    def __init__(self, reason: str, text: str, offset: int = 0, *, kind: Fault = "format") -> None:
        line = text.count("\n", 0, offset) + 1
        column = offset - (text.rfind("\n", 0, offset) + 1) + 1
        super().__init__(f"{reason} (line {line}, column {column}).", text)
        self.reason = reason
        self.offset = offset
        self.kind = kind


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


def spoken(text: str) -> Spoken:
    """A text's thoughts and words.

    Raises:
        FormatError: a block of thoughts is opened and never closed.
    """
    found = read_thoughts(text)
    if found.unclosed is not None:
        tag = text[found.unclosed : text.index(">", found.unclosed) + 1]
        raise FormatError(f"{tag} is never closed", text, found.unclosed, kind="unclosed_thoughts")
    return found


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


def call_from(record: Mapping[str, Json], whole: str, offset: int, *, key: str = "arguments") -> ToolCall:
    """A call from an object with `name` and its arguments under `key`."""
    name, arguments = record.get("name"), record.get(key)
    if not isinstance(name, str) or not name:
        raise FormatError('The call has no "name"', whole, offset)
    for other in {"arguments", "parameters"} - {key} if key not in record else ():
        if other in record:
            raise FormatError(f'Write the arguments under "{key}", not "{other}"', whole, offset, kind="beside_name")
    if isinstance(arguments, str) and is_blank(arguments):
        arguments = None
    if isinstance(arguments, str):
        try:
            arguments = read_object(arguments, arguments, 0)
        except FormatError as error:
            reason = f'The text under "{key}" is no JSON object: {error.reason} (character {error.offset + 1} of it)'
            raise FormatError(reason, whole, offset) from None
    if not isinstance(arguments, dict | None):
        raise FormatError(f'"{key}" must be an object', whole, offset)
    if not arguments:
        require_none_beside(record, whole, offset, key=key)
    return ToolCall(name=name, arguments=arguments or {})


def require_none_beside(record: Mapping[str, Json], whole: str, offset: int = 0, *, key: str = "arguments") -> None:
    """Refuse a call without arguments where something stands beside its name that may be meant as one.

    Raises:
        FormatError: it does; the sentence is meant for the model.
    """
    beside = [name for name, value in record.items() if not _of_every_call(name, value, key in record)]
    first = next((name for name in beside if name != key), None)
    if first is not None:
        reason = f'"{first}" stands beside the tool\'s name and not among the arguments; write it under "{key}"'
        raise FormatError(reason, whole, offset, kind="beside_name")


def _of_every_call(name: str, value: Json, empty: bool) -> bool:
    """Whether a field is one that calls have anyhow: an id is one only if it looks like it, or arguments are given."""
    if name in ("id", "call_id", "index"):
        return empty or str(value).startswith("call")
    return name in ("name", "function") or (name, value) == ("type", "function")


_BLANK = re.compile(r'\s*(?:null|""|\{\s*\})?\s*(?:"")?\s*')


def is_blank(arguments: str) -> bool:
    """Whether the text of a call's arguments says that there are none: nothing, `null`, `{}` or `{}""`, as endpoints
    write them for tools without parameters.
    """
    return _BLANK.fullmatch(arguments) is not None


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
