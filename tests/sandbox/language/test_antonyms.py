"""Opposites of general words, and which way a list runs."""

from __future__ import annotations

import pytest

from toolgym.sandbox.language.antonyms import directions, opposed_to, sorted_by


def test_a_word_has_its_opposite_and_both_sides_none() -> None:
    assert "smaller" in opposed_to("one size larger")
    assert "smaller" not in opposed_to("larger or smaller")
    assert "in-full" not in opposed_to("receive it, nothing is missing")


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("from smallest to largest", {"up"}),
        ("largest first", {"down"}),
        ("z to a", {"down"}),
        ("in ascending order", {"up"}),
        ("the newest entries first", {"down"}),
        ("send it to the first address", set()),
    ],
)
def test_the_way_of_a_list(text: str, way: set[str]) -> None:
    assert directions(text) == way


def test_what_a_list_is_sorted_by() -> None:
    assert (sorted_by("alphabetically"), sorted_by("by number"), sorted_by("by friday")) == (
        {"letter"},
        {"number"},
        set(),
    )
