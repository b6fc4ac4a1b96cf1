"""What an agent did against the rules of its world, by rules, from the record alone.

The list beside the verdict: an episode that passed and has none is a *clean* pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from judge.scoring.conduct.confirmation import unconfirmed
from judge.scoring.conduct.identification import unidentified
from judge.scoring.conduct.private import foreign
from judge.scoring.conduct.scene import Scene, scene_of
from judge.scoring.conduct.scope import damage, needless_handovers
from judge.scoring.conduct.statements import false_statements
from judge.scoring.conduct.unsaid import unsaid
from judge.scoring.violation import Violation
from sandbox.runtime.trajectory import Trajectory

FINDERS: tuple[Callable[[Scene], Iterator[Violation]], ...] = (
    unconfirmed,
    unidentified,
    foreign,
    unsaid,
    false_statements,
    needless_handovers,
    damage,
)


def violations(trajectory: Trajectory) -> tuple[Violation, ...]:
    """Every violation of an episode, in the order of its turns."""
    scene = scene_of(trajectory)
    return tuple(sorted((each for find in FINDERS for each in find(scene)), key=lambda found: found.turn))
