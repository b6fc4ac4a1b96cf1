"""What a user makes of a proposal, and what every way of knowing a wish can do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from sandbox.kit.task import Goal
from sandbox.language.dialogue_acts import AgentAct


@dataclass(frozen=True)
class Reaction:
    """The answer to a proposal: whether it is a yes, and the sentences."""

    agreed: bool
    sentences: list[str]


class Knowledge(Protocol):
    """What a user knows about wishes, and how it compares with what agents say."""

    def enter(self, goal: Goal) -> None:
        """Make a wish the current one."""
        ...

    def volunteered(self) -> list[str]:
        """What the user says about themself without being asked."""
        ...

    def done_words(self) -> frozenset[str]:
        """Past forms that report the wish as done."""
        ...

    def done_otherwise(self) -> frozenset[str]:
        """Past forms that report something else as done."""
        ...

    def proposes(self, heard: AgentAct) -> bool:
        """Whether a message that asks for no agreement still says what will be done."""
        ...

    def consider(self, heard: AgentAct) -> Reaction:
        """Answer a proposal."""
        ...

    def answers(self, heard: AgentAct) -> list[str]:
        """Sentences that answer what is asked; empty when nothing is recognised."""
        ...

    def identifies(self, heard: AgentAct) -> bool:
        """Whether a message asks who the user is."""
        ...

    def stuck(self) -> list[str]:
        """Other words for the wish, for when the usual ones have been said twice."""
        ...

    def asks_again(self) -> list[str]:
        """Questions about what still has to be told."""
        ...
