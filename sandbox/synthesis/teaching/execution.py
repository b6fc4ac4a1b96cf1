"""State `execution`: calls go to the live tools, and what came of them decides what follows (section 3.2, 3.3)."""

from __future__ import annotations

import asyncio
from typing import Literal

from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.kit.tool import ToolResult
from toolgym.sandbox.synthesis.teaching.conversation import Conversation, Live, State

Outcome = Literal["success", "partial", "failure"]
SHOWN = 12_000
"""Characters of a result that the conversation keeps."""
_EMPTY: tuple[Json, ...] = (None, "", [], {})


async def execution(talk: Conversation) -> tuple[State, str]:
    """Make the calls of the pending message."""
    assert talk.pending is not None
    message, talk.pending = talk.pending, None
    talk.messages.append(message)
    talk.results = [(call, await _called(talk.session, call)) for call in message.tool_calls]
    for call, result in talk.results:
        text = result.text if len(result.text) <= SHOWN else result.text[:SHOWN] + "... [more was left out]"
        talk.messages.append(Message(role="tool", content=text, tool_call_id=call.id, name=call.name))
    talk.again = 0
    outcome = classified(talk)
    return ("recovery" if outcome == "failure" else "turn"), outcome


async def _called(session: Live, call: ToolCall) -> ToolResult:
    """The result, waited for in a thread where the tools are outside this process."""
    if session.blocking:
        return await asyncio.to_thread(session.call, call.name, call.arguments)
    return session.call(call.name, call.arguments)


def classified(talk: Conversation) -> Outcome:
    """Success where every call came to something; failure where all were refused; partial otherwise."""
    refused = [not result.ok for _, result in talk.results]
    if all(refused):
        return "failure"
    empty = any(result.ok and result.value in _EMPTY for _, result in talk.results)
    return "partial" if any(refused) or empty else "success"
