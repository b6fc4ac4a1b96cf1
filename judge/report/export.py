"""One file to hand on: some episodes beside one another, or runs compared with the episodes that flip.

What belongs to people is taken out of it (`toolgym.judge.report.redaction`); recordings travel inside.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pydantic_core import from_json

from toolgym.judge.evaluation.episode_index import COLUMNS
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.report.episode_data import episode_data
from toolgym.judge.report.page import static_page
from toolgym.judge.report.prompt import prompt_data
from toolgym.judge.report.redaction import private_values, redacted, without
from toolgym.judge.report.run_row import run_row
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.trajectory import Trajectory

_MOST = 4
"""Episodes that stand beside one another."""
_TYPES = {".wav": "audio/wav", ".mp3": "audio/mpeg", ".ogg": "audio/ogg", ".flac": "audio/flac", ".webm": "audio/webm"}


@dataclass(frozen=True)
class Shown:
    """An episode of the file.

    Attributes:
        run: its run's name in addresses.
        folder: where the run is.
        row: its row of the index.
        trajectory: the record.
        score: its line of scores.jsonl; empty where it has none.
    """

    run: str
    folder: RunFolder
    row: Sequence[Any]
    trajectory: Trajectory
    score: Mapping[str, Any]

    @property
    def address(self) -> str:
        """What a query calls it: its parts percent-encoded."""
        parts = (self.run, self.trajectory.task.id, str(self.trajectory.trial))
        return "/".join(quote(part, safe="") for part in parts)


def of_episodes(shown: Sequence[Shown]) -> str:
    """One episode, or several of one task beside one another.

    Raises:
        BadInput: none, too many, or of several tasks.
    """
    if not 1 <= len(shown) <= _MOST:
        raise BadInput(f"One file shows 1 to {_MOST} episodes; these are {len(shown)}.")
    tasks = {each.trajectory.task.id for each in shown}
    if len(tasks) > 1:
        raise BadInput(f"Episodes of one task stand beside one another; these are of {' and '.join(sorted(tasks))}.")
    run, task, trial = shown[0].address.split("/")
    one = f"#/run/{run}/episode/{task}/{trial}"
    several = "#/compare?" + "&".join(f"episode={quote(each.address, safe='')}" for each in shown)
    runs = {each.run: each.folder for each in shown}
    data = {"runs": _runs(runs, shown, whole=False), "compared": list(runs), "comparison": None}
    return static_page(data, shown[0].trajectory.task.id, one if len(shown) == 1 else several)


def of_runs(runs: Mapping[str, RunFolder], comparison: Mapping[str, Any], flipped: Sequence[Shown]) -> str:
    """Runs compared, with the episodes of the tasks that flip.

    Args:
        runs: the runs by their names in addresses.
        comparison: what `toolgym.judge.comparison.board.compare` says of them.
        flipped: the episodes.
    """
    names = list(runs)
    data = {"runs": _runs(runs, flipped, whole=True), "compared": names, "comparison": dict(comparison)}
    home = "#/compare?" + "&".join(f"run={quote(name, safe='')}" for name in names)
    return static_page(data, " and ".join(names), home)


def _runs(runs: Mapping[str, RunFolder], shown: Sequence[Shown], *, whole: bool) -> list[dict[str, Any]]:
    return [
        _run(name, folder, [each for each in shown if each.run == name], whole=whole) for name, folder in runs.items()
    ]


def _run(name: str, folder: RunFolder, shown: Sequence[Shown], *, whole: bool) -> dict[str, Any]:
    """A run with some of its episodes, and with its numbers where it is `whole` runs that are shown."""
    settings = folder.settings() if folder.settings_file.is_file() else {}
    row = run_row(folder, name)
    numbers = whole and folder.summary_file.is_file() and row["problem"] is None
    private = set().union(*(private_values(each) for each in folder.trajectories())) if numbers else set()
    prompts, payloads = {}, {}
    for each in shown:
        key = f"{each.trajectory.task.id}/{each.trajectory.trial}"
        prompts[key] = prompt_data(each.trajectory, settings)
        payloads[key] = _payload(each, settings) | {"prompt": key}
    return {
        "id": name,
        "name": row["name"],
        "row": row,
        "settings": {key: value for key, value in settings.items() if key != "circumstances"},
        "summary": without(from_json(folder.summary_file.read_bytes()), private) if numbers else None,
        "failures": [],
        "episodes": {"columns": COLUMNS, "rows": [each.row for each in shown], "damaged": []},
        "payloads": payloads,
        "prompts": prompts,
    }


def _payload(shown: Shown, settings: Mapping[str, Any]) -> dict[str, Any]:
    basis = settings.get("basis", "state")
    data = episode_data(shown.trajectory, shown.score, basis=basis, folder=shown.folder.path)
    data = redacted(data, shown.trajectory)
    for message in data["messages"]:
        if "audio" in message:
            message["audio"] = _inside(shown.folder.path / message["audio"])
    return data


def _inside(path: Path) -> str:
    """A recording as an address that holds it; empty where there is none any more."""
    if not path.is_file() or path.suffix not in _TYPES:
        return ""
    return f"data:{_TYPES[path.suffix]};base64,{base64.b64encode(path.read_bytes()).decode('ascii')}"
