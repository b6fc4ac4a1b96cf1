"""A recorded conversation in turns, from which others are made: every call of theirs is executed anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.kit.task import Goal
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory

Turn = tuple[Message, ...]
"""An agent's message and what came back."""


@dataclass(frozen=True)
class Planted:
    """A conversation with one error.

    Attributes:
        trajectory: the conversation.
        turns: the turns that may be blamed for it.
        score: what a judge owes them: -1, or 0 for what is idle.
    """

    trajectory: Trajectory
    turns: frozenset[int]
    score: int = -1


class Run:
    """A right conversation in turns.

    Attributes:
        trajectory: the record.
        opening: what was said before the agent's first turn.
        turns: the agent's turns.
        writes: the turns in which the agent changes something.
    """

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory, self.task = trajectory, trajectory.task
        self.domain = get_domain(trajectory.task.domain)
        turns = trajectory.turns()
        self.turns: list[Turn] = [(turn.action, *turn.feedback) for turn in turns]
        self.opening = trajectory.messages[: len(trajectory.messages) - sum(map(len, self.turns))]
        self.writes = [index for index, turn in enumerate(self.turns) if self._writes(turn[0])]

    def _writes(self, message: Message) -> bool:
        return any(
            self.tool(call) is not None and self.domain.tools[call.name].kind == "write" for call in message.tool_calls
        )

    def tool(self, call: ToolCall) -> Tool | None:
        """The agent's tool that a call is made to."""
        return self.domain.tools.get(call.name)

    def said(self, after: int = -1) -> list[int]:
        """The turns with words, after a turn."""
        return [i for i, turn in enumerate(self.turns) if i > after and turn[0].content and not turn[0].tool_calls]

    def final(self, outcome: str) -> Goal | None:
        """The only wish of the conversation, where it ends so."""
        goals = [goal.final for goal in self.task.goals]
        return goals[0] if len(goals) == 1 and goals[0].outcome == outcome else None

    def rebuilt(self, turns: Sequence[Turn], termination: str = "") -> Trajectory:
        """The record of these turns: every call executed anew."""
        messages = [*self.opening, *(message for turn in turns for message in turn)]
        calls = {call.id: call for message in messages for call in message.tool_calls}
        with Session(self.domain, task=self.task) as session:
            for position, message in enumerate(messages):
                if message.role == "tool":
                    call = calls[message.tool_call_id or ""]
                    text = session.call(call.name, call.arguments, by=call.by).text
                    messages[position] = message.model_copy(update={"content": text})
            done = {"messages": tuple(messages), "calls": tuple(session.log), "diff": tuple(session.diff())}
        return self.trajectory.model_copy(update=done | ({"termination": termination} if termination else {}))

    def planted(self, turns: Sequence[Turn], *places: int, score: int = -1) -> Planted:
        """The record of these turns with an error at some of them."""
        return Planted(self.rebuilt(turns), frozenset(places), score)


def calling(name: str, arguments: dict[str, Json], number: int = 0) -> Turn:
    """A turn with one call; its result is filled in later."""
    call = ToolCall(name=name, arguments=arguments, id=f"planted_{number}")
    empty = Message(role="tool", content="", tool_call_id=call.id, name=name)
    return (Message(role="assistant", tool_calls=(call,)), empty)


def saying(text: str, reply: str) -> Turn:
    """A turn with words and an answer."""
    return (Message(role="assistant", content=text), Message(role="user", content=reply))


def with_words(turn: Turn, text: str) -> Turn:
    """A turn in other words, with the same answer."""
    return (turn[0].model_copy(update={"content": text}), *turn[1:])
