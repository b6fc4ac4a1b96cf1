"""What a report tells that is not the wish: another thing or value has been told as done."""

from __future__ import annotations

import re

from toolgym.sandbox.language.dialogue_acts import AgentAct, parse_act
from toolgym.sandbox.users.comparison import Comparison
from toolgym.sandbox.users.slots import WishSlot
from toolgym.sandbox.users.wish import Wish

_LINK = re.compile(r"\bhttps?://\S+[^\s.,;:!?)]")
_FIGURES = ("money", "number", "duration", "date", "time", "moment")


def without_links(heard: AgentAct) -> AgentAct:
    """A message without addresses of pages, whose parts name nothing: "https://files.larkfield.example/sh-210"."""
    return parse_act(_LINK.sub("there", heard.plain)) if "://" in heard.text else heard


def told_wrongly(heard: AgentAct, wish: Wish) -> list[tuple[WishSlot, str]]:
    """Slots that a report has otherwise and nowhere rightly, each with the words.

    Another choice is none: what follows from an act goes by the words of other ones ("it may be shipped now"); nor is a
    figure that stands without the act, or that the right calls show, nor a row where the wish has two of its sort, of
    which each is told on its own ("Esme is off it"), nor what the user waits to be told ("You stop at Anchor Garage").
    """
    known = Comparison(heard, wish, is_report=True)
    named = {slot.fact.name for slot in known.verdict.named}
    tables = [slot.table for slot in wish.slots if slot.table]
    due = " ".join(wish.goal.must_communicate).casefold()
    acts = " ".join(clause.sentence.text for clause in known.clauses if clause.use is not None)
    return [
        (slot, words)
        for slot, words in known.verdict.wrong
        if slot.fact.name not in named
        and (slot.kind in _FIGURES or slot.table)
        and (slot.table or words.casefold() in acts)
        and tables.count(slot.table) < 2
        and words.casefold() not in due
    ]
