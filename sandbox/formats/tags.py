"""The `<tool_call>` block of the formats that hold one block of calls: finding it, and what stands around it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from toolgym.sandbox.formats.base import FormatError, spoken, with_reasoning
from toolgym.sandbox.kit.message import Json, Message, Returns, ToolCall

_BLOCK = re.compile(r"<tool_call(?P<attributes>[^>]*)>(?P<body>.*?)</tool_call>", re.DOTALL)
_RETURN = re.compile(r'\s+return="(one|all)"\s*')


@dataclass(frozen=True, slots=True)
class Block:
    """A message's parts.

    Attributes:
        reasoning: the thoughts, or None.
        attributes: text inside the opening tag; None when there is no block.
        body: what the block holds.
        offset: where the body begins in the whole text.
        rest: the text outside the block.
    """

    reasoning: str | None
    attributes: str | None
    body: str
    offset: int
    rest: str


def read_block(text: str) -> Block:
    """Split a message at its only block.

    Raises:
        FormatError: a tag without its partner, or more than one block.
    """
    found = spoken(text)
    body = found.words
    match = _BLOCK.search(body)
    if match is None:
        for tag in ("<tool_call", "</tool_call>"):
            if tag in body:
                raise FormatError(f"{tag} has no partner", text, found.place(body.find(tag)))
        return Block(found.thoughts, None, "", found.place(0), body)
    rest = body[: match.start()] + body[match.end() :]
    if "tool_call" in rest and _BLOCK.search(rest):
        raise FormatError("There is more than one block of calls", text, found.place(match.end()))
    place = found.place(match.start("body"))
    return Block(found.thoughts, match["attributes"], match["body"], place, rest.strip("\n"))


def returned(block: Block, text: str, *, required: bool = True) -> Returns:
    """TIER's `return` attribute: the last result is the answer, or every one.

    Raises:
        FormatError: it is neither "one" nor "all", or is missing where it is `required`.
    """
    if not (block.attributes or "").strip() and not required:
        return "all"
    match = _RETURN.fullmatch(block.attributes or "")
    if match is None:
        raise FormatError('<tool_call> needs return="one" or return="all"', text, max(0, block.offset - 1))
    return cast(Returns, match[1])


def render_block(message: Message, block: str) -> str:
    """A message with its calls in one block after its text; what is not the assistant's is its text alone."""
    text = message.content or ""
    if message.role != "assistant":
        return text
    parts = [part for part in (text, block if message.tool_calls else "") if part]
    return with_reasoning(message, "\n".join(parts))


def message_of(block: Block, calls: Sequence[ToolCall], returns: Returns = "all") -> Message:
    """The assistant message of a block's parts."""
    return Message(
        role="assistant",
        content=block.rest or None,
        tool_calls=tuple(calls),
        reasoning=block.reasoning,
        returns=returns,
    )


def program_prompt(tools: Sequence[dict[str, Json]], how: str) -> str:
    """The tools, and how to answer with a program in a format."""
    lines = "\n".join(json.dumps(entry["function"], ensure_ascii=False) for entry in tools)
    return f"You can call these tools:\n{lines}\n{how} You may think before it: <think>THOUGHTS</think>."
