"""Opposites of general words."""

from __future__ import annotations

from toolgym.sandbox.language.antonyms import opposed_to


def test_a_word_has_its_opposite_and_both_sides_none() -> None:
    assert "smaller" in opposed_to("one size larger")
    assert "smaller" not in opposed_to("larger or smaller")
    assert "in-full" not in opposed_to("receive it, nothing is missing")
