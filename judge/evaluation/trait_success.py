"""Success by trait of the scripted user: conversations that had a trait beside those that had not."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from toolgym.judge.evaluation.metrics import mean
from toolgym.judge.scoring.verifier import Basis, Verdict
from toolgym.sandbox.runtime.info import ScriptedNotes
from toolgym.sandbox.runtime.trajectory import Trajectory

_DRAWS = 2000


def trait_success(judged: Sequence[tuple[Trajectory, Verdict]], basis: Basis) -> dict[str, Any]:
    """How often conversations succeed with each trait of the user and without it, as JSON-able data.

    The difference has a 95 % bootstrap interval, each side drawn on its own. Empty where no user had a trait.
    """
    noted = [(_traits(trajectory), verdict.passed(basis)) for trajectory, verdict in judged]
    names = sorted({name for traits, _ in noted for name in traits})
    return {name: _sides(name, noted) for name in names}


def _traits(trajectory: Trajectory) -> Mapping[str, float]:
    noted = trajectory.info.user
    return noted.traits if isinstance(noted, ScriptedNotes) else {}


def _sides(name: str, noted: Sequence[tuple[Mapping[str, float], bool]]) -> dict[str, Any]:
    having = [float(passed) for traits, passed in noted if name in traits]
    lacking = [float(passed) for traits, passed in noted if name not in traits]
    found: dict[str, Any] = {
        "with": {"conversations": len(having), "pass": mean(having)},
        "without": {"conversations": len(lacking), "pass": mean(lacking)},
    }
    if having and lacking:
        found["difference"] = [mean(having) - mean(lacking), *_interval(having, lacking)]
    return found


def _interval(one: Sequence[float], other: Sequence[float]) -> tuple[float, float]:
    rng = random.Random(0)
    gaps = sorted(mean(rng.choices(one, k=len(one))) - mean(rng.choices(other, k=len(other))) for _ in range(_DRAWS))
    return gaps[int(0.025 * _DRAWS)], gaps[int(0.975 * _DRAWS)]


def trait_table(found: Mapping[str, Any]) -> Table:
    """These figures for the terminal."""
    shown = Table(box=None, pad_edge=False)
    shown.add_column("the user's trait")
    for heading in ("with", "pass", "without", "pass", "difference (95 %)"):
        shown.add_column(heading, justify="right", no_wrap=True)
    for name, sides in found.items():
        cells = [cell for side in ("with", "without") for cell in _cells(sides[side])]
        gap = sides.get("difference")
        shown.add_row(name, *cells, "-" if gap is None else "{:+.3f} ({:+.2f} {:+.2f})".format(*gap))
    return shown


def _cells(side: Mapping[str, float]) -> tuple[str, str]:
    return f"{side['conversations']:.0f}", f"{side['pass']:.3f}" if side["conversations"] else "-"
