"""Programs as model text: one block of calls that may use each other's results, or none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from toolgym.sandbox.formats.base import Format, FormatError, get_format, with_reasoning
from toolgym.sandbox.formats.tags import read_block
from toolgym.sandbox.kit.errors import unknown
from toolgym.sandbox.kit.message import Json, Message
from toolgym.sandbox.runtime import registry

MAX_CHARS = 1_000_000
"""Characters of a program that are read."""


@runtime_checkable
class ProgramFormat(Format, Protocol):
    """A format in which programs can be written.

    Attributes:
        no_call: the program without calls.
    """

    no_call: str

    def program_tools(self, tools: Sequence[dict[str, Json]]) -> str:
        """The tools (OpenAI's list) and how to answer with a program, for a system prompt."""
        ...


def program_format(name: str) -> ProgramFormat:
    """The format of that name (BadInput when programs cannot be written in it)."""
    found = get_format(name)
    if not isinstance(found, ProgramFormat):
        fitting = [each for each in registry.names("formats") if isinstance(get_format(each), ProgramFormat)]
        raise unknown("format of programs", name, fitting)
    return found


def render_program(message: Message, text_format: ProgramFormat) -> str:
    """A program as model text."""
    return text_format.render(message) if message.tool_calls else with_reasoning(message, text_format.no_call)


def parse_program(text: str, text_format: Format) -> Message:
    """The program that a text holds.

    Raises:
        FormatError: it holds none, or is longer than anybody reads.
    """
    if len(text) > MAX_CHARS:
        raise FormatError(f"The text has {len(text):,} characters; a program has at most {MAX_CHARS:,}", text)
    message = text_format.parse(text)
    if not message.tool_calls and (message.content or not text.strip()) and read_block(text).attributes is None:
        raise FormatError("There is no program: the answer is one block of calls, which may be empty", text)
    return message.model_copy(update={"content": None})
