"""The user of a row: says what it said when the row was made, and then leaves. For training and evaluation on rows."""

from __future__ import annotations

from collections.abc import Sequence

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import STOP, Json, Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.synthesis.teaching.row import TURNS


class RecordedUser:
    """A user that answers every message of the agent's with its next recorded words."""

    def open(self, task: Task, *, seed: int, tools: Sequence[dict[str, Json]] = ()) -> RecordedPlayer:
        """Begin an episode.

        Raises:
            BadInput: the task is no row of `toolgym synth`.
        """
        turns = task.metadata.get(TURNS)
        if not isinstance(turns, list) or not turns:
            raise BadInput(f"The task {task.id} does not hold what its user says; `toolgym synth` makes such tasks.")
        return RecordedPlayer([str(turn) for turn in turns])


class RecordedPlayer:
    """The user in one episode."""

    def __init__(self, turns: Sequence[str]) -> None:
        self._left = list(turns)

    async def reply(self, messages: Sequence[Message]) -> Message:
        """The next words; after the last ones the end."""
        return Message(role="user", content=self._left.pop(0) if self._left else STOP)
