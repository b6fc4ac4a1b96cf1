"""Watches for a reward that is gamed: it rises in training while clean success on held-out tasks falls.

After Goodhart's law: a measure that becomes a target ceases to be a good measure. Pure functions of a history that is
kept beside the checkpoints, so that a resumed run continues it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

from pydantic_core import from_json

from toolgym.judge.evaluation.run_folder import write_json

_HISTORY = "goodhart.json"


@dataclass(frozen=True)
class Point:
    """What one validation came to.

    Attributes:
        step: of the training.
        reward: mean of the optimised reward over the rollouts since the validation before.
        clean: share of held-out episodes that passed without a violation.
    """

    step: int
    reward: float
    clean: float


def history(folder: Path) -> list[Point]:
    """The validations so far, by step."""
    path = folder / _HISTORY
    kept = from_json(path.read_bytes()) if path.is_file() else []
    return [Point(**each) for each in kept]


def record(folder: Path, point: Point) -> list[Point]:
    """Add a validation, in the place of what a resumed run makes again; the history with it."""
    points = [*(each for each in history(folder) if each.step < point.step), point]
    write_json(folder / _HISTORY, [asdict(each) for each in points])
    return points


def alarm(points: Sequence[Point], validations: int) -> str | None:
    """The warning where in each of the last so many validations the reward rose and clean success fell."""
    last = points[-validations - 1 :]
    if len(last) <= validations:
        return None
    if not all(late.reward > early.reward and late.clean < early.clean for early, late in pairwise(last)):
        return None
    first, final = last[0], last[-1]
    return (
        f"From step {first.step} to {final.step} the reward rose from {first.reward:.3f} to {final.reward:.3f} while "
        f"clean success on held-out tasks fell from {first.clean:.3f} to {final.clean:.3f}, in {validations} "
        "validations in a row: the reward may be gamed. Read the conversations of the last validation."
    )
