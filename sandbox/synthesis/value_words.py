"""Values in a person's words, and the spellings in which an agent may tell them.

Not for reading words: see `toolgym.sandbox.language`.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from random import Random
from typing import Any, NamedTuple, cast

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.reference import Kind
from toolgym.sandbox.kit.telling import Telling, TellingKind


class Month(NamedTuple):
    """A month, where people say no more of a day: its first and its last day."""

    first: date
    last: date


def coarsely(values: Mapping[str, Any], columns: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Columns with their values, of days and moments no more than the places of a sentence say."""
    said = dict(values)
    for column, grain in columns:
        if grain and isinstance(day := values[column], date):
            day = day.date() if isinstance(day, datetime) else day
            said[column] = day if grain == "day" else _month(day)
    return said


def in_words(
    kind: Kind, value: Any, rng: Random, words: Mapping[str, str] | None = None, now: datetime | None = None
) -> str:
    """How a person says a value.

    Args:
        kind: what sort of value.
        value: as the tool's function receives it.
        rng: chooses among usual ways.
        words: the world's own words for values.
        now: the present moment; days of another year are said with it.
    """
    if words is not None and str(value) in words:
        return words[str(value)]
    if kind == "money":
        return _money(abs(int(value)), rng)
    if isinstance(value, Month):
        other_year = now is not None and value.first.year != now.year
        return f"{value.first:%B %Y}" if other_year else f"{value.first:%B}"
    if isinstance(value, datetime):
        return f"{_day(value.date(), now)} at {_clock(value.time())}"
    if isinstance(value, date):
        return _day(value, now)
    if isinstance(value, time):
        return _clock(value)
    if kind == "duration":
        return f"{value} minutes"
    if kind == "flag":
        return "yes" if value else "no"
    if kind == "choice":
        return str(value).replace("_", " ")
    return str(value)


def spellings(kind: Kind, value: Any) -> str:
    """The spellings that count as telling a value, separated by `|`."""
    if kind == "money":
        return f"{abs(int(value)) / 100:.2f}".removesuffix(".00")
    if isinstance(value, str) and kind in ("date", "moment"):
        value = datetime.fromisoformat(value) if kind == "moment" else date.fromisoformat(value)
    if isinstance(value, datetime):
        return f"{_clock(value.time())}|{value:%H:%M}"
    if isinstance(value, date):
        month = f"{value:%B}"
        return f"{month} {value.day}|{month[:3]} {value.day}|{value.day} {month}|{value.isoformat()}|{value:%m/%d}"
    if kind == "flag":
        return "yes" if value else "no"
    text = str(value)
    return f"{text.replace('_', ' ')}|{text}" if "_" in text else text


def fact_in_words(value: Json) -> str:
    """A fact's value in words: items with their options, addresses on one line."""
    if isinstance(value, list):
        words = [fact_in_words(item) for item in value]
        return words[0] if len(words) == 1 else ", ".join(words[:-1]) + f" and {words[-1]}" if words else "nothing"
    if not isinstance(value, Mapping):
        return str(value)
    if "address1" in value:
        fields = ("address1", "address2", "city", "state", "country", "zip")
        return ", ".join(str(value[field]) for field in fields if value.get(field))
    options = ", ".join(
        f"{key}: {choice}" for key, choice in cast("dict[str, Json]", value.get("options") or {}).items()
    )
    name = str(value.get("name") or (f"item {value['item_id']}" if value.get("item_id") else ""))
    if name:
        return f"the {name} ({options})" if options else f"the {name}"
    return ", ".join(f"{key}: {fact_in_words(item)}" for key, item in value.items())


_TYPED: Mapping[Kind, TellingKind] = {
    "money": "money",
    "number": "number",
    "date": "date",
    "moment": "moment",
    "time": "time",
    "duration": "duration",
    "flag": "flag",
}
"""The sorts of values that are told as what they are; all others are told as the text that they are."""


def told(kind: Kind, value: Any, near: Sequence[str] = ()) -> Telling:
    """A value as something that must be told.

    Args:
        kind: what sort of value.
        value: as a tool's result holds it.
        near: words of which one stands with it.
    """
    text, known = spellings(kind, value), _TYPED.get(kind)
    plain = value.isoformat() if isinstance(value, date | datetime | time) else value
    if known == "money":
        plain = int(value)
    return Telling(text, known, plain, tuple(near)) if known else Telling(text)


def _money(cents: int, rng: Random) -> str:
    dollars, rest = divmod(cents, 100)
    if rest:
        return f"${dollars:,}.{rest:02d}"
    return rng.choice((f"${dollars:,}", f"{dollars:,} dollar{'s' * (dollars != 1)}"))


def _day(day: date, now: datetime | None) -> str:
    other_year = now is not None and day.year != now.year
    return f"{day:%B} {day.day}, {day.year}" if other_year else f"{day:%B} {day.day}"


def _month(day: date) -> Month:
    return Month(day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1]))


def _clock(moment: time) -> str:
    hour = moment.hour % 12 or 12
    half = "am" if moment.hour < 12 else "pm"
    return f"{hour}:{moment.minute:02d} {half}" if moment.minute else f"{hour} {half}"


_ANY = re.compile(r"\(([^()|]*(?:\|[^()|]*)+)\)")
"""One of several ways to go on: `(today|since yesterday)`."""


def varied(sentence: str, rng: Random) -> str:
    """A sentence with one of the ways taken wherever it names several, blanks and signs in order."""
    while (found := _ANY.search(sentence)) is not None:
        sentence = sentence[: found.start()] + rng.choice(found.group(1).split("|")) + sentence[found.end() :]
    return re.sub(r" +(?=[.,;!?]|$)| (?= )", "", sentence).strip()
