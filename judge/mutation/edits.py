"""A recorded run whose calls were changed, played again: what was said stays, calls get the answers they come to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.session import RowChange, Session
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.proof.end_state import same_diff
from toolgym.sandbox.synthesis.proof.postal import as_posted


@dataclass(frozen=True)
class Change:
    """What one call changed in the world, and how much had been said before it."""

    words_before: int
    rows: str


@dataclass(frozen=True)
class Played:
    """A run as it was played.

    Attributes:
        trajectory: its record.
        changes: what its calls changed, in order.
        new_ids: the ids that its session generated.
    """

    trajectory: Trajectory
    changes: tuple[Change, ...]
    new_ids: frozenset[str]

    def ends_like(self, other: Played) -> bool:
        """Whether both leave the same rows, addresses as a post office reads them: no verifier of the end can tell."""
        mine, others = as_posted(self.trajectory.diff), as_posted(other.trajectory.diff)
        return same_diff(mine, others, self.new_ids | other.new_ids)

    def same_as(self, other: Played) -> bool:
        """Whether both change the same rows at the same places of the conversation: nobody can tell them apart."""
        return self.ends_like(other) and self.changes == other.changes


@dataclass(frozen=True)
class Place:
    """A successful call of the agent in a conversation.

    Attributes:
        message: the number of its message.
        call: the call.
        record: what it came to.
    """

    message: int
    call: ToolCall
    record: CallRecord


def replayed(base: Trajectory, messages: Sequence[Message]) -> Played:
    """A run with other messages; tool messages among them are left out and made anew.

    Args:
        base: the run that was changed.
        messages: what is said and called now.
    """
    found: list[Message] = []
    changes: list[Change] = []
    words = 0
    with Session(base.task.domain, task=base.task) as session:
        rows = session.diff()
        for message in messages:
            if message.role == "tool":
                continue
            found.append(message)
            words += bool(message.content) and not message.tool_calls
            for call in message.tool_calls:
                result = session.call(call.name, call.arguments, by=call.by)
                found.append(Message(role="tool", content=result.text, tool_call_id=call.id, name=call.name))
                before, rows = rows, session.diff()
                if rows != before:
                    changes.append(Change(words, _text(rows)))
        update = {"messages": tuple(found), "calls": tuple(session.log), "diff": tuple(rows)}
        return Played(base.model_copy(update=update), tuple(changes), session.new_ids)


def _text(rows: Sequence[RowChange]) -> str:
    return json.dumps([[row.table, list(row.key), row.after] for row in as_posted(rows)], sort_keys=True)


def places(trajectory: Trajectory) -> list[Place]:
    """The agent's calls that succeeded, in order."""
    answers = [message.tool_call_id for message in trajectory.messages if message.role == "tool"]
    records = dict(zip(answers, trajectory.calls, strict=False))
    return [
        Place(number, call, records[call.id])
        for number, message in enumerate(trajectory.messages)
        for call in message.tool_calls
        if call.by == "agent" and call.id in records and records[call.id].ok
    ]


def with_call(trajectory: Trajectory, place: Place, calls: Sequence[ToolCall]) -> list[Message]:
    """The conversation with other calls, or none, in the place of one."""
    messages = list(trajectory.messages)
    message = messages[place.message]
    kept = [each for call in message.tool_calls for each in (calls if call.id == place.call.id else (call,))]
    changed = message.model_copy(update={"tool_calls": tuple(kept)})
    messages[place.message : place.message + 1] = [changed] if kept or message.content else []
    return messages


def with_more(trajectory: Trajectory, calls: Sequence[ToolCall]) -> list[Message]:
    """The conversation with further calls: after the last change, or before the agent's last words."""
    messages = list(trajectory.messages)
    made = [place.message for place in places(trajectory) if place.record.wrote]
    said = [number for number, message in enumerate(messages) if message.role == "assistant" and message.content]
    place = made[-1] + 1 if made else said[-1] if said else len(messages)
    while place < len(messages) and messages[place].role == "tool":
        place += 1
    fresh = [
        Message(role="assistant", tool_calls=(call.model_copy(update={"id": f"more_{n}"}),))
        for n, call in enumerate(calls)
    ]
    messages[place:place] = fresh
    return messages


def changed(call: ToolCall, name: str, value: Json) -> ToolCall:
    """A call with another value of an argument."""
    assert isinstance(call.arguments, dict)
    return call.model_copy(update={"arguments": {**call.arguments, name: value}})
