"""What a user says before it goes on when a wish is over: that it accepts a refusal, and no to what else is offered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from toolgym.sandbox.kit.task import Goal
from toolgym.sandbox.kit.telling import Telling
from toolgym.sandbox.language.dialogue_acts import AgentAct
from toolgym.sandbox.language.nlg_templates import Act
from toolgym.sandbox.language.told import tells_all
from toolgym.sandbox.users.asking import leaves_choice
from toolgym.sandbox.users.follow_up import offers_else
from toolgym.sandbox.users.knowledge import Knowledge
from toolgym.sandbox.users.refusal_reading import offers_another

_LEAVE = re.compile(r"\b(?:shall|should|may|can|want|like)\b[^.!?]*\b(?:leave|keep)\b[^.!?]*\?")
"""What offers to do nothing, to which a no asks for something: "Shall I leave that one?"."""


def parting(heard: AgentAct, knowledge: Knowledge, outcome: str) -> list[Act]:
    """What is said to a message after which a wish is over, all of it done and told or refused.

    Args:
        heard: the message.
        knowledge: of the wish.
        outcome: what was to become of it.
    """
    if outcome == "refused":
        return ["no_offer", "accept"] if offers_another(heard, is_refused=True) else ["accept"]
    is_choice = leaves_choice(heard.text) or _LEAVE.search(heard.text) is not None
    is_declined = not is_choice and offers_else(heard, knowledge.acts)
    return ["no_offer"] if is_declined else []


def still_open(before: Goal, goals: Sequence[Goal], told: Sequence[str], now: datetime) -> list[Goal]:
    """The wishes that are left, without a question at their head what it came to that the report has answered.

    Args:
        before: the wish that is over.
        goals: the wishes to come, in order.
        told: the last message.
        now: when.
    """
    if not goals or before.outcome != "done" or goals[0].outcome != "answered":
        return list(goals)
    due = [Telling.of(each).kind for each in goals[0].must_communicate]
    is_amount = bool(due) and set(due) == {"money"}  # the 1 of "1 bag" may answer many a question
    return list(goals[1:] if is_amount and tells_all(told, goals[0], now) else goals)
