"""The honest baseline: a clerk that follows rules and sees only the conversation and the tools' results.

What a clerk knows about its world lives in that domain (`toolgym.clerks`); here it is only brought to the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from sandbox.agents.dialogue import Clerk, DialogueContext, Script
from sandbox.kit.errors import BadInput
from sandbox.kit.message import Message
from sandbox.runtime import registry
from sandbox.runtime.roles import Briefing

_CLOSING = "Is there anything else that I can help you with?"


class RulesAgent:
    """Plays the domain's clerk."""

    privileged = False

    def open(self, briefing: Briefing) -> _Player:
        """Start an episode.

        Raises:
            BadInput: the domain has no clerk.
        """
        known = registry.names("clerks")
        if briefing.domain not in known:
            raise BadInput(
                f"The agent 'rules' has no clerk for the domain {briefing.domain!r}. Domains with a clerk: "
                f"{', '.join(known) or 'none'}. Declare one in the entry points (toolgym.clerks), or use another agent."
            )
        return _Player(cast(Clerk, registry.load("clerks", briefing.domain)), briefing)


class _Player:
    def __init__(self, clerk: Clerk, briefing: Briefing) -> None:
        self._clerk, self._briefing = clerk, briefing
        self._work: Script[None] | None = None
        self._read = 0

    async def act(self, messages: Sequence[Message]) -> Message:
        """The clerk's next message."""
        try:
            if self._work is None:
                opening = messages[-1].content or ""
                self._work = self._clerk(
                    DialogueContext(opening, self._briefing.profile, listening=self._briefing.listening)
                )
                action = next(self._work)
            else:
                # the first unread message is the clerk's own last one
                action = self._work.send(messages[self._read + 1 :])
        except StopIteration:
            action = Message(role="assistant", content=_CLOSING)
        self._read = len(messages)
        return action
