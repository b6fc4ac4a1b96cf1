"""What makes a drawn task harder without changing what is right (PROVE section 3.2), each with the paper's share.

Distractors are live tools of other worlds: a write there is damage. Stripped enums leave the values of a choice to be
inferred. Irrelevant requests and hidden tools leave nothing that fits: the right thing is to say so.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.registry import get_domain

FEWEST, MOST = 3, 8
"""Distractors of a task that has some."""


@dataclass(frozen=True)
class Knobs:
    """Shares of tasks, 0 to 1; 0 turns a knob off.

    Attributes:
        distractors: with 3 to 8 tools of other worlds among the offered ones.
        strip_enums: with schemas that do not list the values of a choice.
        irrelevant: that ask for what no tool of this world does.
        hidden_tools: whose needed tool is not offered.
        changes: of those with a person for whom something is to be done, that ask for two or three changes, one after
            another. Ours, not the paper's: with this share a task has as many writes as those of tau2-bench's retail.
    """

    distractors: float = 0.4
    strip_enums: float = 0.3
    irrelevant: float = 0.05
    hidden_tools: float = 0.05
    changes: float = 0.5

    def __post_init__(self) -> None:
        for name, share in vars(self).items():
            if not 0 <= share <= 1:
                raise BadInput(f"The share {name} must be from 0 to 1; got {share}.")


OFF = Knobs(0, 0, 0, 0, 0)


def perturbed(domain: Domain, task: Task, rng: Random, knobs: Knobs) -> Task:
    """The task with what chance adds to it; what is right stays what it was."""
    changes: dict[str, Json] = {}
    if rng.random() < knobs.distractors:
        changes["distractors"] = tuple(rng.sample(foreign_tools(domain), rng.randint(FEWEST, MOST)))
    if rng.random() < knobs.strip_enums:
        changes["strip_enums"] = True
    return task.model_copy(update=changes) if changes else task


def foreign_tools(domain: Domain) -> list[str]:
    """The tools of all other installed worlds that do not end an episode, as `world.tool`."""
    others = (get_domain(name) for name in registry.names("domains") if name != domain.name)
    return [f"{other.name}.{name}" for other in others for name, tool in other.tools.items() if not tool.ends_episode]
