"""State `response`: the assistant's words go to the user, unless they tell what nothing showed."""

from __future__ import annotations

from toolgym.sandbox.synthesis.teaching import nowhere
from toolgym.sandbox.synthesis.teaching.conversation import Conversation, State


async def response(talk: Conversation) -> tuple[State, str]:
    """Pass the pending words on, or send them back."""
    assert talk.pending is not None
    text = (talk.pending.content or "").strip()
    talk.pending = None
    fault = "speaks for another side" if nowhere.forged(text) else None
    if fault is None and nowhere.invented(text, talk.heard):
        fault = "tells what nothing showed"
    if fault is not None:
        return talk.sent_back("response", fault), "sent back"
    talk.again = 0
    talk.say("assistant", text)
    return "continuation", "question" if text.endswith("?") else "answer"
