"""The world that a wish about something broken is made in, and what must hold in its end."""

from __future__ import annotations

from dataclasses import dataclass

from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import Assertion, Difficulty


@dataclass(frozen=True)
class Prepared:
    """What goes with a wish about something that does not work.

    Attributes:
        name: the family of its tasks.
        setup: brings it about.
        assertions: what must hold in the end; none where the changed rows decide.
        faults: what is wrong.
        difficulty: by their number.
        situation: what whoever plays the person is told beside the wish.
        ticket: the same for an agent that works alone.
    """

    name: str
    setup: tuple[ToolCall, ...]
    assertions: tuple[Assertion, ...]
    faults: tuple[str, ...]
    difficulty: Difficulty
    situation: str
    ticket: str
