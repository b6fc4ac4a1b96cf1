"""Every typed thing that a sentence names: money, counts, dates, times, durations, identifiers, a world's own terms.

`find_mentions` reads a sentence of thirty words in about a tenth of a millisecond: it is cut into tokens once, and each
token is looked up once. What cannot be read is left out; nothing here guesses by context beyond the words beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import pairwise
from typing import Any, Literal

from sandbox.language.dates import NO_MONTH, read_date
from sandbox.language.dates import STARTS as DATE_STARTS
from sandbox.language.days import same_month
from sandbox.language.durations import UNITS as DURATION_UNITS
from sandbox.language.durations import duration_of, read_duration, unit_minutes
from sandbox.language.figures import read_figures, spoken_figures
from sandbox.language.lexicon import Lexicon
from sandbox.language.money import money_of, read_money
from sandbox.language.negation import denied_after, negated_tokens
from sandbox.language.numbers import NUMBER_WORDS, ORDINAL_WORDS, TENS, Number, read_number, read_ordinal
from sandbox.language.roles import Role, is_arrow, is_to, joins, role_before
from sandbox.language.times import read_clock, read_quarter, time_of
from sandbox.language.tokens import Reading, Token, low_at, tokenize
from sandbox.language.units import counted_thing

Kind = Literal[
    "money", "count", "number", "ordinal", "date", "time", "duration", "identifier", "term", "email", "phone"
]
_NONE = Lexicon()


@dataclass(frozen=True, slots=True)
class Mention:
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

    @property
    def is_ambiguous(self) -> bool:
        """Whether it can be read in another way, too."""
        return bool(self.also)


@dataclass(slots=True)
class _Place:
    """A mention and its tokens, while the sentence is being read."""

    reading: Reading
    first: int
    columns: tuple[str, ...] = ()
    role: Role | None = None


def find_mentions(text: str, lexicon: Lexicon | None = None, now: datetime | None = None) -> tuple[Mention, ...]:
    """Every typed mention in a text, in order and without overlaps.

    Args:
        text: What somebody said.
        lexicon: The words of the world; without it no term is found, and only identifiers of common shapes.
        now: When it is said, for "tomorrow"; without it only complete dates are found.

    Returns:
        The mentions; the longer reading wins where two begin at one word, a term of the world where both are as long.
    """
    tokens = tokenize(text)
    places = _places(tokens, lexicon or _NONE, now.date() if now else None)
    _share_units(tokens, places)
    negated = negated_tokens(tokens)
    _give_roles(tokens, places, negated, lexicon or _NONE)
    return tuple(_mention(text, tokens, place, negated) for place in places)


def _places(tokens: list[Token], lexicon: Lexicon, today: date | None) -> list[_Place]:
    places: list[_Place] = []
    index, anchor = 0, None
    while index < len(tokens):
        token = tokens[index]
        if token.kind == "word":
            begins = token.low in _STARTS or lexicon.may_begin(token)
        else:
            begins = token.kind != "sign" or token.low in _SIGNS
        found = _place_at(tokens, index, lexicon, today, anchor) if begins else None
        if found is None:
            index += 1
            continue
        if found.reading.kind:
            places.append(found)
        if found.reading.kind == "date":
            anchor = found.reading.value.first
        index = found.reading.end
    return places


def _place_at(
    tokens: list[Token], index: int, lexicon: Lexicon, today: date | None, anchor: date | None
) -> _Place | None:
    read = _read(tokens, index, today, anchor)
    end = read.end if read else index
    named = lexicon.longest_at(tokens, index)
    if named and named.end >= end:
        kind = "identifier" if named.entry.is_key else "term"
        return _Place(Reading(kind, named.entry.text, named.end), index, named.entry.columns)
    return _Place(read, index) if read else None


def _read(tokens: list[Token], index: int, today: date | None, anchor: date | None) -> Reading | None:
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
        return read_date(tokens, index, today or date.min, anchor)
    return read_figures(tokens, index)


def _read_word(tokens: list[Token], index: int, today: date | None, anchor: date | None) -> Reading | None:
    low = tokens[index].low
    return (
        (read_date(tokens, index, today, anchor) if today else None)
        or read_duration(tokens, index)
        or spoken_figures(tokens, index)
        or read_quarter(tokens, index)
        or read_clock(tokens, index)
        or read_money(tokens, index)
        or _ordinal(tokens, index)
        or (_read_number(tokens, index, None, None) if low in NUMBER_WORDS else None)
    )


def _read_sign(tokens: list[Token], index: int, today: date | None, anchor: date | None) -> Reading | None:
    if index + 1 >= len(tokens):
        return None
    money = read_money(tokens, index)
    if money or tokens[index].low not in ("-", "−"):
        return money
    return _read_number(tokens, index, None, None) if tokens[index + 1].kind == "num" else None


def _read_number(tokens: list[Token], index: int, today: date | None, anchor: date | None) -> Reading | None:
    """What a number is by the words around it; alone it is a number."""
    dated = read_date(tokens, index, today, anchor) if today and tokens[index].kind == "num" else None
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
    return Reading("count" if thing else "number", number.value, number.end, thing)


def _is_pronoun(tokens: list[Token], index: int, end: int, thing: str) -> bool:
    """Whether "one" stands for a thing ("the red one", "that one works") and does not count it ("one more bag")."""
    if low_at(tokens, index - 1) in _BEFORE_PRONOUN or low_at(tokens, index - 2) in _ARTICLES:
        return True
    if low_at(tokens, end) in ("or", "to", "-") and read_number(tokens, end + 1):
        return False
    return not thing and low_at(tokens, end) not in ("more", "additional", "extra")


_ARTICLES = frozenset("the a an my your this that these those".split())
_BEFORE_PRONOUN = frozenset("this that which the another any each every no some other first second last".split())


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
        elif (
            other.reading.kind == "number" and not other.reading.unit and (is_to(word) or place.reading.kind == "time")
        ):
            other.reading = _like(other.reading, place.reading, False) or other.reading


def _share_month(tokens: list[Token], place: _Place, other: _Place, word: str) -> None:
    """A bare day takes the month said with the other one: "March 3-5", "the 3rd to the 5th of April"."""
    spans = is_to(word) or low_at(tokens, place.first - 1) == "between"
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
        if before is not None:
            place.role = _role_after(tokens, before, place) or place.role
        if is_arrow(tokens, place.reading.end):
            place.role = "from"
        elif is_arrow(tokens, place.first - 1):
            place.role = "to"
        if place.role is None and place.first in negated:
            place.role = "not"
        before = place


def _role_after(tokens: list[Token], before: _Place, place: _Place) -> Role | None:
    """The role that a mention has by the one before: the end of a span, or the same one after "and"."""
    word = joins(tokens, before.reading.end, place.first)
    alike = before.reading.kind == place.reading.kind
    if alike and is_to(word):
        if before.role is None and word in ("-", "–", "—"):
            before.role = "from"
        return "to"
    if alike and word in ("and", "or", "&"):
        between = low_at(tokens, before.first - 1) == "between"
        return "to" if between and word == "and" else before.role
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


_SIGNS = frozenset("$ € £ - − +".split())
_STARTS = (
    NUMBER_WORDS
    | ORDINAL_WORDS.keys()
    | TENS.keys()
    | DATE_STARTS
    | frozenset("a an half quarter three one usd eur gbp us noon midday midnight oh".split())
)
"""The words that begin a mention without a lexicon; all others are passed over."""
