"""How a number of things that come to what is there is told: "a fourth bag", "from 3 to 4", "the extra suitcase"."""

from __future__ import annotations

import re
from functools import cache

from toolgym.sandbox.language.numbers import spell
from toolgym.sandbox.language.tokens import singular
from toolgym.sandbox.users.slots import WishSlot
from toolgym.sandbox.users.wish import Wish

_MORE = r"(?:more|additional|extra|further|single|new)"
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def tells_more(slot: WishSlot, text: str, wish: Wish) -> bool:
    """Whether a text in lower case tells how many come to what the wish's row has, or how many it has then."""
    called = wish.world.also_called.get(singular(slot.fact.name.split("_")[-1]))
    if slot.kind != "number" or called is None or not str(slot.fact.value).isdigit():
        return False
    things = rf"(?:{called})"
    count = int(str(slot.fact.value))
    if re.search(_pieces(count, things), text):
        return True
    rows = (wish.person.rows.get((each.table, key), {}) for each in wish.slots if each.table for key in each.keys)
    totals = [
        value for row in rows for name, value in row.items() if name.startswith("total_") and isinstance(value, int)
    ]
    return any(re.search(_whole(total, count, things), text) for total in totals[:1])


@cache
def _pieces(count: int, things: str) -> str:
    number = rf"(?:{count}|{spell(count)})"
    one = rf"|\b(?:another|an? {_MORE}|the {_MORE}|one {_MORE})(?: checked)? {things}" if count == 1 else ""
    return rf"(?<![\d.,$-]){number} (?:{_MORE} )?(?:checked )?{things}(?! in (?:total|all)){one}"


@cache
def _whole(total: int, count: int, things: str) -> str:
    old, new = (rf"(?:{each}|{spell(each)})" for each in (total, total + count))
    steps = rf"\b{old}\b[^.;:\n]{{0,24}}(?:→|->|\bto\b|, (?:you (?:want|would have|'d have)|then)) ?(?:be )?{new}\b"
    nth = rf"|\b{_ORDINALS[total]} (?:checked )?{things}" if count == 1 and total < len(_ORDINALS) else ""
    return steps + nth
