from __future__ import annotations

from datetime import date, datetime

from toolgym.sandbox.language.iso_dates import iso_day, iso_moment


def test_days_and_moments_are_read_out_of_any_text():
    assert iso_day("2026-03-17") == date(2026, 3, 17)
    assert [iso_day(text) for text in ("on 2026-03-18", "2026-02-30", "9999-99-99")] == [None] * 3
    assert iso_moment("2026-03-17T09:30:00") == datetime(2026, 3, 17, 9, 30)
    assert iso_moment("2026-03-17 09:30") == datetime(2026, 3, 17, 9, 30)


def test_what_is_no_day_or_moment_is_none():
    for text in ("", "Hi Nina,\n\nThanks for the pears", "2026-13-01T09:30", "2026-03-17T9", "20260317", "W32"):
        assert iso_moment(text) is None
        assert iso_day(text) is None
