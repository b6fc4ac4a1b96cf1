"""Saves a conversation that was played as an episode of a run, so that everything that reads runs takes it."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any

from rich.console import Console

from toolgym.judge.evaluation.judging import JudgeSettings, judge_folder
from toolgym.judge.evaluation.made_with import made_with
from toolgym.judge.evaluation.run_folder import BESIDE, RunFolder, write_json
from toolgym.judge.evaluation.summary import judge_all, summarise
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.registry import full_id
from toolgym.sandbox.runtime.trajectory import Trajectory

FOLDER = "play"
"""Below the folder that is viewed; what is played by others, or in another world, is a run of its own in there."""
_PART = re.compile(r"[A-Za-z0-9_][\w.-]{0,60}")
_MOST_PARTS = 3
_LOCK = Lock()


def save(root: Path, trajectory: Trajectory, below: str = FOLDER) -> dict[str, Any]:
    """Append a record to the run of its world, split and players, and score it by the rules.

    Args:
        root: the folder that is viewed.
        trajectory: the record.
        below: the folder of such runs, below the root.

    Returns:
        The episode's place: `run`, `task`, `trial`.

    Raises:
        BadInput: the folder's name cannot be one, or nothing can be written there.
    """
    parts = below.strip("/").split("/")
    if len(parts) > _MOST_PARTS or not all(_PART.fullmatch(part) for part in parts):
        raise BadInput(
            f"{below!r} cannot be a folder's name here; use letters, digits, dots and dashes, as in {FOLDER}."
        )
    task = trajectory.task
    settings = {
        "env": full_id(task.domain, task.data),
        "agent": trajectory.agent,
        "user": trajectory.user,
        "solo": trajectory.solo,
        "data": task.data,
        "split": task.split,
        "basis": "state",
        "modality": "text",
        "by_hand": True,
    }
    named = "-".join(_plain(part) for part in (task.domain, trajectory.agent, trajectory.user, task.data, task.split))
    with _LOCK:
        folder = _opened(root.joinpath(*parts), named, settings, trajectory)
        trials = {each.trial for each in folder.attempts() if each.task.id == task.id}
        placed = trajectory.model_copy(update={"trial": next(number for number in count() if number not in trials)})
        folder.add(placed)
        _score(folder, settings)
    run = folder.path.relative_to(root).as_posix()
    return {"run": run, "task": task.id, "trial": placed.trial}


def _opened(place: Path, named: str, settings: dict[str, Any], trajectory: Trajectory) -> RunFolder:
    """The run's folder; one of that name with other settings, or of another version's world, is left alone."""
    made = made_with([trajectory.task], solo=trajectory.solo)
    for number in count(1):
        folder = RunFolder(place / (named if number == 1 else f"{named}-{number}"))
        if not folder.settings_file.is_file():
            break
        before = {name: value for name, value in folder.settings().items() if name not in BESIDE}
        made_before = folder.settings().get("made_with", {})
        same_world = all(made_before.get(part) == made[part] for part in ("rows", "prompts"))
        if before == settings and same_world:
            break
    folder.open(settings, made_with=made)
    return folder


def _score(folder: RunFolder, settings: dict[str, Any]) -> None:
    """The verdicts of the run as it is now, the turns' scores, and which tasks it holds by now."""
    played = folder.trajectories() if folder.trajectories_file.is_file() else []
    tasks = {each.task.id: each.task for each in folder.attempts()}
    made = made_with(tasks.values(), solo=settings["solo"])
    write_json(folder.settings_file, folder.settings() | {"made_with": made, "wanted": len(folder.attempts())})
    summary = summarise(judge_all(played), folder.failures(), basis="state", settings=settings)
    write_json(folder.summary_file, summary)
    if played:
        judge_folder(folder, JudgeSettings.model_validate({"run": folder.path}), Console(quiet=True))


def _plain(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.]+", "-", text).strip("-.")[:60] or "unnamed"
