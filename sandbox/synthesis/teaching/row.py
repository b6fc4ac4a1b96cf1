"""A row: the finished conversation as a task with gold steps and their edges, and as a trajectory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.kit.task import Answer, Goal, Task
from toolgym.sandbox.kit.telling import Telling
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.foreign_domain import ForeignDomain
from toolgym.sandbox.runtime.info import Info
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import Trajectory, UsageRecord
from toolgym.sandbox.synthesis.graph.model import Graph
from toolgym.sandbox.synthesis.graph.records import leaves, read, telling
from toolgym.sandbox.synthesis.proof.reachability import shaped
from toolgym.sandbox.synthesis.teaching.conversation import Conversation
from toolgym.sandbox.synthesis.teaching.nowhere import told_values
from toolgym.sandbox.synthesis.wording import NO

TURNS, NEEDS = "user_turns", "needs"
"""Fields of a task's metadata: what the user says in turn, and of each gold step the steps that it depends on."""
ORIGIN = "origin"
"""The field that says whose row it is, where it was not made here."""
_TOLD = 2
"""Values of a result that the answer has to name, at most."""


def gold_of_log(log: Sequence[CallRecord]) -> list[CallRecord]:
    """The calls that count: those that succeeded, a read that was repeated once."""
    found: list[CallRecord] = []
    for record in log:
        made = [(other.name, other.arguments) for other in found]
        if record.ok and not (record.kind == "read" and (record.name, record.arguments) in made):
            found.append(record)
    return found


def edges(gold: Sequence[CallRecord], graph: Graph, said: str) -> list[list[int]]:
    """Of each gold step the earlier ones that it depends on: for a value that nobody said, or for the order alone."""
    order = {(edge.source, edge.target) for edge in graph.edges if edge.kind == "order"}
    shown = [{leaf for _, _, leaf in leaves(read(record.value))} for record in gold]
    found = []
    for number, record in enumerate(gold):
        needs = {before for before in range(number) if (gold[before].name, record.name) in order}
        for value in told_values(record.arguments):
            if str(value).lower() not in said:
                needs |= set([before for before in range(number) if value in shown[before]][:1])
        found.append(sorted(needs))
    return found


def trajectory_of(talk: Conversation, graph: Graph) -> Trajectory:
    """The record of a conversation that has ended, whatever is to become of it."""
    task = task_of(talk, graph)
    noted: dict[str, Any] = {
        "detail": talk.detail,
        "plans": [[asdict(step) for step in plan] for plan in talk.plans[: talk.asked]],
        "transitions": [each.model_dump() for each in talk.transitions],
        "distractors": talk.distracted,
        "replies": dict(talk.replies),
        "faults": [[state, fault, count] for (state, fault), count in sorted(talk.faults.items())],
    }
    return Trajectory(
        task=task,
        seed=task.seed,
        agent=f"teacher:{talk.teacher.name}",
        user=f"teacher:{talk.teacher.name}",
        messages=tuple(talk.messages),
        calls=tuple(talk.session.log),
        diff=tuple(talk.session.diff()),
        termination="user_stop" if talk.thrown is None else "max_errors",
        usage=(UsageRecord(role="teacher", requests=talk.replies.total()),),
        info=Info.model_validate({"synthesis": noted}),
    )


def task_of(talk: Conversation, graph: Graph) -> Task:
    """The task that the conversation was about, and what a right run of it is."""
    gold, goals, said = gold_of_log(talk.session.log), _goals(talk), "\n".join(talk.turns)
    foreign = isinstance(get_domain(talk.task.domain), ForeignDomain)
    task = talk.task.model_copy(
        update={
            "scenario": said,
            "goals": goals,
            "gold": tuple(ToolCall(name=record.name, arguments=record.arguments) for record in gold),
            "communicate": tuple(told for goal in goals for told in goal.must_communicate),
            "answer": Answer(values=(gold[-1].value,)) if foreign and gold else None,
            "metadata": {TURNS: list(talk.turns), NEEDS: edges(gold, graph, said.lower())},
        }
    )
    return shaped(task) if gold else task.model_copy(update={"structure": "none"})


def _goals(talk: Conversation) -> tuple[Goal, ...]:
    """A goal for each request, with what was written and what had to be told before the next one.

    A yes or a value that was asked for is no goal: consent would not be read in words that a goal holds.
    """
    log = {call.id: record for call, record in zip(_calls(talk.messages), talk.session.log, strict=False)}
    starts = [each.messages - 1 for each in talk.transitions if each.state == "query" and each.following == "turn"]
    goals = []
    for start, end in zip(starts, [*starts[1:], len(talk.messages)], strict=False):
        part = talk.messages[start:end]
        records = [log[call.id] for call in _calls(part) if call.id in log]
        made = [record for record in records if record.wrote]
        words = next((each.content for each in reversed(part) if each.role == "assistant" and not each.tool_calls), "")
        asked = "\n".join(each.content or "" for each in part if each.role == "user")
        goals.append(
            Goal(
                kind=records[-1].name if records else "ask",
                utterance=part[0].content or "",
                calls=tuple(ToolCall(name=record.name, arguments=record.arguments) for record in made),
                must_communicate=() if made else _told(records, words or "", asked),
                outcome="done" if made else "answered",
            )
        )
    if not any(record.ok for record in log.values()):
        return tuple(goal.model_copy(update={"outcome": "refused", "must_communicate": (NO,)}) for goal in goals[-1:])
    return tuple(goals)


def _calls(messages: Sequence[Message]) -> list[ToolCall]:
    return [call for message in messages for call in message.tool_calls]


def _told(records: Sequence[CallRecord], words: str, asked: str) -> tuple[str, ...]:
    """Values of the last result that the answer named, and the user had not."""
    last = next((record for record in reversed(records) if record.ok), None)
    shown: list[Json] = [] if last is None else [leaf for _, _, leaf in leaves(read(last.value)) if telling(leaf)]
    named = (str(leaf) for leaf in shown if str(leaf) in words and str(leaf) not in asked)
    return tuple(Telling(text) for text in list(dict.fromkeys(named))[:_TOLD])
