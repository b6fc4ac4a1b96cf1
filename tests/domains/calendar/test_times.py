"""The calendar's arithmetic: clocks, working hours, busy stretches, the times of a series."""

from datetime import date, datetime

import pytest

from toolgym.domains.calendar.times import joined, later_times, longest_free, working_times, works
from toolgym.domains.directory import HOME, hours_ahead


def at(hour: int, minute: int = 0, day: int = 10) -> datetime:
    return datetime(2026, 3, day, hour, minute)


@pytest.mark.parametrize(
    ("zone", "day", "ahead"),
    [
        ("Europe/London", date(2026, 3, 7), 5),
        ("Europe/London", date(2026, 3, 8), 4),
        ("Europe/London", date(2026, 3, 28), 4),
        ("Europe/London", date(2026, 3, 29), 5),
        ("Europe/London", date(2026, 10, 25), 4),
        ("Europe/London", date(2026, 11, 1), 5),
        ("America/Chicago", date(2026, 3, 8), -1),
        ("Asia/Singapore", date(2026, 3, 7), 13),
        ("Asia/Singapore", date(2026, 3, 10), 12),
        (HOME, date(2026, 3, 10), 0),
    ],
)
def test_clocks_are_ahead_by_the_season(zone: str, day: date, ahead: int) -> None:
    assert hours_ahead(zone, day) == ahead


def test_a_colleague_in_singapore_works_on_two_sides_of_midnight() -> None:
    assert working_times("Asia/Singapore", date(2026, 3, 10)) == [
        (at(0), at(5, 30)),
        (at(21), at(0, day=11)),
    ]


def test_nobody_works_at_a_weekend_of_their_own() -> None:
    assert working_times("Asia/Singapore", date(2026, 3, 13)) == [(at(0, day=13), at(5, 30, day=13))]
    assert working_times(HOME, date(2026, 3, 14)) == []


def test_work_ends_at_half_past_five() -> None:
    assert works("Europe/London", at(13), 30)
    assert not works("Europe/London", at(13), 31)
    assert not works("Europe/London", at(4, 59), 30)


def test_stretches_that_touch_are_one() -> None:
    given = [(at(11), at(12)), (at(9), at(10)), (at(10), at(10, 30)), (at(9, 15), at(9, 30))]
    assert joined(given) == [(at(9), at(10, 30)), (at(11), at(12))]


def test_the_longest_free_stretch_lies_within_the_day() -> None:
    day = (at(9), at(17, 30))
    assert longest_free([(at(9), at(10)), (at(13), at(14))], day) == (at(14), at(17, 30))
    assert longest_free([(at(7), at(9, 30)), (at(13, 30), at(19))], day) == (at(9, 30), at(13, 30))
    assert longest_free([(at(8), at(18))], day) is None
    assert longest_free([], day) == day


def test_a_series_keeps_its_day_and_its_last_day_counts() -> None:
    assert later_times(at(9), "week", 2, date(2026, 4, 7)) == [at(9, day=24), datetime(2026, 4, 7, 9)]
    months = later_times(datetime(2026, 1, 31, 9), "month", 1, date(2026, 4, 30))
    assert [moment.date() for moment in months] == [date(2026, 2, 28), date(2026, 3, 31), date(2026, 4, 30)]
    assert later_times(at(9), "day", 1, date(2026, 3, 10)) == []
