"""Figures of a proposal that are no value of their own: parts of words and addresses, bounds in the negative."""

from __future__ import annotations

import re

from toolgym.sandbox.language.mentions import Mention
from toolgym.sandbox.language.roles import Role
from toolgym.sandbox.users.proposal_reading import Line
from toolgym.sandbox.users.wish import Wish

_HYPHENED = re.compile(r"-(?!pack|piece|pair|set|share|day|week|month|year|dollar|unit|item)[a-z]{3,}")
_MINUS, _PLUS = re.compile(r"(?<![\w$])[-−–] ?\$?\d"), re.compile(r"\+ ?\$?\d")
_PARTS = re.compile(r"[,;|/\n]+(?!\d)| and ")
_NEXT_WORD = re.compile(r" [a-z]{3,}")
_BOUND = re.compile(
    r"(?:\b(?:not?|never)|n't)\b[^.;,]*\b(?:past|above|over|beyond|exceed(?:ing)?|more than|higher than|below|under|"
    r"beneath|less than|lower than)(?: the)?(?: \w+)?(?: of)? $"
)


def is_of_a_word(mention: Mention, line: Line, wish: Wish) -> bool:
    """Whether figures belong to a longer word or address: "samira_11", "two-step", "395 Maple Ridge"."""
    if mention.kind not in ("number", "count"):
        return False
    text, start = line.sentence.text, mention.start - line.sentence.start
    if text[:start].endswith("_") or _HYPHENED.match(text, start + len(mention.text)):
        return True
    after = _NEXT_WORD.match(text, start + len(mention.text))
    return after is not None and f"{mention.text.casefold()}{after.group()}" in wish.known


def is_bound(mention: Mention, line: Line) -> bool:
    """Whether a denial makes an amount a bound, and does not deny it: "not go past ninety dollars"."""
    return _BOUND.search(line.sentence.text[: mention.start - line.sentence.start]) is not None


def side_of_sign(mention: Mention, line: Line) -> Role | None:
    """The side on which a name stands by the sign of its amount, where both signs are said: "house −$5, travel +$5"."""
    text = line.sentence.text
    if not (mention.columns and _PLUS.search(text) and _MINUS.search(text)):
        return None
    offset = mention.start - line.sentence.start
    start = max((match.end() for match in _PARTS.finditer(text, 0, offset)), default=0)
    stop = _PARTS.search(text, offset + len(mention.text))
    part = text[start : stop.start() if stop else len(text)]
    return "from" if _MINUS.search(part) else "to" if _PLUS.search(part) else None
