"""The viewer's application: the page, its modules, the runs' data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from starlette.types import ASGIApp

from toolgym.judge.report import page
from toolgym.sandbox.kit.errors import BadInput, ToolgymError, in_words
from toolgym.viewer import annotating, sessions, tables, worlds
from toolgym.viewer.api import routes
from toolgym.viewer.folders import Folders
from toolgym.viewer.guard import Guard
from toolgym.viewer.open_run import OpenRuns
from toolgym.viewer.play import routes as play
from toolgym.viewer.sessions import SessionServer

_TYPES = {".js": "text/javascript", ".css": "text/css", ".txt": "text/plain"}
_RECORDINGS = frozenset({".wav", ".mp3", ".ogg", ".flac", ".webm"})


def application(
    root: Path,
    token: str | None = None,
    ending: Callable[[], bool] = lambda: False,
    watched: SessionServer | None = None,
    *,
    kept: bool = True,
    base: str = "",
    read_only: bool = False,
) -> ASGIApp:
    """The viewer of a folder.

    Args:
        root: a run's folder, or one that runs lie in.
        token: what visitors must show; None for a server that answers this machine alone.
        ending: whether the server is to end, which open streams would keep it from.
        watched: a `toolgym serve` whose sessions are shown.
        kept: whether the folder is there when the server has ended.
        base: the path below which a proxy shows the server, such as `/gym`.
        read_only: whether nothing can be played, scored or called.

    Raises:
        BadInput: there is no such folder.
    """
    if not root.is_dir():
        raise BadInput(f"There is no folder {root} to view; `toolgym eval` writes runs to runs/.")
    folders = Folders(root)
    html, scripts = page.live_page(sessions=watched is not None, read_only=read_only)
    app = FastAPI(title="toolgym view", docs_url=None, redoc_url=None, openapi_url=None)
    runs = OpenRuns(folders)
    app.include_router(routes(runs, ending))
    app.include_router(annotating.routes(runs))
    app.include_router(worlds.routes())
    app.include_router(tables.routes(folders))
    app.include_router(sessions.routes(watched, ending))
    app.include_router(play.routes(runs, ending, shared=token is not None, kept=kept))

    @app.get("/", response_class=HTMLResponse)
    def index() -> str:
        return html

    @app.get("/assets/{name:path}")
    def asset(name: str) -> FileResponse:
        found = page.asset_file(name)
        if found is None:
            raise BadInput(f"There is no file {name!r} of the page.")
        return FileResponse(found, media_type=_TYPES[found.suffix])

    @app.get("/files/{name:path}")
    def recording(name: str) -> FileResponse:
        found = (folders.root / name).resolve()
        if not found.is_relative_to(folders.root) or found.suffix not in _RECORDINGS or not found.is_file():
            raise BadInput(f"There is no recording {name!r} here.")
        return FileResponse(found)

    @app.exception_handler(ToolgymError)
    async def refused(request: Request, error: ToolgymError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, status_code=404)

    @app.exception_handler(RequestValidationError)
    async def strange(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        return JSONResponse({"detail": f"{first['loc'][-1]}: {in_words(first)}."}, status_code=422)

    @app.exception_handler(FileNotFoundError)
    async def gone(request: Request, error: FileNotFoundError) -> JSONResponse:
        return JSONResponse({"detail": "What was asked for is no longer there."}, status_code=404)

    return Guard(app, token, scripts, base, read_only=read_only)
