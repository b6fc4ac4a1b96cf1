"""The user's side of a wish that both sides fulfil step by step, such as a repair: the agent's own steps are proposed.

Each write of the agent in the right run is a wish of its own while the whole one is open; what the user does itself it
is simply told to do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.language.dialogue_acts import Act, AgentAct, parse_act
from toolgym.sandbox.language.inflection import past_forms
from toolgym.sandbox.language.nlg_templates import declined
from toolgym.sandbox.language.verbs import promises
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.users.asking import narrowed
from toolgym.sandbox.users.once_a_wish import once_a_wish
from toolgym.sandbox.users.proposal_matching import PlainVerdict
from toolgym.sandbox.users.reaction import Reaction
from toolgym.sandbox.users.typed_facts import TypedWish, compare_typed, wish_of_step
from toolgym.sandbox.users.untyped import UntypedWishes

_PRICE = re.compile(r"[$€£]|\b(?:dollars?|cents?|costs?|charged?|fees?|free)\b")
_ALSO = re.compile(r"\b(?:also|as well|meanwhile|in the meantime)\b,? ?", re.IGNORECASE)
_SOLVED = past_forms(frozenset(("fix", "solve", "resolve", "repair")))


def is_stepwise(task: Task, goal: Goal) -> bool:
    """Whether both sides work on a wish that names no call itself."""
    return not goal.calls and goal.outcome == "done" and any(call.by == "user" for call in task.gold)


@once_a_wish
def _steps(task: Task, goal: Goal) -> Sequence[TypedWish]:
    """What the agent changes for it, each as a wish of its own."""
    tools = get_domain(task.domain).tools
    calls = [call for call in task.gold if call.by == "agent" and tools[call.name].kind == "write"]
    found = (wish_of_step(task, goal, calls, call) for call in calls)
    return [step for step in found if step is not None]


class StepwiseWishes(UntypedWishes):
    """A wish without calls of its own and the steps that an agent takes for it."""

    stepwise = True

    def done_words(self) -> frozenset[str]:
        """What says that nothing is wrong any more; that a step has been done settles nothing."""
        return _SOLVED

    def done_word(self) -> str:
        """How the user says that nothing is wrong any more."""
        return "fixed"

    def proposes(self, heard: AgentAct) -> bool:
        """Whether a message that asks for no agreement says what the agent is going to do for it."""
        kinds = {step.wish.kind for step in _steps(self._task, self._wanted)}
        if heard.more or any(self.reports_of(kind, heard) for kind in kinds):
            return False
        return super().proposes(heard) or (not heard.refuses and self._of_steps(heard) is not None)

    def keeps_to(self, heard: AgentAct) -> bool:
        """Whether a message says that nothing is wrong any more, or is the wish, whole and rightly said."""
        return heard.reports(_SOLVED, confirmed=False) or super().keeps_to(heard)

    def consider(self, heard: AgentAct) -> Reaction:
        """Answer a proposal: of a step by that step, of anything else by the whole wish."""
        found = None if heard.transfers else self._of_steps(heard)
        if found is None:
            return super().consider(heard)
        if found.fit == "right":
            return Reaction(True, [self._yes(found)])
        if found.fit == "open":
            self._told |= {fact.name for fact in found.missing}
            return Reaction(False, self._sentences(found.missing) or [self._word("incomplete")])
        if found.fit == "wrong":
            return Reaction(False, self._correct(found))
        return Reaction(False, [declined(found.beside, self._style, self._rng), self._wanted.utterance])

    def answers_beside(self, heard: AgentAct) -> list[str]:
        """What the user says of itself and of the wish where it is asked, and to a step that is proposed as well."""
        planned = _planned(heard, without=("tell", "ask")) if heard.proposal else None
        agreed = self.consider(planned).sentences if planned is not None and self._of_steps(planned) else []
        is_asked = any(self._about(topic) for topic in narrowed(heard.asked, self._topics.in_text))
        return [*agreed, *(self.answers(heard) if is_asked else super().answers_beside(heard))]

    def _of_steps(self, heard: AgentAct) -> PlainVerdict | None:
        """What comes of comparing a message with the steps; None where it proposes none of them.

        What an agent has found out on the way, such as an open bill, is no part of what it is going to do.
        """
        found = list(self._verdicts(heard))
        if not any(each.fit == "right" for each in found) and (planned := _planned(heard)) is not None:
            found = list(self._verdicts(planned))
        if any(each.fit == "wrong" and each.asserts for each in found):
            return next(each for each in found if each.fit == "wrong" and each.asserts)
        for fit in ("right", "open"):
            if verdict := next((each for each in found if each.fit == fit), None):
                return verdict
        return next((each for each in found if each.fit == "added"), None)

    def _verdicts(self, heard: AgentAct) -> Iterator[PlainVerdict]:
        for step in _steps(self._task, self._wanted):
            rows = frozenset(
                fact.name
                for name, fact in step.facts.items()
                if any(slot.fact.name == name and slot.table for slot in step.wish.slots)
            )
            yield compare_typed(heard, step, frozenset(self._told), rows)


def _planned(heard: AgentAct, without: Sequence[Act] = ("tell",)) -> AgentAct | None:
    """A message without the sentences of some acts that say neither what the speaker does nor what it costs.

    One step after another is no addition, so that "also" says nothing. None where the message is no longer than that.
    """
    told = [
        each for each in heard.sentences if each.act not in without or promises(each.text) or _PRICE.search(each.text)
    ]
    planned = _ALSO.sub("", " ".join(heard.plain[each.start : each.end] for each in told))
    return parse_act(planned) if planned not in ("", heard.plain) else None
