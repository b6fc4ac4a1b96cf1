"""A recorded trajectory as chat messages, as the model in training is shown it; it takes neither torch nor verl."""

from __future__ import annotations

from toolgym.sandbox.agents.llm import shown_as_text
from toolgym.sandbox.formats import get_format
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.training.data.rows import told

Chat = list[dict[str, str]]
"""One conversation in chat messages."""


def conversation(trajectory: Trajectory, text_format: str, *, full: bool = True) -> Chat:
    """A trajectory as the model in training is shown it, up to the agent's last message."""
    last = max(index for index, message in enumerate(trajectory.messages) if message.role == "assistant")
    program = trajectory.by_program
    shown = shown_as_text(trajectory.messages[: last + 1], get_format(text_format), program=program)
    return [told(trajectory.task, text_format, full=full, program=program, consent=trajectory.consent), *shown]
