"""Several right ends: columns left open and alternatives are right, and nothing else is."""

from typing import Any

import pytest

from toolgym.judge.scoring.conduct.scene import Scene
from toolgym.judge.scoring.judges.deviation import deviation
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.proof.prove import problems_of

RESERVE = get_domain("kiosk").task("kiosk-1")
"""Seat A2 on Friday, which is T102, for Greta Olsen."""
LOOK = RESERVE.gold[0]


def reserve(ticket_id: str, holder: str = "Greta Olsen") -> ToolCall:
    return ToolCall(name="reserve_ticket", arguments={"ticket_id": ticket_id, "holder": holder})


def release(ticket_id: str) -> ToolCall:
    return ToolCall(name="release_ticket", arguments={"ticket_id": ticket_id, "holder": "Greta Olsen"})


def changed(**changes: Any) -> Task:
    return RESERVE.model_copy(update=changes)


def played(task: Task, *calls: ToolCall) -> Trajectory:
    with Session(task.domain, task=task) as session:
        for call in calls:
            assert session.call(call.name, call.arguments).ok
        words = (Message(role="assistant", content="Done."),)
        log, diff = tuple(session.log), tuple(session.diff())
    return Trajectory(task=task, messages=words, calls=log, diff=diff, termination="user_stop")


def right(task: Task, *calls: ToolCall) -> bool:
    return verify(played(task, *calls)).passed()


def test_a_column_left_open_may_hold_anything_and_no_other_column_may() -> None:
    free = changed(free=("tickets.holder",))
    for task, passes in ((RESERVE, False), (free, True), (changed(free=("tickets.seat",)), False)):
        assert right(task, LOOK, reserve("T102"))
        assert right(task, LOOK, reserve("T102", "Ada Moreau")) == passes
    assert not right(free, LOOK, reserve("T103"))


def test_a_row_with_an_open_column_must_be_changed_all_the_same() -> None:
    free = changed(free=("tickets.holder",))
    assert not right(free, LOOK)
    assert not right(free, LOOK, reserve("T102"), reserve("T103"))
    assert not right(free, LOOK, reserve("T102"), release("T102"))


def test_an_alternative_is_as_right_as_the_gold_calls_and_a_third_end_is_wrong() -> None:
    task = changed(alternatives=((reserve("T103"),),))
    assert right(task, LOOK, reserve("T102")) and right(task, LOOK, reserve("T103"))
    for calls in ((LOOK,), (reserve("T104"),), (reserve("T102"), reserve("T103"))):
        assert not right(task, *calls)
    assert not right(RESERVE, LOOK, reserve("T103"))
    assert verify(played(task, reserve("T103"))).writes and not verify(played(task, reserve("T104"))).writes
    assert problems_of(task) == []


def test_the_turn_that_spoils_a_run_is_the_one_after_which_no_right_end_can_be_reached() -> None:
    def spoiled(task: Task) -> str:
        calls = (reserve("T103"), reserve("T104"))
        said = tuple(
            Message(role="assistant", tool_calls=(call.model_copy(update={"id": call.arguments_text()}),))
            for call in calls
        )
        told = tuple(Message(role="tool", content="{}", tool_call_id=message.tool_calls[0].id) for message in said)
        talk = tuple(message for pair in zip(said, told, strict=True) for message in pair)
        run = played(task, *calls).model_copy(update={"messages": talk})
        found = deviation(Scene(run), verify(run))
        assert found is not None
        return str(talk[2 * found.turn].tool_calls[0].arguments_text())

    assert "T103" in spoiled(RESERVE)
    assert "T104" in spoiled(changed(alternatives=((reserve("T103"),),)))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"free": ("tickets.holders",)}, "leaves 'tickets.holders' open, which is no column"),
        ({"alternatives": ((reserve("T101"),),)}, "alternative 1: the call reserve_ticket is refused"),
        ({"alternatives": ((reserve("T103", "Ada Moreau"),),)}, "alternative 1: reserve_ticket uses 'Ada Moreau'"),
        ({"alternatives": ((reserve("T102"),),)}, "alternative 1: it ends as the gold calls do"),
        ({"alternatives": ((),)}, "an agent that looks nothing up passes"),
    ],
)
def test_right_ends_that_cannot_be_are_named(changes: dict[str, Any], sentence: str) -> None:
    problems = problems_of(changed(**changes))
    assert any(sentence in problem for problem in problems), problems
