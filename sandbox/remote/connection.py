"""A connection to an MCP server that outlives the task that opened it; the SDK's client may not leave its own task.

Knows the tools of this project no better than any others: a result is turned back into what the tool returned.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from tempfile import TemporaryFile
from typing import TextIO, cast

import httpx2
import mcp_types as types
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.tool import Failure, ToolResult
from toolgym.sandbox.remote.endpoint import PASSING_STATUS
from toolgym.sandbox.server.mcp_tools import ERROR_META

VERSION = "2026-07-28"
"""The stateless protocol: no handshake, every request stands for itself."""

_ERRORS = 4000
"""Bytes of a process's standard error that are looked at."""

logger = logging.getLogger(__name__)


class ConnectionLost(Exception):
    """The server went away; the call in flight may or may not have been made."""


class Connection:
    """An open connection. Make it with `to_address` or `to_process`, then `open` it.

    Args:
        target: an address, or a command to start as a server on standard input and output.
        headers: of every request to an address.
        mode: the SDK's name of the protocol era: a stateless version, `legacy`, or `auto`.
    """

    def __init__(
        self, target: str | StdioServerParameters, *, headers: dict[str, str] | None = None, mode: str = VERSION
    ) -> None:
        self._target, self._headers, self._mode = target, headers or {}, mode
        self._client: Client | None = None
        self._owner: asyncio.Task[None] | None = None
        self._status = 0
        self._errors: int | None = None
        self._said = ""

    @property
    def client(self) -> Client:
        """The SDK's client, for everything but calls."""
        if self._client is None:
            raise ConnectionLost("The connection is closed.")
        return self._client

    async def open(self) -> None:
        """Connect.

        Raises:
            ConnectionLost: nothing answers there.
        """
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._leave = asyncio.Event()
        self._owner = asyncio.create_task(self._own(ready))
        try:
            await ready
        except asyncio.CancelledError:  # nobody waits any longer: what was started must not be left behind
            self._owner.cancel()
            await asyncio.wait([self._owner])
            raise

    async def call(
        self, name: str, arguments: dict[str, Json], *, meta: dict[str, Json] | None = None, seconds: float = 60.0
    ) -> ToolResult:
        """Call a tool.

        Raises:
            ConnectionLost: the server went away or gave no answer in time.
            MCPError: the server refuses the request as such.
        """
        given = cast("types.RequestParamsMeta | None", meta)
        self._status = 0
        try:
            result = await self.client.call_tool(name, arguments, read_timeout_seconds=seconds, meta=given)
        except MCPError as error:
            if error.code in (types.CONNECTION_CLOSED, types.REQUEST_TIMEOUT):
                raise ConnectionLost(str(error)) from None
            if self._status in PASSING_STATUS:  # of which the SDK says nothing
                raise ConnectionLost(f"HTTP status {self._status}") from None
            raise
        return result_of(result)

    @property
    def said(self) -> str:
        """The last line that a server on standard input and output wrote on its standard error."""
        if self._errors is None:
            return self._said
        start = max(0, os.fstat(self._errors).st_size - _ERRORS)  # read without moving where the process writes
        lines = os.pread(self._errors, _ERRORS, start).decode(errors="replace").strip().splitlines()
        return lines[-1].strip()[:300] if lines else ""

    async def close(self) -> None:
        """Disconnect; a server that was started here is stopped."""
        if self._owner is not None:
            self._leave.set()
            await asyncio.wait([self._owner])
            self._owner = None

    async def _own(self, ready: asyncio.Future[None]) -> None:
        try:
            async with self._connected() as client:
                self._client = client
                ready.set_result(None)
                await self._leave.wait()
        except Exception as error:  # the boundary of the SDK: whatever it raises, the connection is gone
            if not ready.done():
                ready.set_exception(ConnectionLost(_innermost(error)))
            else:
                logger.debug("a connection ended", exc_info=error)
        finally:
            self._client = None

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[Client]:
        if isinstance(self._target, StdioServerParameters):
            with TemporaryFile() as errors:
                self._errors = errors.fileno()
                transport = stdio_client(self._target, errlog=cast("TextIO", errors))
                try:
                    async with Client(transport, mode=self._mode) as client:
                        yield client
                finally:
                    self._said, self._errors = self.said, None
            return
        hooks = {"response": [self._look]}
        timeout = httpx2.Timeout(30, read=300)
        async with httpx2.AsyncClient(headers=self._headers, timeout=timeout, event_hooks=hooks) as http:
            transport = streamable_http_client(self._target, http_client=http, terminate_on_close=False)
            async with Client(transport, mode=self._mode) as client:
                yield client

    async def _look(self, response: httpx2.Response) -> None:
        self._status = response.status_code


def result_of(result: types.CallToolResult) -> ToolResult:
    """What the tool returned, from what MCP carries.

    A value that is no object travels as `{"result": value}`; the text beside it says whether it did.
    """
    structured = result.structured_content
    text = next((part.text for part in result.content if isinstance(part, types.TextContent)), "")
    if result.is_error:
        told = (result.meta or {}).get(ERROR_META)
        error = told if isinstance(told, dict) else {}
        return ToolResult(error=Failure(str(error.get("code", "tool_error")), str(error.get("message", text))))
    if structured is None:
        return ToolResult(text)
    if structured.keys() == {"result"} and text != json.dumps(structured, ensure_ascii=False):
        return ToolResult(structured["result"])
    return ToolResult(structured)


def _innermost(error: BaseException) -> str:
    """The message of the first real error inside task groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or type(error).__name__
