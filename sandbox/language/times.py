"""Times of the day as people say them: "9:30 am", "half past nine", "noon", "14h35", "quarter to five", "at 8".

And back: `spellings(time(14, 35))`. Said without "am", "pm" or a part of the day, an hour up to twelve is read as it
stands, and its other half of the day is kept as another reading.
"""

from __future__ import annotations

import re
from datetime import time

from toolgym.sandbox.language.numbers import TENS, UNITS, Number, read_number, spell
from toolgym.sandbox.language.tokens import Reading, Token, low_at, words_at

_NAMED = {"noon": time(12), "midday": time(12), "midnight": time(0)}
_PARTS = {"morning": "am", "afternoon": "pm", "evening": "pm", "night": "pm", "tonight": "pm"}
_DAYS = frozenset(
    "today tomorrow tonight monday tuesday wednesday thursday friday saturday sunday this in the on at".split()
)
"""What may stand between an hour and its part of the day: "six tomorrow evening", "7 on Friday evening"."""
_AFTER_HOUR = _DAYS | set("sharp and or instead then to until till for please with if when would is works".split())
"""What can follow an hour without minutes ("at 8 on May 19"), unlike a thing that is counted ("at 5 Mill Road")."""
_SURE = frozenset("minutes minute quarter half".split())
"""Before "to" these make a time of it, whatever follows: "10 minutes to 5"."""
_PAST = frozenset({"past", "after"})
_TO = frozenset({"to", "before", "til", "till"})
_CLOCK = re.compile(r"(\d{1,2})[:h.](\d{2})(?::\d{2})?")


def read_clock(tokens: list[Token], index: int) -> Reading | None:
    """The time written at `index` in figures or as a word: "9:30 pm", "12:35:00", "14h35", "noon"."""
    word = tokens[index].low
    if word in _NAMED:
        return Reading("time", _NAMED[word], index + 1)
    found = _CLOCK.fullmatch(word) if word[0].isdigit() else None
    if not found:
        return None
    part = low_at(tokens, index - 1)
    return _reading(tokens, int(found[1]), int(found[2]), index + 1, fixed=word.startswith("0"), part=part)


def time_of(tokens: list[Token], index: int, number: Number) -> Reading | None:
    """The time that the number at `index` belongs to: "9 am", "12.35 pm", "nine o'clock", "ten past six", "at 8"."""
    word = low_at(tokens, number.end)
    hour, minute = _hour_minute(tokens[index], number)
    if hour is None:
        return None
    if number.end < len(tokens) and tokens[number.end].kind == "half":
        return _reading(tokens, hour, minute, number.end)
    if word in ("o'clock", "oclock"):
        return _reading(tokens, hour, 0, number.end + 1)
    return _minutes_before_hour(tokens, index, number) or _bare_hour(tokens, index, hour, minute, number)


def read_quarter(tokens: list[Token], index: int) -> Reading | None:
    """Such as "half past nine", "quarter to five", "a quarter past eleven"."""
    start = words_at(tokens, index, "a quarter", "quarter", "half")
    if start == index:
        return None
    minutes = 30 if tokens[start - 1].low == "half" else 15
    number = read_number(tokens, start) if minutes == 30 and low_at(tokens, start) in UNITS else None
    if number and number.value in range(1, 13) and low_at(tokens, index - 1) in ("at", "by", "until", "around"):
        return _reading(tokens, int(number.value), 30, number.end)  # "at half seven", as the British say it
    return _relative(tokens, index, start, minutes)


def spellings(moment: time) -> tuple[str, ...]:
    """The ways a person may say a time of the day, none of them open to another reading; choose one at random."""
    hour, half = moment.hour % 12 or 12, "am" if moment.hour < 12 else "pm"
    minute = f":{moment.minute:02d}" if moment.minute else ""
    said = [f"{moment.hour:02d}:{moment.minute:02d}", f"{hour}{minute} {half}", f"{hour}{minute} {half[0]}.m."]
    if not moment.minute:
        said.append({0: "midnight", 12: "noon"}.get(moment.hour, f"{spell(hour)} {half}"))
    part = "in the morning" if half == "am" else "in the afternoon" if moment.hour < 18 else "in the evening"
    if moment.minute in (15, 30, 45) and moment.hour not in (0, 11, 12, 23):
        phrase = {15: "quarter past", 30: "half past", 45: "quarter to"}[moment.minute]
        said.append(f"{phrase} {spell(hour + (moment.minute == 45))} {part}")
    return tuple(said)


def _hour_minute(token: Token, number: Number) -> tuple[int | None, int]:
    """Hour and minutes of a number that may be one of a clock: 9, "12.35"; no hour if it cannot be."""
    found = _CLOCK.fullmatch(token.low)
    if found and int(found[1]) < 24 and int(found[2]) < 60:
        return int(found[1]), int(found[2])
    whole = number.value == int(number.value) and 0 <= number.value < 60 and not token.low.startswith("-")
    return (int(number.value), 0) if whole else (None, 0)


