"""MCP over Streamable HTTP: every session has an address of its own for the agent, and one for the user.

No protocol state is kept between requests, so any worker can answer any of them; the session's own id is in the path.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal, cast

import mcp_types as types
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from starlette.types import Receive, Scope, Send

from sandbox.errors import InfrastructureError
from sandbox.message import Json
from sandbox.server.mcp import Context, World, build, declined
from sandbox.server.refused import Refused, broken
from sandbox.server.service import Service
from sandbox.tool import ToolResult

WORLD = "toolgym.world"
logger = logging.getLogger("toolgym.server")


class McpEndpoint:
    """The ASGI application behind `/sessions/{id}/mcp` and `/sessions/{id}/user/mcp`."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._manager = StreamableHTTPSessionManager(
            build(_world_of), stateless=True, json_response=True, max_request_body_size=service.settings.max_body
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve within this block."""
        async with self._manager.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["method"] != "POST":
            await _refuse(send, 405, "This endpoint takes POST: it sends nothing on its own and keeps no connection.")
            return
        identifier, *rest = scope["path"].split("/")[2:]
        by: Literal["agent", "user"] = "user" if rest[0] == "user" else "agent"
        try:
            session = self._service.sessions.get(identifier).session
        except Refused as refused:
            await _refuse(send, refused.status, refused.message)
            return
        if by == "user" and not session.domain.user_tools:
            await _refuse(send, 404, f"In {session.domain.name} the user holds no tools.")
            return

        async def call(name: str, arguments: dict[str, Json], key: str | None) -> ToolResult:
            return await self._call(identifier, name, arguments, by, key)

        scope[WORLD] = World(session.domain, session.data, by, call)
        await self._manager.handle_request(scope, receive, send)

    async def _call(
        self, identifier: str, name: str, arguments: dict[str, Json], by: Literal["agent", "user"], key: str | None
    ) -> ToolResult:
        try:
            return (await self._service.call(identifier, name, arguments, by=by, key=key)).result
        except Refused as refused:
            if refused.status in (404, 410):
                raise MCPError(types.INVALID_REQUEST, refused.message) from None
            return declined(refused.code, refused.message)
        except InfrastructureError as error:
            logger.error("a request failed", exc_info=error)
            raise MCPError(types.INTERNAL_ERROR, broken(error)) from error


def _world_of(context: Context) -> World:
    return cast(World, context.request.scope[WORLD])  # type: ignore[union-attr]  # over HTTP there always is a request


async def _refuse(send: Send, status: int, message: str) -> None:
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": types.INVALID_REQUEST, "message": message}}
    body = json.dumps(error).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers += [(b"allow", b"POST")] if status == 405 else []
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
