"""TARL, PROVE and TIER equal values computed by hand from the papers' formulas, on real retail sessions."""

import asyncio
import runpy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from toolgym.judge.scoring.judges.rules import judge
from toolgym.judge.scoring.reward import TurnScores
from toolgym.judge.scoring.rewards.clean import clean
from toolgym.judge.scoring.rewards.outcome import outcome
from toolgym.judge.scoring.rewards.prove import Prove, prove
from toolgym.judge.scoring.rewards.tarl import class_of, tarl
from toolgym.judge.scoring.rewards.tier import Tier, mismatches, tier
from toolgym.judge.scoring.rewards.toolrl import toolrl
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.episode import Episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory

PAGE = runpy.run_path(str(Path(__file__).parents[3] / "docs" / "reward_table.py"))


def run(task: Task, calls: list[ToolCall], *words: str) -> Trajectory:
    """One call a turn, then one message a turn."""
    messages: list[Message] = [Message(role="user", content="hello")]
    with Session(task.domain, task=task) as session:
        for position, call in enumerate(calls):
            named = call.model_copy(update={"id": f"call_{position}"})
            messages.append(Message(role="assistant", tool_calls=(named,)))
            text = session.call(call.name, call.arguments).text
            messages.append(Message(role="tool", content=text, tool_call_id=named.id, name=call.name))
        for text in words:
            messages += [Message(role="assistant", content=text), Message(role="user", content="ok")]
        return Trajectory(
            task=task,
            messages=tuple(messages),
            calls=tuple(session.log),
            diff=tuple(session.diff()),
            termination="user_stop",
        )


@pytest.fixture
def task() -> Task:
    """tau2-bench's first task: find, look up, exchange two items."""
    return get_domain("retail").task("0", "tau2")


def scored(trajectory: Trajectory, *scores: int) -> Any:
    turns = TurnScores(scores, ("",) * len(scores), "test")
    return tarl(trajectory, verdict=verify(trajectory), scores=turns)


@pytest.mark.parametrize(
    ("name", "paid"),
    [
        ("find out, look up, propose, exchange, report", (1.0, 1.0)),
        ("exchanged without asking", (1.0, 0.0)),
        ("exchanged, and denied", (1.0, 0.0)),
        ("nothing but a report", (0.0, 0.0)),
    ],
)
def test_clean_success_is_paid_and_success_against_the_policy_is_not(name: str, paid: tuple[float, float]) -> None:
    trajectory = PAGE["runs"]()[name]
    results = [reward(trajectory, verdict=verify(trajectory)) for reward in (outcome, clean)]
    assert tuple(result.total for result in results) == paid
    for result in results:
        assert result.turns is not None and result.turns[-1] == sum(result.turns) == result.total
    assert results[1].components["passed"] == paid[0], "what is kept beside it tells the two kinds of failure apart"


def test_writes_of_imported_tasks_depend_on_what_is_looked_up(task: Task) -> None:
    """What only the gold call names (item ids) the user cannot say: to write first and look up afterwards costs."""
    gold = list(task.gold)
    first = run(task, [gold[-1], *gold[:-1]])
    assert prove(run(task, gold), verdict=verify(run(task, gold))).total == pytest.approx(1.3)
    assert verify(first).passed()
    assert prove(first, verdict=verify(first)).components["coverage"] == pytest.approx((len(gold) - 1) / len(gold))


def test_tarl_by_hand(task: Task) -> None:
    perfect, failed = run(task, list(task.gold)), run(task, list(task.gold[:-1]))
    count = len(task.gold)
    assert scored(perfect, *[1] * count).total == pytest.approx(15)
    assert class_of(scored(perfect, *[1] * count)) == "perfect"
    good = scored(perfect, 0, *[1] * (count - 1))
    assert good.total == pytest.approx(10 + 5 * (count - 1) / count) and class_of(good) == "good"
    attempt = scored(failed, *[1] * (count - 1))
    assert attempt.total == pytest.approx(5) and class_of(attempt) == "good attempt"
    bad = scored(failed, -1, *[0] * (count - 2))
    assert bad.total == pytest.approx(-5) and class_of(bad) == "failed"
    assert sum(good.turns) == pytest.approx(good.total)


def test_tarl_never_guesses(task: Task) -> None:
    trajectory = run(task, list(task.gold))
    with pytest.raises(BadInput, match="not judged"):
        tarl(trajectory, verdict=verify(trajectory), scores=TurnScores(None, (), "x"))
    with pytest.raises(BadInput, match="scored 2 turns"):
        scored(trajectory, 1, 1)


def test_prove_by_hand(task: Task) -> None:
    gold = list(task.gold)
    result = prove(run(task, gold), verdict=verify(run(task, gold)))
    assert result.total == pytest.approx(0.5 + 0.5 + 0.2 + 0.1), "everything right, nothing in excess: the maximum"
    assert result.components["efficiency"] == 0
    stray = ToolCall(name="get_order", arguments={})
    wrong_type = ToolCall(name="get_order_details", arguments={"order_id": 7})
    refused = ToolCall(name="get_order_details", arguments={"order_id": "#W0"})
    more = ToolCall(name="get_order_details", arguments={"order_id": "#W0", "unknown": 1})
    noisy = run(task, [stray, wrong_type, refused, more, *gold])
    parts = prove(noisy, verdict=verify(noisy)).components
    count = len(gold)
    assert parts["validity"] == pytest.approx((0 + 1 / 3 + 2 / 3 + 2 / 3 + count) / (count + 4))
    assert parts["name"] == pytest.approx((count + 3) / (count + 4))


