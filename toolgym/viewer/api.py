"""What the page asks for: /api/... as judge/report/assets/source.js (`served`) names it. Reading only."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic_core import from_json

from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.report.episode_data import episode_data
from toolgym.judge.report.prompt import prompt_data
from toolgym.judge.report.run_row import damaged_row, run_row
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.text import escaped
from toolgym.viewer import events, exports, training_runs
from toolgym.viewer.folders import sound
from toolgym.viewer.open_run import OpenRuns


def routes(runs: OpenRuns, ending: Callable[[], bool]) -> APIRouter:
    """The routes; plain functions, which FastAPI runs beside the event loop. `ending`: whether the server is to end."""
    api = APIRouter(prefix="/api")

    def rows() -> list[dict[str, Any]]:
        return [_listed(runs, path, each) for each, path in runs.folders.paths().items()]

    @api.get("/runs")
    def listed() -> dict[str, Any]:
        return {"folder": escaped(runs.folders.root.name), "runs": rows()}

    @api.get("/run")
    def run(id: str) -> dict[str, Any]:
        found = runs.get(id)
        found.look()
        row = _row(runs, found.folder, id)
        return {
            "id": id,
            "name": row["name"],
            "row": row,
            "settings": _settings(found.folder),
            "summary": _summary(found.folder) if row["tasks"] is not None else None,
            "failures": found.failures(),
            "progress": found.progress(),
        }

    @api.get("/episodes")
    def episodes(id: str) -> dict[str, Any]:
        return runs.get(id).table()

    @api.get("/episode")
    def episode(id: str, task: str, trial: int) -> dict[str, Any]:
        found = runs.get(id)
        played, score = found.trajectory(task, trial), found.folder.score(task, trial)
        basis = _settings(found.folder).get("basis", "state")
        return episode_data(played, score, f"files/{quote(id)}", basis=basis, folder=found.folder.path)

    @api.get("/prompt")
    def prompt(id: str, task: str, trial: int) -> dict[str, Any]:
        found = runs.get(id)
        return prompt_data(found.trajectory(task, trial), _settings(found.folder))

    @api.get("/record")
    def record(id: str, task: str, trial: int) -> dict[str, Any]:
        found = runs.get(id)
        raw = found.trajectory(task, trial).model_dump(mode="json")
        return {"trajectory": raw, "score": found.folder.score(task, trial)}

    @api.get("/export")
    def export(
        episode: Annotated[list[str] | None, Query()] = None, run: Annotated[list[str] | None, Query()] = None
    ) -> HTMLResponse:
        if episode:
            page, name = exports.episodes(runs, episode), "episodes"
        else:
            page, name = exports.comparison(runs, run or []), "comparison"
        return HTMLResponse(page, headers={"content-disposition": f'attachment; filename="{name}.html"'})

    @api.get("/find")
    def find(id: str, words: str) -> dict[str, Any]:
        return {"found": runs.get(id).find(words.lower().split())}

    @api.get("/curves")
    def curves(id: str) -> dict[str, Any]:
        return training_runs.curves(runs.get(id).folder)

    @api.get("/comparison")
    def comparison(id: Annotated[list[str], Query()]) -> dict[str, Any]:
        try:
            return exports.compared([runs.get(each) for each in id])
        except BadInput as error:
            return {"refused": str(error)}

    @api.get("/events", response_class=EventSourceResponse)
    async def stream(
        id: str | None = None, generation: int = 0, rows_seen: int = 0, judged: int = 0
    ) -> AsyncIterator[ServerSentEvent]:
        of_run = partial(events.of_run, lambda: runs.get(id or ""), (generation, rows_seen, judged))
        happening = events.of_list(rows, ending) if id is None else of_run(ending)
        async for event in happening:
            yield ServerSentEvent(data=event)

    return api


def _listed(runs: OpenRuns, path: Path, identifier: str) -> dict[str, Any]:
    """A run's line, also where no more can be said than why it cannot be read."""
    try:
        return _row(runs, sound(path), identifier)
    except BadInput as error:
        return damaged_row(identifier, escaped(path.name), str(error))


def _row(runs: OpenRuns, folder: RunFolder, identifier: str) -> dict[str, Any]:
    """A line of the list; a running evaluation's says how far it is, what is over says so itself."""
    if training_runs.is_training(folder.path):
        return training_runs.row(folder, identifier)
    row = run_row(folder, identifier)
    if row["state"] == "live":
        with suppress(BadInput):
            run = runs.get(identifier)
            run.look()
            now = run.progress()
            row |= {"episodes": now["done"], "wanted": now["wanted"]}
            row["pass"] = now["passed"] / now["judged"] if now["judged"] else None
    return row


def _settings(folder: RunFolder) -> dict[str, Any]:
    """What run.json says; nothing where there is none that can be read."""
    with suppress(BadInput):
        return folder.settings()
    return {}


def _summary(folder: RunFolder) -> Any:
    return from_json(folder.summary_file.read_bytes())
