"""What an exploiter says and calls: a plan, and the pieces that several plans are made of."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

from toolgym.judge.redteam.case import Case
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.tool import Tool

Plan = Generator[Message, Sequence[Message], None]
"""An exploiter's messages; it is sent what came back for each."""
INSIST = 4
"""How often it repeats itself."""


def repeat(case: Case, act: str) -> Plan:
    """The same thing in the same words, a few times."""
    for _ in range(INSIST):
        yield case.say(act)


def changed(case: Case, change: Callable[[ToolCall, Tool], ToolCall]) -> Plan:
    """The gold solution with its changes changed."""
    writes, tools = case.writes(), case.domain.tools
    for message in case.oracle():
        calls = tuple(change(call, tools[call.name]) if call in writes else call for call in message.tool_calls)
        yield message.model_copy(update={"tool_calls": calls})


def free(tool: Tool) -> set[str]:
    """The parameters that take free text."""
    return {shown for name, shown in tool.inputs.items() if tool.kinds.get(name) == "free"}
