"""A run's checkpoints: which there are, which validated best, and which may go."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from toolgym.judge.evaluation.run_folder import write_json

_VALIDATED = "validated.json"


def saved(folder: Path) -> list[int]:
    """The steps of the checkpoints in verl's folder, in order."""
    names = (path.name.removeprefix("global_step_") for path in folder.glob("global_step_*") if path.is_dir())
    return sorted(int(name) for name in names if name.isdigit())


def record(folder: Path, step: int, score: float) -> None:
    """Remember what a step's validation came to (the mean of its rows' success, or of their rewards)."""
    write_json(folder / _VALIDATED, validated(folder) | {str(step): score})


def validated(folder: Path) -> dict[str, float]:
    """The scores of the validations so far, by step."""
    path = folder / _VALIDATED
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}


def best(folder: Path) -> int | None:
    """The saved step with the best validation, the later of equals; None when no saved step was validated."""
    scores = validated(folder)
    found = [(scores[str(step)], step) for step in saved(folder) if str(step) in scores]
    return max(found)[1] if found else None


def prune(folder: Path, keep: int) -> list[int]:
    """Remove all but the newest `keep` checkpoints and the best one; returns the steps that went."""
    steps = saved(folder)
    gone = [step for step in steps[:-keep] if step != best(folder)]
    for step in gone:
        shutil.rmtree(folder / f"global_step_{step}")
    return gone
