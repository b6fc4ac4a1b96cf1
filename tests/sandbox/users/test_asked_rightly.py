"""A question gets its answer and nothing beside it: which line of a table, a reason asked for before the act."""

from __future__ import annotations

from random import Random

import bank

from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.language.dialogue_acts import parse_act
from toolgym.sandbox.runtime.user_tool_driver import seen_last
from toolgym.sandbox.users.asking import choices, prefers
from toolgym.sandbox.users.person import PersonFacts
from toolgym.sandbox.users.topics import of_the_wish, topics_of

_TABLE = "Which store should send it?\n\n| Store | Free |\n|---|---|\n| Columbus | 59 |\n| Syracuse | 38 |"


def test_the_head_of_a_table_is_no_line_to_choose():
    heard = parse_act(_TABLE)
    assert [heard.plain[start:end][:8] for start, end in choices(heard)] == ["Columbus", "Syracuse"]


def test_a_reason_asked_for_before_the_act_is_a_question_and_no_proposal():
    heard = parse_act("Before I proceed, could you tell me the reason: is it no longer needed, or a mistake?")
    assert heard.asked and not heard.proposal
    assert parse_act("Do you want to proceed?").proposal


def test_what_a_thing_shows_is_no_question_for_its_number():
    topics = topics_of("telecom")
    assert "phone_number" not in topics.in_text("what does the phone show about the sim?")
    assert "phone_number" in topics.in_text("and your phone, please?")


def test_the_e_mail_on_an_account_says_who_one_is():
    assert "address" not in of_the_wish("can i have the e-mail address on your account?")
    assert "address" in of_the_wish("which address should it go to?")


def test_what_was_looked_at_twice_is_told_as_it_is_now():
    look, turn = ToolCall(id="1", name="check_status", arguments={}), ToolCall(id="2", name="toggle", arguments={})
    assert seen_last([(look, "off"), (turn, "done"), (look, "on")]) == [(turn, "done"), (look, "on")]


def test_what_is_ordered_by_mistake_asks_for_no_order():
    part = bank.Bank(bank.FOLDER, "tune")
    said = bank.talk(
        part.task({"task": "retail-test-0-0016", "wish": 1}), ["Was it ordered by mistake, or why?"], "terse"
    )
    assert "mistake" in said[-1] and "The order" not in said[-1]


def test_which_of_several_numbers_is_told_by_the_users_own():
    person = PersonFacts(bank.Bank(bank.FOLDER, "tune").tasks["telecom-dev-777-0026"], "terse", Random(1))
    own = next(fact.value for fact in person._facts if fact.name == "phone_number")
    lines = f"You have two lines, {own} and 415-555-9141. "
    assert own in person.picked(parse_act(lines + "Which one is it?"))[0]
    assert not person.picked(parse_act(lines + "Which plan would you like?"))
    assert not person.picked(parse_act(f"Your line is {own}. Which one is it?"))


def test_whether_the_person_is_asked_for_draws_no_words():
    rng = Random(1)
    person = PersonFacts(bank.Bank(bank.FOLDER, "tune").tasks["telecom-dev-777-0026"], "terse", rng)
    before = rng.getstate()
    assert person.is_asked("what is your phone number?") and not person.is_asked("which colour would you like?")
    assert rng.getstate() == before


def test_what_a_new_thing_is_to_look_like_is_no_preference_and_no_ignorance():
    assert prefers("what colour should the label have?") and not prefers("what should i do?")


def test_options_that_a_wish_leaves_as_they_are_are_said_to_stay():
    wish = bank.Bank(bank.FOLDER, "tune").tasks["retail-v2-test-0-0062"]
    asking = "Which handle would you like, wood or plastic?"
    asking = "In stainless steel: " + asking
    again = asking + " And should it go to your PayPal or your credit card?"
    said = bank.talk(wish, ["Which variant would you like?", again, "And which handle, wood or plastic?"], "terse")
    assert "stainless steel" in said[1] and "rest" not in said[1]
    assert "rest" in said[2] and "Knife" not in said[2] and "stainless" not in said[2] and "8823" in said[2]
    assert "rest" in said[3]


def test_what_is_it_may_be_for_the_second_choice_just_spoken_of():
    part = bank.Bank(bank.FOLDER, "tune")
    task = next(each for each in part.tasks.values() if "-v2-" in each.id and each.goals[0].fallback is not None)
    said = bank.talk(
        task, ["I can't do that. You mentioned something else that you'd settle for. What is it?"], "terse"
    )
    assert task.goals[0].fallback.utterance in said[1]
