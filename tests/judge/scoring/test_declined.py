"""Calls that the user declined count for no term of any reward, and give nothing away for free."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from toolgym.judge.scoring.judges.rules import RulesJudge
from toolgym.judge.scoring.scorer import Score, score
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.agents.oracle import OracleAgent
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.runtime.approval import Approval, Shown
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Briefing, User
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory

BANKING = get_domain("banking")
TASK = BANKING.tasks("test", "v2")[1]
"""A payment to somebody, then a transfer between own accounts."""
PAY = TASK.goals[0].calls[-1]
REWARDS = ("outcome", "tarl", "toolrl", "toolrl_released", "prove", "tier")


class Steps:
    """An agent that makes these steps, one after the other."""

    privileged = False

    def __init__(self, steps: Sequence[Message]) -> None:
        self._steps = list(steps)

    def open(self, briefing: Briefing) -> Steps:
        return self

    async def act(self, messages: Sequence[Message]) -> Message:
        return self._steps.pop(0) if self._steps else Message(role="assistant", content="Is there anything else?")


class Firm:
    """A user of few words, which declines a call unless it is a right one."""

    def open(self, task: Task, *, seed: int, tools: Sequence[object] = ()) -> Firm:
        self._gold, self._said = task.gold, 0
        return self

    async def reply(self, messages: Sequence[Message]) -> Message:
        self._said += 1
        words = "Please pay." if self._said == 1 else "Thanks. ###STOP###" if self._said > 3 else "Go on."
        return Message(role="user", content=words)

    async def approve(self, call: ToolCall, shown: Shown) -> Approval:
        right = any((call.name, call.arguments) == (gold.name, gold.arguments) for gold in self._gold)
        return Approval(approved=right, sentence="" if right else "No, not that.")


def paying(**changes: object) -> ToolCall:
    assert isinstance(PAY.arguments, dict)
    return ToolCall(name=PAY.name, arguments=PAY.arguments | changes)  # type: ignore[arg-type]


WRONG = paying(amount_cents=9999)


async def play(steps: Sequence[Message], task: Task = TASK, user: User | None = None) -> Trajectory:
    with Session(BANKING, task=task) as session:
        episode = Episode(BANKING, task, session, user or Firm(), seed=3, consent="call")
        return await run_episode(episode, Steps(steps))


def with_guess(*, in_a_turn_of_its_own: bool) -> list[Message]:
    """The oracle's messages, with a wrong call and one behind it after the payment, or in its message."""
    steps = list(OracleAgent.plan(TASK))
    place = next(index for index, step in enumerate(steps) if step.tool_calls) + in_a_turn_of_its_own
    read = ToolCall(name="list_accounts", arguments={})
    if in_a_turn_of_its_own:
        return [*steps[:place], Message(role="assistant", tool_calls=(WRONG, read)), *steps[place:]]
    calls = (*steps[place].tool_calls, WRONG, read)
    return [*steps[:place], steps[place].model_copy(update={"tool_calls": calls}), *steps[place + 1 :]]


async def scored(trajectory: Trajectory) -> Score:
    return await score(trajectory, RulesJudge(), REWARDS)


@pytest.mark.parametrize("reward", REWARDS)
async def test_a_declined_call_changes_no_total(reward: str) -> None:
    plain = await scored(await play(list(OracleAgent.plan(TASK))))
    played = await play(with_guess(in_a_turn_of_its_own=False))
    assert {"declined", "not_asked"} <= {record.error for record in played.calls}
    guessed = await scored(played)
    assert plain.verdict.passed() and guessed.rewards[reward].total == plain.rewards[reward].total
    assert guessed.rewards[reward].components == plain.rewards[reward].components


async def test_a_turn_of_declined_calls_is_worth_nothing_and_is_no_deviation() -> None:
    plain = await scored(await play(list(OracleAgent.plan(TASK))))
    guessed = await scored(await play(with_guess(in_a_turn_of_its_own=True)))
    assert guessed.turns.scores is not None and plain.turns.scores is not None
    assert guessed.turns.scores[1] == 0
    assert (*guessed.turns.scores[:1], *guessed.turns.scores[2:]) == plain.turns.scores
    for reward in set(REWARDS) - {"tarl"}:  # TARL shares 5 out among all turns
        assert guessed.rewards[reward].total == plain.rewards[reward].total


def withheld() -> Task:
    """The task with an amount that the user tells only when asked."""
    goal = TASK.goals[0]
    facts = tuple(f.model_copy(update={"on_request": True}) if f.name == "amount_cents" else f for f in goal.facts)
    asked: Goal = goal.model_copy(update={"facts": facts, "utterance": "I want to pay somebody."})
    return TASK.model_copy(update={"goals": (asked,), "gold": goal.calls})


@pytest.mark.parametrize("approved", [True, False])
async def test_a_withheld_value_that_nobody_said_is_a_violation_put_up_for_approval(approved: bool) -> None:
    class Curt(Firm):
        async def approve(self, call: ToolCall, shown: Shown) -> Approval:
            return Approval(approved=approved, sentence="No.")

    task = withheld()
    calls = [Message(role="assistant", tool_calls=(call,)) for call in task.gold]
    found = [violation.rule for violation in verify(await play(calls, task, Curt())).violations]
    assert "amount_cents" in found
    behind = [*calls[:-1], Message(role="assistant", tool_calls=(WRONG, calls[-1].tool_calls[0]))]
    unseen = [violation.rule for violation in verify(await play(behind, task, Firm())).violations]
    assert "amount_cents" not in unseen


async def test_what_the_user_says_with_a_no_is_said() -> None:
    class Telling(Firm):
        async def approve(self, call: ToolCall, shown: Shown) -> Approval:
            answer = await super().approve(call, shown)
            words = f"No, {next(f.words for f in TASK.goals[0].facts if f.name == 'amount_cents')}, please."
            return answer.model_copy(update={"sentence": "" if answer.approved else words})

    task = withheld()
    steps = [Message(role="assistant", tool_calls=(call,)) for call in (task.gold[0], WRONG, *task.gold[1:])]
    assert "amount_cents" not in [v.rule for v in verify(await play(steps, task, Telling())).violations]


async def test_the_same_call_twice_needs_two_approvals() -> None:
    """Two calls that are equal are two calls: the approval of one is not the other's."""
    steps = [Message(role="assistant", tool_calls=(call,)) for call in TASK.goals[0].calls]
    played = await play([*steps, steps[-1]])
    again = [record for record in played.approvals if record.approved]
    assert len(again) == 2
    cut = played.model_copy(update={"approvals": tuple(again[:1])})
    assert "unconfirmed_write" in [violation.kind for violation in verify(cut).violations]


@pytest.mark.parametrize(
    ("said", "reported"), [("Okay.", False), ("All right.", False), ("The payment was sent.", True)]
)
async def test_an_approval_is_no_report(said: str, reported: bool) -> None:
    made = [Message(role="assistant", tool_calls=(call,)) for call in TASK.goals[0].calls]
    played = await play([*made, *[Message(role="assistant", content=said)] * 4])
    assert ("unreported" not in [violation.kind for violation in verify(played).violations]) == reported
