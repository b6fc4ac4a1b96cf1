"""What a user makes of a proposal, and what every way of knowing a wish can do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from toolgym.sandbox.kit.task import Goal
from toolgym.sandbox.language.dialogue_acts import AgentAct


@dataclass(frozen=True)
class Reaction:
    """The answer to a proposal.

    Attributes:
        agreed: it is a yes.
        sentences: what is said.
        nearly: nothing of the proposal is wrong, so that whoever goes on to report it has done it.
        only: the wish as somebody else would do it, "cancel order #W1", where a proposal holds more than that; it may
            be asked for in place of the last sentence.
    """

    agreed: bool
    sentences: list[str]
    nearly: bool = False
    only: str = ""


class Knowledge(Protocol):
    """What a user knows about wishes, and how it compares with what agents say.

    Attributes:
        stepwise: several steps, each of which the user may be asked for, bring about what it wants in the end.
    """

    stepwise: bool

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

    def action_nouns(self) -> frozenset[str]:
        """What the wish's action is called, such as "cancellation"."""
        ...

    def objects(self, heard: AgentAct) -> list[str]:
        """What the user says to a report of something else: "line 201-555-0151 is suspended"; else empty."""
        ...

    def done_word(self) -> str:
        """How the user says that the wish is fulfilled, such as "cancelled"."""
        ...

    def actions(self) -> frozenset[str]:
        """The names of the tools that the wish takes, where it takes several; empty where one does it."""
        ...

    def acts(self, text: str) -> bool:
        """Whether a text names the wish's action."""
        ...

    def own_verbs(self) -> frozenset[str]:
        """Forms of the verbs that the wish is put in."""
        ...

    def names_value(self, text: str) -> bool:
        """Whether a text names what the wish is to bring, such as its amount, and not only which thing it is about."""
        ...

    def asks(self, heard: AgentAct) -> bool:
        """Whether a message asks for something of the wish."""
        ...

    def reports_of(self, name: str, heard: AgentAct) -> bool:
        """Whether a message reports one of several actions that the wish takes, by its tool's name."""
        ...

    def proposes(self, heard: AgentAct) -> bool:
        """Whether a message that asks for no agreement still says what will be done."""
        ...

    def consider(self, heard: AgentAct) -> Reaction:
        """Answer a proposal."""
        ...

    def meant(self, heard: AgentAct) -> str:
        """What a message that is not understood may mean, in words already said: "cancel order #W1".

        Empty where it names nothing of the wish, contradicts it, or leaves open what the user has not told.
        """
        ...

    def note_asked_back(self) -> None:
        """Note that the user has put its wish as a closed question: what that says, an agent need not name again."""
        ...

    def keeps_to(self, heard: AgentAct) -> bool:
        """Whether a message is the wish, whole and rightly said."""
        ...

    def answers(self, heard: AgentAct) -> list[str]:
        """Sentences that answer what is asked; empty when nothing is recognised."""
        ...

    def guess(self, heard: AgentAct) -> list[str]:
        """One plain fact of the present wish, for a question that cannot be placed; empty when all have been told."""
        ...

    def identifies(self, heard: AgentAct) -> bool:
        """Whether a message asks who the user is."""
        ...

    def asks_withheld(self, heard: AgentAct) -> bool:
        """Whether a message asks for something of the wish that is told on request: "Which size, then?"."""
        ...

    def answers_beside(self, heard: AgentAct) -> list[str]:
        """What is said to a message that the user has done something for with its tools; empty where that is all."""
        ...

    def stuck(self) -> list[str]:
        """Other words for the wish, for when the usual ones have been said twice."""
        ...

    def asks_again(self) -> list[str]:
        """Questions about what still has to be told."""
        ...
