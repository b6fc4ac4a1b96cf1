"""A conversation while the state machine leads it: what was planned, what was said and called, every transition."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from toolgym.sandbox.kit.message import Frozen, Json, Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.text import Text
from toolgym.sandbox.kit.tool import ToolResult, ToolSet
from toolgym.sandbox.models.reply import Reply
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.session import RowChange

if TYPE_CHECKING:
    from toolgym.sandbox.synthesis.teaching.teacher import Teacher

T = TypeVar("T")
State = Literal["query", "turn", "execution", "recovery", "response", "continuation", "end"]
"""PROVE's five groups of states; recovery stands by itself, since it asks the teacher otherwise."""
Detail = Literal["complete", "missing_required", "minimal"]
"""How much the user's first words say (the paper's information level)."""
AGAIN = 2
"""Times that a reply is asked for once more."""
Family = Literal["chain", "irrelevant", "missing_function"]
"""What a row trains: calls that hang together, or to say that no tool fits."""


class Transition(Frozen):
    """One step of the state machine.

    Attributes:
        state: where it was.
        outcome: what happened there.
        following: where it went.
        messages: how many messages the conversation had by then.
    """

    state: State
    outcome: Text
    following: State
    messages: int


@dataclass(frozen=True)
class Step:
    """A planned call.

    Attributes:
        tool: its name.
        about: the first line of its description.
        writes: it changes something for which an assistant needs the user's yes.
        given: the values that the user has to know, by parameter.
        found: for a parameter that takes an earlier result's value, which one: `step` (from 0), `path`, `number` (from
            0), and `words`, by which a person tells it from the others.
    """

    tool: str
    about: str
    writes: bool
    given: Mapping[str, Json]
    found: Mapping[str, Mapping[str, Json]]


class Live(Protocol):
    """A session of the source's tools, of whichever kind; `blocking` where calls go outside this process."""

    blocking: bool

    @property
    def log(self) -> Sequence[CallRecord]:
        """The calls so far."""
        ...

    def call(self, name: str, arguments: Mapping[str, Json] | str) -> ToolResult:
        """Call a tool."""
        ...

    def diff(self) -> Sequence[RowChange]:
        """The rows that stand changed, where rows are seen."""
        ...

    def close(self) -> None:
        """End it."""
        ...


@dataclass
class Conversation:
    """What the states work on.

    Attributes:
        number: which conversation of the run it is.
        task: the row's task as far as it is known before: world, owner, offered tools, persona.
        plans: the chain of each user turn, as many as there may be.
        detail: how much the first words say.
        family: what the row trains.
        teacher: who plays both sides.
        session: the live tools.
        tools: those that are offered.
        shown: the same as the model sees them.
        system: what the assistant is told.
        rng: decides what chance decides.
        today: the reference date.
        distracted: tools of other sources are offered as well.
        messages: what was said.
        transitions: how the states followed.
        turns: the user's messages so far.
        withheld: what the user has not said yet, by its name.
        asked: how many of the plans were asked for.
        note: what the teacher is told beside the conversation in its next turn; in no row.
        pending: the message whose calls are to be made.
        results: what the last calls came to.
        recoveries: attempts to recover since the user's last words.
        steps: the assistant's messages since then.
        again: replies sent back in a row.
        thrown: why the conversation makes no row; None while nothing speaks against it.
        faults: what the teacher did badly, by state and fault.
        replies: how often it was asked, by state.
    """

    number: int
    task: Task
    plans: Sequence[Sequence[Step]]
    detail: Detail
    family: Family
    teacher: Teacher
    session: Live
    tools: ToolSet
    shown: Sequence[dict[str, Json]]
    system: str
    rng: Random
    today: str
    distracted: bool = False
    messages: list[Message] = field(default_factory=list)
    transitions: list[Transition] = field(default_factory=list)
    turns: list[str] = field(default_factory=list)
    withheld: dict[str, Json] = field(default_factory=dict)
    asked: int = 0
    note: str = ""
    pending: Message | None = None
    results: list[ToolResult] = field(default_factory=list)
    recoveries: int = 0
    steps: int = 0
    again: int = 0
    thrown: str | None = None
    faults: Counter[tuple[State, str]] = field(default_factory=Counter)
    replies: Counter[State] = field(default_factory=Counter)

    @property
    def heard(self) -> str:
        """All that was said or shown so far, in lower case: where a value may come from."""
        return "\n".join([self.system, self.today, *(message.content or "" for message in self.messages)]).lower()

    def spoken(self) -> list[dict[str, Json]]:
        """The words of both sides."""
        said = (message for message in self.messages if message.role != "tool" and message.content)
        return [{"role": message.role, "content": message.content} for message in said]

    def say(self, role: Literal["user", "assistant"], text: str) -> None:
        """Add words; the user's begin a new exchange."""
        self.messages.append(Message(role=role, content=text))
        if role == "user":
            self.turns.append(text)
            self.recoveries = self.steps = 0

    async def apart(self, work: Callable[[], T]) -> T:
        """What some work comes to, done in a thread where the tools are outside this process."""
        return await asyncio.to_thread(work) if self.session.blocking else work()

    async def ask(self, state: State, messages: Sequence[Mapping[str, Json]], attempt: int = 0) -> Reply:
        """The teacher's reply in a state; in a turn it may call the offered tools."""
        tools = self.shown if state == "turn" else ()
        self.replies[state] += 1
        return await self.teacher.ask(state, messages, tools, f"{self.number}:{len(self.transitions)}:{attempt}")

    def blame(self, state: State, fault: str) -> None:
        """Count what the teacher did badly."""
        self.faults[state, fault] += 1

    def sent_back(self, state: State, fault: str) -> State:
        """Send a reply back: the teacher is told what is wrong with it, a few times."""
        self.blame(state, fault)
        self.again += 1
        if self.again > AGAIN:
            return self.throw(f"no usable {state}: {fault}")
        self.note = f"Your last reply was not sent: {fault}. Reply again without that."
        return "turn"

    def throw(self, cause: str) -> State:
        """Give the conversation up."""
        self.thrown = cause
        return "end"
