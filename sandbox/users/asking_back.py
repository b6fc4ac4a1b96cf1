"""The closed question in place of silence, such as "Do you mean that you would cancel order #W1?".

A user asks so where a message names something of its wish, contradicts nothing and is still not understood, or leaves
open what the user has told. The question holds what either side has said and nothing else; an agent that has named
nothing is asked nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from toolgym.sandbox.kit.sentence import filled, places, without_untold
from toolgym.sandbox.language.dialogue_acts import AgentAct
from toolgym.sandbox.language.questions import asks_openly, is_closed
from toolgym.sandbox.language.verbs import promises
from toolgym.sandbox.users.said_again import without_lead_in
from toolgym.sandbox.users.wish import Wish
from toolgym.sandbox.users.wish_in_words import confirmation

_WISHING = re.compile(
    r"^(?:please |(?:could|would|can|will) you (?:please )?|i(?:'d| would) like to |i want to )", re.I
)
_STOP = re.compile(r"(?<=[.!?])\s+")
_FURTHER = re.compile(r"[.!?;](?:\s|$)|\b(?:tell|let) me\b|\bI(?:'ve|'m| )")
"""What a sentence holds that is more than an order."""

_ASKS_BESIDE = re.compile(
    r"\?$|^(?:please )?(?:tell|let) me\b|\bif (?:you can't|that|it) (?:doesn't|isn't|won't)?\b", re.I
)
"""What is no part of the order: "How much do I get back?", "Tell me if that doesn't work."."""


def may_propose(heard: AgentAct) -> bool:
    """Whether a message asks for consent in some form or says what will be done, and wants to know nothing else."""
    asks = [each.text for each in heard.sentences if each.act == "ask"]
    if heard.refuses or heard.waits or any(asks_openly(text) for text in asks):
        return False
    promised = any(promises(each.text) for each in heard.sentences)
    return bool(heard.proposal) or promised or any(is_closed(text) for text in asks)


def order_of(wish: Wish, named: dict[str, str]) -> str:
    """A wish as what somebody else would do, in which only these slots are named; empty where no wording fits.

    Args:
        wish: the wish.
        named: the words of slots, by name, in the order of the wish.
    """
    if wish.declared is None:
        return ""
    order = confirmation(wish, named)
    if order:
        return order
    says = sorted(wish.declared.says, key=lambda text: -len(places(text)))
    told = [filled(text, named) for each in says if _is_told(text := without_untold(each, named), named)]
    for text in (wish.goal.utterance, *told):
        plain = _WISHING.sub("", without_lead_in(text)).removesuffix(".").removesuffix("?").removesuffix(", please")
        if plain.split(" ", 1)[0].lower() in wish.declared.verbs and not _FURTHER.search(plain):
            return plain[0].lower() + plain[1:]
    return as_asked(wish.goal.utterance)


def _is_told(sentence: str, named: dict[str, str]) -> bool:
    return {name for name, _ in places(sentence)} <= set(named)


def as_asked(utterance: str, acts: Callable[[str], bool] = bool) -> str:
    """What is done where it is what the user has asked for in these words; empty where none of them order anything.

    Args:
        utterance: the words.
        acts: whether a sentence, in lower case, names the action. Where one of several does, it is said with the
            others, such as how it is paid, but for those that ask or only concern the answer.
    """
    said = without_lead_in(utterance)
    parts = [part for part in _STOP.split(said) if part]
    named = [part == said or acts(part.lower()) for part in parts]
    kept = [part for part, is_order in zip(parts, named, strict=True) if is_order or not _ASKS_BESIDE.search(part)]
    order = "; ".join(part.rstrip(".?! ") for part in kept)  # one question has one mark
    return f'do what I asked for, "{order}"' if any(named) else ""
