"""What the page asks for: /api/... as judge/report/assets/source.js (`served`) names it. Reading only."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Query

from judge.comparison.board import compare
from judge.comparison.runs import side
from judge.evaluation.run_folder import RunFolder
from judge.interop.opened import run_of
from judge.report import failures_of
from judge.report.episode_data import episode_data
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
        return episode_data(indexes.trajectory(folder, task, trial), indexes.score(folder, task, trial), f"/files/{id}")

    @api.get("/find")
    def find(id: str, words: str) -> dict[str, Any]:
        return {"found": indexes.find(folders.get(id), words.lower().split())}

    @api.get("/comparison")
    def comparison(id: Annotated[list[str], Query()]) -> dict[str, Any]:
        try:
            return compare([side(run_of(folders.get(each)), None) for each in id])
        except BadInput as error:
            return {"refused": str(error)}

    return api
