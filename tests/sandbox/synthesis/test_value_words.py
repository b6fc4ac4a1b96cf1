"""Sentences with several ways to go on, and days of which no more than the month is said."""

from datetime import date, datetime
from random import Random

from toolgym.sandbox.synthesis.value_words import Month, coarsely, in_words, varied


def test_one_of_several_ways_is_taken_wherever_there_are_some() -> None:
    said = {
        varied("(|Hello:) my phone (is dead|has no (net|signal)) (|today). (|Help!)", Random(seed))
        for seed in range(200)
    }
    assert len(said) == 2 * 3 * 2 * 2
    assert "my phone is dead." in said and "Hello: my phone has no signal today. Help!" in said


def test_a_place_says_no_more_of_a_day_than_it_is_asked_for() -> None:
    values = {"on": date(2024, 2, 29), "start": datetime(2026, 12, 24, 9, 30), "payee": "Bell Market", "until": None}
    said = coarsely(values, [("on", "month"), ("start", "day"), ("payee", ""), ("until", "month")])
    assert said == values | {"on": Month(date(2024, 2, 1), date(2024, 2, 29)), "start": date(2026, 12, 24)}
    now = datetime(2026, 3, 13)
    assert in_words("date", said["on"], Random(1), now=now) == "February 2024"
    december = coarsely(values, [("start", "month")])["start"]
    assert december == Month(date(2026, 12, 1), date(2026, 12, 31))
    assert in_words("moment", december, Random(1), now=now) == "December"
