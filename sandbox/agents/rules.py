"""The honest baseline: it follows a domain's script, and sees only the conversation and the tools' results.

What a script knows about its world lives in that domain (`toolgym.rules_agents`); here it is only played.
"""

from __future__ import annotations

from typing import cast

from sandbox.agents.dialogue import DomainScript, ScriptPlayer
from sandbox.kit.errors import BadInput
from sandbox.runtime import registry
from sandbox.runtime.roles import Briefing


class RulesAgent:
    """Plays the domain's script."""

    privileged = False

    def open(self, briefing: Briefing) -> ScriptPlayer:
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
        return ScriptPlayer(cast(DomainScript, registry.load("rules_agents", briefing.domain)), briefing)
