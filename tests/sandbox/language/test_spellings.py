"""What is rendered as people say it is read back as what it was."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgym.sandbox.language import days, durations, money, numbers, times
from toolgym.sandbox.language.days import one_day
from toolgym.sandbox.language.mentions import find_mentions
from toolgym.sandbox.language.tokens import tokenize

NOW = datetime(2026, 3, 10, 9, 30)


def only_reading(text: str) -> object:
    """The value of the one mention that is all of a text and open to no other reading."""
    (mention,) = find_mentions(text, None, NOW)
    assert (mention.text, mention.also) == (text, ())
    return mention.value


@given(st.integers(0, 10**12 - 1))
def test_a_number_in_words_is_read_as_that_number(value: int) -> None:
    found = numbers.read_number(tokenize(numbers.spell(value)), 0)
    assert found is not None and found.value == value


@given(st.integers(1, 10**9))
def test_every_spelling_of_an_amount_is_that_amount(cents: int) -> None:
    assert {only_reading(text) for text in money.spellings(cents)} == {cents}


def test_an_amount_is_written_as_people_write_it() -> None:
    assert [money.in_words(cents) for cents in (1250, 4000, 120000, 5, -2000)] == [
        "$12.50",
        "$40",
        "$1,200",
        "$0.05",
        "-$20",
    ]
    assert money.spellings(4000) == ("$40", "$40.00", "40 dollars", "forty dollars", "40 bucks")


@given(st.integers(-3000, 3000))
def test_every_spelling_of_a_day_is_that_day(ahead: int) -> None:
    day = NOW.date() + timedelta(ahead)
    assert {only_reading(text) for text in days.spellings(day, NOW.date())} == {one_day(day)}


def test_near_days_have_names_of_their_own() -> None:
    assert days.spellings(date(2026, 3, 11), NOW.date())[-1] == "tomorrow"
    assert days.spellings(date(2026, 3, 12), NOW.date())[-1] == "Thursday"


def test_every_spelling_of_every_minute_of_the_day_is_that_minute() -> None:
    for minute in range(24 * 60):
        moment = time(minute // 60, minute % 60)
        for text in times.spellings(moment):
            (mention,) = find_mentions(text, None, NOW)
            assert moment in (mention.value, *mention.also), text


@given(st.integers(1, 2000))
def test_every_spelling_of_a_duration_is_that_duration(minutes: int) -> None:
    assert {only_reading(text) for text in durations.spellings(minutes)} == {minutes}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("eighty dollars fifty", 8050),
        ("thirty-seven dollars fifty are to flow back", 3750),
        ("five dollars five people", 500),
        ("¾ of an hour beforehand", 45),
        ("1½ hours", 90),
        ("★★★☆☆ for the kettle", 3),
        ("⭐⭐⭐", 3),
    ],
)
def test_cents_without_their_name_fractions_and_drawn_stars_are_read(text: str, value: int) -> None:
    assert find_mentions(text, None, NOW)[0].value == value
