"""What does not work where the user acts as well: complaints, the faults behind them, and what repairs those.

Declarations only; `toolgym.sandbox.synthesis.trouble` draws tasks from them. A world without things that break
has none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.goal import Slot
from toolgym.sandbox.kit.rule import Rule
from toolgym.sandbox.kit.task import Difficulty
from toolgym.sandbox.kit.tool import Tool

Step = Tool | tuple[Tool, Mapping[str, Any]]
"""A call of either side's tools or of the set-up's. Its arguments are what was drawn by the names of its parameters;
those given here come first, a function among them is given all that was drawn."""


@dataclass(frozen=True, eq=False)
class Fault:
    """Something that is wrong.

    Attributes:
        name: in a task's list of faults.
        group: of the faults of one group, a task has at most one.
        setup: brings it about.
        looks: what a right run looks at before it repairs it.
        fixes: repairs it; a hand-over where nobody in the conversation can.
        after: what must follow, once, when all is repaired.
        says: what the person knows of it and says at once.
        breaks: the rules that do not hold while it is there.
    """

    name: str
    group: str
    setup: Sequence[Step] = ()
    looks: Sequence[Step] = ()
    fixes: Sequence[Step] = ()
    after: Sequence[Step] = ()
    says: str = ""
    breaks: Sequence[Rule] = ()


@dataclass(frozen=True, eq=False)
class Trouble:
    """A complaint with what may be behind it.

    Attributes:
        name: the family of its tasks.
        says: ways to complain; of `(a|b|c)` in one, any is said.
        own: the faults of which one at least is behind it.
        others: those that may come with it; they are looked for and repaired first.
        slots: what is drawn beside the person, who is there by the name of their table, such as `customer`. Those with
            `says` or `say` are what the person tells when asked.
        setup: what goes before the faults' own.
        check: how it shows that all is well again.
        holds: assertions about the end.
        ends: further ones, worked out from the world as a right run leaves it.
        situation: what whoever plays the person is told beside the complaint, with places for what was drawn.
        ticket: the same for an agent that works alone.
        weight: how frequent it is among the troubles of its world.
    """

    name: str
    says: Sequence[str]
    own: Sequence[Fault]
    others: Sequence[Fault] = ()
    slots: Sequence[Slot] = ()
    setup: Sequence[Step] = ()
    check: Sequence[Step] = ()
    holds: Sequence[Step] = ()
    ends: Callable[[Database, Mapping[str, Any]], Sequence[Step]] | None = None
    situation: str = ""
    ticket: str = ""
    weight: int = 1

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All that may be behind it, in the order in which a right run repairs them."""
        return (*self.others, *self.own)

    @property
    def most(self) -> int:
        """How many faults it can have at once."""
        return len({fault.group for fault in self.faults})


def repairing(troubles: Sequence[Trouble]) -> set[str]:
    """The names of the tools that repair something."""
    steps = (step for trouble in troubles for fault in trouble.faults for step in (*fault.fixes, *fault.after))
    return {(step[0] if isinstance(step, tuple) else step).name for step in steps}


def broken_by(troubles: Sequence[Trouble]) -> list[Rule]:
    """The rules that faults break."""
    return [rule for trouble in troubles for fault in trouble.faults for rule in fault.breaks]


def difficulty_of(faults: int) -> Difficulty:
    """One fault is simple, two or three are standard, more are hard."""
    return "simple" if faults <= 1 else "standard" if faults <= 3 else "hard"
