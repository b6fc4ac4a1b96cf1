"""What people say in the middle of a conversation: a wish once more, patience, a yes to a check, no preference."""

import asyncio
from random import Random

import pytest

from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.kit.task import Fact, Goal, Task
from toolgym.sandbox.language.nlg_templates import declined, is_act
from toolgym.sandbox.runtime.roles import make_user
from toolgym.sandbox.users.said_again import said_again
from toolgym.sandbox.users.variety import Variety

CANCEL = Goal(
    kind="cancel_pending_order",
    utterance="One more thing: please cancel order #W4082615.",
    facts=(Fact(name="order_id", value="#W4082615"), Fact(name="reason", value="no longer needed")),
)


def talk(*lines: str) -> list[str]:
    task = Task(
        id="retail-here-0001", domain="retail", split="train", family="x", difficulty="simple", depth=1,
        structure="funnel", scenario="You want to cancel an order.", persona="polite", goals=(CANCEL,),
        facts=(Fact(name="first_name", value="Mei"), Fact(name="last_name", value="Patel")),
    )  # fmt: skip

    async def run() -> list[str]:
        player = make_user("scripted", {"style": "polite"}).open(task, seed=0)
        messages = [await player.reply([])]
        for line in lines:
            messages.append(Message(role="assistant", content=line))
            messages.append(await player.reply(messages))
        return [message.content or "" for message in messages if message.role == "user"]

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("utterance", "again"),
    [
        ("One more thing: please cancel it.", "Please cancel it."),
        ("While I have you: accept the offer.", "Accept the offer."),
        ("I've changed my mind: book the room.", "Book the room."),
        ("Also, could you lock it?", "Could you lock it?"),
        ("Next to the lamp stood a chair.", "Next to the lamp stood a chair."),
    ],
)
def test_a_wish_is_repeated_without_what_led_to_it(utterance: str, again: str) -> None:
    assert said_again(utterance) == again


def test_what_was_one_more_thing_is_none_when_it_is_said_again() -> None:
    opening, again = talk("How can I help you today?")
    assert "One more thing: please cancel" in opening
    assert "One more thing" not in again and "Please cancel order #W4082615." in again


@pytest.mark.parametrize("line", ["Okay. Let me enter it.", "Processing…", "Let me have a look at that first."])
def test_whoever_asks_for_patience_gets_it(line: str) -> None:
    assert is_act(talk(line)[1], "wait")


def test_a_question_for_a_yes_or_a_no_gets_no_fact() -> None:
    answer = talk("Have you been a customer of ours for long?")[1]
    assert "#W" not in answer and "needed" not in answer


def test_a_failed_attempt_may_be_repeated_once_it_was_agreed_to() -> None:
    said = talk(
        "Shall I cancel order #W4082615 because it is no longer needed?",
        "Something went wrong, it wasn't saved. Should I try again?",
    )
    assert said[2].startswith("Yes")


def test_no_piece_of_a_clause_follows_no_not() -> None:
    said = [declined([words], "terse", Random(1)) for words in ("order #W2", "with the note", "lamp")]
    assert said[0] == "No, not order #W2." and not any("not" in each for each in said[1:])


def test_a_third_yes_is_not_left_out_for_having_been_said_in_the_same_words() -> None:
    variety, said = Variety("chatty", Random(1)), "Yes, perfect, please do that!"
    yeses = [variety.fresh([said], "Cancel it.", tuple) for _ in range(6)]
    assert yeses[:2] == [[said], [said]]
    assert all(len(each) == 1 and is_act(each[0], "yes") for each in yeses)
    assert yeses[2] != [said]
