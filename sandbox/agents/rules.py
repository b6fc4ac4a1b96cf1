"""The honest baseline: it plays by a world's declarations, and sees only the conversation and the tools' results.

In a world that declares goals it fills their forms (`toolgym.sandbox.agents.form_filler`). A script that somebody wrote
for a world (`toolgym.rules_agents`) is played instead where there is one.
"""

from __future__ import annotations

from typing import cast

from toolgym.sandbox.agents.dialogue import DomainScript, ScriptPlayer
from toolgym.sandbox.agents.form_filler import FormFiller
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Briefing


class RulesAgent:
    """Plays the world's script, or fills the forms of its goals."""

    privileged = False

    def open(self, briefing: Briefing) -> ScriptPlayer:
        """Start an episode.

        Raises:
            BadInput: the world has no script and declares no goals.
        """
        if briefing.domain in registry.names("rules_agents"):
            return ScriptPlayer(cast(DomainScript, registry.load("rules_agents", briefing.domain)), briefing)
        if not get_domain(briefing.domain).goals:
            raise BadInput(
                f"The agent 'rules' has nothing to go by in the domain {briefing.domain!r}: it declares no goals, and "
                "no script for it is in the entry points (toolgym.rules_agents). Declare goals, or use another agent."
            )
        return ScriptPlayer(FormFiller(briefing).script, briefing)
