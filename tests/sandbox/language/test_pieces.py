"""Pieces that every match of a pattern holds: those that tell most, none where nothing is known."""

from __future__ import annotations

import pytest

from toolgym.sandbox.language.pieces import holds_one, pieces_of


@pytest.mark.parametrize(
    ("pattern", "pieces"),
    [
        (r"e-?mails?(?: address)?|(?<!shipping )mail address", {"mail"}),
        (r"(?:user|account)(?:'s)?[ -]?(?:id|number)s?\b|\bid\b(?= and)", {"user", "account", "id"}),
        (r"(?:tele)?phone number|(?<!on the )phones?\b", {"phone"}),
        (r"\d+ ?(?:lb|kg)", {"lb", "kg"}),
        (r"(?:un)?(?:locked|frozen)*!", {"!"}),
        (r"(?>zip)+", {"zip"}),
        (r"x*|known", set()),
        (r"(?i)known", set()),
        (r"(?:(?i:known))", set()),
    ],
)
def test_every_match_holds_one_of_these(pattern: str, pieces: set[str]) -> None:
    assert set(pieces_of(pattern)) == pieces


def test_a_text_holds_a_piece_wherever_it_stands() -> None:
    assert holds_one("which usernames?", ("id", "name"))
    assert not holds_one("which one?", ("id", "name"))
