"""What a proposal does again and again that is wanted once, or in another rhythm than is wanted."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sandbox.language.dialogue_acts import AgentAct
from sandbox.language.mentions import find_mentions
from sandbox.language.prefilter import Prefiltered
from sandbox.users.proposal_reading import AnyWish
from sandbox.users.wish import Wish

_RHYTHM = Prefiltered(
    r"\b(?:daily|weekly|monthly|yearly|annual(?:ly)?|quarterly|biweekly|fortnightly|recurring|"
    r"(?<!\bi )repeat(?!ed)\w*|(?:every|each|per|(?:(?<=\d )|(?<=dollars ))an?) (?:other |second |single )?"
    r"(?:day|week|month|year|quarter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?)\b"
    r"(?! (?:it|that|back)\b)"
)
_UNIT = re.compile(r"day|week|month|quarter|year")
_OF_MONEY = Prefiltered(r"\b(?:fees?|bills?|charges?|costs?|prices?|rates?|plans?|limits?|usage|statements?)\b")
"""What is always counted by the month: "$5 for each month on hold", "with your monthly bill"."""
_CLAUSE = re.compile(r"[.;!?\n,()|]+(?!\d)|\s[-–—]+\s")


def other_rhythms(heard: AgentAct, wish: AnyWish) -> Iterator[str]:
    """The words for a rhythm that neither the wish nor its rows nor a price account for.

    Args:
        heard: the message, whose values all fit.
        wish: what is wanted.
    """
    for sentence in heard.sentences if _RHYTHM.search(heard.text) else ():
        for clause in _CLAUSE.split(sentence.text) if sentence.act != "more" else ():
            for match in _RHYTHM.finditer(clause):
                unit = _UNIT.search(match.group().replace("annual", "year").replace("dai", "day"))
                if match.group() in wish.asked_for or match.group() in wish.known:
                    continue
                if unit is not None and unit.group() in (wish.known if wish.repeats else wish.rhythms):
                    continue
                is_price = _OF_MONEY.search(clause) is not None or _is_cost(clause[: match.start()], wish)
                if not is_price and (unit is not None or not wish.repeats):
                    yield match.group()


def _is_cost(before: str, wish: AnyWish) -> bool:
    """Whether words end with an amount that the action is known to cost, or that its outcome shows: "$5 a month"."""
    said = find_mentions(before, None, wish.now)
    if not said or said[-1].kind != "money" or said[-1].end < len(before) - 1:
        return False
    own = [slot for slot in wish.slots if slot.kind == "money"] if isinstance(wish, Wish) else []
    return said[-1].value in wish.costs or (not own and isinstance(wish, Wish) and wish.explains(said[-1]))
