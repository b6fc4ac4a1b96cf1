"""The spoken form and its reader: what is said can be read back, in every manner, and facts stay facts."""

import re
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from toolgym.sandbox.kit.task import Goal
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.speech.disfluency import add_disfluency
from toolgym.sandbox.speech.inverse_text_normalization import read, squashed
from toolgym.sandbox.speech.metrics import errors, missed, words
from toolgym.sandbox.speech.text_normalization import identifiers, speakable

MANNERS = ("grouped", "slow", "nato")
SOUND_LIKE_DIGITS = {"ate", "for", "free", "to", "too", "tree", "won"}


def _facts() -> list[str]:
    found = set()
    for task in get_domain("retail").tasks("test", "own"):
        for fact in [*task.facts, *(fact for goal in task.goals for fact in goal.facts)]:
            if fact.name in {"email", "zip", "order_id"}:
                found.add(str(fact.value))
    return sorted(found)


@pytest.mark.parametrize("manner", MANNERS)
def test_every_id_of_the_tasks_is_read_back_from_its_spoken_words(manner):
    facts = _facts()
    assert len(facts) > 100
    for value in facts:
        said = speakable(f"Hello. It is {value}. Thanks.", lambda _: manner)
        assert not any(letter.isdigit() for letter in said)
        assert value.lstrip("#") in read(said), (said, read(said))


@pytest.mark.parametrize("world", ["marketplace", "shopping"])
def test_what_wishes_of_a_world_hold_is_said_as_people_say_it_and_read_back(world: str) -> None:
    """Of every sort of fact: ids, amounts, dates and names, in all that the test's wishes tell."""
    told = {fact for task in get_domain(world).tasks("test", "v2") for goal in task.goals for fact in _words(goal)}
    kinds = dict.fromkeys(("id", "money", "name"), 0)
    for text in sorted(told):
        said, ids = speakable(text), identifiers(text)
        assert all(squashed(each) in squashed(read(said)) for each in ids), (text, said, read(said))
        assert not any(each in said for each in ids), "nobody says an id as it is written"
        assert "$" not in said
        if amount := re.search(r"\$(\d[\d,]*)(?:\.(\d\d))?", text):
            assert f"{amount[1].replace(',', '')} dollar" in said and (
                not amount[2] or f"{int(amount[2])} cent" in said
            ), said
        names = re.findall(r"\b[A-Z][a-z]+(?: [A-Z][a-z]+)*\b", text)
        assert all(name in said for name in names), (text, said)
        kinds["id"] += bool(ids)
        kinds["money"] += bool(amount)
        kinds["name"] += bool(names)
    assert min(kinds.values()) >= 5, kinds


def _words(goal: Goal) -> list[str]:
    return [goal.utterance, *(fact.words for fact in goal.facts if fact.words)]


@settings(max_examples=200, deadline=None)
@given(
    st.from_regex(r"\A(?:#W[0-9]{7}|[0-9]{5,12}|[a-z]{2,8}\.[a-z]{2,9}[0-9]{2,4}@example\.(?:com|org))\Z"),
    st.sampled_from(MANNERS),
)
def test_any_id_survives_being_spoken(value, manner):
    assume(not set(re.findall("[a-z]+", value)) & SOUND_LIKE_DIGITS)  # "dot to, zero zero" is ".200" as well
    assert squashed(value) in squashed(read(speakable(f"It is {value}, please.", lambda _: manner)))


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("order #W2378156.", "order W, two three seven, eight one, five six."),
        ("zip 02139", "zip zero two one, three nine"),
        ("ada.king12@example.com", "ada dot king, one two, at example dot com"),
        ("user noah_brown_6181", "user noah underscore brown underscore six one, eight one"),
        ("It costs $1,204.50", "It costs 1204 dollars and 50 cents"),
        ("$1 left", "1 dollar left"),
        ("on 2026-03-05", "on March 5, 2026"),
        ("card ending in 9212", "card ending in nine two, one two"),
        ("the card that ends in 8962", "the card that ends in eight nine, six two"),
        ("Austin, TX, USA", "Austin, Texas, USA"),
        ("a size M shirt, 24 cm", "a size M shirt, 24 cm"),
    ],
)
def test_how_things_are_said(written, said):
    assert speakable(written) == said


def test_repeated_names_are_spelled_and_at_last_in_code_words():
    text = "My name is Yusuf Rossi."
    assert speakable(text, names=["Yusuf", "Rossi"]) == text
    assert "Yusuf, Y U S U F, Rossi, R O S S I" in speakable(text, lambda _: "slow", ["Yusuf", "Rossi"])
    assert "Romeo Oscar Sierra Sierra India" in speakable(text, lambda _: "nato", ["Yusuf", "Rossi"])


@pytest.mark.parametrize(
    ("heard", "read_back"),
    [
        ("The order is W237-8156.", "The order is W2378156."),
        ("order W2,378,156", "order W2378156"),
        ("order double you two three seven eight one five six", "order W2378156"),
        ("W A A, Far 3, 1 3, 6", "W8843136"),
        ("whiskey8843136", "W8843136"),
        ("My zip code is 191-22.", "My zip code is 19122."),
        ("useof.rosi1234 at example.com.", "useof.rosi1234@example.com."),
        ("mia dot Garcia 27, 23 at example dot com", "mia.garcia2723@example.com"),
        ("my e-mail is a.b12@example.com.my name is", "my e-mail is a.b12@example.com. my name is"),
        ("Los Angeles, California, USA-9-0-0-2-5.", "Los Angeles, CA, USA, 90025."),
        ("March 5, 2026", "March 5, 2026"),
        ("order W-0067122 to 742 Heron Lane", "order W0067122 to 742 Heron Lane"),
        ("for $12.50 or 5.5 inch", "for $12.50 or 5.5 inch"),
        ("R-O-S-S-I", "ROSSI"),
        ("The number is S W, 217, 84.", "The number is SW21784."),
        ("Portland, TX, 97201", "Portland, TX, 97201"),
    ],
)
def test_how_transcripts_are_read(heard, read_back):
    assert read(heard).startswith(read_back) or read_back in read(heard)


@given(st.integers(0, 10_000))
@settings(max_examples=100, deadline=None)
def test_hesitating_adds_words_and_takes_none(seed):
    text = "I want to return the Desk Lamp from order #W2378156. My name is Yusuf Rossi, my zip code is 19122."
    spoken = add_disfluency(text, 1.0, Random(seed))
    assert identifiers(spoken) == identifiers(text)
    rest = iter(spoken.replace(",", "").split())
    assert all(word in rest for word in text.replace(",", "").split()), spoken  # in order: a subsequence
    assert add_disfluency(text, 0.0, Random(seed)) == text
    assert add_disfluency(text, 1.0, Random(seed)) == spoken


def test_some_hesitate_and_some_begin_again():
    text = "I want to return the Desk Lamp from my order."
    forms = {add_disfluency(text, 1.0, Random(seed)) for seed in range(40)}
    assert any(form.count("I want") == 2 for form in forms)
    assert any(form.count("I want") == 1 and form != text for form in forms)


def test_word_errors_and_ids_are_counted():
    assert errors(["a", "b", "c"], ["a", "x", "c", "d"]) == 2
    assert words("Order W, 23 78, at 9.") == ["order", "w", "2", "3", "7", "8", "at", "9"]
    assert missed("order #W2378156, zip 19122", "order W2378156 and 19123") == ["19122"]
