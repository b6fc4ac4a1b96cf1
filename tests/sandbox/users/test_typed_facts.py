"""Published tasks of version 1: proposals are compared by the declared goal that the right call belongs to."""

from functools import cache
from pathlib import Path

import bank
import pytest

from toolgym.sandbox.kit.task import Task, read_tasks
from toolgym.sandbox.language.consent import is_yes
from toolgym.sandbox.users.typed_facts import typed

SPLITS = Path(__file__).parents[3] / "domains"


@cache
def tasks(world: str) -> dict[str, Task]:
    return {task.id: task for task in read_tasks(SPLITS / world / "splits" / "v1" / "test.jsonl.gz")}


def reply(name: str, wish: int, says: str) -> str:
    task = tasks(name.split("-")[0])[name]
    return bank.talk(task.model_copy(update={"goals": task.goals[wish:]}), [says], "terse")[-1]


@pytest.mark.parametrize(
    ("name", "wish", "says"),
    [
        # what was paid with before is no other way to pay
        (
            "retail-test-0-0060",
            0,
            "#W7252082 would be switched from your Amex ending in 6461 to your gift card. Shall I?",
        ),
        # what else an order holds is no other thing
        (
            "retail-test-0-0060",
            0,
            "The order with the Sunglasses and the Baseball Cap would be paid by gift card. Is that right?",
        ),
        # a sum that comes of it, and a total for what is added
        ("airline-test-0-0003", 0, "You have 3 bags on 98QECA and would have 4, for $50 on card 5221. May I?"),
        # a row by what is in it
        ("retail-test-0-0101", 2, "May I cancel the Smartphone order, as you no longer need it?"),
    ],
)
def test_a_right_proposal_gets_a_yes(name: str, wish: int, says: str) -> None:
    assert is_yes(reply(name, wish, says))


@pytest.mark.parametrize(
    ("name", "wish", "says"),
    [
        ("retail-test-0-0060", 0, "#W7252082 was on your gift card and would now be charged to Amex 6461. Shall I?"),
        ("retail-test-0-0101", 2, "I'd cancel only the Smartphone of #W2599245 and keep the rest. Is that right?"),
        ("retail-test-0-0110", 0, "The Toaster from #W2659273 in steel with 4 slots, PayPal. Shall I exchange it?"),
        ("airline-test-0-0014", 0, "Hugo Kaur replaces Theo Quinn on reservation RS5JWJ. Shall I save that?"),
        ("airline-test-0-0105", 0, "I'd put you on GYM049 on May 30 in economy, card 0522. Agree?"),
    ],
)
def test_a_wrong_proposal_gets_none(name: str, wish: int, says: str) -> None:
    assert not is_yes(reply(name, wish, says))


@pytest.mark.parametrize("world", ["retail", "airline"])
def test_every_wish_for_one_call_is_typed(world: str) -> None:
    goals = [(task, goal) for task in tasks(world).values() for goal in task.goals if len(goal.calls) == 1]
    found = [typed(task, goal) is not None for task, goal in goals]
    assert all(found)
    for task, goal in goals[:20]:
        made = typed(task, goal)
        assert made is None or set(made.facts) >= {slot.fact.name for slot in made.wish.slots}


BOOKING = "airline-test-0-0082"
TOLD = (
    "GYM123 on May 21 for the three of you in basic economy, with one checked bag and uninsured: $296 on card 5535. OK?"
)
LISTED = (
    "Basic economy, Atlanta to Minneapolis on May 21, you, Ms. Vega, Mr. Fuentes; bags: 1, insurance: none, 5535. OK?"
)
ASKED = (
    "May 21, direct from Atlanta, basic economy, 3 seats for Mei, Desmond and Amara, one bag, no insurance, 5535. OK?"
)


@pytest.mark.parametrize("says", [TOLD, LISTED, ASKED])
def test_a_booking_is_known_by_its_call(says: str) -> None:
    assert is_yes(reply(BOOKING, 0, says))


@pytest.mark.parametrize(
    ("says", "told", "instead"),
    [
        (TOLD, "three of you", "four of you"),
        (TOLD, "uninsured", "insured"),
        (TOLD, "for the three of you", "for Amara Vega and Desmond Fuentes, without a seat for you,"),
        (LISTED, "Atlanta to Minneapolis", "Minneapolis to Atlanta"),
        (LISTED, "Basic economy", "Economy"),
        (ASKED, "direct", "with a change in Chicago"),
        (ASKED, "May 21", "May 22"),
        (ASKED, "5535", "with your gift card"),
    ],
)
def test_another_booking_is_not(says: str, told: str, instead: str) -> None:
    assert not is_yes(reply(BOOKING, 0, says.replace(told, instead)))


def test_a_booking_reads_its_slots_off_the_call() -> None:
    task = tasks("airline")[BOOKING]
    made = typed(task, task.goals[0])
    held = {slot.fact.name: slot.fact.value for slot in made.wish.slots} if made else {}
    assert held["trip"] == {"from": "Atlanta", "to": "Minneapolis", "days": ["2024-05-21"]}
    assert held["travellers"] == ["Mei Zhang", "Desmond Fuentes", "Amara Vega"]
    assert held["payment"] == [{"source": "credit_card", "last_four": "5535"}]


def test_a_wish_of_several_calls_is_typed_where_a_goal_declares_them() -> None:
    task = tasks("airline")["airline-test-0-0072"]
    made = typed(task, task.goals[0])
    assert len(task.goals[0].calls) > 1 and made is not None and made.wish.kind == "cancel_delayed"


def test_what_a_call_does_not_name_is_looked_up_by_the_right_run() -> None:
    task = tasks("airline")["airline-test-0-0067"]
    made = typed(task, task.goals[0])
    assert made is not None and [slot.keys for slot in made.wish.slots if slot.table] == [("6LK8AD",)]


def test_my_line_is_the_one_of_the_right_call() -> None:
    task = tasks("telecom")["telecom-test-0-0056"]
    made = typed(task, task.goals[0])
    assert made is not None and [slot.keys for slot in made.wish.slots if slot.table] == [("L310081",)]
