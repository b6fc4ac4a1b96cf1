"""State `continuation`: an end, a follow-up or a clarification, ever less likely with each turn (section 3.2, 3.5)."""

from __future__ import annotations

from dataclasses import asdict

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.synthesis.teaching.conversation import Conversation, State
from toolgym.sandbox.synthesis.teaching.query import written

LEAST, MOST = 2, 3
"""The user's messages (the paper's min_turns and max_turns); where no tool fits, one is enough."""
DECAY = 0.5
"""By what the chance of one more turn falls with each turn beyond the least; its form is ours."""


async def continuation(talk: Conversation) -> tuple[State, str]:
    """Decide what the user does."""
    asks = (talk.messages[-1].content or "").endswith("?")
    if (talk.withheld or asks) and len(talk.turns) < MOST and talk.family != "irrelevant":
        return await _clarified(talk)
    if talk.family != "chain":
        return "end", "end"
    if len(talk.turns) == MOST - 1 and any(step.writes for step in talk.plans[talk.asked]):
        return "end", "end"  # a change is confirmed, for which no message would be left
    if len(talk.turns) < LEAST or (len(talk.turns) < MOST and talk.rng.random() < DECAY ** (len(talk.turns) - 1)):
        return "query", "follow_up"
    return "end", "end"


async def _clarified(talk: Conversation) -> tuple[State, str]:
    """The user tells what was kept back, or answers."""
    asked: dict[str, Json] = {
        **{"write": "clarification", "persona": talk.task.persona, "today": talk.today, "tell": talk.withheld},
        **{"plan": [asdict(step) for step in talk.plans[talk.asked - 1]], "conversation": talk.spoken()},
    }
    text = await written(talk, "continuation", asked)
    if text is None:
        return "end", "no usable continuation"
    talk.withheld = {}
    talk.say("user", text)
    return "turn", "clarification"
