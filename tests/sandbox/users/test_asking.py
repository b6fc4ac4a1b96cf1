"""Which parts a question has, and which facts its form can be about."""

from __future__ import annotations

from toolgym.sandbox.kit.task import Fact
from toolgym.sandbox.users.asking import how_many_asked, likely, narrowed, parts_of

DAY, SUM = Fact(name="first_on", value="2026-04-06", kind="date"), Fact(name="sum", value=300, kind="money")


def test_a_preposition_or_a_verb_begins_another_question() -> None:
    assert len(parts_of("who brings it, and under what number?")) == 2
    assert len(parts_of("in what class, and is a meal wanted?")) == 2


def test_a_condition_asks_for_nothing() -> None:
    asked = "should the new one cost more, how will you pay?"
    assert how_many_asked(asked) == 1
    assert narrowed(asked, lambda part: [word for word in ("new", "pay") if word in part]) == ["pay"]


def test_a_guess_is_of_the_sort_that_is_asked_for() -> None:
    assert likely("when shall it be?", [SUM, DAY]) == [DAY]
    assert likely("why is that?", [SUM, DAY]) == []


def test_what_was_is_no_fact_of_a_wish() -> None:
    assert likely("how did you find it?", [SUM, DAY]) == []
