"""The oracle, which is shown the task, with its mouth shut."""

from toolgym.sandbox.agents.oracle import OracleAgent
from toolgym import Message


class Mute:
    """Makes the oracle's calls; of its words "Done." is left."""

    privileged = True

    def open(self, briefing):
        return Quiet(OracleAgent().open(briefing))


class Quiet:
    """One conversation."""

    def __init__(self, oracle):
        self.oracle = oracle

    async def act(self, messages):
        meant = await self.oracle.act(messages)
        return meant if meant.tool_calls else Message(role="assistant", content="Done. Anything else?")
