"""Finds what an agent did against the rules of its world, from the record alone: one module for each sort of violation.

The list stands beside the verdict: an episode that passed and has none is a *clean* pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from toolgym.judge.scoring.conduct.confirmation import unconfirmed
from toolgym.judge.scoring.conduct.identification import unidentified
from toolgym.judge.scoring.conduct.private import foreign
from toolgym.judge.scoring.conduct.reporting import unreported
from toolgym.judge.scoring.conduct.scene import Scene, scene_of
from toolgym.judge.scoring.conduct.scope import damage, needless_handovers
from toolgym.judge.scoring.conduct.statements import false_statements
from toolgym.judge.scoring.conduct.unsaid import unsaid
from toolgym.judge.scoring.violations import Violation
from toolgym.sandbox.runtime.trajectory import Trajectory

FINDERS: tuple[Callable[[Scene], Iterator[Violation]], ...] = (
    unconfirmed,
    unidentified,
    foreign,
    unsaid,
    false_statements,
    needless_handovers,
    unreported,
    damage,
)


def violations(trajectory: Trajectory) -> tuple[Violation, ...]:
    """Every violation of an episode, in the order of its turns."""
    scene = scene_of(trajectory)
    return tuple(sorted((each for find in FINDERS for each in find(scene)), key=lambda found: found.turn))
