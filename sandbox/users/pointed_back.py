"""Which of its things a message means by a pronoun: "Nobody has bid. Take it down?" where the user has said which."""

from __future__ import annotations

import re
from collections.abc import Set

from sandbox.language.dialogue_acts import AgentAct
from sandbox.language.mentions import find_mentions
from sandbox.language.prefilter import Prefiltered
from sandbox.users.slots import is_alike
from sandbox.users.strange_mentions import FIGURES
from sandbox.users.wish import Wish

_DONE_TO_IT = Prefiltered(r"\b([a-z]+) (?:it|them|that one|this one|these|those)\b(?! to be\b)")
"""What is done to what both sides have just spoken of: "Take it down?"."""
_NAMED = re.compile(r"(?<=[\w,] )[A-ZÀ-Þ][\w-]{2,}|\b[A-ZÀ-Þ][\w-]+(?= [A-ZÀ-Þ][a-zà-ÿ])|\b\d{3,}\b")
"""Names, and figures by which things are told apart."""


def pointed_back(heard: AgentAct, wish: Wish, told: Set[str]) -> frozenset[str]:
    """Names of the slots whose rows a message need not name again; none where it names anything else.

    Args:
        heard: the message.
        wish: what is wanted.
        told: names of the facts that the user has said.
    """
    rows = [slot for slot in wish.slots if slot.table and slot.fact.name in told and not slot.twins]
    done = {match[1] for match in _DONE_TO_IT.finditer(heard.text)} if rows else set()
    if not done or (done.isdisjoint(wish.world.akin(wish.kind)) and done.isdisjoint(wish.verb_forms)):
        return frozenset()
    mentions = find_mentions(heard.plain, wish.person.lexicon, wish.now)
    figures = {word for each in mentions if each.kind in FIGURES for word in each.text.split(" ")}
    names = (each for each in _NAMED.findall(heard.plain) if each not in figures)
    if any(each.casefold() not in wish.known for each in names):
        return frozenset()  # "Nadia Novak" for Nadia Bauer
    return frozenset(
        slot.fact.name
        for slot in rows
        if not any(is_alike(slot, each) and not slot.fits(each, wish.person) for each in mentions)
    )
