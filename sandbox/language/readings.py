"""What begins at a token of a sentence: the one place that knows all readers and their order.

The words right beside it decide (a number before "minutes" is a duration); what mentions do to each other is not known
here.
"""

from __future__ import annotations

import re
from datetime import date

from toolgym.sandbox.language.dates import STARTS as DATE_STARTS
from toolgym.sandbox.language.dates import read_date
from toolgym.sandbox.language.durations import duration_of, read_duration
from toolgym.sandbox.language.figures import read_figures, spoken_figures
from toolgym.sandbox.language.money import money_of, read_money
from toolgym.sandbox.language.numbers import (
    FRACTIONS,
    NUMBER_WORDS,
    ORDINAL_WORDS,
    TENS,
    Number,
    read_number,
    read_ordinal,
)
from toolgym.sandbox.language.times import read_clock, read_quarter, time_of
from toolgym.sandbox.language.tokens import Reading, Token, low_at
from toolgym.sandbox.language.units import counted_thing

STARTS = (
    NUMBER_WORDS
    | ORDINAL_WORDS.keys()
    | TENS.keys()
    | DATE_STARTS
    | FRACTIONS.keys()
    | frozenset("a an half quarter three one usd eur gbp us noon midday midnight oh".split())
    | frozenset("$ € £ - − + ★ ⭐".split())
)
"""The words and signs that a reading begins with; a token that is neither may always begin one."""


def read_at(tokens: list[Token], index: int, today: date, anchor: date | None) -> Reading | None:
    """What begins at this token, by its form; words that begin nothing are passed over by one look-up."""
    token = tokens[index]
    kind = token.kind
    if kind == "word":
        return _read_word(tokens, index, today, anchor)
    if kind == "num":
        return _read_number(tokens, index, today, anchor)
    if kind == "sign":
        return _read_sign(tokens, index, today, anchor)
    if kind == "clock":
        return read_duration(tokens, index) or read_clock(tokens, index)
    if kind in ("iso", "slashes"):
        return read_date(tokens, index, today, anchor)
    return read_figures(tokens, index)


def _read_word(tokens: list[Token], index: int, today: date, anchor: date | None) -> Reading | None:
    low = tokens[index].low
    return (
        read_date(tokens, index, today, anchor)
        or read_duration(tokens, index)
        or spoken_figures(tokens, index)
        or read_quarter(tokens, index)
        or read_clock(tokens, index)
        or read_money(tokens, index)
        or _ordinal(tokens, index)
        or (_read_number(tokens, index, today, anchor) if low in NUMBER_WORDS else None)
    )


def _read_sign(tokens: list[Token], index: int, today: date, anchor: date | None) -> Reading | None:
    if tokens[index].low in _STARS:
        return _stars(tokens, index)
    if index + 1 >= len(tokens):
        return None
    money = read_money(tokens, index)
    if money or tokens[index].low not in ("-", "−"):
        return money
    return _read_number(tokens, index, today, anchor) if tokens[index + 1].kind == "num" else None


_STARS = frozenset("★⭐")
_EMPTY_STARS = frozenset(("☆", "️"))
"""Stars that do not count, and the sign that makes the one before it a picture."""


def _stars(tokens: list[Token], index: int) -> Reading:
    """A rating that is drawn: "★★★☆☆" is three stars."""
    end = index
    while low_at(tokens, end) in _STARS | _EMPTY_STARS:
        end += 1
    return Reading("count", sum(token.low in _STARS for token in tokens[index:end]), end, "star")


def _read_number(tokens: list[Token], index: int, today: date, anchor: date | None) -> Reading | None:
    """What a number is by the words around it; alone it is a number."""
    dated = read_date(tokens, index, today, anchor) if tokens[index].kind == "num" else None
    if dated:
        return dated
    figures = read_figures(tokens, index)
    if figures:
        return figures
    ordinal = _ordinal(tokens, index)
    if ordinal:
        return ordinal
    number = read_number(tokens, index)
    if number is None:
        return None
    return (
        time_of(tokens, index, number)
        or duration_of(tokens, number)
        or money_of(tokens, number)
        or _amount(tokens, index, number)
    )


def _ordinal(tokens: list[Token], index: int) -> Reading | None:
    """Such as "3rd"; in words only after a determiner: "the third", not "first of all" or "a second"."""
    found = read_ordinal(tokens, index)
    if not found or (found.whole_words and low_at(tokens, index - 1) not in _BEFORE_ORDINAL):
        return None
    return Reading("ordinal", found.value, found.end)


_BEFORE_ORDINAL = frozenset("the my your our his her their this that every each".split())


def _amount(tokens: list[Token], index: int, number: Number) -> Reading | None:
    word = low_at(tokens, number.end)
    if word in ("%", "percent") or (word == "per" and low_at(tokens, number.end + 1) == "cent"):
        return Reading("number", number.value, number.end + 1 + (word == "per"), "%")
    thing = counted_thing(tokens, number)
    if thing == "digit" and low_at(tokens, index - 1) == "last":
        return Reading("", None, number.end)
    if number.whole_words and number.value == 1 and _is_pronoun(tokens, index, number.end, thing):
        return None
    if thing and _WITH_CENTS.fullmatch(tokens[index].low) and thing not in _MEASURED:
        thing = ""  # "87.71 coastal savings": an amount, and no number of savings
    return Reading("count" if thing else "number", number.value, number.end, thing)


_WITH_CENTS = re.compile(r"\d[\d,]*\.\d\d")
_MEASURED = frozenset("gb mb tb kg g lb mile km meter star month year point".split())


def _is_pronoun(tokens: list[Token], index: int, end: int, thing: str) -> bool:
    """Whether "one" stands for a thing ("the red one", "that one works") and does not count it ("one more bag")."""
    if low_at(tokens, index - 1) in _BEFORE_PRONOUN or low_at(tokens, index - 2) in _ARTICLES:
        return True
    if low_at(tokens, end) in ("or", "to", "-") and read_number(tokens, end + 1):
        return False
    return not thing and low_at(tokens, end) not in ("more", "additional", "extra")


_ARTICLES = frozenset("the a an my your this that these those".split())
_BEFORE_PRONOUN = frozenset("this that which the another any each every no some other first second last".split())
