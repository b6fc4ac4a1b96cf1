"""The OpenAPI document: what FastAPI knows of its routes, and every tool of every domain as a path of its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import Json, Party
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.server.schemas import CallRequest

_ERROR = {"$ref": "#/components/schemas/ErrorReply"}
_WHY = {
    401: "the token is missing or wrong",
    404: "no such session, or no such tool",
    409: "the world refuses, or the key was used for another call: the error says why",
    410: "the session has ended",
    413: "the body or the result is too large",
    422: "the arguments are wrong: the error names each",
    429: "too many calls",
    500: "the tool is broken: nothing was applied",
    503: "the session is too busy: try again",
    507: "the data directory is full: nothing was applied",
}


def document(app: FastAPI, domains: Iterable[Domain], *, token: bool) -> dict[str, Any]:
    """The document; `token` says whether requests need one."""
    found = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    paths, schemas = found["paths"], found["components"]["schemas"]
    schemas["CallRequest"] = CallRequest.model_json_schema()
    paths["/sessions/{session_id}/call"] = {"post": _call_by_name()}
    tags = []
    for domain in domains:
        tags.append(
            {"name": domain.name, "description": f"{domain.title}: the tools, below a session that lives there."}
        )
        for tool in domain.tools.values():
            paths[f"/sessions/{{session_id}}/{domain.name}/{tool.name}"] = {"post": _tool(domain, tool, "agent")}
        for tool in domain.user_tools.values():
            paths[f"/sessions/{{session_id}}/{domain.name}/user/{tool.name}"] = {"post": _tool(domain, tool, "user")}
    found["tags"] = [
        {"name": "sessions", "description": "Open, read, fork, roll back, verify and close private worlds."},
        *tags,
        {"name": "domains", "description": "What there is to open a session in."},
        {"name": "server", "description": "Health and metrics."},
    ]
    _document_refusals(paths)
    _correct(paths, schemas)
    if token:
        found["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        found["security"] = [{"token": []}]
    return found


def methods_of(document: dict[str, Any], path: str) -> list[str]:
    """The methods that a path answers, whichever routes they belong to; none where there is no such path."""
    parts, found = path.split("/"), set()
    for template, operations in document["paths"].items():
        names = template.split("/")
        if len(names) == len(parts) and all(
            name == part or name[:1] == "{" for name, part in zip(names, parts, strict=True)
        ):
            found |= {method.upper() for method in operations}
    return sorted(found)


def _tool(domain: Domain, tool: Tool, by: Party) -> dict[str, Json]:
    about = "Changes the world." if tool.kind == "write" else "Changes nothing."
    holder = " The user's own tool." if by == "user" else ""
    value = tool.returns if tool.returns is not None else {}
    return _operation(
        operation=f"{domain.name}_{'user_' if by == 'user' else ''}{tool.name}",
        summary=tool.summary,
        description=f"{tool.description}\n\n{about}{holder}",
        tag=domain.name,
        body=tool.parameters,
        value=value,
    )


def _call_by_name() -> dict[str, Json]:
    return _operation(
        operation="call_tool",
        summary="Call a tool by name",
        description="For programs whose tool names come from a model. A refused call is logged and answered as on the "
        "tool's own path.",
        tag="sessions",
        body={"$ref": "#/components/schemas/CallRequest"},
        value={},
    )


def _operation(
    *, operation: str, summary: str, description: str, tag: str, body: dict[str, Json], value: Json
) -> dict[str, Json]:
    done = {
        "type": "object",
        "properties": {"ok": {"const": True}, "value": value},
        "required": ["ok", "value"],
        "additionalProperties": False,
    }
    key = {"type": "string", "minLength": 1, "maxLength": 200}
    return {
        "tags": [tag],
        "summary": summary,
        "description": description,
        "operationId": operation,
        "parameters": [
            {"name": "session_id", "in": "path", "required": True, "schema": {"type": "string"}},
            {
                "name": "Idempotency-Key",
                "in": "header",
                "required": False,
                "schema": key,
                "description": "a retry with the same key is applied once",
            },
        ],
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": {
            "200": {"description": "the result", "content": {"application/json": {"schema": done}}},
            **{str(status): _refusal(why) for status, why in _WHY.items()},
        },
    }


def _refusal(why: str) -> dict[str, Json]:
    return {"description": why, "content": {"application/json": {"schema": _ERROR}}}


def _document_refusals(paths: dict[str, Any]) -> None:
    """Every route may refuse a token, a body or its parameters in the same way."""
    every = {
        400: "the body is not JSON, or nests too deep",
        401: _WHY[401],
        413: "the body is too large",
        422: "the request is wrong: the error says how",
        500: "the server is broken: nothing was applied",
    }
    for path in paths.values():
        for operation in path.values():
            for status, why in every.items():
                operation["responses"][str(status)] = _refusal(why)


def _correct(paths: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Say what FastAPI cannot know: a header is text or absent, never null; the clocks of worlds have no time zone."""
    for path in paths.values():
        for operation in path.values():
            for parameter in operation.get("parameters", []):
                kinds = parameter["schema"].get("anyOf", [{}])
                if kinds[-1] == {"type": "null"}:
                    parameter["schema"] = kinds[0]
    for name in ("SessionInfo", "Snapshot-Output"):
        schemas[name]["properties"]["now"].pop("format")
