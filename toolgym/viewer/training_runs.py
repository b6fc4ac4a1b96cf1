"""Training runs: what the list shows of them, and their curves for the page."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from toolgym.judge.evaluation.folder_lock import is_running
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.report.run_row import run_row
from toolgym.sandbox.kit.errors import BadInput
from toolgym.viewer.training_progress import progress

_VERL = re.compile(r"^ +(total_training_steps|goodhart|goodhart_validations): (\w+)$", re.MULTILINE)


def is_training(folder: Path) -> bool:
    """Whether the folder is a training's: it keeps metrics by step."""
    return (folder / "metrics").is_dir()


def row(folder: RunFolder, identifier: str) -> dict[str, Any]:
    """A line of the list; its agent is the recipe's model, its episodes the steps that were made."""
    found = run_row(folder, identifier) | {"kind": "training"}
    settings = _settings(folder)
    steps = _last_step(folder.path)
    state = found["state"]
    if state == "stopped" and steps and steps >= settings.get("steps", steps + 1):
        state = "finished"
    return found | {
        "state": state,
        "agent": settings.get("recipe") or "training",
        "model": settings.get("model"),
        "env": ", ".join(settings["env"]) if isinstance(settings.get("env"), list) else settings.get("env"),
        "episodes": None,
        "steps": steps,
        "steps_wanted": settings.get("steps"),
    }


def _last_step(folder: Path) -> int | None:
    """The last step of the last metrics file, from its end: no run is read whole for a line of a list."""
    files = sorted((folder / "metrics").glob("*.jsonl"))
    if not files:
        return None
    with files[-1].open("rb") as file:
        file.seek(max(0, file.seek(0, 2) - (1 << 17)))
        lines = [line for line in file.read().split(b"\n")[:-1] if line]
    for line in reversed(lines):
        with suppress(ValueError, LookupError, TypeError):
            return int(from_json(line)["step"])
    return None


def curves(folder: RunFolder) -> dict[str, Any]:
    """How far it is, and the panels of `toolgym train`'s picture: by title and label the values by step.

    Raises:
        BadInput: the metrics are damaged.
    """
    from toolgym.training import plots  # knows no torch, but is of another room: only who looks at a training loads it

    try:
        series = plots.read(folder.path)
    except BadInput:
        series = {}
    except (ValueError, LookupError, TypeError):
        raise BadInput(
            f"The metrics of {folder.path.name} are damaged: a line is no JSON object with step and data."
        ) from None
    panels = [
        {
            "title": title,
            "lines": [
                {"label": label, "points": points, "smooth": plots.smoothed(points)} for label, points in lines.items()
            ],
        }
        for title, lines in plots.shown(series).items()
    ]
    return {
        "panels": panels,
        "progress": progress(folder.path, series, _settings(folder), is_running(folder.path)),
    }


def _settings(folder: RunFolder) -> dict[str, Any]:
    """What run.json says, and of what may change on going on what the last start's verl.yaml says."""
    found: dict[str, Any] = {}
    with suppress(OSError):
        file = folder.path / "verl.yaml"
        found = _of_verl(file, file.stat().st_mtime_ns)
    with suppress(BadInput):
        return found | folder.settings()
    return found


@lru_cache(maxsize=256)
def _of_verl(file: Path, changed: int) -> dict[str, Any]:
    """Steps and the watch over gaming, from the lines of verl's configuration: as YAML it takes a tenth of a second."""
    block = re.search(r"^trainer:\n((?: .*\n)*)", file.read_text(encoding="utf-8"), re.MULTILINE)
    told = dict(_VERL.findall(block[1])) if block else {}
    found: dict[str, Any] = {"goodhart": told["goodhart"]} if "goodhart" in told else {}
    names = {"total_training_steps": "steps", "goodhart_validations": "goodhart_validations"}
    return found | {ours: int(told[name]) for name, ours in names.items() if told.get(name, "").isdecimal()}
