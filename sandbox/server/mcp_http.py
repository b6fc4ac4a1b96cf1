"""MCP over Streamable HTTP: every session has an address of its own for the agent, and one for the user.

No protocol state is kept between requests, so any worker can answer any of them; the session's own id is in the path.
"""

from __future__ import annotations

import logging
from typing import cast

import mcp_types as types
from mcp.shared.exceptions import MCPError

from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.message import Json, Party, ToolCall
from toolgym.sandbox.kit.tool import Failure, ToolResult
from toolgym.sandbox.server.http_errors import Refused, broken
from toolgym.sandbox.server.mcp_consent import Approvals
from toolgym.sandbox.server.mcp_exchange import Headers, exchange, failure
from toolgym.sandbox.server.mcp_tools import STORAGE_FAILED, Context, World, build, declined
from toolgym.sandbox.server.middleware import Reply
from toolgym.sandbox.server.service import Service
from toolgym.sandbox.server.storefile import StorageError

logger = logging.getLogger("toolgym.server")


class McpEndpoint:
    """Answers at `/sessions/{id}/mcp` and `/sessions/{id}/user/mcp`."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._server = build(_world_of)

    async def __call__(self, method: str, parts: list[str], headers: Headers, body: bytes) -> Reply:
        """Answer one request, given the path's parts after `/sessions/`."""
        if method != "POST":
            why = "This endpoint takes POST: it sends nothing on its own and keeps no connection."
            return failure(405, types.INVALID_REQUEST, why)._replace(headers=((b"allow", b"POST"),))
        identifier = parts[0]
        by: Party = "user" if parts[1] == "user" else "agent"
        by_call = by == "agent" and self._service.settings.consent == "call"
        try:
            sessions = self._service.sessions
            session = (sessions.current if by_call else sessions.get)(identifier).session
        except Refused as refused:
            return failure(refused.status, types.INVALID_REQUEST, refused.message)
        if by == "user" and not session.domain.user_tools:
            return failure(404, types.INVALID_REQUEST, f"In {session.domain.name} the user holds no tools.")

        async def call(name: str, arguments: dict[str, Json], key: str | None) -> ToolResult:
            return await self._call(identifier, name, arguments, by, key)

        async def make(call: ToolCall, objection: Failure | None, key: str | None) -> ToolResult:
            return await self._call(identifier, call.name, call.arguments, by, key, objection)

        approvals = Approvals(session, make, connected=False) if by_call else None
        return await exchange(self._server, World(session, by, call, approvals), headers, body)

    async def _call(
        self,
        identifier: str,
        name: str,
        arguments: dict[str, Json] | str,
        by: Party,
        key: str | None,
        objection: Failure | None = None,
    ) -> ToolResult:
        try:
            done = await self._service.call(
                identifier, name, arguments, by=by, key=key, refusal=objection, approved=True
            )
            return done.result
        except Refused as refused:
            if refused.status in (404, 410):
                raise MCPError(types.INVALID_REQUEST, refused.message) from None
            return declined(refused.code, refused.message)
        except InfrastructureError as error:
            logger.error("a request failed", exc_info=error)
            full = isinstance(error, StorageError) and error.trouble == "storage"
            raise MCPError(types.INTERNAL_ERROR, broken(error), STORAGE_FAILED if full else None) from error


def _world_of(context: Context) -> World:
    return cast(World, context.request)
