"""State `execution`: calls go to the live tools, and what came of them decides what follows (section 3.2, 3.3)."""

from __future__ import annotations

from functools import partial
from typing import Literal

from toolgym.sandbox.kit.message import Json, Message
from toolgym.sandbox.synthesis.teaching.conversation import Conversation, State

Outcome = Literal["success", "partial", "failure"]
SHOWN = 12_000
"""Characters of a result that the conversation keeps."""
_EMPTY: tuple[Json, ...] = (None, "", [], {})


async def execution(talk: Conversation) -> tuple[State, str]:
    """Make the calls of the pending message."""
    assert talk.pending is not None
    message, talk.pending = talk.pending, None
    talk.messages.append(message)
    talk.results = []
    for call in message.tool_calls:
        result = await talk.apart(partial(talk.session.call, call.name, call.arguments))
        talk.results.append(result)
        text = result.text if len(result.text) <= SHOWN else result.text[:SHOWN] + "... [more was left out]"
        talk.messages.append(Message(role="tool", content=text, tool_call_id=call.id, name=call.name))
    talk.again = 0
    outcome = classified(talk)
    return ("recovery" if outcome == "failure" else "turn"), outcome


def classified(talk: Conversation) -> Outcome:
    """Success where every call came to something; failure where all were refused; partial otherwise."""
    refused = [not result.ok for result in talk.results]
    if all(refused):
        return "failure"
    empty = any(result.ok and result.value in _EMPTY for result in talk.results)
    return "partial" if any(refused) or empty else "success"
