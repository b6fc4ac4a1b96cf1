"""Whether a text tells a typed value, in any usual spelling: the matcher behind "what must be told".

`says("You have eight seats left.", "number", 8, now, ("seat",))` is true; "my card ends in 8" and "that is not 100"
tell neither 8 nor 100. What is told is decided by the mentions of a text, never by its characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from toolgym.sandbox.language.days import Days, one_day
from toolgym.sandbox.language.lexicon import Lexicon
from toolgym.sandbox.language.mentions import Kind, Mention, find_mentions
from toolgym.sandbox.language.tokens import Token, singular, squash, tokenize

_AS: dict[str, frozenset[str]] = {
    "number": frozenset({"number", "count"}),
    "count": frozenset({"number", "count"}),
    "money": frozenset({"money", "number"}),
    "identifier": frozenset({"identifier", "phone"}),
    "phone": frozenset({"phone", "identifier"}),
}
"""The kinds of mention that can tell a value of a kind: "it costs 44" tells $44, "8 seats" tells 8, and never $8."""
_CLAUSE = frozenset("\n . ; ! ? , : | and but while".split(" "))
"""What parts the things near one value from those near another: "the balance is $100 and the fee is $20"."""
_SENTENCE = frozenset("\n . ; ! ?".split(" "))


def same_value(kind: str, one: Any, other: Any) -> bool:
    """Whether two values of a kind are one: a day and its span, an identifier without its signs, a name in any case."""
    if kind == "date":
        return _days(one) == _days(other)
    if kind in ("identifier", "term"):
        return squash(str(one).replace("&", "and")) == squash(str(other).replace("&", "and"))
    if kind == "phone":  # with and without the country's prefix
        return squash(str(one))[-10:] == squash(str(other))[-10:]
    if kind == "email":
        return str(one).lower() == str(other).lower()
    if kind in ("number", "count", "duration"):
        return bool(abs(one - other) < 1e-6)
    return bool(one == other)


def says(text: str, kind: Kind, value: Any, now: datetime, near: Sequence[str] = ()) -> bool:
    """Whether a text tells a value: it is named, not denied, and one of the words `near` stands with it.

    Args:
        text: What was said.
        kind: What the value is.
        value: As `Mention.value` has it; a `date` will do for a single day.
        now: When it was said, for "tomorrow".
        near: Words for its unit or thing ("seat", "option"), any form; none asked if empty. Not needed where the value
            is all that was said.
    """
    tokens = tokenize(text)
    mentions = find_mentions(text, _lexicon_of(kind, value), now)
    alike = [mention for mention in mentions if mention.kind in _AS.get(kind, {kind})]
    return any(
        _tells(mention, kind, value) and (not near or _is_near(tokens, mention, alike, near)) for mention in alike
    )


def _tells(mention: Mention, kind: Kind, value: Any) -> bool:
    if mention.negated or mention.role == "instead_of":
        return False
    said: Iterable[Any] = (mention.value, *mention.also)
    if kind == "money" and mention.kind == "number":
        if mention.unit:
            return False
        said = (round(mention.value * 100),)
    return any(same_value(kind, each, value) for each in said)


@lru_cache(maxsize=4096)
def _lexicon_of(kind: Kind, value: Any) -> Lexicon | None:
    """The value as the only word of a world, where it is one that no common form betrays."""
    if kind == "term":
        return Lexicon({"value": (str(value),)})
    return Lexicon(keys={"value": (str(value),)}) if kind == "identifier" else None


def _days(value: Days | date) -> Days:
    return one_day(value) if isinstance(value, date) else value


def _is_near(tokens: list[Token], mention: Mention, alike: list[Mention], near: Sequence[str]) -> bool:
    """Whether the value's thing is named with it: what it counts, in its clause, or in a sentence without another."""
    first = next(index for index, token in enumerate(tokens) if token.start >= mention.start)
    last = next(index for index in range(len(tokens) - 1, -1, -1) if tokens[index].end <= mention.end)
    if mention.unit and _names(mention.unit, near):
        return True
    if mention.unit == "%":  # "8% of the seats" is not 8 seats
        return "percent" in near
    if not any(token.kind in ("word", "num") for token in (*tokens[:first], *tokens[last + 1 :])):
        return True  # "**8**"
    counted = {other.unit for other in alike if other.unit and other is not mention}
    clause = _part(tokens, first, last, _CLAUSE)
    words = {token.low for token in clause if singular(token.low) not in counted}
    if any(_names(word, near) for word in words):
        return True
    start, end = mention.start, mention.end
    sentence = _part(tokens, first, last, _SENTENCE)
    alone = not any(
        other.end <= start or other.start >= end
        for other in alike
        if sentence[0].start <= other.start <= sentence[-1].end
    )
    return alone and not mention.unit and any(_names(token.low, near) for token in sentence)


def _part(tokens: list[Token], first: int, last: int, ends: frozenset[str]) -> list[Token]:
    """The tokens around a mention up to the next ones that part."""
    start, end = first, last + 1
    while start > 0 and tokens[start - 1].low not in ends:
        start -= 1
    while end < len(tokens) and tokens[end].low not in ends:
        end += 1
    return tokens[start:end]


def _names(word: str, near: Sequence[str]) -> bool:
    """Whether a word is one of those asked for, in any form: "departs" for "depart", "seats" for "seat"."""
    for each in near:
        asked = each.lower()
        if singular(word) == singular(asked) or (len(asked) > 4 and word.startswith(asked.removesuffix("e"))):
            return True
    return False
