"""One episode as another benchmark recorded it: the common form between their files and our trajectories."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.runtime.trajectory import Termination, Trajectory

Source = Literal["tau-bench", "tau2", "inspect"]


class Unreadable(Exception):
    """A record that cannot be read; the text says why, for people."""


class LeftOut(Unreadable):
    """A record that can be read and of which no honest score exists.

    Attributes:
        kind: the sort of reason, for counting, as a plural noun phrase.
    """

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(why)
        self.kind = kind


MALFORMED = (KeyError, TypeError, ValueError, AttributeError)
"""What reading a record of another form than expected raises."""


def section(value: Json) -> Mapping[str, Json]:
    """An object's fields; none where there is no object."""
    return value if isinstance(value, Mapping) else {}


def finite(value: Json) -> float | None:
    """A number as a float; None for what is none, such as the NaN that Python writes and JSON does not know."""
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


@dataclass(frozen=True)
class Recorded:
    """What a file says of one episode.

    Attributes:
        task: the task's record, in tau2-bench's form.
        trial: repetition number from 0; None where the file does not say.
        messages: the conversation, system messages left out.
        termination: why it ended, in our words.
        reward: as recorded; None where there is none.
        components: the reward's parts as recorded, by tau2-bench's names (DB, COMMUNICATE, ...).
        basis: the parts that the reward is the product of.
        ending: why it ended, in the file's words.
        fault: what broke, when the episode never came to an end of its own.
        seed: the episode's seed; 0 where the file does not say.
        seconds: how long it took.
        identifier: the record's own id; empty where it has none.
        stamp: a digest of the messages with their times; empty where no times tell two equal runs apart.
        scored_on: what the file says it was scored on, as tau2-bench's `reward_info`.
    """

    task: Mapping[str, Json]
    trial: int | None
    messages: tuple[Message, ...]
    termination: Termination
    reward: float | None
    components: Mapping[str, float]
    basis: tuple[str, ...]
    ending: str = ""
    fault: str | None = None
    seed: int = 0
    seconds: float = 0.0
    identifier: str = ""
    stamp: str = ""
    scored_on: Mapping[str, Json] = field(default_factory=dict)

    @property
    def solo(self) -> bool:
        """Whether the agent worked alone: nobody else says anything."""
        return bool(self.messages) and not any(message.role == "user" for message in self.messages)


@dataclass
class Content:
    """What was found in a file.

    Attributes:
        source: which benchmark wrote it.
        domain: the domain it names; None where it names none.
        agent: who played the agent.
        user: who played the user.
        version: which version of the benchmark wrote it, as far as it says; empty where it does not.
        trials: how many trials of each task it says it holds; None where it does not.
        episodes: what could be read, in the file's order.
        unreadable: what could not, and what was left out: where, and why.
        left_out: how many were left out, by the sort of reason.
        trajectories: episodes of our own, which need not be executed again.
        passed_there: whether each of those passed, as the file says; None where it does not.
    """

    source: Source
    domain: str | None = None
    agent: str = ""
    user: str = ""
    version: str = ""
    trials: int | None = None
    episodes: list[Recorded] = field(default_factory=list)
    unreadable: list[tuple[str, str]] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    trajectories: list[Trajectory] = field(default_factory=list)
    passed_there: list[bool | None] = field(default_factory=list)


class Thread:
    """Puts recorded messages in order: every call gets an id of its own, every result the call that it answers.

    Files repeat ids within an episode, so an id counts only until it is answered.
    """

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self._waiting: list[tuple[str, ToolCall]] = []
        self._ids: set[str] = set()

    def say(
        self,
        role: Literal["user", "assistant"],
        content: str | None,
        calls: Sequence[ToolCall] = (),
        reasoning: str | None = None,
    ) -> None:
        """Add a message of the agent or the user."""
        self._waiting = []
        numbered = []
        for call in calls:
            fresh = self._fresh(call.id)
            numbered.append(call.model_copy(update={"id": fresh}))
            self._waiting.append((call.id, numbered[-1]))
        self.messages.append(
            Message(role=role, content=content, tool_calls=tuple(numbered), reasoning=reasoning or None)
        )

    def answer(self, identifier: str, content: str) -> None:
        """Add a tool's result.

        Raises:
            Unreadable: no call is waiting for one.
        """
        index = next((i for i, (known, _) in enumerate(self._waiting) if known == identifier), None)
        if index is None:
            if not self._waiting or identifier:
                raise Unreadable(f"message {len(self.messages) + 1} is a tool result that answers no call")
            index = 0
        call = self._waiting.pop(index)[1]
        self.messages.append(Message(role="tool", content=content, tool_call_id=call.id, name=call.name))

    def _fresh(self, wished: str) -> str:
        number, fresh = 1, wished or "call_1"
        while fresh in self._ids:
            number += 1
            fresh = f"{wished or 'call'}_{number}"
        self._ids.add(fresh)
        return fresh
