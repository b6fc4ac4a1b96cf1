"""An agent's text as its action, wherever agents are played: a call that nobody would read is no word to the user."""

from __future__ import annotations

from collections.abc import Collection

from toolgym.sandbox.formats.base import Format, get_format
from toolgym.sandbox.formats.stray import require_no_stray
from toolgym.sandbox.kit.message import Message


def read_action(text: str, text_format: Format, tools: Collection[str] = ()) -> Message:
    """A message from text in a format.

    Args:
        text: as the model wrote it.
        text_format: the format that was agreed.
        tools: the names of the tools that are offered.

    Raises:
        FormatError: it is not in the format, or holds a call in another one.
    """
    message = text_format.parse(text)
    require_no_stray(message, tools)
    return message


def parse_action(text: str) -> Message:
    """A message from text with `<tool_call>` tags, OpenAI-style JSON, or plain words, decided by looking.

    Used where the format is not agreed beforehand: the Gymnasium environment and the terminal.

    Raises:
        FormatError: it is meant as a call and is not well formed.
    """
    return read_action(text, get_format("hermes" if "tool_call>" in text else "openai"))
