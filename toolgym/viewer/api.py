"""What the page asks for: /api/... as judge/report/assets/source.js (`served`) names it. Reading only."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any
from urllib.parse import unquote

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from judge.comparison.board import compare
from judge.comparison.runs import side
from judge.evaluation.run_folder import RunFolder
from judge.interop.opened import run_of
from judge.report import failures_of
from judge.report.episode_data import episode_data
from judge.report.export import Shown, of_episodes, of_runs
from judge.report.prompt import prompt_data
from judge.report.run_row import run_row
from sandbox.kit.errors import BadInput
from toolgym.viewer.folders import Folders
from toolgym.viewer.indexes import Indexes


def routes(folders: Folders, indexes: Indexes) -> APIRouter:
    """The routes; plain functions, which FastAPI runs beside the event loop."""
    api = APIRouter(prefix="/api")

    @api.get("/runs")
    def runs() -> dict[str, Any]:
        rows = [run_row(RunFolder(folders.root / each), each) for each in folders.ids()]
        return {"folder": folders.root.name, "runs": rows}

    @api.get("/run")
    def run(id: str) -> dict[str, Any]:
        folder = folders.get(id)
        row = run_row(folder, id)
        sound = row["state"] not in ("damaged", "other format")
        return {
            "id": id,
            "name": row["name"],
            "row": row,
            "settings": folder.settings() if sound and folder.settings_file.is_file() else {},
            "summary": json.loads(folder.summary_file.read_text(encoding="utf-8"))
            if row["tasks"] is not None
            else None,
            "failures": failures_of(folder),
        }

    @api.get("/episodes")
    def episodes(id: str) -> dict[str, Any]:
        return indexes.of(folders.get(id)).table()

    @api.get("/episode")
    def episode(id: str, task: str, trial: int) -> dict[str, Any]:
        folder = folders.get(id)
        played, score = indexes.trajectory(folder, task, trial), indexes.score(folder, task, trial)
        basis = _settings(folder).get("basis", "state")
        return episode_data(played, score, f"/files/{id}", basis=basis, folder=folder.path)

    @api.get("/prompt")
    def prompt(id: str, task: str, trial: int) -> dict[str, Any]:
        folder = folders.get(id)
        return prompt_data(indexes.trajectory(folder, task, trial), _settings(folder))

    @api.get("/record")
    def record(id: str, task: str, trial: int) -> dict[str, Any]:
        folder = folders.get(id)
        raw = indexes.trajectory(folder, task, trial).model_dump(mode="json")
        return {"trajectory": raw, "score": indexes.score(folder, task, trial)}

    @api.get("/export")
    def export(
        episode: Annotated[list[str] | None, Query()] = None, run: Annotated[list[str] | None, Query()] = None
    ) -> HTMLResponse:
        if episode:
            page, name = of_episodes([_shown(folders, indexes, *_parts(each)) for each in episode]), "episodes"
        else:
            page, name = _exported_runs(folders, indexes, run or []), "comparison"
        return HTMLResponse(page, headers={"content-disposition": f'attachment; filename="{name}.html"'})

    @api.get("/find")
    def find(id: str, words: str) -> dict[str, Any]:
        return {"found": indexes.find(folders.get(id), words.lower().split())}

    @api.get("/comparison")
    def comparison(id: Annotated[list[str], Query()]) -> dict[str, Any]:
        try:
            return _compared([folders.get(each) for each in id])
        except BadInput as error:
            return {"refused": str(error)}

    return api


_FLIPS = 100
"""Episodes that an exported comparison holds at most."""


def _compared(runs: Sequence[RunFolder]) -> dict[str, Any]:
    return compare([side(run_of(folder), None) for folder in runs])


def _parts(episode: str) -> tuple[str, str, int]:
    """An episode as a query names it: RUN/TASK/TRIAL, each part percent-encoded."""
    parts = [unquote(part) for part in episode.split("/")]
    if len(parts) != 3 or not parts[2].isdecimal():
        raise BadInput(f"{episode!r} names no episode; one is RUN/TASK/TRIAL, each part percent-encoded.")
    return parts[0], parts[1], int(parts[2])


def _shown(folders: Folders, indexes: Indexes, run: str, task: str, trial: int) -> Shown:
    folder = folders.get(run)
    played = indexes.trajectory(folder, task, trial)
    row = next(row for row in indexes.of(folder).rows if (row[0], row[1]) == (task, trial))
    return Shown(run, folder, row, played, indexes.score(folder, task, trial))


def _exported_runs(folders: Folders, indexes: Indexes, ids: Sequence[str]) -> str:
    runs = {each: folders.get(each) for each in ids}
    if len(runs) < 2:
        raise BadInput("Name two runs or more to compare, or an episode.")
    found = _compared(list(runs.values()))
    flipped: dict[tuple[str, str, int], None] = {}
    for other, pair in zip(ids[1:], found["comparisons"], strict=True):
        for flip in pair["flips"]:
            for run, trials in ((ids[0], flip["first"]), (other, flip["second"])):
                flipped |= {(run, flip["task"], trial): None for trial in trials}
    return of_runs(runs, found, [_shown(folders, indexes, *each) for each in [*flipped][:_FLIPS]])


def _settings(folder: RunFolder) -> dict[str, Any]:
    """What run.json says; nothing where there is none."""
    return folder.settings() if folder.settings_file.is_file() else {}
