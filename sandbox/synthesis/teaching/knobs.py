"""Step 4, the robustness knobs: what is drawn for a conversation before it begins, with the paper's shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.synthesis.knobs import FEWEST, MOST
from toolgym.sandbox.synthesis.teaching.conversation import Detail, Family, Step
from toolgym.sandbox.synthesis.teaching.source import Source


@dataclass(frozen=True)
class Shares:
    """Shares of conversations, 0 to 1.

    Attributes:
        distractors: with 3 to 8 live tools of other sources among the offered ones.
        strip_enums: whose schemas list no values of a choice.
        irrelevant: that ask for what no offered tool does.
        missing_function: whose last tool is hidden once the chain was chosen; by default as many as the paper's 1,500
            beside 10,895.
        missing_required: that leave one needed value out at first; the rest, but for the minimal ones, is complete.
        minimal: that say little more than the wish.
    """

    distractors: float = 0.4
    strip_enums: float = 0.3
    irrelevant: float = 0.05
    missing_function: float = 0.12
    missing_required: float = 0.2
    minimal: float = 0.2

    def __post_init__(self) -> None:
        for name, share in vars(self).items():
            if not 0 <= share <= 1:
                raise BadInput(f"The share {name} must be from 0 to 1; got {share}.")
        if self.irrelevant + self.missing_function > 1 or self.missing_required + self.minimal > 1:
            raise BadInput("Shares that exclude each other come to more than 1; lower one of them.")

    def family(self, rng: Random) -> Family:
        """What a conversation trains."""
        chance = rng.random()
        if chance < self.irrelevant:
            return "irrelevant"
        return "missing_function" if chance < self.irrelevant + self.missing_function else "chain"

    def detail(self, rng: Random) -> Detail:
        """How much its first words say."""
        chance = rng.random()
        if chance < self.missing_required:
            return "missing_required"
        return "minimal" if chance < self.missing_required + self.minimal else "complete"


def perturbed(
    source: Source, shares: Shares, rng: Random, family: Family, plans: Sequence[Sequence[Step]]
) -> dict[str, Json]:
    """The fields of a task by which its tools are more, fewer or less described."""
    fields: dict[str, Json] = {"strip_enums": rng.random() < shares.strip_enums}
    more, count = rng.random() < shares.distractors, rng.randint(FEWEST, MOST)
    offered = source.offered()
    if more:
        fields |= {"tools": offered} | source.distractors(rng, count)
        offered = fields.pop("tools")
    if family == "irrelevant" and "distractors" in fields:  # what is asked for must stay out of reach
        named = {step.tool for step in plans[0]}
        fields["distractors"] = tuple(name for name in fields["distractors"] if name.partition(".")[2] not in named)
    if family == "missing_function":
        offered = tuple(name for name in offered or source.domain.tools if name != plans[0][-1].tool)
    return fields | {"tools": offered}
