"""The honest baseline: it follows a domain's script, and sees only the conversation and the tools' results.

What a script knows about its world lives in that domain (`toolgym.rules_agents`); here it is only played.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from sandbox.agents.dialogue import DialogueContext, DomainScript, Script
from sandbox.kit.errors import BadInput
from sandbox.kit.message import Message
from sandbox.runtime import registry
from sandbox.runtime.roles import Briefing

_CLOSING = "Is there anything else that I can help you with?"


class RulesAgent:
    """Plays the domain's script."""

    privileged = False

    def open(self, briefing: Briefing) -> _Player:
        """Start an episode.

        Raises:
            BadInput: the domain has no script for it.
        """
        known = registry.names("rules_agents")
        if briefing.domain not in known:
            raise BadInput(
                f"The agent 'rules' has no script for the domain {briefing.domain!r}. Domains with a script: "
                f"{', '.join(known) or 'none'}. Declare one in the entry points (toolgym.rules_agents), or use another "
                "agent."
            )
        return _Player(cast(DomainScript, registry.load("rules_agents", briefing.domain)), briefing)


class _Player:
    def __init__(self, script: DomainScript, briefing: Briefing) -> None:
        self._script, self._briefing = script, briefing
        self._work: Script[None] | None = None
        self._read = 0

    async def act(self, messages: Sequence[Message]) -> Message:
        """The script's next message."""
        try:
            if self._work is None:
                opening = messages[-1].content or ""
                self._work = self._script(
                    DialogueContext(opening, self._briefing.profile, listening=self._briefing.listening)
                )
                action = next(self._work)
            else:
                # the first unread message is the script's own last one
                action = self._work.send(messages[self._read + 1 :])
        except StopIteration:
            action = Message(role="assistant", content=_CLOSING)
        self._read = len(messages)
        return action
