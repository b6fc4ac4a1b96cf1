"""Whether a user's yes or no is against its own wish, by the comparison that the scripted user makes.

To a yes only a contradiction counts, never what a proposal leaves unsaid: a wrong alarm would make a language model
take back a right yes. Whatever neither asks, denies nor corrects is one. A no is wrong where all that the wish needs is
named rightly and the no is about nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from toolgym.sandbox.kit.message import STOP, ToolCall
from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.language.consent import is_yes, objects
from toolgym.sandbox.language.dialogue_acts import AgentAct, parse_act
from toolgym.sandbox.language.mentions import Mention
from toolgym.sandbox.runtime.approval import Shown
from toolgym.sandbox.users.approving import Wanted
from toolgym.sandbox.users.comparison import Comparison
from toolgym.sandbox.users.declared_form import wish_of
from toolgym.sandbox.users.fact_extraction import is_prose, understood
from toolgym.sandbox.users.lexicon import CHOICE
from toolgym.sandbox.users.reply_words import telling
from toolgym.sandbox.users.wish import Wish

_WRONG = ("wrong", "added", "other")
_EVERY = re.compile(r"\b(?:every\b|each\b|(?:all|both)(?= (?:of|the|your)\b))")
"""Says that there is more than one, but for \"All correct?\"."""


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
            reply: the user's words; who leaves lets nothing pass.
            heard: the agent's message that they answer.
        """
        passes = heard.proposal and STOP not in reply and not objects(reply) and not self._corrects(reply, heard)
        return self.unwanted(heard) if passes or is_yes(reply) else ""

    def declined(self, reply: str, heard: AgentAct) -> bool:
        """Whether a reply turns down what its user wants.

        Args:
            reply: the user's words.
            heard: the agent's message that they answer.
        """
        if not heard.proposal or heard.transfers or self.is_blind or is_yes(reply) or not objects(reply):
            return False
        if parse_act(reply).asked and telling(reply):  # it wants to know something first
            return False
        return any(_is_refused_whole(reply, heard, wish) for wish in self._wishes)

    def misjudged(self, call: ToolCall, shown: Shown, *, approved: bool) -> bool:
        """Whether the answer to a call that is shown is against the wishes: a yes to what none wants, a no to what one
        wants and nothing else could be meant by.

        Args:
            call: the call.
            shown: what the user saw of it.
            approved: the answer.
        """
        if self.is_blind:
            return False
        goals = [goal for goal in self._task.every_goal() if Wanted(self._task, goal).contradicts(call, shown) is None]
        final = [goal for goal in goals if goal in self._task.goals and goal.outcome == "done"]
        sure = [goal for goal in final if not (goal.revised_to or any(fact.name == "condition" for fact in goal.facts))]
        return not goals if approved else bool(sure)

    def _corrects(self, reply: str, heard: AgentAct) -> bool:
        """Whether a reply tells something of what its user wants or knows that the proposal does not hold."""
        known = " ".join([*(wish.asked_for for wish in self._wishes), *(fact.words for fact in self._task.facts)])
        new = set(telling(reply)) - set(telling(heard.text))
        return any(any(map(str.isdigit, word)) for word in new) or not new.isdisjoint(telling(known))

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
    compared = Comparison(heard, wish, frozenset(slot.fact.name for slot in wish.slots))
    verdict = compared.verdict
    if not (heard.proposal or verdict.asserts):
        return ""  # a yes to a question
    beside = next(iter(verdict.beside), "")
    if wish.goal.outcome in ("answered", "transferred"):
        return beside
    if verdict.fit not in _WRONG:
        return next(_other_things(compared, wish), "")
    return next((text for _, text in verdict.wrong), beside) or "another action"


def _other_things(compared: Comparison, wish: Wish) -> Iterator[str]:
    """Things that a proposal without a contradiction is about and a wish is not: a second row of the same sort, or
    nothing but what the wish does not know.
    """
    strange = [each for each in compared.mentions if _is_strange(each, wish)]
    shapes = {_shape(key) for slot in wish.slots if slot.table for key in slot.keys}
    yield from (each.text for each in strange if each.kind == "identifier" and _shape(each.text) in shapes)
    fits = any(slot.fits(each, wish.person) for each in compared.mentions for slot in wish.slots)
    if len(strange) > 1 and not (fits or compared.verdict.asserts or compared.verdict.plans):
        yield strange[0].text


def _is_strange(mention: Mention, wish: Wish) -> bool:
    """Whether a mention of a sort that tells things apart is nothing that a wish holds or leads to."""
    tells = mention.kind in ("identifier", "money", "date") or any(
        not each.startswith(CHOICE) for each in mention.columns
    )
    is_denied = mention.negated or mention.role in ("not", "instead_of")
    return tells and not is_denied and not wish.explains(mention)


def _is_refused_whole(reply: str, heard: AgentAct, wish: Wish) -> bool:
    """Whether a proposal is just what a wish is, with all that it must name, and a no is to nothing else of it."""
    if wish.goal.outcome != "done" or wish.goal.revised_to is not None:
        return False
    compared = Comparison(heard, wish)
    verdict, known = compared.verdict, wish.known
    is_said = verdict.plans or verdict.asserts or "\n" in heard.text
    if verdict.fit != "right" or not is_said or not any(map(wish.explains, compared.mentions)):
        return False
    more = {found[0] for found in _EVERY.finditer(heard.text) if found[0] not in known}
    if more or any(_is_strange(each, wish) for each in compared.mentions):
        return False
    named = [each.start for each in compared.mentions]
    told = [each for each in heard.sentences if each.act != "agree" or any(each.start <= at < each.end for at in named)]
    beside = set(telling(" ".join(each.text for each in told))) - set(telling(known))
    return beside.isdisjoint(telling(reply))


def _shape(key: str) -> str:
    return re.sub(r"\d", "0", key.casefold().strip("#"))
