"""A conversation as a judge with a language model reads it: a line for each thing that was said, called or returned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from toolgym.judge.scoring.judges.quoting import quoted, quoted_name, quoted_result
from toolgym.sandbox.formats.thoughts import read_thoughts
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.models.reply import joined
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.runtime.visible import visible


def lines_of(trajectory: Trajectory) -> Iterator[str]:
    """The conversation, line by line; every turn of the agent begins with its number."""
    turn = 0
    for message in trajectory.messages:
        if message.role == "assistant":
            yield f"[Turn {turn}]"
            turn += 1
        yield from message_lines(message)
    yield f"[End: {trajectory.termination}]"


def message_lines(message: Message) -> Iterator[str]:
    """One message: who says or calls what, or what came back."""
    if message.role == "assistant":
        yield from (f"agent {line}" for line in _spoken(message))
    elif message.role == "tool":
        yield f"result of {quoted_name(message.name or '')}: {quoted_result(message.content or '')}"
    else:
        yield from (f"customer {line}" for line in _spoken(message))


def shortened(messages: Iterable[Message], most: int) -> Iterator[Message]:
    """The messages with every text cut after `most` signs."""
    for message in messages:
        texts = {name: _cut(getattr(message, name), most) for name in ("content", "reasoning")}
        yield message.model_copy(update=texts)


def _cut(text: str | None, most: int) -> str | None:
    return text if text is None or len(text) <= most else text[:most] + "…"


def _spoken(message: Message) -> Iterator[str]:
    """What somebody thinks, says and calls; thoughts that a record holds among the words are no words."""
    said = read_thoughts(message.content or "")
    if message.role == "assistant" and (thoughts := joined(message.reasoning, said.thoughts)):
        yield f"thinks: {quoted(thoughts)}"
    if words := visible(said.words):
        yield f"says: {quoted(words)}"
    yield from (f"calls: {call_line(call)}" for call in message.tool_calls)


def call_line(call: ToolCall) -> str:
    """A call on one line."""
    by = " by the customer" if call.by == "user" else ""
    return f"{quoted_name(call.name)}({quoted_result(call.arguments_text())}){by}"
