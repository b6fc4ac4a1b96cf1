"""A conversation on disk: a journal while it is played, an episode of a run once it is saved.

A journal is a file of JSON lines in the hidden folder `.play` of the folder that is viewed: how the conversation began,
then every message as it is said, so that a server that stops loses none of it, then that it was ended or saved. A saved
episode is read by everything that reads runs.
"""

from __future__ import annotations

import json
import re
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any

from pydantic_core import from_json

from toolgym.judge.evaluation.judging import JudgeSettings, judge_folder
from toolgym.judge.evaluation.made_with import made_with
from toolgym.judge.evaluation.run_folder import BESIDE, RunFolder, write_json
from toolgym.judge.evaluation.summary import judge_all, summarise
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.text import read_lines
from toolgym.sandbox.runtime.registry import full_id
from toolgym.sandbox.runtime.terminal import SafeConsole
from toolgym.sandbox.runtime.trajectory import Trajectory

KEPT = 200
"""Journals that a folder keeps; the oldest go first."""
_JOURNALS = ".play"
_NAME = re.compile(r"[A-Za-z0-9_-]{8,64}")


class Journal:
    """One conversation's file.

    Args:
        root: the folder that is viewed.
        name: the conversation's id.

    Attributes:
        problem: why nothing can be written; empty while it can.
    """

    def __init__(self, root: Path, name: str) -> None:
        if not _NAME.fullmatch(name):
            raise BadInput(f"There is no conversation {name[:80]!r}.")
        self._path = root / _JOURNALS / f"{name}.jsonl"
        self.problem = ""

    def begin(self, header: Json) -> None:
        """Write how the conversation began; older journals beyond `KEPT` are removed."""
        try:
            self._path.parent.mkdir(exist_ok=True)
            others = sorted(self._path.parent.glob("*.jsonl"), key=lambda path: path.stat().st_mtime)
            for old in others[: max(0, len(others) - KEPT + 1)]:
                old.unlink(missing_ok=True)
        except OSError as error:
            self.problem = f"Nothing can be written below {self._path.parent.parent.name} ({error.strerror})."
        self.add({"began": header})

    def add(self, entry: dict[str, Json]) -> None:
        """Append a line and flush it."""
        if self.problem:
            return
        try:
            with self._path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(json.dumps(entry, ensure_ascii=False) + "\n")
        except OSError as error:
            self.problem = f"Nothing more can be written below {self._path.parent.parent.name} ({error.strerror})."

    def read(self) -> tuple[Json, list[dict[str, Json]]]:
        """How it began, and the lines after that.

        Raises:
            BadInput: there is no such conversation, or its file is damaged.
        """
        if not self._path.is_file():
            raise BadInput(
                f"There is no conversation {self._path.stem}; it was never begun here, or is too long ago. "
                f"The last {KEPT} are kept."
            )
        entries: list[dict[str, Json]] = []
        for _, line in read_lines(self._path):
            if not line.endswith("\n"):
                break  # a kill cut it short
            try:
                entries.append(from_json(line))
            except ValueError:
                break
        if not entries or "began" not in entries[0]:
            raise BadInput(f"The record of the conversation {self._path.stem} is damaged; begin another.")
        return entries[0]["began"], entries[1:]


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
    made = made_with([trajectory.task], user=trajectory.user, solo=trajectory.solo)
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
    made = made_with(tasks.values(), user=settings["user"], solo=settings["solo"])
    write_json(folder.settings_file, folder.settings() | {"made_with": made, "wanted": len(folder.attempts())})
    summary = summarise(judge_all(played), folder.failures(), basis="state", settings=settings)
    write_json(folder.summary_file, summary)
    if played:
        judge_folder(folder, JudgeSettings.model_validate({"run": folder.path}), SafeConsole(quiet=True))


def _plain(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.]+", "-", text).strip("-.")[:60] or "unnamed"
