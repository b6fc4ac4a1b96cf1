"""What is said in an episode: messages and tool calls, in the shape of OpenAI's chat format.

Not for parsing or rendering model text: see `toolgym.sandbox.formats`.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from toolgym.sandbox.kit.text import Json as Json
from toolgym.sandbox.kit.text import Text, kept

Party = Literal["agent", "user"]
Returns = Literal["one", "all"]
"""TIER's return modes of a program."""

STOP = "###STOP###"
"""The user ends the conversation with this token (tau-bench's convention)."""


class Frozen(BaseModel):
    """Base of the immutable records that cross a module boundary."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ToolCall(Frozen):
    """One call of a tool.

    Attributes:
        name: the tool's name.
        arguments: its arguments by name; a string holds the model's text when that text is not a JSON object.
        id: ties a tool message to its call; unique within an episode.
        by: who calls: the agent, or the user where users hold tools (dual control).

    Examples:
        >>> from toolgym import ToolCall
        >>> call = ToolCall(name="find_tickets", arguments={"holder": "Ada Moreau"}, id="call-1")
        >>> call.arguments_text(), call.by
        ('{"holder": "Ada Moreau"}', 'agent')
    """

    name: Text
    arguments: Annotated[dict[str, Json] | str, AfterValidator(kept)] = {}
    id: Text = ""
    by: Party = "agent"

    def arguments_text(self) -> str:
        """The arguments as JSON text, the way OpenAI's format carries them."""
        if isinstance(self.arguments, str):
            return self.arguments
        return json.dumps(self.arguments, ensure_ascii=False)


class Message(Frozen):
    """One message of a conversation.

    Attributes:
        role: system, user, assistant or tool.
        content: the text; None or empty when the message only calls tools.
        tool_calls: calls made with this message (assistant, or user under dual control).
        tool_call_id: for role tool: the call that this message answers.
        name: for role tool: the tool's name.
        reasoning: the model's thoughts, kept apart from what the other side sees.
        audio: where a spoken message's recording is stored; None in text.
        returns: of a program, which results are its answer: the last one, or all that no other call uses.

    Examples:
        >>> from toolgym import Message
        >>> Message(role="user", content="Two seats on Friday, please.").to_openai()
        {'role': 'user', 'content': 'Two seats on Friday, please.'}
    """

    role: Literal["system", "user", "assistant", "tool"]
    content: Text | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: Text | None = None
    name: Text | None = None
    reasoning: Text | None = None
    audio: Text | None = None
    returns: Returns = Field(default="all", exclude_if=lambda returns: returns == "all")

    def to_openai(self) -> dict[str, Json]:
        """The message as a dictionary of OpenAI's chat format; reasoning is left out."""
        record: dict[str, Json] = {"role": self.role, "content": self.content}
        if self.tool_calls:
            record["tool_calls"] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments_text()}}
                for call in self.tool_calls
            ]
        if self.tool_call_id is not None:
            record["tool_call_id"] = self.tool_call_id
        return record