def test_prove_efficiency_by_hand(task: Task) -> None:
    gold = list(task.gold)
    count = len(gold)
    budget = count + -(-count // 2)
    many = [*[gold[0]] * 10, *gold]
    trajectory = run(task, many)
    expected = -0.5 * (count + 10 - budget) / budget
    assert prove(trajectory, verdict=verify(trajectory)).components["efficiency"] == pytest.approx(expected)
    flat = Prove(beta=0)(trajectory, verdict=verify(trajectory)).components["efficiency"]
    assert flat == pytest.approx(-0.5 * 10 / count)
    without = Prove(efficiency=0)(trajectory, verdict=verify(trajectory))
    assert without.total > prove(trajectory, verdict=verify(trajectory)).total


def test_prove_coverage_is_gated_by_dependencies(task: Task) -> None:
    backwards = run(task, list(reversed(task.gold)))
    parts = prove(backwards, verdict=verify(backwards)).components
    assert parts["coverage"] < 1 and parts["argument"] == 1


def test_prove_abstention() -> None:
    idle = Task(id="idle", domain="retail")
    assert prove(run(idle, [], "No."), verdict=verify(run(idle, [], "No."))).total == 1
    busy = run(idle, [ToolCall(name="list_all_product_types")])
    assert prove(busy, verdict=verify(busy)).total == 0


def test_tier_by_hand(task: Task) -> None:
    right = run(task, list(task.gold))
    assert tier(right, verdict=verify(right)).total == 1
    assert Tier("simple")(right, verdict=verify(right)).components.keys() == {"format", "answer"}
    slip = ToolCall(name="get_order_details", arguments={"order_id": 7, "extra": 1})
    wrong = run(task, [slip, *task.gold])
    result = tier(wrong, verdict=verify(wrong))
    expected = {"format": 1, "name": 1, "parameters": 0.75, "types": 0.75, "execution": 0, "answer": 5}
    assert result.components == expected and result.total == pytest.approx(8.5 / 10)
    assert Tier("execution")(wrong, verdict=verify(wrong)).total == pytest.approx(6 / 7)
    assert Tier("parsing")(wrong, verdict=verify(wrong)).total == pytest.approx(8.5 / 9)
    assert Tier(thoughts=True)(right, verdict=verify(right)).total == 0
    thinking = [m.model_copy(update={"reasoning": "hm"}) if m.role == "assistant" else m for m in right.messages]
    thought = right.model_copy(update={"messages": tuple(thinking)})
    assert Tier(thoughts=True)(thought, verdict=verify(thought)).total == 1


def test_tiers_name_gate_and_order_invariance(task: Task) -> None:
    unknown = run(task, [ToolCall(name="nonsense", arguments={}), *task.gold])
    parts = tier(unknown, verdict=verify(unknown)).components
    assert (parts["name"], parts["parameters"], parts["types"], parts["answer"]) == (0, 0, 0, 5)
    reads, write = list(task.gold[:-1]), task.gold[-1]
    shuffled = run(task, [*reversed(reads), write])
    assert tier(shuffled, verdict=verify(shuffled)).total == 1


def played(task: Task, *turns: str | Message) -> Trajectory:
    """Text that could not be read, or a message that was played; the user agrees to everything."""

    class Agreeable:
        def open(self, *_: Any, **__: Any) -> Any:
            return self

        async def reply(self, messages: Sequence[Message]) -> Message:
            return Message(role="user", content="[Your message could not be read] Yes, please.")

    with Session(task.domain, task=task) as session:
        episode = Episode(get_domain(task.domain), task, session, Agreeable())
        asyncio.run(episode.start())
        for turn in turns:
            if isinstance(turn, str):
                episode.reject(turn, "it is not JSON")
            else:
                asyncio.run(episode.step(turn))
        episode.end("agent_stop")
        return episode.trajectory()


def test_an_action_that_could_not_be_read_is_known_by_its_mark_and_not_by_words(task: Task) -> None:
    hello = Message(role="assistant", content="Hello.")
    gold = [Message(role="assistant", tool_calls=(call,)) for call in task.gold]
    fine, broken = played(task, hello, *gold), played(task, hello, "{", *gold)
    assert verify(fine).state and verify(broken).state
    assert tier(fine, verdict=verify(fine)).components["format"] == 1, "a user may say what they like"
    assert tier(broken, verdict=verify(broken)).total == 0
    assert "The message could not be read." not in judge(fine).reasons
    assert [reason == "The message could not be read." for reason in judge(broken).reasons[:3]] == [False, True, False]


def test_mismatches() -> None:
    schema = get_domain("retail").tools["exchange_delivered_order_items"].parameters
    assert mismatches(
        {"order_id": "#W1", "item_ids": ["1"], "new_item_ids": [2], "payment_method_id": True}, schema
    ) == (0, 2)
    assert mismatches({"order": "#W1"}, schema) == (5, 0)


def test_more_right_calls_never_score_less(task: Task) -> None:
    for reward in (prove, toolrl):
        totals = []
        for count in range(len(task.gold) + 1):
            trajectory = run(task, list(task.gold[:count]), "So far.")
            totals.append(reward(trajectory, verdict=verify(trajectory)).total)
        assert totals == sorted(totals), type(reward).__name__
