"""A recorded conversation in the order in which things happened: what was said by whom, and what was called."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from toolgym.sandbox.language.dialogue_acts import AgentAct, parse_act
from toolgym.sandbox.runtime.approval import DECLINED
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.runtime.visible import visible


@dataclass(frozen=True)
class Said:
    """Words that reached the other side.

    Attributes:
        by_agent: the agent's; the user's without.
        turn: the agent's turn that they belong to, or follow; -1 for the user's first words.
        text: the words.
    """

    by_agent: bool
    turn: int
    text: str

    @cached_property
    def act(self) -> AgentAct:
        """What an agent's words do."""
        return parse_act(self.text)


@dataclass(frozen=True)
class Called:
    """A call of the log.

    Attributes:
        number: its place in the log.
        turn: the agent's turn in which it was made.
        record: the call with its result.
    """

    number: int
    turn: int
    record: CallRecord


Event = Said | Called


class Conversation:
    """A trajectory's events in order.

    Attributes:
        everything: what was said and called, calls that the user declined included, each before the user's words on it.
        events: the same without them: they reached no tool, and count for nothing.
    """

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self.everything = tuple(_events(trajectory))
        reached = set(map(id, trajectory.reached))
        self.events = tuple(e for e in self.everything if isinstance(e, Said) or id(e.record) in reached)

    @cached_property
    def words(self) -> tuple[Said, ...]:
        """What was said, by both."""
        return tuple(event for event in self.events if isinstance(event, Said))

    @cached_property
    def calls(self) -> tuple[Called, ...]:
        """What was called, by both, and reached a tool."""
        return tuple(event for event in self.events if isinstance(event, Called))

    @cached_property
    def of_agent(self) -> tuple[Said, ...]:
        """What the agent said to the user."""
        return tuple(said for said in self.words if said.by_agent)

    def before(self, event: Event) -> tuple[Event, ...]:
        """What happened before."""
        return self.events[: next(index for index, each in enumerate(self.events) if each is event)]


def turn_of_calls(trajectory: Trajectory) -> list[int]:
    """The turn in which each call of the log was made (the user's own calls belong to the turn they answer)."""
    answered: dict[str, int] = {}
    turn = -1
    for message in trajectory.messages:
        turn += message.role == "assistant"
        for call in message.tool_calls:
            answered[call.id] = max(turn, 0)
    logged = [m.tool_call_id for m in trajectory.messages if m.role == "tool" and m.tool_call_id]
    turn_of_call = [answered.get(identifier, 0) for identifier in logged]
    return (turn_of_call + [max(turn, 0)] * len(trajectory.calls))[: len(trajectory.calls)]


def _events(trajectory: Trajectory) -> Iterator[Event]:
    """Messages in order, each call where its result stands; calls without a result message come last."""
    unread, turns = set(trajectory.info.unread), turn_of_calls(trajectory)
    calls = iter(Called(number, turns[number], record) for number, record in enumerate(trajectory.calls))
    turn = -1
    for position, message in enumerate(trajectory.messages):
        turn += message.role == "assistant"
        if message.role == "tool" and message.tool_call_id:
            call = next(calls, None)
            if call is not None:
                yield call
                if trajectory.consent == "call" and call.record.error == DECLINED:
                    yield Said(False, turn, call.record.message or "")
        elif message.role == "user" and message.content:
            yield Said(False, turn, message.content)
        elif message.role == "assistant" and message.content and not message.tool_calls and position not in unread:
            yield Said(True, turn, visible(message.content))
    yield from calls
