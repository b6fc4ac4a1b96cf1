"""How a scripted user that holds tools does with them what an agent says; the world brings the driver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from toolgym.sandbox.kit.message import Message, ToolCall


class UserToolDriver(Protocol):
    """How users of a domain do with their tools what an agent says; found in the group `toolgym.user_tool_drivers`."""

    def follow(self, text: str, done: Sequence[tuple[ToolCall, str]] = (), before: str = "") -> Sequence[ToolCall]:
        """The next calls of the user's own tools that the agent's message asks for.

        Args:
            text: the agent's message.
            done: the calls already made for it, with their results.
            before: the agent's message before it: "turn it off" may be about what that spoke of.

        Returns:
            Calls to make now; empty when the message asks for none, or all have been made.
        """
        ...

    def report(self, call: ToolCall, result: str) -> str:
        """What the user says about a call's result."""
        ...

    def ask(self, call: ToolCall) -> str:
        """The sentence with which an agent asks for this call; `follow` understands it."""
        ...


def said_before(messages: Sequence[Message]) -> str:
    """What the agent said to the user before its last words; empty where it said nothing."""
    said = [message.content for message in messages if message.role == "assistant" and message.content]
    return said[-2] if len(said) > 1 else ""


def since_heard(messages: Sequence[Message]) -> tuple[str, list[tuple[ToolCall, str]]]:
    """The agent's last words, and the calls made since with their results."""
    index = max((index for index, message in enumerate(messages) if message.role == "assistant"), default=-1)
    text = (messages[index].content or "") if index >= 0 else ""
    results = {message.tool_call_id: message.content or "" for message in messages[index + 1 :]}
    calls = [call for message in messages[index + 1 :] for call in message.tool_calls]
    return text, [(call, results[call.id]) for call in calls if call.id in results]


def seen_last(done: Sequence[tuple[ToolCall, str]]) -> Sequence[tuple[ToolCall, str]]:
    """Calls and their results, in order, without those made once more: what was looked at twice is told as it is."""
    last = {(call.name, str(call.arguments)): place for place, (call, _) in enumerate(done)}
    return [done[place] for place in sorted(last.values())]
