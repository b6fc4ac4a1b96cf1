"""What a mention says of itself, how a world's words are looked up, and that no text breaks the reader."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from toolgym.sandbox.language.lexicon import Lexicon
from toolgym.sandbox.language.mentions import Mention, find_mentions

NOW = datetime(2026, 3, 10, 9, 30)  # a Tuesday
WORDS = (
    "from to not no instead of the a one second third $ % 5 5,0 9:30 pm am May march half past and - / 2026-03-10 # in "
    "A-20817 A 20817 next last week ago hundred million dollars cents minutes h a.m. . , ! \n ** ending the 5th"
).split(" ")
LEXICON = Lexicon(
    {"Payee.name": ["Rosa Marino", "Bell"], "City.name": ["Bell", "the May"]}, {"Account.id": ["A-20817"]}
)


def only(text: str, lexicon: Lexicon | None = None) -> Mention:
    (mention,) = find_mentions(text, lexicon, NOW)
    return mention


@given(st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join) | st.text(max_size=40))
def test_any_text_can_be_read_and_mentions_stand_in_order_where_they_say(text: str) -> None:
    found = find_mentions(text, LEXICON, NOW)
    assert all(text[mention.start : mention.end] == mention.text != "" for mention in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert find_mentions(text, LEXICON, NOW) == found


def test_figures_beyond_any_quantity_are_an_identifier() -> None:
    assert only("1" * 400 + ".5").kind == "identifier"
    assert only("5 " + "million " * 100).kind == "number"
    assert find_mentions("in 99999999 days", None, NOW)[0].kind == "duration"


def test_a_word_of_two_columns_names_both() -> None:
    assert only("Bell's", LEXICON).columns == ("Payee.name", "City.name")
    assert only("bell", LEXICON).column == "Payee.name"


def test_a_key_is_known_by_the_shape_of_its_column() -> None:
    for text in ("A-20911", "a 20911", "a20911", "#A-20911"):
        mention = only(text, LEXICON)
        assert (mention.kind, mention.value, mention.column) == ("identifier", "A-20911", "Account.id")


def test_a_longer_name_wins_over_a_shorter_one() -> None:
    lexicon = Lexicon({"City.name": ["York", "New York", "New York City"]})
    assert [mention.value for mention in find_mentions("New York, York, new york city", lexicon, NOW)] == [
        "New York",
        "York",
        "New York City",
    ]


def test_what_is_denied_is_marked_wherever_the_denial_stands() -> None:
    texts = ("that is not 100", "100 is wrong", "it isn't 5 or 6", "not only 100", "no, 100", "not late, it is 100")
    assert [[mention.negated for mention in find_mentions(text, None, NOW)] for text in texts] == [
        [True],
        [True],
        [True, True],
        [False],
        [False],
        [False],
    ]


def test_a_currency_other_than_dollars_is_named() -> None:
    assert [only(text).unit for text in ("€45", "45 euros", "£3", "$3")] == ["EUR", "EUR", "GBP", "USD"]


def test_a_range_takes_what_is_said_once_for_both_ends() -> None:
    for text in ("5 to 7 business days", "$5-10", "March 3-5", "between the 2nd and the 9th of May", "2 to 3 pm"):
        first, last = find_mentions(text, None, NOW)
        assert (first.kind, first.unit, last.role) == (last.kind, last.unit, "to"), text


def test_the_number_of_a_house_is_no_end_of_a_range() -> None:
    money, house = find_mentions("Ship the order that cost $169.45 to 204 Maple Ridge.", None, NOW)
    assert (money.kind, house.kind, house.value) == ("money", "number", 204)


def test_the_last_digits_of_a_number_are_no_year() -> None:
    (digits,) = find_mentions("Freeze the card ending in 1999, please.", None, NOW)
    assert (digits.kind, digits.value) == ("identifier", "1999")
    (year,) = find_mentions("I opened the account in 1999.", None, NOW)
    assert year.kind == "date"


def test_how_people_say_days_times_and_one_in_passing() -> None:
    texts = (
        "on the 3rd going to Toronto",
        "in the afternoon 2:45",
        "That one sounds good.",
        "I'd like a one way flight",
    )
    assert [[mention.kind for mention in find_mentions(text, None, NOW)] for text in texts] == [
        ["date"],
        ["time"],
        [],
        [],
    ]


def test_a_plural_name_is_not_found_in_a_verb() -> None:
    lexicon = Lexicon({"Account.nickname": ["Savings"], "Product.name": ["Running Shoes"]})
    texts = ("I am saving up", "my savings' balance", "one running shoe")
    assert [[found.value for found in find_mentions(text, lexicon, NOW) if found.kind == "term"] for text in texts] == [
        [],
        ["Savings"],
        ["Running Shoes"],
    ]
