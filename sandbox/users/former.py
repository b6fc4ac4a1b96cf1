"""What was so far, of which a proposal speaks in passing: the card that was paid with, the hour from which it moves."""

from __future__ import annotations

import re

from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.users.proposal_reading import Line
from toolgym.sandbox.users.slots import is_alike
from toolgym.sandbox.users.wish import Wish

_FIGURES = ("date", "time", "money", "duration")
_UNTIL_NOW = Prefiltered(
    r"\b(?:from(?! now on)|instead of|rather than|in place of|old|original(?:ly)?|previous(?:ly)?|current(?:ly)?|"
    r"paid (?:with|by)|was|were|takes? over)\b(?:(?!\b(?:and|would|will|now)\b)[^.;\n]){0,60}$"
)
_GOES_BACK = Prefiltered(
    r"\b(?:back|refund\w*|credited|reimburs\w*|returned)\b(?:(?!\b(?:charged|billed|paid)\b)(?:[^.;\n]|\.(?=\d))){0,60}$"
)
_GETS_BACK = re.compile(
    r"[^.;,\n]{0,20}\b(?:gets?|receives?|is|are|will be|would be)\b[^.;,\n]{0,24}"
    r"\b(?:back|refund\w*|credited|reimburs\w*|returned)\b|\W{0,6}(?:→|->)| refund\b"
)


def is_former_figure(mention: Mention, line: Line, wish: Wish) -> bool:
    """Whether a figure only says how it has been: the first one of "from 45 to 15 minutes" where 15 is wished."""
    if mention.role != "from" or mention.kind not in _FIGURES:
        return False
    end = mention.end - line.sentence.start  # read as a whole, so that the 75 of "from 45 minutes to 75" is one, too
    said = find_mentions(line.sentence.text, None, wish.now)
    led = next((each for each in said if each.start >= end and each.kind == mention.kind), None)
    alike = [slot for slot in wish.slots if is_alike(slot, mention)]
    return (
        led is not None
        and bool(alike)
        and not any("from" in slot.roles for slot in alike)
        and (wish.explains(led) or any(slot.fits(led, wish.person) for slot in alike))
    )


def is_former_row(mention: Mention, line: Line, wish: Wish) -> bool:
    """Whether a row is the one that the wished row named before, said to be left: "the Visa gets its money back"."""
    slots = [slot for slot in wish.slots if slot.table and slot.rows(mention, wish.person) & wish.held.former]
    start, text = mention.start - line.sentence.start, line.sentence.text
    return bool(slots) and is_left_behind(text, start, start + len(mention.text))


def is_left_behind(text: str, start: int, end: int) -> bool:
    """Whether what stands between two places of a text is said to be so until now, or to get its money back."""
    before = text[:start]
    return (
        _UNTIL_NOW.search(before) is not None
        or _GOES_BACK.search(before) is not None
        or _GETS_BACK.match(text, end) is not None
    )
