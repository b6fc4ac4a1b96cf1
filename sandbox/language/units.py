"""The thing that a number counts: "seat" in "8 economy seats". A plural noun near the number, found by its ending."""

from __future__ import annotations

from toolgym.sandbox.language.numbers import TENS, UNITS, Number
from toolgym.sandbox.language.tokens import Token, low_at, singular, touches

_AHEAD = 3
"""Words between a number and its noun at most, the noun included: "8 free economy seats"."""
_STOP = frozenset(
    "is was are were has have had does do did of to in on at for from with and or but if that this these those the a "
    "an my your our their his her its it i you we they he she as so than then when where which who not no be been will "
    "would can could should may might must by per each every please also only leaves costs arrives departs works "
    "starts ends takes left into onto later always perhaps yes us plus "
    "sounds looks seems fits suits called named titled today tomorrow tonight now instead too again "
    "here there times minus less".split()
)
"""Words at which the search for a noun ends; verbs in -s that often follow a number are among them."""
_PLURALS = frozenset("people men women children feet".split())
_JOINED = frozenset({"way", "ish", *UNITS, *TENS})
"""After a number and a hyphen these are no things: "one-way", "7-ish", "one-fifty"."""
_MODIFIERS = frozenset("more additional extra".split())
_NOT_ONE = frozenset("way other another such last".split())
"""After "one" these count nothing: "one way"."""


UNIT_SIGNS = {
    "gigabyte": "gb", "gig": "gb", "gb": "gb", "megabyte": "mb", "mb": "mb", "terabyte": "tb", "tb": "tb", "kb": "kb",
    "kg": "kg", "kilo": "kg", "lb": "lb", "pound": "lb", "km": "km", "mile": "mile", "cm": "cm", "inch": "inch",
    "%": "%", "percent": "%", "day": "day", "hour": "hour", "minute": "minute", "week": "week", "month": "month",
}  # fmt: skip
"""Measures, which are never the things that were asked for unless they are named."""


def same_unit(unit: str) -> str:
    """A unit by its usual sign: "gb" for gigabytes; any other word as it is."""
    return UNIT_SIGNS.get(unit, unit)


def counted_thing(tokens: list[Token], number: Number) -> str:
    """The singular of the noun that a number counts, empty if there is none: "2-bedroom", "three gigabytes"."""
    start = number.end
    if low_at(tokens, start) == "-" and touches(tokens, start) and start + 1 < len(tokens):
        joined = (
            touches(tokens, start + 1) and tokens[start + 1].kind == "word" and tokens[start + 1].low not in _JOINED
        )
        return singular(tokens[start + 1].low) if joined else ""
    start += low_at(tokens, start) == ")"  # "eight (8) options"
    words: list[str] = []
    for position in range(start, min(start + _AHEAD, len(tokens))):
        token = tokens[position]
        if (
            token.kind != "word"
            or token.low in _STOP
            or token.low in UNITS | TENS
            or (words and token.low.endswith("ing"))
        ):
            return _single(number, words)
        if token.low in _PLURALS or (singular(token.low) != token.low and not token.low.endswith("'s")):
            return "" if words[:1] == ["way"] else singular(token.low)
        if not number.whole_words and token.text[0].isupper():
            return ""  # a street's or a product's name: "1 Logan Square"
        if token.low not in _MODIFIERS:
            words.append(token.low)
    return _single(number, words if len(words) < _AHEAD else words[:1])


def _single(number: Number, words: list[str]) -> str:
    """One of a thing has no plural: the last word before the noun phrase ends is taken ("one unread message and")."""
    return words[-1] if number.value == 1 and words and not {words[0], words[-1]} & _NOT_ONE else ""
