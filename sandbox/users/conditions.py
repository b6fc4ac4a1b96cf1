"""What must hold that a wish is done, "if $17 or more is left", and where a proposal tells how that stands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolgym.sandbox.language.mentions import Mention, find_mentions

if TYPE_CHECKING:
    from toolgym.sandbox.users.wish import Wish

_WORD = re.compile(r"[a-z]{4,}")
_STOPS = ";:\n!?"


def condition_of(wish: Wish) -> str:
    """What must hold, as the user says it; empty where nothing must."""
    return next((slot.words for slot in wish.slots if slot.fact.name == "condition"), "")


def tables_of_condition(wish: Wish) -> frozenset[str]:
    """The tables whose rows a condition names."""
    said = condition_of(wish)
    named = find_mentions(said, wish.person.lexicon, wish.now) if said else ()
    tables = {column.split(".")[0] for each in named for column in each.columns}
    return frozenset(tables & wish.world.nouns.keys())


def tells_condition(amount: Mention, text: str, wish: Wish) -> bool:
    """Whether an amount stands where a proposal tells how the condition stands: "there's $20 left for insurance".

    Args:
        amount: which.
        text: the whole proposal, in lower case.
        wish: what is wanted.
    """
    said = condition_of(wish).lower()
    if not said:
        return False
    start = max(text.rfind(sign, 0, amount.start) for sign in f"{_STOPS}.") + 1
    end = min((at for sign in _STOPS if (at := text.find(sign, amount.end)) >= 0), default=len(text))
    clause = text[start:end]
    own = set(_WORD.findall(said)) - set(_WORD.findall(_without(said, wish)))
    if "condition" in clause or not own.isdisjoint(_WORD.findall(clause)):
        return True
    bounds = {each.value for each in find_mentions(said, None, wish.now) if each.kind == "money"}
    return any(each.value in bounds for each in find_mentions(clause, None, wish.now) if each.kind == "money")


def _without(said: str, wish: Wish) -> str:
    """What is wanted without its condition, in lower case."""
    return wish.goal.utterance.lower().replace(said, " ")
