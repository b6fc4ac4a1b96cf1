"""Whether a message refuses the present wish, takes back that it was done, or offers something in its place."""

from __future__ import annotations

import re
from dataclasses import replace

from toolgym.sandbox.language.dialogue_acts import AgentAct, parse_act
from toolgym.sandbox.language.questions import is_closed, opens_question
from toolgym.sandbox.language.refusals import denied, will_not
from toolgym.sandbox.language.senses import has
from toolgym.sandbox.users.asking import asks_for_wish, asks_more_of_it, asks_second_choice, is_bare, is_offer
from toolgym.sandbox.users.follow_up import after_refusal
from toolgym.sandbox.users.knowledge import Knowledge

_LEAVE = re.compile(
    r"^\W*(?:(?:so|then|and|ok|okay|now|shall|should|can|may|i|we|just),? )*(?:leave|keep) "
    r"(?:it|this|that|them|things|everything)"
    r"(?: (?:here|there|at (?:that|this)|like (?:that|this)|as \w+ (?:is|are|was)|"
    r"be|alone|for now|then|unchanged|the way \w+ (?:is|are)))*\?\W*$"
)
_NO = re.compile(r"\b(?:not|no|cannot|never|without|unable|nothing|none|unfortunately|too)\b|n't\b")
_WILL = re.compile(r"'(?:ll|d)\b|\b(?:will|would|shall|going to)\b")
"""What speaks of what is to come."""
_CLAUSE = re.compile(r"[,;:] ")
_WORD = re.compile(r"[a-z]+")


def _is_in_the_way(sentence: str) -> bool:
    return has("negative", sentence) and not has("so_far", sentence)


def denies_wish(heard: AgentAct, knowledge: Knowledge) -> bool:
    """Whether a statement says that the wish's own action cannot be done: "A blocked card can't be reactivated"."""
    return any(knowledge.acts(rest) for each in heard.statements for rest in denied(each))


def denies_part(heard: AgentAct, knowledge: Knowledge) -> bool:
    """Whether it says so beside a question: "$155 can't be refunded. Shall I refund $153.50?"; not of what it asks."""
    denying = [each.text for each in heard.sentences if each.act == "refuse" and denied(each.text)]
    clauses = (clause for text in denying for clause in _CLAUSE.split(text) if denied(clause))
    if any(map(knowledge.names_value, clauses)):
        return not knowledge.keeps_to(after_refusal(heard))
    is_denied = any(knowledge.acts(rest) for text in denying for rest in denied(text))
    return is_denied and bool(heard.proposal) and not (heard.asked or knowledge.acts(heard.proposal))


def gives_up(heard: AgentAct, knowledge: Knowledge) -> bool:
    """Whether a message turns to something else since it would need what it has not got: "Not without your PIN"."""
    if not (heard.more or asks_for_wish(heard.asked)):
        return False
    return any(knowledge.acts(rest) for each in heard.statements for rest in denied(each, in_any_case=False))


def goes_on_with(heard: AgentAct, knowledge: Knowledge) -> bool:
    """Whether a message wants to know how the wish is to be done: "Which options?", "Only this one, or ...?"."""
    asking = [each.text for each in heard.sentences if each.act == "ask" and "?" in each.text]
    if any(map(opens_question, asking)) and knowledge.asks(heard):
        return True
    first = (text.split(" or ")[0] for text in asking if " or " in text)
    return any(knowledge.acts(side) and not has("other", side) for side in first)


def _in_other_words(heard: AgentAct, knowledge: Knowledge) -> AgentAct:
    """A message without the verbs that the wish is put in: "the others are declined" refuses nobody who wants that."""
    forms = knowledge.own_verbs()
    own = [word for word in set(_WORD.findall(heard.text)) if word in forms and has("negative", f"it is {word}.")]
    return parse_act(re.sub(rf"\b(?:{'|'.join(own)})\b", "done", heard.text)) if own else heard


def denied_after(heard: AgentAct, knowledge: Knowledge, confirmed: bool) -> bool:
    """Whether a report is followed by its denial."""
    named = knowledge.done_words(), knowledge.done_otherwise(), knowledge.action_nouns()
    last = -1
    for place, sentence in enumerate(heard.sentences):
        if replace(heard, sentences=(sentence,)).reports(*named, confirmed=confirmed):
            last = place
    return any(each.act == "refuse" and has("in_person", each.text) for each in heard.sentences[last + 1 :])


