"""How long something takes, in minutes: "45 minutes", "half an hour", "an hour and a half", "2h 15m", "three days".

And back: `spellings(90)`. Months and years have no fixed length: they stay counts.
"""

from __future__ import annotations

import re

from toolgym.sandbox.language.numbers import Number, read_number, spell
from toolgym.sandbox.language.tokens import Reading, Token, low_at, touches, words_at

_MINUTES: dict[str, float] = {"second": 1 / 60, "minute": 1, "hour": 60, "day": 1440, "week": 10080}
_SHORT = {
    "sec": "second",
    "secs": "second",
    "min": "minute",
    "mins": "minute",
    "hr": "hour",
    "h": "hour",
    "hrs": "hour",
    "wk": "week",
    "wks": "week",
}
_LETTERS = {"s": "second", "m": "minute", "h": "hour"}
"""Read as units only right after a figure: "2h 15m"; 3d is a kind of film as often as three days."""
UNITS = {word: word for word in _MINUTES} | {word + "s": word for word in _MINUTES} | _SHORT
"""Every word for a unit of time of fixed length, with the unit it means."""
_ARTICLES = (
    ("three quarters of an hour", 45),
    ("¾ of an hour", 45),
    ("¾ hour", 45),
    ("½ of an hour", 30),
    ("½ hour", 30),
    ("¼ of an hour", 15),
    ("¼ hour", 15),
    ("three - quarters of an hour", 45),
    ("a quarter of an hour", 15),
    ("a quarter hour", 15),
    ("half an hour", 30),
    ("a half hour", 30),
    ("half a day", 720),
    ("an hour", 60),
    ("one hour", 60),
    ("a minute", 1),
    ("a day", 1440),
    ("a week", 10080),
)
"""Set phrases, longest first. "A second" is left out (it asks for patience); "a day", "a week" may say how often."""
_BY_FIRST = {
    first: tuple(each for each in _ARTICLES if each[0].split(" ")[0] == first)
    for first in {phrase.split(" ")[0] for phrase, _ in _ARTICLES}
}
_JOINT = re.compile(r"([0-5])h(\d{2})")


def unit_minutes(unit: str) -> float:
    """How many minutes a unit lasts: 60 for "hour"."""
    return _MINUTES[unit]


def duration_of(tokens: list[Token], number: Number) -> Reading | None:
    """How long a number and the unit after it are, with smaller units that follow: "2 hours and 15 minutes"."""
    unit, end = _unit(tokens, number.end)
    if not unit or (unit == "second" and number.value == 1):
        return None
    half = words_at(tokens, end, "and a half")
    minutes = (number.value + 0.5 * (half > end)) * _MINUTES[unit]
    more, end = _smaller(tokens, half, unit)
    return Reading("duration", _whole(minutes + more), end, unit)


def read_duration(tokens: list[Token], index: int) -> Reading | None:
    """A duration said without a number: "half an hour", "an hour and a half", "an hour and 20 minutes"; also "1h30"."""
    token = tokens[index]
    joint = _JOINT.fullmatch(token.low) if token.kind == "clock" else None
    if joint:  # up to 5: "14h35" is a time of the day
        return Reading("duration", int(joint[1]) * 60 + int(joint[2]), index + 1, "minute")
    for phrase, minutes in _BY_FIRST.get(token.low, ()):
        end = words_at(tokens, index, phrase)
        if end > index:
            return _article(tokens, index, end, float(minutes))
    return None


def spellings(minutes: int) -> tuple[str, ...]:
    """The ways a person may say a number of minutes; choose one with a random generator."""
    hours, rest = divmod(minutes, 60)
    said = [f"{minutes} minute{'s' * (minutes != 1)}", f"{minutes} min"]
    named = {30: "half an hour", 60: "an hour", 90: "an hour and a half", 45: "three quarters of an hour"}
    if minutes in named:
        said.append(named[minutes])
    if hours:
        whole = f"{hours} hour{'s' * (hours != 1)}"
        said.append(
            f"{whole} and {rest} minute{'s' * (rest != 1)}" if rest else f"{spell(hours)} hour{'s' * (hours != 1)}"
        )
    return tuple(said)


def _article(tokens: list[Token], index: int, end: int, minutes: float) -> Reading | None:
    if minutes >= 1440 and (low_at(tokens, index - 1) not in ("for", "takes", "take", "in", "within", "lasts")):
        return None  # "50 dollars a week" says how often
    for part, share in (("and a half", 0.5), ("and a quarter", 0.25), ("and three quarters", 0.75)):
        if (done := words_at(tokens, end, part)) > end:
            return Reading("duration", _whole(minutes * (1 + share)), done, "hour")
    more, end = _smaller(tokens, end, "hour") if minutes == 60 else (0, end)
    return Reading("duration", _whole(minutes + more), end, "hour")


def _unit(tokens: list[Token], index: int) -> tuple[str, int]:
    """The unit of time at `index`, also after a hyphen ("45-minute"), and where it ends."""
    start = index + 1 if low_at(tokens, index) == "-" and touches(tokens, index) else index
    word = low_at(tokens, start)
    if word in UNITS:
        return UNITS[word], start + 1 + (
            low_at(tokens, start + 1) == "." and word in _SHORT and _inside(tokens, start + 2)
        )
    if word in _LETTERS and touches(tokens, start) and low_at(tokens, start - 2) != "the":  # not "the 90s"
        return _LETTERS[word], start + 1
    return "", index


def _inside(tokens: list[Token], index: int) -> bool:
    """Whether the sentence goes on, so that the point before belongs to an abbreviation: "20 min. later"."""
    return index < len(tokens) and tokens[index].text.islower()


def _smaller(tokens: list[Token], index: int, than: str) -> tuple[float, int]:
    start = index + (low_at(tokens, index) in ("and", ","))
    if start >= len(tokens) or tokens[start].kind not in ("num", "word"):
        return 0, index
    number = read_number(tokens, start)
    unit, end = _unit(tokens, number.end) if number else ("", index)
    if number and unit and _MINUTES[unit] < _MINUTES[than]:
        return number.value * _MINUTES[unit], end
    return 0, index


def _whole(minutes: float) -> float:
    return int(minutes) if minutes == int(minutes) else round(minutes, 6)
