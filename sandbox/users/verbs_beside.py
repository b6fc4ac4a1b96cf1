"""Verbs of other actions that do nothing in a proposal: they tell what a row is, or carry the wish's own action."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Any

from toolgym.sandbox.language.mentions import find_mentions
from toolgym.sandbox.users.wish import Wish

_ASK_TO = re.compile(r"\bask(?:ing)? (?:them|it|her|him|(?:the|our|your) [a-z]+) to ([a-z]+)")
_SO = r"\b(?:is|are|was|were)(?: currently| now| still)? "


def tells_of_row(verb: str, text: str, wish: Wish) -> bool:
    """Whether a word for another action only says what the wished row is, or whom the speaker asks for the wished one.

    Args:
        verb: as it is said, in lower case.
        text: of its sentence, in lower case.
        wish: what is wanted.
    """
    if re.search(rf"\bun-{verb}", text):
        return True  # "I'd un-pause it"
    asked = _ASK_TO.search(text) if verb.startswith("ask") else None
    if asked is not None and asked[1] in wish.world.verbs(wish.kind) | wish.world.akin(wish.kind):
        return True
    if is_state(verb, text, wish.seen):
        return True
    row = _row_values(wish)
    if verb in row:  # "the open order to buy 105 of it"
        return all(number in row for number in re.findall(rf"\b{verb} (?:of )?(\d+)\b", text) or ["none of it"])
    for match in re.finditer(rf"{_SO}{verb} (?:at|for|with) ", text):  # "it is listed at $120"
        said = find_mentions(text[match.end() :], None, wish.now)
        cents = [int(each.value) for each in said[:1] if each.kind == "money" and each.start == 0]
        if cents and str(cents[0]) in row:
            return True
    return False


def is_state(verb: str, text: str, seen: Set[tuple[str, Any]]) -> bool:
    """Whether a sentence says, as an agent sees it, that something is so: "it is approved", "the trip is insured".

    Args:
        verb, text: as above.
        seen: the columns and values that an agent sees that looks up what is needed.
    """
    if re.search(rf"{_SO}{verb}\b", text) is None:
        return False
    return any(str(value) == verb or (name.startswith(verb[:6]) and value == "yes") for name, value in seen)


def _row_values(wish: Wish) -> frozenset[str]:
    """What the columns of a wish's rows hold, in lower case."""
    rows = (wish.person.rows.get((slot.table, key), {}) for slot in wish.slots for key in slot.keys)
    return frozenset(str(value).casefold() for row in rows for value in row.values())
