"""The order in which a search tries rows."""

from __future__ import annotations

from random import Random

from toolgym.sandbox.synthesis.search import shuffled


def test_rows_come_in_the_order_of_a_sample_of_all() -> None:
    for count in (0, 1, 2, 7, 64, 65, 300):
        one, other, rows = Random(count), Random(count), list(range(count))
        assert shuffled(rows, one) == other.sample(rows, count)
        assert one.random() == other.random()
