"""What benchmarks share whose rows are one exchange: no environment, and one message that is the whole answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from toolgym.judge.benchmarks.contract import Row, Score, World
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.runtime.trajectory import Trajectory


class OneExchange:
    """The members of a benchmark that such rows leave empty."""

    def world(self, row: Row) -> World:
        """None: calls are not made."""
        raise BadInput(f"{row.id} is one exchange; its calls are not made.")

    def export(self, folder: Path, model: str, played: Sequence[tuple[Row, Trajectory, Score]]) -> None:
        """Nothing: there is no layout of results that its own programs read."""

    def close(self) -> None:
        """No process to end."""


def answer_of(trajectory: Trajectory) -> Message | None:
    """The agent's answer; None where it gave none."""
    return next((message for message in trajectory.messages if message.role == "assistant"), None)
