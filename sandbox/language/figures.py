"""Digits that are no quantity: identifiers of common shapes, phone numbers, the last digits of a card, list numbers.

A world's own keys are the lexicon's business; these are found without one.
"""

from __future__ import annotations

import re

from toolgym.sandbox.language.numbers import LONGEST, UNITS, is_version
from toolgym.sandbox.language.tokens import Reading, Token, low_at, touches

_FIGURES = {word: str(value) for word, value in UNITS.items() if value < 10} | {"oh": "0"}
ENDING = frozenset("ending ends end ended".split())
"""Words before the last digits of a longer number."""
_LAST = re.compile(r"\*{2,}|•{2,}|x{3,}")


def read_figures(tokens: list[Token], index: int) -> Reading | None:
    """An e-mail, a phone number, an identifier, or figures that count nothing ("2)" before an item, "24/7")."""
    token = tokens[index]
    if token.kind == "email":
        return Reading("email", token.low.rstrip("."), index + 1)
    if token.kind == "phone":
        return Reading("phone", re.sub(r"\D", "", token.low), index + 1)
    if token.kind == "digits":
        return Reading("identifier", re.sub(r"\D", "", token.low), index + 1)
    if token.kind == "id":
        return Reading("identifier", token.text, index + 1)
    if token.kind != "num":
        return None
    if _is_list_number(tokens, index) or _is_share(tokens, index):
        return Reading("", None, index + 1 if _is_list_number(tokens, index) else index + 3)
    if len(token.low) > LONGEST or is_version(token.low):
        return Reading("identifier", token.low, index + 1)
    digits = _one_by_one(tokens, index)
    if len(digits) > 3:
        return Reading("identifier", digits, index + len(digits))
    if token.low.isdigit() and (_is_tail(tokens, index) or (token.low[0] == "0" and len(token.low) > 2)):
        return Reading("identifier", token.low, index + 1)
    return None


def spoken_figures(tokens: list[Token], index: int) -> Reading | None:
    """Three and more digits read out ("four four one oh"); shares in words count nothing ("two-thirds")."""
    figures, position = "", index
    while low_at(tokens, position) in _FIGURES:
        figures += _FIGURES[tokens[position].low]
        position += 1
        position += low_at(tokens, position) in (",", "-") and low_at(tokens, position + 1) in _FIGURES
    if len(figures) > 2 or (figures and _is_tail(tokens, index)):
        return Reading("identifier", figures, position)
    after = index + 1 + (low_at(tokens, index + 1) == "-")
    parts = low_at(tokens, after) in ("third", "thirds", "quarters", "fifth", "fifths", "tenths")
    return Reading("", None, after + 1) if figures and parts else None


def _one_by_one(tokens: list[Token], index: int) -> str:
    """Single digits with blanks between them, joined: "4 4 1 0"."""
    digits = ""
    while len(low_at(tokens, index)) == 1 and tokens[index].kind == "num":
        digits += tokens[index].low
        index += 1
    return digits


def _is_tail(tokens: list[Token], index: int) -> bool:
    """Whether figures are the last ones of a longer number: "ending in 8", "last four digits 4410", "**** 1111"."""
    before, earlier = low_at(tokens, index - 1), low_at(tokens, index - 2)
    bold = before == "**" and (not touches(tokens, index) or _LAST.fullmatch(low_at(tokens, index + 1)))  # "**8**"
    masked = _LAST.fullmatch(before) and not bold
    if masked or before == "ending" or (before in ("in", "with", "on") and earlier in ENDING):
        return True
    back = index - 1 - (before in ("is", "are", ":"))
    return low_at(tokens, back) in ("digits", "four") and "last" in (low_at(tokens, back - 1), low_at(tokens, back - 2))


def _is_list_number(tokens: list[Token], index: int) -> bool:
    """Whether a number only counts the items of a list: "1. GYM250", "2) GYM251" at the start or after another line."""
    if low_at(tokens, index + 1) not in (".", ")") or not touches(tokens, index + 1) or index + 2 >= len(tokens):
        return False
    if touches(tokens, index + 2):
        return False
    return index == 0 or tokens[index - 1].kind == "break"


def _is_share(tokens: list[Token], index: int) -> bool:
    """Such as "24/7", "3/4": figures around a slash without a blank."""
    return (
        low_at(tokens, index + 1) == "/"
        and index + 2 < len(tokens)
        and tokens[index + 2].kind == "num"
        and touches(tokens, index + 1)
        and touches(tokens, index + 2)
    )
