"""Whether a message refuses the present wish, takes back that it was done, or offers something in its place."""

from __future__ import annotations

from dataclasses import replace

from sandbox.language.dialogue_acts import AgentAct
from sandbox.language.refusals import denied, in_person, will_not
from sandbox.users.asking import is_bare
from sandbox.users.reaction import Knowledge


def denies_wish(heard: AgentAct, knowledge: Knowledge) -> bool:
    """Whether a statement says that the wish's own action cannot be done: "A blocked card can't be reactivated"."""
    return any(knowledge.acts(rest) for each in heard.statements for rest in denied(each))


def denied_after(heard: AgentAct, knowledge: Knowledge, confirmed: bool) -> bool:
    """Whether a report is followed by its denial."""
    named = knowledge.done_words(), knowledge.done_otherwise(), knowledge.action_nouns()
    last = -1
    for place, sentence in enumerate(heard.sentences):
        if replace(heard, sentences=(sentence,)).reports(*named, confirmed=confirmed):
            last = place
    return any(each.act == "refuse" and in_person(each.text) for each in heard.sentences[last + 1 :])


def after_refusal(heard: AgentAct) -> AgentAct:
    """What a message says after the last of its sentences that refuse."""
    last = max((place for place, each in enumerate(heard.sentences) if each.act == "refuse"), default=-1)
    return replace(heard, sentences=heard.sentences[last + 1 :])


def is_in_place(heard: AgentAct, knowledge: Knowledge) -> bool:
    """Whether a proposal comes in place of the wish: after words that refuse, and without the wish's action."""
    refusing = any(each.act == "refuse" and not will_not(each.text) for each in heard.sentences)
    return refusing and not (heard.asked or is_bare(heard.proposal) or knowledge.acts(heard.proposal))
