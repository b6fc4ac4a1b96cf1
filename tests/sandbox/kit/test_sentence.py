"""What a sentence's own words become with the words that stand in its places."""

import pytest

from toolgym.sandbox.kit.sentence import filled


@pytest.mark.parametrize(
    ("sentence", "words", "said"),
    [
        ("Look for a {sort}.", {"sort": "armchair"}, "Look for an armchair."),
        ("A {title} is for sale.", {"title": "Orlin desk"}, "An Orlin desk is for sale."),
        ("I want a {trip}.", {"trip": "one-way trip"}, "I want a one-way trip."),
        ("I need a {sort}.", {"sort": "tent"}, "I need a tent."),
        ("Plan a {thing}.", {"thing": "unit test"}, "Plan a unit test."),
        ("Let {order} be for {quantity} shares.", {"order": "A", "quantity": "1"}, "Let A be for 1 share."),
        ("Send {quantity} pieces, please.", {"quantity": "10"}, "Send 10 pieces, please."),
        ("Do {event} this once.", {"event": "1"}, "Do 1 this once."),
        ("{left} less is fine.", {"left": "1"}, "1 less is fine."),
    ],
)
def test_articles_and_plurals_agree(sentence: str, words: dict[str, str], said: str) -> None:
    assert filled(sentence, words) == said
