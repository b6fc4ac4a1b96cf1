"""Whether something is open when a user leaves: the agent's question, its work, or a wish that it has not settled."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from random import Random

from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.language.dialogue_acts import AgentAct, parse_act
from toolgym.sandbox.synthesis.wording import is_typed
from toolgym.sandbox.users.fact_extraction import understood
from toolgym.sandbox.users.what_is_known import knowledge_of

_GIVES_UP = re.compile(
    r"\b(?:no|not|don't|nothing|never ?mind|forget it|give up|give it up|done here|another (?:day|time)|leave it|"
    r"going nowhere|nowhere|in circles)\b"
)
"""Whoever says so leaves for a reason of its own."""
_SETTLED = re.compile(
    r"\b(?:done|completed?|processed|success\w*|gone through|taken care|all set|sorted|confirmed|in place|finali[sz]ed|"
    r"(?:has|have|had|was|were|is|are|been) (?:now |all )?[a-z]+ed)\b"
)
"""Any word for something that is over: more than a report is, so that no right leaving is held up."""


class SettlementCheck:
    """Finds what is open when the user of one task leaves.

    Args:
        task: whose user.
    """

    def __init__(self, task: Task) -> None:
        self._task = task

    @cached_property
    def _done(self) -> Sequence[tuple[Goal, frozenset[str]]]:
        """The wishes that have to be done, with the words that report them."""
        task = understood(self._task)
        found = []
        for goal in task.goals if is_typed(task) else ():
            knowledge = knowledge_of(task, "polite", Random(0))
            knowledge.enter(goal.final)
            if goal.final.outcome == "done" and goal.fallback is None:
                found.append((goal, knowledge.done_words()))
        return found

    def left_open(self, reply: str, answers: Sequence[str]) -> str:
        """What is open, in a sentence without a full stop; empty where nothing is.

        Args:
            reply: the user's last words.
            answers: the agent's messages.
        """
        if _GIVES_UP.search(reply.lower()):
            return ""
        heard = [parse_act(answer) for answer in answers]
        if not (_is_end(heard[-1]) or heard[-1].more):
            if heard[-1].asked and "?" in heard[-1].asked:
                return "the agent has asked you something and waits for your answer"
            if heard[-1].waits:
                return "the agent is at work and has asked you to wait"
        for goal, words in self._done:
            if not any(_is_end(each) or any(word in each.text for word in words) for each in heard):
                return f"the agent has neither done nor refused this yet: {goal.utterance}"
        return ""


def _is_end(heard: AgentAct) -> bool:
    """Whether a message may say that a matter is over."""
    return heard.refuses or heard.denies or heard.transfers or _SETTLED.search(heard.text) is not None
