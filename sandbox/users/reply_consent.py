"""Whether a user's yes is to something that it does not want, by the comparison that the scripted user makes.

Only a contradiction counts, never what a proposal leaves unsaid: a wrong alarm would make a language model take back a
right yes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.language.consent import is_yes
from toolgym.sandbox.language.dialogue_acts import AgentAct
from toolgym.sandbox.users.comparison import Comparison
from toolgym.sandbox.users.declared_form import wish_of
from toolgym.sandbox.users.fact_extraction import is_prose, understood
from toolgym.sandbox.users.wish import Wish

_WRONG = ("wrong", "added", "other")


class ConsentCheck:
    """Finds the wrong yeses of one task's user.

    Args:
        task: whose user; what a wish in prose agrees to nobody can compare.

    Attributes:
        is_blind: nothing can be compared.
    """

    def __init__(self, task: Task) -> None:
        self._task = understood(task)
        self.is_blind = is_prose(task)

    @cached_property
    def _wishes(self) -> Sequence[Wish]:
        return [wish_of(self._task, goal) for each in self._task.goals for goal in _wanted(each)]

    def contradicted(self, reply: str, heard: AgentAct) -> str:
        """What a reply agrees to that none of the wishes explains, in the proposal's words; empty where nothing is.

        Args:
            reply: the user's words.
            heard: the agent's message that they answer.
        """
        return self.unwanted(heard) if is_yes(reply) else ""

    def unwanted(self, heard: AgentAct) -> str:
        """The words of a proposal that contradict each of the wishes; empty where one of them explains all."""
        if heard.transfers or self.is_blind:
            return ""
        found = [_against(heard, wish) for wish in self._wishes]
        return "" if not found or "" in found else found[0]


def _wanted(goal: Goal) -> Iterator[Goal]:
    """What a yes may be to: never what the user turns away from at the first proposal."""
    if goal.revised_to is not None:
        yield from _wanted(goal.revised_to)
        return
    yield goal
    if goal.fallback is not None:
        yield from _wanted(goal.fallback)


def _against(heard: AgentAct, wish: Wish) -> str:
    """The words of a proposal that contradict a wish; empty where none do."""
    verdict = Comparison(heard, wish, frozenset(slot.fact.name for slot in wish.slots)).verdict
    if not (heard.proposal or verdict.asserts):
        return ""  # a yes to a question
    beside = next(iter(verdict.beside), "")
    if wish.goal.outcome in ("answered", "transferred"):
        return beside
    if verdict.fit not in _WRONG:
        return ""
    return next((text for _, text in verdict.wrong), beside) or "another action"
