"""Spans of days, the calendar's arithmetic, and how people say a day. Not for reading: that is `dates`."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

MONTHS = "January February March April May June July August September October November December".split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
"""English whatever the machine's locale is, unlike `strftime`."""
UNIT_DAYS = {"day": 1, "days": 1, "week": 7, "weeks": 7, "fortnight": 14}
_FAR = 1000
"""Days, weeks, months or years from today at most: "in 5000 weeks" is no date that anybody means."""


class Days(NamedTuple):
    """A span of days, both ends included."""

    first: date
    last: date


def one_day(day: date) -> Days:
    """A single day as a span."""
    return Days(day, day)


def same_month(day: int, model: Days) -> Days | None:
    """A day of the month of another one: the 5 of "March 3-5"; None where it has no such day."""
    found = date_or_none(model.first.year, model.first.month, day)
    return one_day(found) if found else None


def spellings(day: date, today: date) -> tuple[str, ...]:
    """The ways a person may say a day, all of them read as that day on `today`; choose one with a random generator."""
    month = MONTHS[day.month - 1]
    said = [day.isoformat(), f"{month} {day.day}, {day.year}", f"{day.day} {month} {day.year}"]
    if nearest_year(day.month, day.day, today) == day:
        said += [f"{month} {day.day}", f"{month} {_ordinal(day.day)}", f"the {_ordinal(day.day)} of {month}"]
    near = {0: "today", 1: "tomorrow", -1: "yesterday"}.get((day - today).days)
    if near:
        said.append(near)
    elif 1 < (day - today).days < 7:
        said.append(WEEKDAYS[day.weekday()])
    return tuple(said)


def _ordinal(number: int) -> str:
    ending = "th" if 10 < number < 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def date_or_none(year: int, month: int, day: int) -> date | None:
    """The day, or None where the calendar has none."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def nearest_year(month: int, day: int, today: date) -> date | None:
    """A day without a year is the nearest one: "March 5" was last week, "12/24" is over, "September 3" is to come."""
    days = [found for year in (-1, 0, 1) if (found := date_or_none(today.year + year, month, day))]
    return min(days, key=lambda found: abs((found - today).days), default=None)


def month_span(month: int, year: int, today: date) -> Days:
    """A month of a year; with year 0 the one nearest to today."""
    first = date(year, month, 1) if year else nearest_year(month, 1, today)
    assert first is not None  # the first of a month exists in every year
    return month_of(first, 0)


def month_of(day: date, step: int) -> Days:
    """The month so many months after that of a day."""
    months = day.year * 12 + day.month - 1 + step
    first = date(months // 12, months % 12 + 1, 1)
    after = date((months + 1) // 12, (months + 1) % 12 + 1, 1)
    return Days(first, after - timedelta(1))


def monday_of(day: date) -> date:
    """The first day of a day's week."""
    return day - timedelta(day.weekday())


def unit_span(unit: str, step: int, today: date) -> Days | None:
    """A week from Monday on, a month or a year, so many after the present one."""
    if unit == "week":
        monday = monday_of(today) + timedelta(7 * step)
        return Days(monday, monday + timedelta(6))
    if unit == "month":
        return month_of(today, step)
    return Days(date(today.year + step, 1, 1), date(today.year + step, 12, 31)) if unit == "year" else None


def moved(day: date, count: float, unit: str) -> date | None:
    """A day so many days, weeks, months or years later; a month has no 31st where it has none."""
    if not abs(count) < _FAR:
        return None
    if unit in UNIT_DAYS:
        return day + timedelta(round(count * UNIT_DAYS[unit]))
    months = {"month": 1, "months": 1, "year": 12, "years": 12}.get(unit)
    if months is None or count != int(count):
        return None
    span = month_of(day, int(count) * months)
    return min(span.first + timedelta(day.day - 1), span.last)


def third_of(month: Days, third: int) -> Days:
    """The beginning (0), middle (1) or end (2) of a month: ten days, the end up to its last."""
    first = month.first + timedelta(10 * third)
    return Days(first, month.last if third == 2 else first + timedelta(9))
