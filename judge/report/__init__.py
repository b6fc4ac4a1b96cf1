"""The report: one self-contained HTML page about one or more runs, with every conversation readable.

It is made of the modules in `assets`, which the live page (`toolgym view`) serves: one code for both.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from toolgym.judge.comparison.board import compare
from toolgym.judge.comparison.runs import side
from toolgym.judge.evaluation.episode_index import build_index, failures_of
from toolgym.judge.evaluation.run_folder import RunFolder, write_lines
from toolgym.judge.interop.opened import run_of
from toolgym.judge.report.episode_data import episode_data
from toolgym.judge.report.page import static_page
from toolgym.judge.report.prompt import prompt_data
from toolgym.judge.report.run_row import run_row
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.trajectory import Trajectory


def build(folders: Sequence[RunFolder], index: Path | None = None) -> str:
    """The page as HTML text.

    The data travel inside the page, compressed; the page loads nothing but the runs' recordings, from their folders.

    Args:
        folders: the runs.
        index: the folder where the page will be; the first run's by default.

    Raises:
        BadInput: no folder, or one that holds no finished trajectory.
    """
    if not folders:
        raise BadInput("A report needs at least one run folder.")
    here = (index or folders[0].path).resolve()
    runs = [_run(folder, os.path.relpath(folder.path.resolve(), here)) for folder in folders]
    _name_apart(runs)
    names = [run["id"] for run in runs]
    compared = _compared(folders) if len(folders) > 1 else None
    return static_page({"runs": runs, "compared": names, "comparison": compared}, " and ".join(names))


def _run(folder: RunFolder, base: str) -> dict[str, Any]:
    """A run with all its episodes; `base` leads from the page to the run's folder.

    Raises:
        BadInput: the run is not finished or was never scored.
    """
    trajectories = folder.trajectories()
    if not trajectories:
        raise BadInput(f"{folder.path} holds no finished trajectory to report.")
    if not folder.scores_file.is_file() or not folder.summary_file.is_file():
        raise BadInput(f"{folder.path} has no scores yet; run `toolgym judge {folder.path}` first.")
    scores, settings = folder.scores(), folder.settings()
    name, index = folder.path.resolve().name, build_index(folder)
    prompts: dict[str, Any] = {}
    payloads = {
        f"{t.task.id}/{t.trial}": _payload(t, scores.get((t.task.id, t.trial), {}), base, folder, settings, prompts)
        for t in (*trajectories, *folder.failures())
    }
    return {
        "id": name,
        "name": name,
        "row": run_row(folder, name, followed=False),
        "settings": settings,
        "summary": from_json(folder.summary_file.read_bytes()),
        "failures": failures_of(folder, index),
        "episodes": index.table(),
        "payloads": payloads,
        "prompts": prompts,
    }


def _payload(
    trajectory: Trajectory,
    score: dict[str, Any],
    base: str,
    folder: RunFolder,
    settings: dict[str, Any],
    prompts: dict[str, Any],
) -> dict[str, Any]:
    """An episode; its prompt is kept once among `prompts` for all that were told the same."""
    told = prompt_data(trajectory, settings)
    key = hashlib.blake2b(json.dumps(told, default=str).encode(), digest_size=8).hexdigest()
    prompts.setdefault(key, told)
    basis = settings.get("basis", "state")
    return episode_data(trajectory, score, base, basis=basis, folder=folder.path) | {"prompt": key}


def _name_apart(runs: list[dict[str, Any]]) -> None:
    """Give runs of one name different ones: addresses hold them."""
    seen: dict[str, int] = {}
    for run in runs:
        name = run["id"]
        seen[name] = seen.get(name, 0) + 1
        if seen[name] > 1:
            run["id"] = run["name"] = run["row"]["id"] = run["row"]["name"] = f"{name} ({seen[name]})"


def _compared(folders: Sequence[RunFolder]) -> dict[str, Any]:
    """The runs against the first one; why not, where they cannot be compared."""
    try:
        return compare([side(run_of(folder), None) for folder in folders])
    except BadInput as error:
        return {"refused": str(error)}


def write(folders: Sequence[RunFolder], path: Path) -> None:
    """Write the page to a file."""
    write_lines(path, [build(folders, path.parent)])
