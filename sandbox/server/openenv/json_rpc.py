"""OpenEnv's JSON-RPC: MCP's two methods on an environment, and environments that HTTP clients keep between requests."""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, StrictInt, StrictStr, ValidationError

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.tool import ToolResult
from toolgym.sandbox.server.openenv import wire
from toolgym.sandbox.server.openenv.environment import Environment
from toolgym.sandbox.server.openenv.environments import Environments

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, SERVER_ERROR = -32700, -32600, -32601, -32602, -32000
CREATE, CLOSE = "openenv/session/create", "openenv/session/close"
METHODS = ("tools/list", "tools/call", CREATE, CLOSE)


class RpcError(Exception):
    """A request that cannot be answered as asked: JSON-RPC's code and one sentence."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


class Request(BaseModel):
    """A JSON-RPC request."""

    model_config = ConfigDict(extra="forbid")

    jsonrpc: Literal["2.0"]
    method: str
    params: dict[str, Any] = {}
    id: StrictStr | StrictInt | None = None


async def answer_text(text: bytes, environments: Environments, world: str) -> dict[str, Json]:
    """Answer the body of a POST."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return _failed(None, PARSE_ERROR, "The body is not valid JSON.")
    return await answer(given, environments, world)


async def answer(
    given: Any, environments: Environments, world: str, own: tuple[str, Environment] | None = None
) -> dict[str, Json]:
    """Answer a JSON-RPC request.

    Args:
        given: the request.
        environments: those that are kept.
        world: the world that is asked for.
        own: id and environment of the socket that it came over, if it did.
    """
    try:
        request = Request.model_validate(given)
    except ValidationError as error:
        return _failed(_id_of(given), INVALID_REQUEST, wire.explained(error))
    try:
        result = await _result(request, environments, world, own)
    except RpcError as error:
        return _failed(request.id, error.code, error.message)
    except Exception as error:  # the boundary of a request: JSON-RPC has its own form for what fails
        return _failed(request.id, SERVER_ERROR, wire.told(error).message)
    return {"jsonrpc": "2.0", "id": request.id, "result": result}


async def _result(
    request: Request, environments: Environments, world: str, own: tuple[str, Environment] | None
) -> dict[str, Json]:
    params = request.params
    if request.method not in METHODS:
        raise RpcError(METHOD_NOT_FOUND, f"There is no method {request.method!r}; there are {', '.join(METHODS)}.")
    if request.method == CREATE:
        return {"session_id": own[0] if own else environments.create(world)}
    named = params.get("session_id")
    if request.method == CLOSE:
        if not isinstance(named, str):
            raise RpcError(INVALID_PARAMS, "session_id is missing.")
        return {"session_id": named, "closed": await environments.close(world, named)}
    environment = own[1] if own else environments.get(world, named) if isinstance(named, str) else None
    if request.method == "tools/list":
        return (environment or environments.fresh(world)).tools()
    if environment is None:
        raise RpcError(INVALID_PARAMS, f"A call needs the session_id that {CREATE} gives.")
    name, arguments = params.get("name"), params.get("arguments") or {}
    if not isinstance(name, str) or not isinstance(arguments, dict):
        raise RpcError(INVALID_PARAMS, "A call needs name, a text, and arguments, an object.")
    return _call_result(await environment.call(name, arguments))


def _call_result(result: ToolResult) -> dict[str, Json]:
    """MCP's result of a call, with `data` beside it, where OpenEnv's client looks for the value."""
    content: Json = [{"type": "text", "text": result.text}]
    return {"content": content, "isError": not result.ok, "data": result.value if result.ok else result.text}


def _failed(identifier: Json, code: int, message: str) -> dict[str, Json]:
    return {"jsonrpc": "2.0", "id": identifier, "error": {"code": code, "message": message}}


def _id_of(given: Any) -> Json:
    identifier = given.get("id") if isinstance(given, dict) else None
    return identifier if isinstance(identifier, str | int) and not isinstance(identifier, bool) else None
