"""Runs as a folder of files that any web server or pages host serves: the viewer, without a server of its own.

Data are JSON, compressed with gzip under a name (`.bin`) that no server unpacks on its own account; the page
(judge/report/assets/source.js, `published`) reads each when it is needed. What belongs to people is taken out.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from importlib.resources.abc import Traversable
from itertools import permutations
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from toolgym.judge.comparison.board import compare
from toolgym.judge.comparison.runs import Side, side
from toolgym.judge.evaluation.run_folder import Key
from toolgym.judge.interop.opened import run_of
from toolgym.judge.report.episode_data import episode_data
from toolgym.judge.report.page import assets, site_page
from toolgym.judge.report.prompt import prompt_data
from toolgym.judge.report.redaction import private_values, redacted, without
from toolgym.judge.report.run_row import run_row
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.viewer.open_run import OpenRun, OpenRuns

_MARK = Path("data", "runs.bin")
"""What tells a site that was written here before."""
_EACH = 25
"""Conversations of one file: what they share is compressed once, and a reader of one loads little more than it."""


def write(runs: OpenRuns, place: Path, seen: Callable[[], None] = lambda: None) -> list[str]:
    """Write a site of all runs with episodes.

    Args:
        runs: of the folder that is shown.
        place: the site's folder; a new or an empty one, or one that holds a site already, which is then replaced.
        seen: called once for every conversation.

    Returns:
        The runs that are left out: trainings, and those of which nothing can be read.

    Raises:
        BadInput: the folder holds something else, or there is no run that can be shown.
    """
    if place.exists() and not (place / _MARK).is_file() and (not place.is_dir() or any(place.iterdir())):
        raise BadInput(f"{place} holds something that is no site; name a new folder.")
    shown, left_out = _chosen(runs)
    if not shown:
        raise BadInput(f"There is no run with conversations in {runs.folders.root.name}.")
    for old in ("data", "assets"):
        shutil.rmtree(place / old, ignore_errors=True)
    (place / "data" / "compared").mkdir(parents=True)
    rows = [_run(run, name, place / "data" / str(number), seen) for number, (name, run) in enumerate(shown.items())]
    sides = [_side(run) for run in shown.values()] if len(shown) > 1 else []
    for (one, first), (other, second) in permutations(enumerate(sides), 2):
        _put(place / "data" / "compared" / f"{one}-{other}", _compared(first, second))
    _copy(assets(), place / "assets")
    (place / "index.html").write_text(site_page(), encoding="utf-8")
    (place / ".nojekyll").write_bytes(b"")  # GitHub's pages serve every name then
    _put(place / _MARK.with_suffix(""), {"folder": runs.folders.root.name, "runs": rows})
    return left_out


def _chosen(runs: OpenRuns) -> tuple[dict[str, OpenRun], list[str]]:
    shown, left_out = {}, []
    for name in runs.folders.paths():
        try:
            run = runs.get(name)
            run.look()
            problem = run_row(run.folder, name, followed=False)["problem"]
        except BadInput as error:
            problem = str(error)
        if problem or not run.index.rows:
            left_out.append(name)
        else:
            shown[name] = run
    return shown, left_out


def _run(run: OpenRun, name: str, place: Path, seen: Callable[[], None]) -> dict[str, Any]:
    """Write a run's files; its line of the list."""
    place.mkdir()
    folder, failures = run.folder, run.failures()
    row = run_row(folder, name, followed=False)
    settings = folder.settings() if folder.settings_file.is_file() else {}
    told = {key: value for key, value in settings.items() if key != "circumstances"}
    summary = from_json(folder.summary_file.read_bytes()) if row["tasks"] is not None else None
    private: set[str] = set()
    keys = [(each[0], each[1]) for each in run.index.rows] + [(each["task"], each["trial"]) for each in failures]
    texts: dict[str, str] = {}
    reasons: dict[Key, str] = {}
    scores = folder.scores()
    for number, some in enumerate(keys[start : start + _EACH] for start in range(0, len(keys), _EACH)):
        talks, prompts = {}, {}
        for key, trajectory in _read(run, some):
            prompt = prompt_data(trajectory, settings)
            digest = hashlib.blake2b(json.dumps(prompt, default=str).encode(), digest_size=8).hexdigest()
            data = episode_data(
                trajectory,
                scores.get(key, {}),
                f"data/{place.name}",
                basis=settings.get("basis", "state"),
                folder=folder.path,
            )
            private |= private_values(trajectory)
            talk = redacted(data, trajectory) | {"prompt": digest}
            named = f"{key[0]}/{key[1]}"
            prompts[digest], talks[named] = prompt, talk
            texts[named] = json.dumps([talk["task"], talk["scenario"], talk["messages"], talk["reasons"]]).lower()
            turns = talk["scores"] or []
            reasons[key] = talk["reasons"][turns.index(-1)] if -1 in turns else ""
            seen()
        _put(place / f"talks-{number}", {"talks": talks, "prompts": prompts})
    page = without({"settings": told, "summary": summary, "failures": failures}, private)
    _put(place / "run", {"id": name, "name": row["name"], "row": row, **page})
    table = run.index.table()
    at = table["columns"].index("reason")
    table["rows"] = [[*row[:at], reasons[row[0], row[1]], *row[at + 1 :]] for row in table["rows"]]
    _put(place / "episodes", table)
    _put(place / "keys", {"keys": [f"{task}/{trial}" for task, trial in keys], "each": _EACH})
    _put(place / "texts", texts)
    if (folder.path / "audio").is_dir():
        shutil.copytree(folder.path / "audio", place / "audio")
    return row


def _read(run: OpenRun, keys: list[Key]) -> Iterator[tuple[Key, Trajectory]]:
    for key in keys:
        yield key, run.trajectory(*key)


def _side(run: OpenRun) -> Side | str:
    """What a run is compared by; why not, where it cannot be."""
    try:
        return side(run_of(run.folder), None, run.outcomes())
    except BadInput as error:
        return str(error)


def _compared(first: Side | str, second: Side | str) -> dict[str, Any]:
    if isinstance(first, str):
        return {"refused": first}
    if isinstance(second, str):
        return {"refused": second}
    try:
        return compare([first, second])
    except BadInput as error:
        return {"refused": str(error)}


def _copy(source: Traversable, target: Path) -> None:
    target.mkdir()
    for each in source.iterdir():
        if each.is_dir():
            _copy(each, target / each.name)
        elif each.name.endswith((".js", ".css", ".txt")):
            (target / each.name).write_bytes(each.read_bytes())


def _put(path: Path, value: Any) -> None:
    """A file's JSON; the same value gives the same bytes."""
    packed = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    path.with_name(f"{path.name}.bin").write_bytes(gzip.compress(packed.encode(), mtime=0))
