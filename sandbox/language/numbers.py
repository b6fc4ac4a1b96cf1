"""Numbers as people write and say them: "1,104", "1.5k", "forty-five", "a hundred", "two and a half", "21st", "third".

And back: `spell(45)` is "forty-five". Not for amounts of money, dates or digits read out one by one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from toolgym.sandbox.language.tokens import Token, low_at, touches, words_at

UNITS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
TENS = {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
} | {"fourty": 40}
SCALES = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_ORDINAL_UNITS = {
    word: value
    for value, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
        "fifteenth sixteenth seventeenth eighteenth nineteenth".split(),
        start=1,
    )
}
_ORDINAL_TENS = {word.removesuffix("y") + "ieth": value for word, value in TENS.items() if word != "fourty"}
ORDINAL_WORDS = _ORDINAL_UNITS | _ORDINAL_TENS
NUMBER_WORDS = frozenset({*UNITS, *TENS, "a", "an", "half", "minus", "hundred", "thousand", "dozen"})
"""The words a number can begin with."""

LONGEST = 18
"""Signs of a quantity in figures at most; more are no amount of anything."""
_MOST = 10**15
"""No quantity beyond it is meant; floats stay exact to the cent below it."""
FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75}
"""Parts of one that are written as a single sign, right after a figure: "1½"."""
_LETTERS = {"k": 1_000, "m": 1_000_000, "mn": 1_000_000, "bn": 1_000_000_000}
_GROUPS = re.compile(r"\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*")


class Number(NamedTuple):
    """A number and where it ends; `whole_words` says that it was said in words alone."""

    value: float
    end: int
    whole_words: bool


def digits_value(text: str) -> float:
    """What digits with separators amount to: "1,104.33", "1.200,00", "104,33" and "2.5".

    A single separator before exactly three digits groups thousands if it is a comma; a point is a decimal point.
    """
    text = text.replace(" ", "")
    marks = re.sub(r"\d", "", text)
    if not marks:
        return int(text)
    last = marks[-1]
    grouped = _GROUPS.fullmatch(text) and (last == "," or len(marks) > 1)
    if grouped or (len(set(marks)) == 1 and len(marks) > 1):
        return int(re.sub(r"\D", "", text))
    whole, _, part = text.rpartition(last)
    return _plain(float(re.sub(r"\D", "", whole) + "." + part))


def is_version(text: str) -> bool:
    """Whether figures with several points group no thousands: "2.1.3" is a version, "1.200.300" a number."""
    return text.count(".") > 1 and not _GROUPS.fullmatch(text) and "," not in text


def read_number(tokens: list[Token], index: int) -> Number | None:
    """The number that begins at `index`, with a sign, a scale and a half where they follow."""
    if index >= len(tokens):
        return None
    token = tokens[index]
    if token.low in ("-", "minus", "−") and index + 1 < len(tokens):
        return _negative(tokens, index)
    if token.kind == "num":
        if len(token.low) > LONGEST or is_version(token.low):
            return None
        part = FRACTIONS.get(low_at(tokens, index + 1), 0.0)
        part = part if part and touches(tokens, index + 1) else 0.0
        return _with_scale(tokens, digits_value(token.low) + part, index + 1 + (part > 0), False)
    if token.low in ("a", "an", "half"):
        return _article(tokens, index)
    found = _words(tokens, index)
    return found and _and_a_half(tokens, found)


def read_ordinal(tokens: list[Token], index: int) -> Number | None:
    """The ordinal at `index`: "3rd", "third", "twenty-first"."""
    if index >= len(tokens):
        return None
    token = tokens[index]
    if token.kind == "num" and token.low.isdigit() and index + 1 < len(tokens) and touches(tokens, index + 1):
        ends = tokens[index + 1].low in ("st", "nd", "rd", "th")
        return Number(int(token.low), index + 2, False) if ends else None
    if token.low in ORDINAL_WORDS:
        return Number(ORDINAL_WORDS[token.low], index + 1, True)
    if token.low in TENS:
        after = index + 2 if low_at(tokens, index + 1) == "-" else index + 1
        unit = _ORDINAL_UNITS.get(low_at(tokens, after), 10)
        return Number(TENS[token.low] + unit, after + 1, True) if unit < 10 else None
    return None


def spell(value: int) -> str:
    """A whole number in words, below a thousand billions: 104 is "one hundred four"."""
    if value < 0:
        return f"minus {spell(-value)}"
    for word, scale in reversed(SCALES.items()):
        if value >= scale:
            return _joined(f"{spell(value // scale)} {word}", value % scale, " ")
    if value >= 100:
        return _joined(f"{_UNIT_WORDS[value // 100]} hundred", value % 100, " ")
    if value >= 20:
        return _joined(_TEN_WORDS[value // 10 * 10], value % 10, "-")
    return _UNIT_WORDS[value]


_UNIT_WORDS = {value: word for word, value in UNITS.items()}
_TEN_WORDS = {value: word for word, value in TENS.items() if word != "fourty"}


def _joined(words: str, rest: int, link: str) -> str:
    return f"{words}{link}{spell(rest)}" if rest else words


def _plain(value: float) -> float:
    """Whole numbers as integers, so that 8.0 and 8 are written alike."""
    rounded = round(value, 9)
    return int(rounded) if rounded == int(rounded) else rounded


def _negative(tokens: list[Token], index: int) -> Number | None:
    """A minus that is a sign and not a dash: at the start or after a blank, and right before a number."""
    if tokens[index].low != "minus" and (not touches(tokens, index + 1) or touches(tokens, index)):
        return None
    if tokens[index + 1].kind != "num" and tokens[index + 1].low not in UNITS | TENS:
        return None
    found = read_number(tokens, index + 1)
    return found and found._replace(value=-found.value)


def _with_scale(tokens: list[Token], value: float, end: int, words: bool) -> Number:
    word = low_at(tokens, end)
    if word in _LETTERS and touches(tokens, end) and word != "m":  # 15m are minutes as often as millions
        return Number(_plain(value * _LETTERS[word]), end + 1, False)
    while (word in SCALES or word in ("hundred", "dozen")) and value < _MOST:
        value *= SCALES.get(word) or {"hundred": 100, "dozen": 12}[word]
        end += 1
        word = low_at(tokens, end)
    return _and_a_half(tokens, Number(_plain(value), end, words))


def _and_a_half(tokens: list[Token], found: Number) -> Number:
    after = words_at(tokens, found.end, "and a half", "- and - a - half")
    return found if after == found.end else Number(found.value + 0.5, after, found.whole_words)


def _article(tokens: list[Token], index: int) -> Number | None:
    """Such as "a hundred", "a thousand", "half a million", "a quarter of a million", "a dozen", "half a dozen"."""
    share, start = 1.0, index + 1
    for phrase, value in (("half a", 0.5), ("a half", 0.5), ("a quarter of a", 0.25)):
        after = words_at(tokens, index, phrase)
        if after > index:
            share, start = value, after
            break
    word = low_at(tokens, start)
    if share < 1 and word in ("dollar", "buck"):
        return Number(share, start, True)
    if word not in SCALES and word not in ("hundred", "dozen"):
        return None
    if share == 1 and word in ("hundred", "thousand"):
        return _words(tokens, start, first=1)
    return _with_scale(tokens, share, start, True)


def _words(tokens: list[Token], index: int, first: int = 0) -> Number | None:
    """Number words from `index` on; `first` is what an article before them counts ("a" hundred)."""
    total, current, end, seen = 0.0, float(first), index, first > 0
    position = index
    while position < len(tokens):
        word = tokens[position].low
        if word in UNITS and _fits(current, UNITS[word], seen):
            current += UNITS[word]
        elif word in TENS and current % 100 == 0:
            current += TENS[word]
        elif word == "hundred" and 0 < current < 100:
            current *= 100
        elif word in SCALES and current:
            total, current = total + current * SCALES[word], 0
        elif word == "dozen" and current:
            return Number(_plain(total + current * 12), position + 1, True)
        elif word == "point" and seen:
            return _decimals(tokens, position, total + current, end)
        elif word in ("and", "-") and seen and _goes_on(tokens, position, current, total):
            position += 1
            continue
        else:
            break
        seen, position = True, position + 1
        end = position
    return Number(_plain(total + current), end, True) if end > index else None


def _fits(current: float, unit: int, seen: bool) -> bool:
    """Whether a word below twenty can follow: "forty five" and "hundred four" but not "five six" or "zero one"."""
    if not seen:
        return True
    rest = current % 100
    return unit > 0 and (rest == 0 or (rest >= 20 and rest % 10 == 0 and unit < 10))


def _goes_on(tokens: list[Token], position: int, current: float, total: float) -> bool:
    """Whether "and" or a hyphen joins parts of one number: "hundred and four", "forty-five"."""
    word = low_at(tokens, position + 1)
    if tokens[position].low == "-":
        return (word in UNITS and current % 10 == 0) or word in ("hundred", "thousand")
    return word in UNITS | TENS and (current >= 100 or (total > 0 and current == 0))


def _decimals(tokens: list[Token], point: int, whole: float, end: int) -> Number:
    figures = ""
    position = point + 1
    while low_at(tokens, position) in UNITS and UNITS[low_at(tokens, position)] < 10:
        figures += str(UNITS[low_at(tokens, position)])
        position += 1
    return (
        Number(_plain(whole + float(f"0.{figures}")), position, True) if figures else Number(_plain(whole), end, True)
    )
