"""The user's side of a wish that both sides fulfil step by step, such as a repair: the agent's own steps are proposed.

Each write of the agent in the right run is a wish of its own while the whole one is open; what the user does itself it
is simply told to do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.language.dialogue_acts import AgentAct, parse_act
from toolgym.sandbox.language.inflection import past_forms
from toolgym.sandbox.language.nlg_templates import declined
from toolgym.sandbox.language.verbs import promises
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.users.asking import narrowed
from toolgym.sandbox.users.comparison import Comparison
from toolgym.sandbox.users.declared_form import wish_of_step
from toolgym.sandbox.users.knowledge import Knowledge, Reaction
from toolgym.sandbox.users.once_a_wish import once_a_wish
from toolgym.sandbox.users.slot_words import question_for
from toolgym.sandbox.users.verdict import Verdict
from toolgym.sandbox.users.wish import Wish

_PRICE = re.compile(r"[$€£]|\b(?:dollars?|cents?|costs?|charged?|fees?|free)\b")
_WELL = re.compile(
    r"\b(?:(?:works?|working|running) (?:fine |perfectly |properly |well )?(?:now|again)|"
    r"(?:is|are|'re|you're) (?:all )?back\b|back (?:online|to normal|up)|"
    r"online again|excellent|full speed|(?:is|been) (?:restored|resolved|solved|fixed))\b"
)
"""What says that a repair has worked."""
_TO_COME = re.compile(r"\b(?:should|will|would|once|if|try|until|let's|please|not|isn't|aren't)\b|n't\b|'ll\b")
_SOLVED = past_forms(frozenset(("fix", "solve", "resolve", "repair")))


def is_stepwise(task: Task, goal: Goal) -> bool:
    """Whether both sides work on a wish that names no call itself."""
    return not goal.calls and goal.outcome == "done" and any(call.by == "user" for call in task.gold)


@once_a_wish
def _steps(task: Task, goal: Goal) -> Sequence[Wish]:
    """What the agent changes for it, each as a wish of its own."""
    tools = get_domain(task.domain).tools
    calls = [call for call in task.gold if call.by == "agent" and tools[call.name].kind == "write"]
    found = (wish_of_step(task, goal, calls, call) for call in calls)
    return [step for step in found if step is not None]


class StepwiseKnowledge(Knowledge):
    """A wish without calls of its own and the steps that an agent takes for it."""

    stepwise = True

    def enter(self, goal: Goal) -> None:
        """Make a wish the current one."""
        super().enter(goal)
        self._steps = _steps(self._task, goal)

    def done_words(self) -> frozenset[str]:
        """What says that nothing is wrong any more; that a step has been done settles nothing."""
        return _SOLVED

    def done_word(self) -> str:
        """How the user says that nothing is wrong any more."""
        return "fixed"

    def proposes(self, heard: AgentAct) -> bool:
        """Whether a message that asks for no agreement says what the agent is going to do for it."""
        if heard.more or any(self.reports_of(step.kind, heard) for step in self._steps):
            return False
        return super().proposes(heard) or (not heard.refuses and self._of_steps(heard) is not None)

    def is_over(self, heard: AgentAct) -> bool:
        """Whether a message says that all is well again, in whatever words: "Your signal is excellent now."."""
        told = [each for each in heard.statements if not _TO_COME.search(each)]
        return not (heard.refuses or heard.asked or heard.proposal) and any(map(_WELL.search, told))

    def keeps_to(self, heard: AgentAct) -> bool:
        """Whether a message says that nothing is wrong any more, or is the wish, whole and rightly said."""
        return heard.reports(_SOLVED, confirmed=False) or super().keeps_to(heard)

    def consider(self, heard: AgentAct) -> Reaction:
        """Answer a proposal: of a step by that step; of anything else the user wants nothing."""
        found = None if heard.transfers else self._of_steps(heard)
        if found is None:
            if heard.transfers:
                return super().consider(heard)
            return Reaction(False, [self._word("again"), self._wish.goal.utterance], nearly=True)
        if found.fit == "right":
            return Reaction(True, [self._yes(found)])
        if found.fit == "open":
            slot = found.missing[0]
            self._told |= {each.fact.name for each in found.missing}
            known = any(each.fact.name == slot.called for each in self._wish.slots)
            noun = self._world.nouns.get(slot.table, "")
            said = self._sentence(slot) if known else question_for(slot, noun)
            return Reaction(False, [self._word("incomplete"), said])
        if found.fit == "wrong":
            return Reaction(False, self._correct(found.wrong))
        return Reaction(False, [declined(found.beside, self._style, self._rng), self._wish.goal.utterance])

    def answers_beside(self, heard: AgentAct) -> list[str]:
        """What the user says of itself and of the wish where it is asked, and to a step that is proposed as well."""
        planned = _planned(heard) if heard.proposal else None
        agreed = self.consider(planned).sentences if planned is not None and self._of_steps(planned) else []
        return [*agreed, *(self.answers(heard) if self._is_asked(heard.asked) else super().answers_beside(heard))]

    def _is_asked(self, asked: str) -> bool:
        """Whether a request is for one of the wish's facts, in the words that the world has for it."""
        called = {slot.called for slot in self._wish.slots}
        topics = self._wish.topics
        named = narrowed(asked, topics.in_text) if topics is not None else []
        return any(not called.isdisjoint((topics.by_name[name].facts if topics else ()) or (name,)) for name in named)

    def _of_steps(self, heard: AgentAct) -> Verdict | None:
        """What comes of comparing a message with the steps; None where it proposes none of them.

        What an agent has found out on the way, such as an open bill, is no part of what it is going to do.
        """
        found = list(self._verdicts_of_steps(heard))
        asserted = [each for each in found if each.asserts or any(not slot.table for slot in each.named)]
        for each in ("right", "wrong", "open", "added"):
            if verdict := next((one for one in asserted if one.fit == each), None):
                return verdict
        return None

    def _verdicts_of_steps(self, heard: AgentAct) -> Iterator[Verdict]:
        for step in self._steps:
            known = {slot.fact.name for slot in step.slots if slot.table or slot.fact.name in self._told}
            yield Comparison(heard, step, frozenset(known)).verdict


def _planned(heard: AgentAct) -> AgentAct | None:
    """What a message proposes, without what it tells and asks; None where nothing is left."""
    said = [
        each
        for each in heard.sentences
        if each.act not in ("tell", "ask") or promises(each.text) or _PRICE.search(each.text)
    ]
    planned = " ".join(heard.plain[each.start : each.end] for each in said)
    return parse_act(planned) if planned else None
