"""How much an agent thinks: "wait" markers and length per turn, as TARL reports them (section 2.3, tables 1 and 2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.runtime.trajectory import Trajectory

_WAIT = re.compile(r"\bwait\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReasoningStatistics:
    """Reasoning per agent turn, over one or more trajectories.

    Attributes:
        turns: how many agent turns were counted.
        waits: "wait" markers per turn, thoughts and text together: a sign of self-correction.
        tokens: tokens that the model wrote per turn, replies written again included; None where none were counted.
        reasoning_words: words of kept-apart reasoning per turn.
    """

    turns: int
    waits: float
    tokens: float | None
    reasoning_words: float


def reasoning_statistics(trajectories: Iterable[Trajectory]) -> ReasoningStatistics | None:
    """The statistics of trajectories together; None when they hold no agent turn."""
    every = list(trajectories)
    actions = [message for trajectory in every for message in trajectory.messages if message.role == "assistant"]
    if not actions:
        return None
    written = sum(use.completion_tokens for trajectory in every for use in trajectory.usage if use.role == "agent")
    return ReasoningStatistics(
        turns=len(actions),
        waits=sum(waits(action) for action in actions) / len(actions),
        tokens=written / len(actions) if written else None,
        reasoning_words=sum(len((action.reasoning or "").split()) for action in actions) / len(actions),
    )


def waits(action: Message) -> int:
    """The "wait" markers of one turn."""
    return len(_WAIT.findall(f"{action.reasoning or ''}\n{action.content or ''}"))


def reasoning_summary(trajectories: Iterable[Trajectory]) -> dict[str, Any] | None:
    """The statistics as JSON-able data; None where no model spoke and nothing was thought."""
    found = reasoning_statistics(trajectories)
    return asdict(found) if found and (found.tokens is not None or found.reasoning_words) else None


def reasoning_line(found: Mapping[str, Any]) -> str:
    """The statistics for the terminal."""
    tokens = f"{found['tokens']:.1f} tokens written, " if found["tokens"] is not None else ""
    return f"{tokens}{found['reasoning_words']:.1f} words of thought, {found['waits']:.2f} times 'wait'"
