"""A session on a server whose tools are called over MCP; everything that MCP has no word for goes over REST."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from mcp.shared.exceptions import MCPError

from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.message import Json, Party
from toolgym.sandbox.kit.text import is_plain
from toolgym.sandbox.kit.tool import ToolResult
from toolgym.sandbox.remote.connection import BadReply, Connection, ConnectionLost
from toolgym.sandbox.remote.endpoint import Endpoint, Retries
from toolgym.sandbox.remote.session import RemoteSession
from toolgym.sandbox.runtime.background_loop import run_sync
from toolgym.sandbox.server.http_errors import PASSING
from toolgym.sandbox.server.mcp_tools import KEY_META, STORAGE_FAILED

_SERVERS_OWN = frozenset({"too_many_calls", "result_too_large", "key_reused"})


class MCPSession(RemoteSession):
    """A session whose tools are called at its own MCP endpoint."""

    def __init__(self, endpoint: Endpoint, info: Mapping[str, Json]) -> None:
        super().__init__(endpoint, info)
        self._connections: dict[str, Connection] = {}

    def close(self) -> None:
        """End the session and its connections."""
        for by in list(self._connections):
            run_sync(self._connections.pop(by).close())
        super().close()

    def _send(self, name: str, arguments: dict[str, Json] | str, by: Party) -> ToolResult:
        if isinstance(arguments, str) or not is_plain(name):
            return super()._send(name, arguments, by)  # MCP carries objects only, and Unicode
        key, retries = secrets.token_hex(12), Retries(self.endpoint.patience)
        while True:
            try:
                result = run_sync(self._call(name, arguments, by, key))
            except ConnectionLost as lost:
                problem = f"cannot be reached over MCP ({lost})"
            except BadReply as bad:
                raise InfrastructureError("session", f"The server answered {name} not in MCP's form: {bad}") from None
            except MCPError as error:
                if error.error.data != STORAGE_FAILED:
                    raise InfrastructureError("session", f"The server refused the call: {error}") from None
                problem = f"does not take calls now: {error}"
            else:
                code = result.error.code if result.error else ""
                if code in _SERVERS_OWN:
                    raise InfrastructureError("tool", result.error.message if result.error else "")
                if code not in PASSING:
                    return result
                problem = "does not take calls now: " + (result.error.message if result.error else "")
            retries.pause(f"The sandbox at {self.endpoint.shown} {problem}. Is it running? `toolgym serve` starts one.")

    async def _call(self, name: str, arguments: dict[str, Json], by: str, key: str) -> ToolResult:
        connection = self._connections.get(by)
        if connection is None:
            path = self.mcp_path if by == "agent" else self.user_mcp_path
            connection = Connection(f"{self.endpoint.url}{path}", headers=self.endpoint.headers)
            await connection.open()
            self._connections[by] = connection
        try:
            return await connection.call(name, arguments, meta={KEY_META: key}, seconds=self.endpoint.timeout)
        except ConnectionLost:
            del self._connections[by]
            await connection.close()
            raise
