"""Dates as people say them, beside a given today: "2026-03-05", "the 5th of March", "next Tuesday", "in three days".

A date is always a span of days (`Days`): one day, a week, the end of May. What depends on the
speaker's habit ("next Tuesday", "03/05/2026") has its other reading beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from toolgym.sandbox.language.days import (
    MONTHS,
    UNIT_DAYS,
    WEEKDAYS,
    Days,
    date_or_none,
    monday_of,
    month_of,
    month_span,
    moved,
    nearest_year,
    one_day,
    third_of,
    unit_span,
)
from toolgym.sandbox.language.figures import ENDING
from toolgym.sandbox.language.numbers import ORDINAL_WORDS, read_number, read_ordinal
from toolgym.sandbox.language.tokens import Reading, Token, low_at, touches, words_at

_MONTH = {name: number for number, name in enumerate(map(str.lower, MONTHS), start=1)}
_SHORT_MONTH = {name[:3]: number for name, number in _MONTH.items()} | {"sept": 9}
_WEEKDAY = {name: number for number, name in enumerate(map(str.lower, WEEKDAYS))}
_SHORT_WEEKDAY = {name[:3]: number for name, number in _WEEKDAY.items()} | {"tues": 1, "thur": 3, "thurs": 3}
_DAILY_WORDS = frozenset({"may", "march"})
"""Months that are other words as well: months only with a day beside them, or in capitals after a preposition."""
_AFTER_MODAL = frozenset("be i we you they not also have take need apply change vary cause get still only".split())
"""What follows "may" where it is no month: "3 may be left"."""
_SURELY_SHORT = frozenset("feb apr jul aug sept oct nov dec".split())
"""Abbreviations that are no other words, months even in small letters: "close feb"."""
_PREPOSITIONS = frozenset(
    "in of since until till by for from to this next last before after during late early mid end and or -".split()
)
_RELATIVE = {"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1}
_RELATIVE_PHRASES = (
    ("the day after tomorrow", 2),
    ("day after tomorrow", 2),
    ("the day before yesterday", -2),
    ("day before yesterday", -2),
    ("this morning", 0),
    ("this afternoon", 0),
    ("this evening", 0),
)
_RELATIVE_BY_FIRST = {
    first: tuple(each for each in _RELATIVE_PHRASES if each[0].split(" ")[0] == first)
    for first in {phrase.split(" ")[0] for phrase, _ in _RELATIVE_PHRASES}
}
_PART = {"beginning": 0, "start": 0, "early": 0, "middle": 1, "mid": 1, "end": 2, "late": 2}
"""Thirds of a month: "the end of May" is from the 21st on."""
_YEAR = re.compile(r"(?:19|20)\d\d")
NO_MONTH = "no month"
"""The unit of a reading whose month was not said: "the 3rd" is of April in "from the 3rd to the 5th of April"."""


def read_date(tokens: list[Token], index: int, today: date, anchor: date | None) -> Reading | None:
    """The date that begins at `index`. `anchor` is the last date named before it: "May 17 ... the 20th"."""
    token = tokens[index]
    if token.kind in ("iso", "slashes"):
        return _written(token, index)
    if token.kind == "num":
        return (
            _day_first(tokens, index, today)
            or _slash(tokens, index, today)
            or _the_day(tokens, index, today, anchor)
            or _in_or_ago(tokens, index, today)
        )
    reader = _READERS.get(token.low)
    return reader(tokens, index, today, anchor) if reader else None


def _reading(found: Days | date | None, end: int, *also: Days | date | None) -> Reading | None:
    if found is None:
        return None
    spans = [one_day(value) if isinstance(value, date) else value for value in (found, *also) if value is not None]
    return Reading("date", spans[0], end, also=tuple(spans[1:]))


def _written(token: Token, index: int) -> Reading | None:
    """ISO dates, and dates with slashes or points: month first with slashes where both fit, day first with points."""
    parts = [int(part) for part in re.findall(r"\d+", token.low)]
    if token.kind == "iso":
        return _reading(date_or_none(*parts), index + 1)
    year = parts[2] + 2000 * (parts[2] < 100)
    american, european = date_or_none(year, parts[0], parts[1]), date_or_none(year, parts[1], parts[0])
    if "." in token.low:
        return _reading(european, index + 1)
    other = european if american and american != european else None
    return _reading(american or european, index + 1, other)


def _slash(tokens: list[Token], index: int, today: date) -> Reading | None:
    """Such as "12/24": month and day without a year; with both below 13 only after a preposition ("on 3/5")."""
    if low_at(tokens, index + 1) != "/" or index + 2 >= len(tokens) or not touches(tokens, index + 2):
        return None
    first, second = tokens[index].low, tokens[index + 2].low
    if not (first.isdigit() and second.isdigit() and touches(tokens, index + 1)):
        return None
    month, day = int(first), int(second)
    if month > 12 >= day and (month, day) != (24, 7):  # "24/7" is no day
        month, day = day, month  # "26/3" can only have its day first
    sure = (
        day > 12
        or day == month
        or low_at(tokens, index - 1) in ("on", "by", "until", "from", "since", "to", "before", "after")
    )
    return _reading(nearest_year(month, day, today) if sure else None, index + 3)


def _month_number(tokens: list[Token], index: int) -> int:
    """The month named at `index`, abbreviated or not; 0 if the word is none."""
    word = low_at(tokens, index)
    return _MONTH.get(word) or _SHORT_MONTH.get(word, 0)


def _year_at(tokens: list[Token], index: int) -> tuple[int, int]:
    """The year at `index`, after a comma too, and where it ends; 0 if there is none."""
    start = index + (low_at(tokens, index) in (",", "-", "'"))
    if low_at(tokens, index) == "'" and touches(tokens, start) and re.fullmatch(r"\d\d", low_at(tokens, start)):
        return 2000 + int(low_at(tokens, start)), start + 1  # dec 17 '25
    if _YEAR.fullmatch(low_at(tokens, start)):
        return int(low_at(tokens, start)), start + 1
    return 0, index


def _of_year(tokens: list[Token], month: int, day: int, end: int, today: date) -> Reading | None:
    year, end = _year_at(tokens, end)
    return _reading(date_or_none(year, month, day) if year else nearest_year(month, day, today), end)


def _day_first(tokens: list[Token], index: int, today: date) -> Reading | None:
    """Such as "5 March", "5th of March", "the first of April"."""
    ordinal = read_ordinal(tokens, index)
    if ordinal:
        day, end = int(ordinal.value), ordinal.end
        end += low_at(tokens, end) == "of"
    elif tokens[index].low.isdigit() and int(tokens[index].low) < 32:
        day, end = int(tokens[index].low), index + 1
        end += low_at(tokens, end) == "-" and _month_number(tokens, end + 1) > 0  # 1-Apr-2026
    else:
        return None
    month = _month_number(tokens, end)
    if month and (ordinal or tokens[end].text[0].isupper() or low_at(tokens, end + 1) not in _AFTER_MODAL):
        return _of_year(tokens, month, day, end + 1, today)
    after = words_at(tokens, end, "this month", "the month", "next month", "last month")
    if ordinal and after > end and low_at(tokens, end - 1) == "of":
        step = {"next": 1, "last": -1}.get(tokens[after - 2].low, 0)
        first = month_of(today, step).first
        return _reading(date_or_none(first.year, first.month, day), after)
    return None


def _month_word(tokens: list[Token], index: int, today: date, anchor: date | None) -> Reading | None:
    """Such as "March 5", "March 5th, 2025", "March 2025", "in March"."""
    month, after = _month_number(tokens, index), index + 1
    after += low_at(tokens, after) == "." and tokens[index].low in _SHORT_MONTH
    number = read_ordinal(tokens, after) or read_number(tokens, after)
    start = after
    if low_at(tokens, after) == "the":
        number = read_ordinal(tokens, after + 1)
    if (
        number
        and number.value in range(1, 32)
        and low_at(tokens, start) != "a"
        and low_at(tokens, number.end)
        not in (
            "%",
            "dollars",
        )
    ):
        return _of_year(tokens, month, int(number.value), number.end, today)
    capital, named = tokens[index].text[0].isupper(), tokens[index].low in _MONTH
    year, end = _year_at(tokens, after)
    ahead = low_at(tokens, index - 1) in _PREPOSITIONS
    if tokens[index].low in _DAILY_WORDS or not named:
        ahead = ahead and capital
        sure = tokens[index].low in _SURELY_SHORT and low_at(tokens, after) not in ("'", "-")
        if not ahead and not sure and not (year and capital):
            return None
    return _reading(month_span(month, year, today), end if year else index + 1)


def _the_day(tokens: list[Token], index: int, today: date, anchor: date | None) -> Reading | None:
    """Such as "on the 20th": a day of the month named before, else of this one. "The 3rd one" is no day."""
    ordinal = read_ordinal(tokens, index)
    if not ordinal or ordinal.whole_words or low_at(tokens, index - 1) != "the":
        return None
    before = low_at(tokens, index - 2)
    if before not in _BEFORE_DAY and before not in _WEEKDAY and anchor is None:
        return None
    if ordinal.end < len(tokens) and tokens[ordinal.end].kind == "word" and not _ends_day(tokens[ordinal.end].low):
        return None
    month = anchor or today
    found = _reading(date_or_none(month.year, month.month, int(ordinal.value)), ordinal.end)
    return found and found._replace(unit=NO_MONTH)


_BEFORE_DAY = frozenset("on by until till since from to for before after through of and or than between".split())


def _ends_day(word: str) -> bool:
    """Whether a word after "the 20th" leaves it a day: "at", "going", not a thing ("the 3rd option")."""
    return word in _AFTER_DAY or word.endswith("ing")


_AFTER_DAY = frozenset(
    "at and or to until till through for from in instead is was please then if because with so but when works "
    "around".split()
)


def _weekday(tokens: list[Token], index: int, today: date, anchor: date | None) -> Reading | None:
    """Such as "Thursday", "Thursday next week", "Friday, March 13th, 2026"; past after "since" and "last"."""
    word = tokens[index].low
    number = _WEEKDAY[word] if word in _WEEKDAY else _SHORT_WEEKDAY[word]
    if word not in _WEEKDAY and (not tokens[index].text[0].isupper() or low_at(tokens, index + 1) == "'"):
        return None
    comma = index + 1 + (low_at(tokens, index + 1) in (",", "."))
    comma += low_at(tokens, comma) in (",", "the")
    dated = read_date(tokens, comma, today, anchor) if _date_follows(tokens, comma) else None
    if dated:
        return dated
    if word not in _WEEKDAY and low_at(tokens, index + 1) not in (",", ".", "and", "at", "morning", "-", ""):
        return None
    after = words_at(tokens, index + 1, "next week", "last week", "this week")
    if after > index + 1:
        step = {"next": 7, "last": -7}.get(tokens[after - 2].low, 0)
        return _reading(monday_of(today) + timedelta(number + step), after)
    return _which_weekday(tokens, index, number, today, anchor)


def _date_follows(tokens: list[Token], index: int) -> bool:
    return index < len(tokens) and (tokens[index].kind in ("num", "iso", "slashes") or _month_number(tokens, index) > 0)


def _which_weekday(tokens: list[Token], index: int, number: int, today: date, anchor: date | None) -> Reading | None:
    before = low_at(tokens, index - 1)
    if before in ("every", "each", "other"):
        return Reading("", None, index + 1)  # "every other Tuesday" names no day
    ahead = timedelta((number - today.weekday() - 1) % 7 + 1)  # 1 to 7 days
    if before in ("last", "since"):
        back = timedelta((today.weekday() - number - 1) % 7 + 1)
        return _reading(today - back, index + 1)
    if before in ("to", "through", "until", "-", "–") and anchor and _is_weekday_date(tokens, index - 2):
        return _reading(anchor + timedelta((number - anchor.weekday() - 1) % 7 + 1), index + 1)
    coming = today + ahead
    if ahead.days == 7:  # said on the very weekday
        other = coming + timedelta(7) if before == "next" else today
        return _reading(today if before == "this" else coming, index + 1, other if before != "this" else None)
    if before == "next" and coming < monday_of(today) + timedelta(7):
        return _reading(coming + timedelta(7), index + 1, coming)
    return _reading(coming, index + 1)


def _is_weekday_date(tokens: list[Token], index: int) -> bool:
    return low_at(tokens, index) in _WEEKDAY or low_at(tokens, index) in _SHORT_WEEKDAY


def _relative_word(tokens: list[Token], index: int, today: date, anchor: date | None) -> Reading | None:
    return _reading(today + timedelta(_RELATIVE[tokens[index].low]), index + 1)


def _phrase(tokens: list[Token], index: int, today: date, anchor: date | None) -> Reading | None:
    """Everything that begins with an article or another small word; the first that fits."""
    for phrase, days in _RELATIVE_BY_FIRST.get(tokens[index].low, ()):
        end = words_at(tokens, index, phrase)
        if end > index:
            return _reading(today + timedelta(days), end)
    start = index + (tokens[index].low == "the")
    return (
        _unit(tokens, start, today)
        or _part(tokens, start, today)
        or _in_or_ago(tokens, index, today)
        or _year(tokens, index)
        or (_day_first(tokens, start, today) if start > index and start < len(tokens) else None)
    )


def _unit(tokens: list[Token], index: int, today: date) -> Reading | None:
    """Such as "this week", "next month", "last year", "the last 30 days", "the last week of April", "this weekend"."""
    which, word = low_at(tokens, index), low_at(tokens, index + 1)
    step = {"this": 0, "next": 1, "last": -1, "past": -1, "previous": -1, "coming": 1, "first": 0}.get(which)
    if step is None:
        return None
    of = words_at(tokens, index + 1, "week of", "week in")
    if of > index + 1 and which in ("last", "first") and _month_number(tokens, of):
        month = month_span(_month_number(tokens, of), 0, today)
        six = timedelta(6)
        return _reading(
            Days(month.last - six, month.last) if which == "last" else Days(month.first, month.first + six), of + 1
        )
    if which == "first":
        return None
    if word == "weekend":
        saturday = monday_of(today) + timedelta(5 + 7 * step)
        return _reading(Days(saturday, saturday + timedelta(1)), index + 2)
    span = unit_span(word, step, today)
    return _reading(span, index + 2) if span else _last_days(tokens, index, step, today)


def _last_days(tokens: list[Token], index: int, step: int, today: date) -> Reading | None:
    """Such as "the last 30 days", "the next two weeks": up to today, or from today on."""
    number = read_number(tokens, index + 1) if step else None
    moved_to = number and moved(today, step * number.value, low_at(tokens, number.end))
    if not number or not moved_to:
        return None
    return _reading(Days(min(moved_to, today), max(moved_to, today)), number.end + 1)


def _part(tokens: list[Token], index: int, today: date) -> Reading | None:
    """Such as "end of May", "beginning of next month", "mid-June", "early next week", "in the middle of June"."""
    third = _PART.get(low_at(tokens, index))
    if third is None:
        return None
    start = index + 1 + (low_at(tokens, index + 1) in ("of", "-"))
    if start == index + 1 and start + 1 < len(tokens) and tokens[start + 1].low[0].isdigit():
        return None  # "a series beginning April 9"
    start = words_at(tokens, start, "the") if low_at(tokens, start + 1) in ("month", "week", "year") else start
    if _month_number(tokens, start) and tokens[start].text[0].isupper():
        year, end = _year_at(tokens, start + 1)
        return _reading(third_of(month_span(_month_number(tokens, start), year, today), third), end)
    step = {"this": 0, "next": 1, "last": -1}.get(low_at(tokens, start), 0)
    unit_at = start + (low_at(tokens, start) in ("this", "next", "last"))
    span = unit_span(low_at(tokens, unit_at), step, today) if start > index + 1 or unit_at > start else None
    if span is None:
        return None
    if low_at(tokens, unit_at) == "month":
        span = third_of(span, third)
    elif third == 2 and low_at(tokens, index) == "end":
        span = Days(span.last - timedelta(2), span.last)  # the end of a week is its weekend
    return _reading(span, unit_at + 1)


def _in_or_ago(tokens: list[Token], index: int, today: date) -> Reading | None:
    """Such as "in three days", "a week ago", "two months from now", "a week from Thursday"."""
    ahead = low_at(tokens, index) == "in"
    number, end = _count(tokens, index + ahead)
    if not number:
        return None
    unit, after = low_at(tokens, end), end + 1
    if ahead:
        is_sort = low_at(tokens, after) in ("order", "trip", "pass")  # "put in a day order"
        return None if is_sort else _reading(moved(today, number, unit), words_at(tokens, after, "' time", "time"))
    for phrase, sign in (("ago", -1), ("back", -1), ("from now", 1), ("from today", 1)):
        done = words_at(tokens, after, phrase)
        if done > after:
            return _reading(moved(today, sign * number, unit), done)
    if low_at(tokens, after) == "from" and unit in UNIT_DAYS and after + 1 < len(tokens):
        base = read_date(tokens, after + 1, today, None)
        return base and _reading(moved(base.value.first, number, unit), base.end)
    return None


def _count(tokens: list[Token], index: int) -> tuple[float, int]:
    """How many units of time: a number, or "a" for one."""
    if low_at(tokens, index) in ("a", "an") and low_at(tokens, index + 1) in (*UNIT_DAYS, "month", "year"):
        return 1, index + 1
    number = read_number(tokens, index)
    return (number.value, number.end) if number else (0, index)


def _year(tokens: list[Token], index: int) -> Reading | None:
    """Such as "in 2019", "since 2020": a year, unless a thing is counted ("in 2000 cases") or a number ends in it."""
    if low_at(tokens, index) not in ("in", "since", "during") or low_at(tokens, index - 1) in ENDING:
        return None
    year, end = _year_at(tokens, index + 1)
    if not year or (end < len(tokens) and tokens[end].kind == "word" and tokens[end].low.endswith("s")):
        return None
    return _reading(Days(date(year, 1, 1), date(year, 12, 31)), end)


def _number_word(tokens: list[Token], index: int, today: date, anchor: date | None) -> Reading | None:
    """A number in words that a date begins with: "two weeks ago", "first of April", "fifth of May"."""
    return _in_or_ago(tokens, index, today) or _day_first(tokens, index, today)


Reader = Callable[[list[Token], int, date, date | None], Reading | None]
_READERS: dict[str, Reader] = {
    **dict.fromkeys([*_MONTH, *_SHORT_MONTH], _month_word),
    **dict.fromkeys([*_WEEKDAY, *_SHORT_WEEKDAY], _weekday),
    **dict.fromkeys(_RELATIVE, _relative_word),
    **dict.fromkeys("the this next last past previous coming first day in since during a an".split(), _phrase),
    **dict.fromkeys(_PART, _phrase),
    **dict.fromkeys([word for word in ORDINAL_WORDS if word != "first"], _number_word),
    **dict.fromkeys(
        "one two three four five six seven eight nine ten eleven twelve twenty thirty".split(), _number_word
    ),
}
STARTS = frozenset(_READERS)
"""The words that a date can begin with, figures aside."""
