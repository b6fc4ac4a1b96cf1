"""The application below `/openenv/WORLD`: OpenEnv's socket, its pages about an environment, its task routes."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse, Response
from starlette.websockets import WebSocket

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Frozen, Json
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.server import schemas
from toolgym.sandbox.server.openenv import json_rpc, wire
from toolgym.sandbox.server.openenv.environments import Environments
from toolgym.sandbox.server.openenv.socket import converse
from toolgym.sandbox.server.service import Service
from toolgym.sandbox.server.session_factory import find_domain

MOST_TASKS = 10_000


class SplitRequest(Frozen):
    """Which split."""

    split: str


class TaskRequest(SplitRequest):
    """Which task of a split; below zero from the end."""

    index: int


class RangeRequest(SplitRequest):
    """Which tasks of a split, as Python's slices count."""

    start: int | None = None
    stop: int | None = None


def openenv(service: Service) -> FastAPI:
    """The application; the world stands in the path that it is mounted at."""
    environments = Environments(service)
    app = FastAPI(title="toolgym over OpenEnv", version=version("toolgym"), docs_url=None, redoc_url=None)

    def world_of(request: Request) -> Domain:
        return find_domain(service, request.path_params["world"])

    def named(request: Request, environment: str) -> Domain:
        world = world_of(request)
        if environment != world.name:
            raise HTTPException(404, f"This is {world.name}; there is no environment {environment!r} here.")
        return world

    async def tasks_of(request: Request, environment: str, split: str) -> list[tuple[int, Task]]:
        world = named(request, environment)
        return list(enumerate(await service.tasks(world, world.newest_data, split)))

    @app.websocket("/ws")
    async def websocket(socket: WebSocket) -> None:
        await converse(socket, environments, socket.path_params["world"])

    @app.get("/health", summary="Is the environment there?")
    async def health(request: Request) -> dict[str, str]:
        world_of(request)
        return {"status": "healthy"}

    @app.get("/schema", summary="Schemas of actions, observations and state")
    async def schema(request: Request) -> dict[str, Any]:
        world_of(request)
        return {
            "action": wire.Action.model_json_schema(),
            "observation": wire.Observation.model_json_schema(),
            "reset_observation": wire.Opening.model_json_schema(),
            "state": wire.State.model_json_schema(),
        }

    @app.get("/metadata", summary="What the environment is")
    async def metadata(request: Request) -> dict[str, str]:
        world = world_of(request)
        return {
            "name": world.name,
            "description": f"{world.title}: a simulated user, {len(world.tools)} tools, a verifier.",
            "version": version("toolgym"),
        }

    @app.post("/mcp", summary="JSON-RPC: tools/list, tools/call, openenv/session/create, openenv/session/close")
    async def mcp(request: Request) -> Response:
        answer = await json_rpc.answer_text(await request.body(), environments, world_of(request).name)
        return JSONResponse(answer)

    @app.get("/list_environments", tags=["tasks"])
    async def list_environments(request: Request) -> list[str]:
        return [world_of(request).name]

    @app.get("/{environment}/splits", tags=["tasks"])
    async def list_splits(request: Request, environment: str) -> list[dict[str, str]]:
        world = named(request, environment)
        splits = world.open_data(world.newest_data).splits
        return [{"name": name, "type": name if name in ("train", "test") else "validation"} for name in splits]

    @app.post("/{environment}/tasks", tags=["tasks"])
    async def list_tasks(request: Request, environment: str, asked: SplitRequest) -> dict[str, Json]:
        found = await tasks_of(request, environment, asked.split)
        return {"tasks": [_shown(*each) for each in found[:MOST_TASKS]], "env_name": environment}

    @app.post("/{environment}/num_tasks", tags=["tasks"])
    async def num_tasks(request: Request, environment: str, asked: SplitRequest) -> dict[str, int]:
        return {"num_tasks": len(await tasks_of(request, environment, asked.split))}

    @app.post("/{environment}/task", tags=["tasks"])
    async def task(request: Request, environment: str, asked: TaskRequest) -> dict[str, Json]:
        found = await tasks_of(request, environment, asked.split)
        if not -len(found) <= asked.index < len(found):
            raise HTTPException(400, f"The split {asked.split!r} has {len(found)} tasks; there is no {asked.index}.")
        return {"task": _shown(*found[asked.index])}

    @app.post("/{environment}/task_range", tags=["tasks"])
    async def task_range(request: Request, environment: str, asked: RangeRequest) -> dict[str, Json]:
        found = await tasks_of(request, environment, asked.split)
        return {"tasks": [_shown(*each) for each in found[asked.start : asked.stop][:MOST_TASKS]]}

    app.add_exception_handler(BadInput, _explain)
    return app


def _shown(index: int, task: Task) -> dict[str, Json]:
    """A task as a client may know it, with its place; a reset takes it as it is."""
    return {**schemas.TaskInfo.of(task).model_dump(mode="json"), "index": index}


async def _explain(request: Request, error: Exception) -> Response:
    assert isinstance(error, BadInput)
    refused = schemas.refused_by(error)
    return JSONResponse({"detail": refused.message}, refused.status)
