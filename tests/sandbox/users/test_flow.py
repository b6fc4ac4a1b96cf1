"""How a conversation goes on: what was named stays named, a report settles what was asked back, nobody stammers."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import bank
import pytest

from toolgym import domains
from toolgym.sandbox.kit.message import STOP
from toolgym.sandbox.kit.task import Task, read_tasks
from toolgym.sandbox.language.consent import asks_back, is_no, is_yes

SPLITS = Path(domains.__file__).parent


@cache
def tasks(world: str, version: str) -> dict[str, Task]:
    return {task.id: task for task in read_tasks(SPLITS / world / "splits" / version / "dev.jsonl.gz")}


def talk(name: str, *lines: str, style: str = "terse") -> list[str]:
    """The user's replies in a published task; `name` is "world-v2-number", or "world-number" of version 1."""
    world, *rest = name.split("-")
    split = "dev-0" if rest[0] != "v2" else "v2-dev-0"
    return bank.talk(tasks(world, "v2" if rest[0] == "v2" else "v1")[f"{world}-{split}-{rest[-1]}"], lines, style)


BOTH = "Should hassan.bonnet@bluewater.example be able to edit it or just read? And is April 12 the last day?"
SKIRT, SHARE, DINNER, CHARGE = "retail_chain-v2-0063", "filesystem-v2-0095", "budget-v2-0044", "trading-v2-0008"


@pytest.mark.parametrize("style", bank.STYLES)
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (SKIRT, ["The Drift skirt, white, small: what is the reason?", "I'll correct it to 13, reason: missing. OK?"]),
        ("airline-0048", ["Is it reservation 4K4VGS, Boston to Dallas?", "You'd get $482 back. Shall I cancel it?"]),
    ],
)
def test_what_was_named_in_a_question_need_not_be_named_again(name: str, lines: list[str], style: str) -> None:
    assert is_yes(talk(name, *lines, style=style)[-1])


HELD = "Tobias Ortega, 3612, 2 Saffron scarves (red, M) at the Dallas flagship. Shall I hold them?"


def scarf(*lines: str) -> list[str]:
    task = tasks("retail_chain", "v2")["retail_chain-v2-dev-0-0087"]
    return bank.talk(task.model_copy(update={"goals": task.goals[2:]}), lines, "chatty")


def test_a_report_after_a_question_back_settles_the_wish() -> None:
    said = scarf(HELD, "They're on hold for Tobias until March 16. That's H-1086.")
    assert asks_back(said[1]) or is_yes(said[1])
    assert STOP in said[2]


@pytest.mark.parametrize(
    "says", ["The system is slow today. I'm still waiting for it to go through.", "Let me try it."]
)
def test_work_that_goes_on_is_none(says: str) -> None:
    assert STOP not in scarf(HELD, says)[2]


def test_an_answer_that_comes_late_and_with_an_apology_is_one() -> None:
    said = talk(
        "calendar-v2-0079",
        "I'd cancel only the stand-up on March 23, event ev-20254. OK?",
        "The stand-up on March 23 is cancelled.",
        "Sorry, I should have said: the next one is on Monday, April 6.",
    )
    assert STOP not in said[2] and STOP in said[3]


@pytest.mark.parametrize("says", ["It timed out, I'm trying again.", "That failed. Let me try it once more."])
def test_a_failure_that_is_tried_again_is_waited_for(says: str) -> None:
    said = talk(DINNER, "I move $37.05 from groceries to petrol. OK?", says, style="polite")
    assert is_yes(said[1]) and any(word in said[2] for word in ("wait", "time"))


def test_a_yes_says_a_thing_once() -> None:
    reply = talk(
        "trading-v2-0086", "95 or 100? 99 isn't possible, sorry.", "For the alert: Denby Networks above $115.00?"
    )[-1]
    assert is_yes(reply) and reply.count("Denby Networks") <= 1


def test_who_is_asked_for_a_code_tells_the_code_alone() -> None:
    assert "Marlow" not in talk(CHARGE, "What's your PIN?")[-1]


def test_how_many_more_is_answered_and_is_no_yes() -> None:
    reply = talk("shopping-v2-0028", "The red Willet toaster is $72.95. Just one, or more?")[-1]
    assert not is_yes(reply) and "that" in reply


@pytest.mark.parametrize("style", bank.STYLES)
def test_neither_of_two_other_actions_is_wanted(style: str) -> None:
    reply = talk("airline-0041", "Would you prefer to be rebooked or to have the reservation cancelled?", style=style)[
        -1
    ]
    assert is_no(reply) and "compensation" in reply


def test_who_has_two_questions_to_answer_answers_both() -> None:
    copy = "/home/nina.holt/slides/ivan-hughes-availability.txt"
    said = talk(SHARE, f"Copy the file to {copy}?", f"Copied to {copy}.", BOTH)
    assert "read" in said[-1] and "April 12" in said[-1]


@pytest.mark.parametrize("style", bank.STYLES)
def test_options_that_nobody_changes_stay(style: str) -> None:
    assert is_yes(talk("retail-0039", "Should I keep the 6.7 inch screen?", style=style)[-1])


def test_another_state_that_stays_is_no_wish() -> None:
    row = {"task": "telecom-test-0-0050"}
    assert not is_yes(bank.talk(bank.Bank(bank.FOLDER, "tune_8").task(row), ["So roaming stays on?"], "terse")[-1])


@pytest.mark.parametrize("says", ["Just the cheapest one that's in stock, right?", "The lowest price, is that right?"])
def test_the_users_own_question_in_other_words_gets_a_yes(says: str) -> None:
    assert talk("retail-0044", says)[-1].startswith("Yes")


def test_a_second_choice_is_said_again() -> None:
    said = talk(
        "email-v2-0052", "A label Travel exists already, so I can't create it.", "Sure, what's your other idea?"
    )
    assert "delivery schedule" in said[1] and "Forward" in said[2]


ASKS = (
    "I need two things from you: what is wrong with it (not yours, charged twice, or goods not received), and your PIN."
)


@pytest.mark.parametrize(
    "line",
    [
        ASKS,
        "It needs a reason: was it charged twice, or did you never get the goods? - and your PIN.",
        "What is the reason? And tell me your PIN, I can't open a dispute without it.",
    ],
)
def test_a_request_that_says_what_cannot_be_done_without_it_is_no_refusal(line: str) -> None:
    task = next(each for each in tasks("banking", "v2").values() if each.goals[0].kind == "dispute_transaction")
    secret = next(
        str(fact.value) for goal in task.goals for fact in (*goal.facts, *task.facts) if fact.kind == "secret"
    )
    assert secret in bank.talk(task, [line], "terse")[-1]