def leaves_it(proposal: str) -> bool:
    """Whether a request for leave is to do nothing: "So shall we leave it here?"."""
    return _LEAVE.search(proposal) is not None


def offers_another(heard: AgentAct, *, is_refused: bool) -> bool:
    """Whether a message that refuses offers something, be it in a closed question to whom nothing else is left."""
    offers = heard.proposal or is_offer(heard.asked) or (is_refused and is_closed(heard.asked))
    return bool(offers) and not leaves_it(heard.proposal)


def is_in_its_place(heard: AgentAct, knowledge: Knowledge) -> bool:
    """Whether what a message asks leave for is to do something else than the wish, or nothing."""
    is_other = has("other", heard.proposal) and not knowledge.keeps_to(heard)
    return is_other or leaves_it(heard.proposal)


def asks_for_second(heard: AgentAct, knowledge: Knowledge) -> bool:
    """Whether a message says no, in whatever words, and asks what the user would have in place of its wish."""
    asking = [each.text for each in heard.sentences if each.act in ("ask", "more") and asks_second_choice(each.text)]
    if not asking and asks_second_choice(
        heard.asked
    ):  # "You mentioned something else that you'd settle for. What is it?"
        asking = [each.text for each in heard.sentences if each.text in heard.asked]
    is_no = any(_NO.search(each.text) for each in heard.sentences if each.text not in asking)
    is_asked = bool(asking) or asks_second_choice(heard.asked)  # "There is something else you'd settle for. What?"
    return is_asked and is_no and not knowledge.asks_withheld(heard)


def is_in_place(heard: AgentAct, knowledge: Knowledge) -> bool:
    """Whether a proposal comes in place of the wish: after words that refuse, and without the wish's action."""
    refusing = any(each.act == "refuse" and not will_not(each.text) for each in heard.sentences)
    return refusing and not (heard.asked or is_bare(heard.proposal) or knowledge.acts(heard.proposal))


def refuses_wish(
    heard: AgentAct, knowledge: Knowledge, outcome: str, *, confirmed: bool, nearly: bool, reported: bool
) -> bool:
    """Whether a message refuses the wish, rather than a thing beside it or after it.

    Args:
        heard: the message.
        knowledge: of the wish.
        outcome: what is to become of it.
        confirmed: the user has said yes to it.
        nearly: it has, or would have to what was nearly said.
        reported: the message says that it is done.
    """
    if leaves_it(heard.proposal) and not (reported or knowledge.acts(heard.proposal)):
        return True
    if heard.refuses or heard.denies:
        plain = _in_other_words(heard, knowledge)
        heard = replace(heard, refuses=heard.refuses and plain.refuses, denies=heard.denies and plain.denies)
    if heard.proposal and all(will_not(each.text) for each in heard.sentences if each.act == "refuse"):
        return False  # "I will not cancel it. Shall I proceed?" is for the comparison
    if reported and not heard.refuses:
        return False
    if reported and (nearly or knowledge.keeps_to(heard)):
        return denied_after(heard, knowledge, confirmed)
    if not (heard.proposal or heard.asked or reported) and denies_wish(heard, knowledge):
        return True
    if not (confirmed or reported) and (denies_part(heard, knowledge) or gives_up(heard, knowledge)):
        return True
    if outcome == "done" and not heard.refuses and not any(map(_is_in_the_way, heard.statements)):
        return False  # "It hasn't been shipped yet." stands in the way of nothing that can be had
    if heard.asked and knowledge.identifies(heard) and not (heard.refuses and denies_wish(heard, knowledge)):
        return False  # "I'm sorry that you couldn't sleep. May I have your e-mail?"
    if heard.asked and not heard.refuses and (knowledge.asks_withheld(heard) or asks_more_of_it(heard.asked)):
        return False  # "It has been delivered. Which size would you like instead?" only asks
    is_handed_over = heard.transfers and outcome == "transferred"
    if not heard.refuses and goes_on_with(heard, knowledge):
        return False
    is_planned = _WILL.search(heard.text) is not None and knowledge.proposes(heard)
    return heard.refuses or (heard.denies and not (confirmed or reported or is_handed_over or is_planned))
