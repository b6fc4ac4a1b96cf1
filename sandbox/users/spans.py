"""Spans in a proposal: from a time to a time, until a day, from one thing to another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from toolgym.sandbox.language.mentions import Mention
from toolgym.sandbox.users.proposal_reading import Line
from toolgym.sandbox.users.slots import WishSlot
from toolgym.sandbox.users.wish import Wish

_THROUGH = re.compile(r" ?(?:to|until|till|through|thru|–|-|—|→|->|up to)(?: and including)? ?")

_UNTIL = ("until", "till", "through", "thru", "up to")


def begins_span(mention: Mention, after: Mention, text: str) -> bool:
    """Whether a day is the first one of a span: "it runs March 17 to March 24"."""
    return mention.kind == after.kind == "date" and _THROUGH.fullmatch(text[mention.end : after.start]) is not None


def lasts_until(mention: Mention, line: Line, label: str) -> bool:
    """Whether a day is the last one of something: "until April 29"."""
    said = line.sentence.text[: mention.start - line.sentence.start]
    return any(each.rstrip("*:| ").casefold().endswith(_UNTIL) for each in (label, said))


def left_behind(mentions: Sequence[Mention], wish: Wish) -> Iterator[tuple[WishSlot, str]]:
    """What is changed from, though it is to be changed to: the PayPal of "from PayPal to your card"."""
    for one, other in pairwise(mentions):
        tables = {column.split(".")[0] for column in one.columns} & {column.split(".")[0] for column in other.columns}
        is_span = one.role == "from" and other.role == "to" and bool(tables)
        for slot in wish.slots if is_span and f"from {one.text.casefold()}" not in wish.phrasing else ():
            fits = slot.fits(one, wish.person) and not slot.fits(other, wish.person)
            is_led = (
                wish.is_given(other)
                or wish.names_given(other, tables)
                or any(each.fits(other, wish.person) for each in wish.slots)
            )
            if fits and not is_led and slot.table and not slot.twins and "from" not in slot.roles:
                yield slot, f"from {one.text}"


def ends_span(before: Mention | None, mention: Mention, wish: Wish) -> bool:
    """Whether a time only says when what begins at the wished one is over: "12 noon to 12:30" for half an hour."""
    if before is None or mention.kind != "time" or before.kind != "time" or mention.role != "to":
        return False
    lasts = (mention.value.hour - before.value.hour) * 60 + mention.value.minute - before.value.minute
    begins = any(slot.kind in ("moment", "time") and slot.fits(before, wish.person) for slot in wish.slots)
    lengths = [slot.fact.value for slot in wish.slots if slot.kind == "duration"]
    return begins and lasts > 0 and (not lengths or lasts in lengths)


def lasting(before: Mention | None, mention: Mention, wish: Wish) -> WishSlot | None:
    """The slot of how long something takes that a span of times tells: "11:30 to 12:00"."""
    if before is None or mention.kind != "time" or before.kind != "time" or mention.role != "to":
        return None
    lasts = (mention.value.hour - before.value.hour) * 60 + mention.value.minute - before.value.minute
    return next((slot for slot in wish.slots if slot.kind == "duration" and slot.fact.value == lasts), None)
