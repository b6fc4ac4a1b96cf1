"""The agent that does nothing: the floor under every score. Whatever it passes needs no agent."""

from __future__ import annotations

from collections.abc import Sequence

from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.runtime.roles import Briefing

_SENTENCE = "I am sorry, I cannot help you with that."


class InertAgent:
    """Answers every message with one polite sentence and never calls a tool."""

    privileged = False
    hears = "nothing"

    def open(self, briefing: Briefing) -> _Player:
        """Start an episode."""
        return _Player()


class _Player:
    async def act(self, messages: Sequence[Message]) -> Message:
        """The one sentence."""
        return Message(role="assistant", content=_SENTENCE)
