"""Tables that other commands write into the viewed folder, found and shown as pages.

`toolgym redteam --out` and `toolgym users audit --out` leave a file each; robustness (`eval --perturb`) and depth stand
in the summaries of runs, and are one table each over all of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from fastapi import APIRouter
from pydantic_core import from_json

from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.kit.errors import BadInput, ToolgymError, unknown
from toolgym.sandbox.runtime.registry import domain_of
from toolgym.viewer import table_forms
from toolgym.viewer.folders import Folders, identified, sound
from toolgym.viewer.table_forms import Run, Shown

_DEPTH = 5
"""How far below the folder files are looked for, as runs are."""
_FILES: dict[str, tuple[str, Callable[[Any], Shown]]] = {
    "redteam.json": ("What exploiters reach", table_forms.redteam),
    "users.json": ("Users side by side", table_forms.users),
}
_OF_RUNS: dict[str, tuple[str, Callable[[list[Run]], Shown]]] = {
    "robustness": ("Robustness", table_forms.robustness),
    "by_depth": ("Depth", table_forms.depth),
}
"""By the part of a summary that they are made of, which is their id."""


def routes(folders: Folders) -> APIRouter:
    """The list of tables, and one of them."""
    api = APIRouter(prefix="/api")

    @api.get("/tables")
    def tables() -> dict[str, Any]:
        return {"tables": [*_files(folders.root), *_of_runs(folders)]}

    @api.get("/table")
    def table(id: str) -> dict[str, Any]:
        if id in _OF_RUNS:
            title, shown = _OF_RUNS[id]
            runs = _with(folders, id)
            if not runs:
                raise BadInput(f"No run in {folders.root.name} has a table {id}.")
            return {"id": id, "title": title} | _made(lambda: shown(runs), id)
        path = identified(folders.root, _below(folders.root, _DEPTH)).get(id)
        if path is None:
            raise unknown(f"table in {folders.root.name}", id, [each["id"] for each in tables()["tables"]])
        title, form = _FILES[path.name]
        return {"id": id, "title": title} | _made(lambda: form(_read(path)), id)

    return api


def _made(make: Callable[[], Shown], name: str) -> Shown:
    try:
        return make()
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"{name} is not of the form that this version writes; make it anew.") from None


def _files(root: Path) -> list[Shown]:
    found = []
    for identifier, path in identified(root, _below(root, _DEPTH)).items():
        worlds: list[str] = []
        with suppress(BadInput, LookupError, TypeError):
            worlds = [board["world"] for board in _read(path)] if path.name == "redteam.json" else []
        title, _ = _FILES[path.name]
        found.append({"id": identifier, "title": title, "worlds": worlds, "changed": path.stat().st_mtime})
    return sorted(found, key=lambda each: str(each["id"]))


def _below(folder: Path, depth: int) -> Iterator[Path]:
    try:
        entries = list(os.scandir(folder))
    except OSError:  # gone since it was listed, or not ours to read
        return
    for entry in entries:
        if entry.name in _FILES and entry.is_file():
            yield folder / entry.name
        elif depth and not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False):
            yield from _below(folder / entry.name, depth - 1)


def _of_runs(folders: Folders) -> list[Shown]:
    found = []
    for name, (title, _) in _OF_RUNS.items():
        runs = _with(folders, name)
        changed = [RunFolder(folders.root / run).summary_file.stat().st_mtime for run, _ in runs]
        worlds = sorted({world for run, summary in runs for world in _worlds(folders, run, summary)})
        if runs:
            found.append({"id": name, "title": title, "worlds": worlds, "changed": max(changed)})
    return found


def _worlds(folders: Folders, run: str, summary: Any) -> list[str]:
    """The worlds of a run: those that its summary tells apart, or the one that it was played in."""
    if several := (summary.get("by_depth") or {}).get("world"):
        return [*several]
    with suppress(ToolgymError):  # it may not be installed here
        return [domain_of(RunFolder(folders.root / run).settings()["env"]).name]
    return []


def _with(folders: Folders, part: str) -> list[Run]:
    """The runs whose summary has a part that is not empty."""
    found: list[Run] = []
    for run, path in folders.paths().items():
        with suppress(BadInput, OSError):
            summary = _read(sound(path).summary_file)
            if isinstance(summary, dict) and isinstance(summary.get(part), dict) and summary[part]:
                found.append((run, summary))
    return found


def _read(path: Path) -> Any:
    try:
        return from_json(path.read_bytes())
    except ValueError:
        raise BadInput(f"{path.name} is damaged: it holds no JSON. The command that wrote it writes it anew.") from None
