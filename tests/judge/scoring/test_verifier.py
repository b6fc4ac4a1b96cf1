"""The verifier: state and writes agree on right and wrong runs, order does not matter, doing nothing passes nothing."""

from typing import Any

import gymnasium as gym
import pytest

import toolgym  # noqa: F401  # makes the ids known
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Fault, Trajectory, parse_line
from toolgym.sandbox.synthesis.proof.idle import IDLE, passes_idle
from toolgym.sandbox.synthesis.proof.replay import gold_of


def run(task: Task, calls: list[ToolCall], *words: str, ending: Any = "user_stop") -> Trajectory:
    with Session(task.domain, task=task) as session:
        for call in calls:
            session.call(call.name, call.arguments)
        messages = [Message(role="assistant", content=text) for text in words]
        return Trajectory(
            task=task,
            messages=tuple(messages),
            calls=tuple(session.log),
            diff=tuple(session.diff()),
            termination=ending,
        )


def exchange_task() -> Task:
    return get_domain("retail").task("0", "tau2")


def test_gold_passes_on_both_bases() -> None:
    task = exchange_task()
    verdict = verify(run(task, list(task.gold)))
    assert verdict.state and verdict.writes and verdict.passed() and verdict.passed("writes")


def test_the_order_of_items_does_not_matter_and_their_pairs_do() -> None:
    task = exchange_task()
    final = task.gold[-1]
    assert isinstance(final.arguments, dict) and len(final.arguments["item_ids"]) == 2
    turned = {k: list(reversed(v)) if isinstance(v, list) else v for k, v in final.arguments.items()}
    verdict = verify(run(task, [*task.gold[:-1], final.model_copy(update={"arguments": turned})]))
    assert verdict.state and verdict.writes
    crossed = final.arguments | {"new_item_ids": list(reversed(final.arguments["new_item_ids"]))}
    verdict = verify(run(task, [*task.gold[:-1], final.model_copy(update={"arguments": crossed})]))
    assert not verdict.state and not verdict.writes


def test_what_a_tool_ignores_is_no_difference_of_writes() -> None:
    """Agents hand back whole flights and passengers as they have read them."""
    task = get_domain("airline").task("20", "tau2")
    (booking,) = task.gold
    assert isinstance(booking.arguments, dict)
    flights = [flight | {"origin": "JFK", "price": 100} for flight in booking.arguments["flights"]]
    people = [person | {"seat": "1A"} for person in booking.arguments["passengers"]]
    whole = booking.arguments | {"flights": flights, "passengers": people}
    verdict = verify(run(task, [booking.model_copy(update={"arguments": whole})]))
    assert verdict.state and verdict.writes
    another = booking.arguments | {"flights": flights[:1], "nonfree_baggages": 1}
    assert not verify(run(task, [booking.model_copy(update={"arguments": another})])).writes


def test_doing_nothing_fails_what_needs_a_write() -> None:
    task = exchange_task()
    verdict = verify(run(task, [], "I am sorry, I cannot help you with that."))
    assert verdict.needs_write and not verdict.passed()


def test_a_write_undone_again_is_right_in_state_only() -> None:
    task = exchange_task()
    with Session("retail", task=task) as session:
        user = session.call("get_user_details", {"user_id": "yusuf_rossi_9620"}).value
    there = {"user_id": user["user_id"], **user["address"]}
    moved = ToolCall(name="modify_user_address", arguments=there | {"city": "Reno"})
    back = ToolCall(name="modify_user_address", arguments=there)
    verdict = verify(run(task, [moved, back, *task.gold]))
    assert verdict.state and not verdict.writes


def test_information_counts_only_when_it_is_said() -> None:
    task = get_domain("kiosk").task("kiosk-5")
    assert verify(run(task, [], "There are 6 free seats.")).passed()
    for words in ("There are 16 free seats.", "There are 6.5 seats.", "Many."):
        assert not verify(run(task, [], words)).passed()


def test_what_the_user_never_heard_was_not_said() -> None:
    task = get_domain("kiosk").task("kiosk-5")
    with Session("kiosk", task=task) as session:
        call = ToolCall(name="list_free_seats", arguments={"evening": "Sunday"}, id="call_1")
        session.call(call.name, call.arguments)
        aside = Message(role="assistant", content="There are 6 free seats.", tool_calls=(call,))
        beside = Trajectory(task=task, messages=(aside,), calls=tuple(session.log), termination="user_stop")
    assert verify(beside).communicate is False

    env = gym.make("ToolKiosk-v0", split="test", task="kiosk-5")
    env.reset(seed=0)
    env.step('<tool_call>{"name": broken} There are 6 free seats.')
    over = False
    while not over:
        _, reward, over, _, info = env.step("I am sorry, I cannot help you with that.")
    recorded = parse_line(info["trajectory"])
    assert any("6 free seats" in (message.content or "") for message in recorded.messages)
    assert verify(recorded).communicate is False and reward == 0


def test_a_cut_conversation_does_not_pass() -> None:
    task = exchange_task()
    assert not verify(run(task, list(task.gold), ending="max_turns")).passed()


def test_a_handover_is_required_where_gold_has_one() -> None:
    domain = get_domain("retail")
    task = next(t for t in domain.tasks("dev", "own") if t.family == "human")
    assert verify(run(task, list(task.gold), ending="transfer")).passed()
    assert not verify(run(task, list(task.gold[:-1]), "Bye.")).passed()


def test_infrastructure_failures_have_no_verdict() -> None:
    failed = Trajectory(
        task=exchange_task(), termination="infrastructure_error", fault=Fault(boundary="model", message="down")
    )
    with pytest.raises(BadInput, match="no verdict"):
        verify(failed)


def test_gold_is_computed_once() -> None:
    task = exchange_task()
    assert gold_of(task) is gold_of(task.model_copy(update={"scenario": "other words"}))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "split", "data"),
    [("retail", "test", "own"), ("telecom", "test", "own"), ("airline", "base", "tau2"), ("telecom", "base", "tau2")],
)
def test_the_proof_knows_what_an_idle_agent_would_pass(name: str, split: str, data: str) -> None:
    """The proof stands below the verifier and says for runs without a call what the verifier would say."""
    tasks = get_domain(name).tasks(split, data)
    idle = [any(verify(run(task, [], sentence)).passed() for sentence in IDLE) for task in tasks]
    assert idle == [passes_idle(task) for task in tasks]
    assert any(idle) == ((name, data) == ("airline", "tau2"))
