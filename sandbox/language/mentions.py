"""Every typed thing that a sentence names: money, counts, dates, times, durations, identifiers, a world's own terms.

`find_mentions` reads a sentence of thirty words in about a tenth of a millisecond: it is cut into tokens once, and each
token is looked up once. What cannot be read is left out; nothing here guesses by context beyond the words beside it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from toolgym.sandbox.language.dates import NO_MONTH
from toolgym.sandbox.language.days import same_month
from toolgym.sandbox.language.durations import UNITS as DURATION_UNITS
from toolgym.sandbox.language.durations import unit_minutes
from toolgym.sandbox.language.lexicon import Found, Lexicon
from toolgym.sandbox.language.negation import denied_after, negated_tokens
from toolgym.sandbox.language.readings import read_at
from toolgym.sandbox.language.roles import Role, after_between, is_arrow, is_to, joins, moved, role_before
from toolgym.sandbox.language.tokens import Reading, Token, low_at, tokenize

Kind = Literal[
    "money", "count", "number", "ordinal", "date", "time", "duration", "identifier", "term", "email", "phone"
]
_NONE = Lexicon()
_POLITE = frozenset({"thanks", "thank", "please"})
_DENIED = 3
"""Words after a "no" among which the thing stands that it denies."""


class Mention(NamedTuple):
    """A typed thing named in a text.

    Attributes:
        kind: What it is.
        value: Integer cents for money; int or float for count, number and ordinal; `Days` for a date;
            `datetime.time`; minutes for a duration; the canonical text for identifiers, terms, e-mail and phone.
        start, end: Where it stands in the text, in characters.
        text: As it is written there.
        role: What the words before it make of it; None where they say nothing.
        unit: The currency ("USD"), the thing counted ("seat"), "%", or the unit of a duration.
        columns: The lexicon's columns that hold a term or a key, first declared first.
        also: Other readings of an ambiguous one, in the value's type.
        negated: Whether it is denied: "not 100", "100 is wrong".
    """

    kind: Kind
    value: Any
    start: int
    end: int
    text: str
    role: Role | None = None
    unit: str = ""
    columns: tuple[str, ...] = ()
    also: tuple[Any, ...] = ()
    negated: bool = False

    @property
    def column(self) -> str | None:
        """The first column of the lexicon that holds it."""
        return self.columns[0] if self.columns else None


@dataclass(slots=True)
class _Place:
    """A mention and its tokens, while the sentence is being read."""

    reading: Reading
    first: int
    columns: tuple[str, ...] = ()
    role: Role | None = None


def find_mentions(text: str, lexicon: Lexicon | None, now: datetime) -> tuple[Mention, ...]:
    """Every typed mention in a text, in order and without overlaps.

    Args:
        text: What somebody said.
        lexicon: The words of the world; without it no term is found, and only identifiers of common shapes.
        now: When it is said, for "tomorrow" and for days without a year.

    Returns:
        The mentions; the longer reading wins where two begin at one word, a term of the world where both are as long.
    """
    return mentions_on(text, lexicon or _NONE, now.date())


@lru_cache(maxsize=2048)
def mentions_on(text: str, lexicon: Lexicon, today: date) -> tuple[Mention, ...]:
    """The same for a day; kept, since users, verifier and judge read the same messages one after the other."""
    tokens = tokenize(text)
    places = _places(tokens, lexicon, today, _readings(text, today))
    if not places:
        return ()
    _share_units(tokens, places)
    negated = negated_tokens(tokens)
    _give_roles(tokens, places, negated, lexicon)
    return tuple(_mention(text, tokens, place, negated) for place in places)


_Readings = dict[tuple[int, date | None], Reading | None]
"""What begins at a token, where this day was the last one named before it."""


@lru_cache(maxsize=256)
def _readings(text: str, today: date) -> _Readings:
    """What has been read in a text so far; it is the same for every lexicon."""
    return {}


def _places(tokens: list[Token], lexicon: Lexicon, today: date, known: _Readings) -> list[_Place]:
    places: list[_Place] = []
    end, anchor = 0, None
    for index in lexicon.beginnings(tokens):
        if index < end or (found := _place_at(tokens, index, lexicon, today, anchor, known)) is None:
            continue
        if found.reading.kind:
            places.append(found)
        if found.reading.kind == "date":
            anchor = found.reading.value.first
        end = found.reading.end
    return places


def _place_at(
    tokens: list[Token], index: int, lexicon: Lexicon, today: date, anchor: date | None, known: _Readings
) -> _Place | None:
    if (index, anchor) not in known:
        known[index, anchor] = read_at(tokens, index, today, anchor)
    read = known[index, anchor]
    end = read.end if read else index
    named = lexicon.longest_at(tokens, index)
    if named and named.end >= end and not _denies_other(tokens, index, named, lexicon):
        kind = "identifier" if named.entry.is_key else "term"
        return _Place(Reading(kind, named.entry.text, named.end), index, named.entry.columns)
    return _Place(read, index) if read else None


def _denies_other(tokens: list[Token], index: int, named: Found, lexicon: Lexicon) -> bool:
    """Whether a choice called "no" is part of something else there: "no checked bags" where insurance is yes or no."""
    after = tokens[named.end : named.end + _DENIED]
    if named.entry.text.lower() != "no" or not after or after[0].kind != "word" or after[0].low in _POLITE:
        return False
    about = {word for column in named.entry.columns for word in re.split(r"\W|_", column.lower())}
    found = [lexicon.longest_at(tokens, place) for place in range(named.end, named.end + len(after))]
    of_choice = any(each and set(each.entry.columns) & set(named.entry.columns) for each in found)
    return not of_choice and not about & {token.low for token in after}


def _share_units(tokens: list[Token], places: list[_Place]) -> None:
    """A bare number joined to a typed one is of its type: "300 to 500 dollars", "five or six people"."""
    for place, other in pairwise(places):
        word = joins(tokens, place.reading.end, other.first)
        if not is_to(word) and word not in ("and", "or"):
            continue
        if other.reading.kind == "date" or place.reading.kind == "date":
            _share_month(tokens, place, other, word)
            continue
        if place.reading.kind == "number" and not place.reading.unit:
            place.reading = _like(place.reading, other.reading, is_to(word)) or place.reading
        elif _is_bare(tokens, other) and (is_to(word) or place.reading.kind == "time"):
            other.reading = _like(other.reading, place.reading, False) or other.reading


def _is_bare(tokens: list[Token], place: _Place) -> bool:
    """Whether a number says of nothing that it counts; that of a house does: "the $20 order to 204 Maple Ridge"."""
    after = tokens[place.reading.end].text if place.reading.end < len(tokens) else ""
    return place.reading.kind == "number" and not place.reading.unit and not after[:1].isupper()


def _share_month(tokens: list[Token], place: _Place, other: _Place, word: str) -> None:
    """A bare day takes the month said with the other one: "March 3-5", "the 3rd to the 5th of April"."""
    spans = is_to(word) or after_between(tokens, place.first)
    for bare, model in ((place, other), (other, place)):
        reading, whole = bare.reading, model.reading
        day = reading.value.first.day if reading.unit == NO_MONTH else reading.value
        is_bare = reading.unit == NO_MONTH or (spans and reading.kind in ("number", "ordinal") and not reading.unit)
        if is_bare and whole.kind == "date" and whole.unit != NO_MONTH and day in range(1, 32):
            moved = same_month(int(day), whole.value)
            bare.reading = Reading("date", moved, reading.end) if moved else reading
            return


def _like(number: Reading, model: Reading, before: bool) -> Reading | None:
    """A number read as what stands beside it; `before`: it is the beginning of a span that the model ends."""
    if model.kind == "money":
        return number._replace(kind="money", value=round(number.value * 100), unit=model.unit)
    if model.kind == "duration" and model.unit in DURATION_UNITS:
        minutes = number.value * unit_minutes(model.unit)
        return number._replace(kind="duration", value=minutes, unit=model.unit)
    if model.kind == "count":
        return number._replace(kind="count", unit=model.unit)
    return _hour_like(number, model, before) if model.kind == "time" and number.value in range(25) else None


def _hour_like(number: Reading, model: Reading, before: bool) -> Reading:
    """An hour beside a time: "2 to 3 pm" begins in the afternoon, "at 10:30 and 2" may be in either half of the day."""
    hour = int(number.value)
    if before and model.value.hour >= 12 and not model.also and hour + 12 <= model.value.hour:
        hour += 12
    also = (time(hour + 12),) if not before and 1 <= hour < 12 else ()
    return Reading("time", time(hour % 24), number.end, also=also)


def _give_roles(tokens: list[Token], places: list[_Place], negated: frozenset[int], lexicon: Lexicon) -> None:
    before: _Place | None = None
    for place in places:
        place.role = role_before(tokens, place.first, lexicon.nouns)
        if place.reading.kind in ("identifier", "term"):
            place.role = moved(tokens, place.first, place.reading.end) or place.role
        if before is not None and _is_of_same_row(tokens, before, place):
            place.role = before.role
        elif before is not None:
            place.role = _role_after(tokens, before, place) or place.role
        if is_arrow(tokens, place.reading.end) and not (place.role == "to" and place.reading.kind == "identifier"):
            place.role = "from"  # but not in "copy it to /offers → tell the checksum"
        elif is_arrow(tokens, place.first - 1):
            place.role = "to"
        if place.role is None and place.first in negated:
            place.role = "not"
        before = place


def _is_of_same_row(tokens: list[Token], before: _Place, place: _Place) -> bool:
    """Whether a mention says where the one before belongs: "to Priya Desai from Larkfield", and does not leave it."""
    if before.reading.kind != "term" or place.reading.kind != "term" or set(before.columns) & set(place.columns):
        return False
    between = [token.low for token in tokens[before.reading.end : place.first]]
    if between != ["from"] or low_at(tokens, place.reading.end) in ("to", "into"):
        return False
    tables = [{column.split(".")[0] for column in each.columns if "." in column} for each in (before, place)]
    return bool(tables[0] & tables[1])


def _role_after(tokens: list[Token], before: _Place, place: _Place) -> Role | None:
    """The role that a mention has by the one before: the end of a span, or the same one after "and"."""
    word = joins(tokens, before.reading.end, place.first)
    alike = before.reading.kind == place.reading.kind
    if alike and is_to(word):
        if before.role is None and (word in ("-", "–", "—") or before.reading.kind == "identifier"):
            before.role = "from"  # "A-20845 to A-20843"
        return "to"
    if alike and word in ("and", "or", "&"):
        return "to" if word == "and" and after_between(tokens, before.first) else before.role
    follows = place.first == before.reading.end or low_at(tokens, place.first - 1) == "t"
    together = (before.reading.kind, place.reading.kind) == ("date", "time")
    return before.role if follows and together else None


def _mention(text: str, tokens: list[Token], place: _Place, negated: frozenset[int]) -> Mention:
    reading = place.reading
    start, end = tokens[place.first].start, tokens[reading.end - 1].end
    return Mention(
        kind=reading.kind,  # type: ignore[arg-type]  # readers name no other kinds
        value=reading.value,
        start=start,
        end=end,
        text=text[start:end],
        role=place.role,
        unit="" if reading.kind == "date" else reading.unit,
        columns=place.columns,
        also=reading.also,
        negated=place.first in negated or place.role == "not" or denied_after(tokens, reading.end),
    )
