"""An agent's action as plain text: which of the chat formats it is in, decided by looking.

Used where the format is not agreed beforehand: the Gymnasium environment and the terminal.
"""

from __future__ import annotations

from toolgym.sandbox.formats.base import get_format
from toolgym.sandbox.kit.message import Message


def parse_action(text: str) -> Message:
    """A message from text with `<tool_call>` tags, OpenAI-style JSON, or plain words.

    Raises:
        FormatError: it is meant as a call and is not well formed.
    """
    return get_format("hermes" if "tool_call>" in text else "openai").parse(text)
