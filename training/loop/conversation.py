"""How a conversation is shown to the model in training, and how its text is read: the same as in evaluation."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolgym.sandbox.agents.llm import NATIVE, shown_as_text
from toolgym.sandbox.formats import Format, FormatError, get_format
from toolgym.sandbox.formats.action import read_action
from toolgym.sandbox.formats.program import parse_program
from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.kit.message import Json, Message
from toolgym.training.loop.builder import Chat


@dataclass(frozen=True)
class ChatCodec:
    """How calls are written.

    Attributes:
        reader: the format that model text is read with.
        native: the chat template lists the tools and shows their results; else the format does both.
        program: what is read is a program (see `toolgym.sandbox.formats.program`).
    """

    reader: Format
    native: bool
    program: bool = field(default=False, kw_only=True)

    def tools(self, tools: Sequence[dict[str, Json]]) -> Sequence[dict[str, Json]] | None:
        """The tools that the chat template is to list."""
        return tools if self.native else None

    def show(self, messages: Sequence[Message]) -> list[Chat]:
        """Messages of the environment as chat messages."""
        if not self.native:
            return shown_as_text(messages, self.reader)
        return [_native(message) for message in messages]

    def read(self, text: str, tools: Collection[str] = ()) -> Message:
        """The action in a turn's text.

        Args:
            text: what the model generated.
            tools: the names of the tools that are offered.

        Raises:
            FormatError: there is none; the sentence is meant for the model.
        """
        if self.program and not self.native:
            return parse_program(text, self.reader)
        message = read_action(text, self.reader, tools)
        if not message.content and not message.tool_calls:
            raise FormatError("It holds neither text nor a tool call", text)
        return message


def shape_of(name: str, *, program: bool = False) -> ChatCodec:
    """The shape of that name: `native` (the chat template; calls as Hermes and Qwen write them), or a text format."""
    return ChatCodec(get_format("hermes" if name == NATIVE else name), name == NATIVE, program=program)


def require_tools_shown(tokenizer: Any, prompt: Sequence[int], tools: Sequence[dict[str, Json]]) -> None:
    """Refuse a chat template that leaves the tools out of the prompt; looked at once per tokenizer and set of tools.

    Raises:
        ConfigurationError: a tool's name does not occur in the prompt.
    """
    names = tuple(tool["function"]["name"] for tool in tools)
    if (tokenizer, names) in _SEEN:
        return
    text = tokenizer.decode(prompt)
    missing = [name for name in names if name not in text]
    if missing:
        raise ConfigurationError(
            f"The model's chat template does not show the tools ({missing[0]} is not in the prompt). Render the data "
            "set with a text format instead, such as format=hermes."
        )
    _SEEN.add((tokenizer, names))


_SEEN: set[Any] = set()


def _native(message: Message) -> Chat:
    record: Chat = {"role": message.role, "content": message.content or "[nothing]"}
    if message.role == "tool":
        record |= {"tool_call_id": message.tool_call_id, "name": message.name}
    return record