def _minutes_before_hour(tokens: list[Token], index: int, number: Number) -> Reading | None:
    """Such as "ten past six", "twenty minutes to eight", "25 past 3"."""
    start = number.end + (low_at(tokens, number.end) in ("minutes", "minute"))
    return _relative(tokens, index, start, int(number.value)) if number.value in range(1, 31) else None


def _relative(tokens: list[Token], first: int, link: int, minutes: int) -> Reading | None:
    """The time so many minutes past or to an hour; "from 5 to 9" is no such time."""
    word = low_at(tokens, link)
    if word not in _PAST | _TO or link + 1 >= len(tokens):
        return None
    named = _NAMED.get(low_at(tokens, link + 1))
    number = read_number(tokens, link + 1)
    hour = named.hour if named else int(number.value) if number and number.value in range(1, 13) else None
    if hour is None or (word in _TO and minutes not in (15, 5, 10, 20, 25)):
        return None
    if word in _TO | {"after"} and low_at(tokens, first - 1) in ("from", "between", "-"):
        return None
    end = link + 2 if named else number.end if number else link + 1
    if word in _TO and tokens[link - 1].low not in _SURE and not _is_time_to(tokens, first, end):
        return None
    if word in _TO:
        hour, minutes = (hour - 1) % 24 if named else hour - 1 or 12, 60 - minutes
    return _reading(tokens, hour, minutes, end, fixed=named is not None)


def _is_time_to(tokens: list[Token], first: int, end: int) -> bool:
    """Whether "ten to five" is a time and no range: nothing is counted after it; figures need an "at" before them."""
    if tokens[first].kind == "num" and low_at(tokens, first - 1) not in ("at", "it's", "is", "by", "until"):
        return False
    return _ends_hour(tokens, end) or tokens[end].kind == "half"


def _bare_hour(tokens: list[Token], index: int, hour: int, minute: int, number: Number) -> Reading | None:
    """Such as "at 8", "by six tomorrow", "7 in the evening", "at five thirty", "five thirty every day"."""
    if not 1 <= hour <= 24:
        return None
    before, end = low_at(tokens, index - 1), number.end
    if number.whole_words and hour <= 12 and before in ("at", "by", "until", "around", "about", "from", "to"):
        minute, end = _spoken_minutes(tokens, end)
    half, _ = _half(tokens, hour, end)
    if before in _PARTS and _ends_hour(tokens, end):
        return _reading(tokens, hour, minute, end, part=before)
    if before == "at" and (minute or _ends_hour(tokens, end)):
        return _reading(tokens, hour, minute, end)
    said = half and (before in ("at", "by", "until", "from", "to", "around") or low_at(tokens, end) in ("in", "at"))
    return _reading(tokens, hour, minute, end) if said else None


def _ends_hour(tokens: list[Token], index: int) -> bool:
    """Whether what follows leaves a number an hour: the end, a comma, "tomorrow"; not a thing or a percentage."""
    if index >= len(tokens) or tokens[index].kind == "break":
        return True
    sign = tokens[index].kind == "sign" and tokens[index].low not in "%$€£/-"
    return sign or tokens[index].low in _AFTER_HOUR


def _spoken_minutes(tokens: list[Token], index: int) -> tuple[int, int]:
    """Minutes said right after the hour, and where they end: "nine thirty", "seven forty-five"."""
    number = read_number(tokens, index) if low_at(tokens, index) in UNITS | TENS else None
    if number and 10 <= number.value < 60 and number.value == int(number.value):
        return int(number.value), number.end
    return 0, index


def _half(tokens: list[Token], hour: int, index: int) -> tuple[str, int]:
    """The half of the day said after a time, and where the time ends: "pm", "in the evening", "tomorrow evening"."""
    if index < len(tokens) and tokens[index].kind == "half":
        return tokens[index].low[0] + "m", index + 1
    position = index
    while low_at(tokens, position) in _DAYS and low_at(tokens, position) != "tonight" and position < index + 3:
        position += 1
    part = _PARTS.get(low_at(tokens, position), "")
    if low_at(tokens, position) == "night" and hour < 5:
        part = "am"  # "two at night"
    explicit = (
        words_at(tokens, index, "in the", "at") != index and position == index + (low_at(tokens, index) == "in") + 1
    )
    return part, position + 1 if part and explicit else index


def _reading(
    tokens: list[Token], hour: int, minute: int, end: int, fixed: bool = False, part: str = ""
) -> Reading | None:
    """A time with the half of the day that follows it, else the `part` of the day before it ("afternoon 2:45").

    `fixed`: written so that it has no other reading ("06:45").
    """
    half, end = _half(tokens, hour, end)
    half = half or _PARTS.get(part, "")
    if half and hour <= 12:
        hour, fixed = hour % 12 + (12 if half == "pm" else 0), True
    if hour == 24 and minute == 0:
        hour = 0
    if hour > 23 or minute > 59:
        return None
    other = () if fixed or not 1 <= hour < 12 else (time(hour + 12, minute),)
    return Reading("time", time(hour, minute), end, also=other)
