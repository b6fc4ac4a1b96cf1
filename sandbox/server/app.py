"""Puts the server together: gate, tool calls, REST routes, MCP endpoints, OpenAPI document."""

from __future__ import annotations

import gc
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from toolgym.sandbox.kit.errors import BadInput, InfrastructureError, in_words
from toolgym.sandbox.server import rest, watching
from toolgym.sandbox.server.http_errors import Refused
from toolgym.sandbox.server.logs import configure
from toolgym.sandbox.server.mcp_http import McpEndpoint
from toolgym.sandbox.server.middleware import Reply, RequestMiddleware, reply_to
from toolgym.sandbox.server.openapi import document, methods_of
from toolgym.sandbox.server.openenv.app import openenv
from toolgym.sandbox.server.service import Service
from toolgym.sandbox.server.settings import ENVIRONMENT, ServeSettings
from toolgym.sandbox.server.tool_routes import Calls

_ABOUT = """Private worlds for agents: open a session, call its tools, read what changed.

Every answer to a call is `{"ok": true, "value": ...}` or `{"ok": false, "error": {"code", "message"}}`; the same form
comes back in process, over REST and over MCP. The status says the same: 200, or 404, 409, 422 for refusals.
"""


def from_environment() -> ASGIApp:
    """The application of a worker process, whose settings its parent left in the environment."""
    settings = ServeSettings.model_validate_json(os.environ[ENVIRONMENT])
    configure(settings.log_level)
    app = create(settings)
    gc.collect()
    gc.freeze()  # worlds and schemas stay for good: the garbage collector need not look at them again
    return app


def create(settings: ServeSettings) -> ASGIApp:
    """The application."""
    service = Service(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with service.running():
            yield

    app = FastAPI(
        title="toolgym",
        version=version("toolgym"),
        description=_ABOUT,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,
    )
    app.router.routes.append(Route("/docs", _documents, include_in_schema=False))
    app.router.routes.append(Route("/", _welcome, include_in_schema=False))
    app.router.routes.append(Mount("/openenv/{world}", openenv(service)))
    for router in (rest.sessions(service), rest.worlds(service), rest.probes(service), watching.routes(service)):
        app.include_router(router)
    for kind in (BadInput, InfrastructureError, Exception):
        app.add_exception_handler(kind, _explain)
    app.add_exception_handler(RequestValidationError, _explain_request)
    app.add_exception_handler(HTTPException, _explain_http)
    kept: dict[str, Any] = {}

    def openapi() -> dict[str, Any]:
        if not kept:
            kept.update(document(app, service.domains.values(), token=settings.token is not None))
        return kept

    app.openapi = openapi  # type: ignore[method-assign]  # FastAPI's documented way to change the document
    names = {name for world in service.domains.values() for name in (world.name, *world.tools, *world.user_tools)}
    return RequestMiddleware(app, McpEndpoint(service), settings, Calls(service), service.metrics.request, names)


async def _welcome(request: Request) -> Response:
    """Where to go from the bare address: people to the documents, programs are told what there is."""
    if "text/html" in request.headers.get("accept", ""):
        return RedirectResponse("/docs")
    return JSONResponse({"name": "toolgym", "docs": "/docs", "openapi": "/openapi.json", "sessions": "/sessions"})


async def _documents(request: Request) -> Response:
    """The page that shows the OpenAPI document; FastAPI's own would load its program from another site."""
    page = files(__package__).joinpath("docs.html").read_text(encoding="utf-8")
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'"
    return HTMLResponse(page, headers={"content-security-policy": policy, "x-frame-options": "DENY"})


def _respond(reply: Reply) -> Response:
    headers = {name.decode(): value.decode() for name, value in reply.headers}
    return Response(reply.body, reply.status, headers, media_type="application/json")


async def _explain(request: Request, error: Exception) -> Response:
    return _respond(reply_to(error))


async def _explain_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    problems = []
    for problem in error.errors():
        if problem["type"] == "json_invalid":
            return _respond(reply_to(Refused(400, "invalid_json", "The body is not valid JSON.")))
        where = ".".join(str(part) for part in problem["loc"])
        problems.append(f"{where}: {in_words(problem)}")
    return _respond(reply_to(Refused(422, "invalid_request", "; ".join(problems[:5]) + ".")))


async def _explain_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    methods = methods_of(request.app.openapi(), request.url.path)
    if error.status_code == 404 and not methods:
        return _respond(reply_to(Refused(404, "not_found", "There is nothing here; /docs lists what there is.")))
    if error.status_code in (404, 405):
        allowed = ", ".join(methods) or "GET"  # pages that the document leaves out
        reply = reply_to(Refused(405, "wrong_method", f"{request.method} is not possible here; {allowed} is."))
        return _respond(reply._replace(headers=((b"allow", allowed.encode()),)))
    return _respond(reply_to(Refused(error.status_code, "not_possible", f"{error.detail}.")))
