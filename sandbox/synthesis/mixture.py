"""Which tasks a version is made of: families and their shares, and how people put their wishes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Literal, get_args

from toolgym.sandbox.kit.errors import unknown
from toolgym.sandbox.kit.task import Information

Family = Literal[
    "granted",
    "forbidden",
    "second_choice",
    "change_of_mind",
    "condition",
    "several",
    "changes",
    "thread",
    "pressure",
    "mistaken",
    "choosing",
    "taken_back",
    "hurried",
    "trouble",
    "irrelevant",
    "hidden_tool",
]


@dataclass(frozen=True)
class Mixture:
    """What drawn tasks are made of.

    Attributes:
        families: how many of a hundred tasks are of each family, but for what `Knobs` decides.
        information: how many of a hundred put their wishes in each way, measured on what was drawn; without it each is
            aimed at equally often, and called what was aimed at.
        hangs_together: a second choice is for the same thing as the first, a condition is about what the wish is
            about, changes follow from one another; and rows are called by their names, not by keys that nobody says.
        deep: the share of those that do not tell all at once for which a depth of four or more is aimed at.
        turns: how many a right run takes at most (see `toolgym.sandbox.synthesis.turns`).
    """

    families: Mapping[Family, int]
    information: Mapping[Information, int] | None = None
    hangs_together: bool = False
    deep: float = 0.0
    turns: int | None = None

    def without(self, names: Iterable[str]) -> Mixture:
        """The mixture without some families.

        Raises:
            BadInput: there is no such family.
        """
        off = set(names)
        for name in off - set(self.families):
            raise unknown("family", name, self.families)
        return replace(self, families={name: share for name, share in self.families.items() if name not in off})

    def information_for(self, place: int, origin: str) -> Information | None:
        """How the wishes of a place are put, as every ten places have it; None where that is not decided beforehand."""
        if self.information is None:
            return None
        ten: list[Information] = [kind for kind, share in self.information.items() for _ in range(share // 10)]
        Random(f"{origin}:information {place // 10}").shuffle(ten)
        return ten[place % 10]


TURNS = 26
"""Of the 30 turns of an episode, so that an agent may err now and then."""
VERSION_2 = Mixture(
    {"granted": 45, "forbidden": 20, "second_choice": 8, "change_of_mind": 7, "condition": 5, "several": 15}
)
VERSION_3 = Mixture(
    {
        "granted": 1,
        "forbidden": 3,
        "pressure": 6,
        "second_choice": 7,
        "change_of_mind": 3,
        "condition": 5,
        "several": 1,
        "thread": 28,
        "mistaken": 22,
        "choosing": 16,
        "taken_back": 5,
        "hurried": 3,
    },
    {"complete": 60, "withheld": 20, "described": 20},
    hangs_together=True,
    deep=0.9,
    turns=TURNS,
)
HARD = Mixture(
    {
        "thread": 25,
        "mistaken": 28,
        "choosing": 27,
        "taken_back": 4,
        "hurried": 4,
        "pressure": 6,
        "second_choice": 6,
    },
    {"withheld": 40, "described": 60},
    hangs_together=True,
    deep=1.0,
    turns=TURNS,
)
TRAIN = replace(VERSION_3, deep=0.0)
"""As it comes, since depth costs most of the drawing."""
MIXTURES = {"2": VERSION_2, "3": VERSION_3, "hard": HARD, "train": TRAIN}
"""By the version of the tasks; `hard` is the hard split of the third, `train` what it trains on."""


def family_named(name: str) -> Family:
    """A family by its name.

    Raises:
        BadInput: there is none.
    """
    for family in get_args(Family):
        if family == name:
            return family  # type: ignore[no-any-return]  # as `Family` lists them
    raise unknown("family", name, get_args(Family))
