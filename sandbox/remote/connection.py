"""A connection to an MCP server that outlives the task that opened it; the SDK's client may not leave its own task.

Knows the tools of this project no better than any others: a result is turned back into what the tool returned. What
the SDK raises becomes one of three things here: the server is gone, it refuses a request, or it does not speak MCP.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from tempfile import TemporaryFile
from typing import TextIO, TypeVar, cast

import httpx2
import mcp_types as types
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.text import is_plain
from toolgym.sandbox.kit.tool import Failure, ToolResult
from toolgym.sandbox.remote.endpoint import PASSING_STATUS
from toolgym.sandbox.server.mcp_tools import ERROR_META

VERSION = "2026-07-28"
"""The stateless protocol: no handshake, every request stands for itself."""

Answer = TypeVar("Answer")

_ERRORS = 4000
"""Bytes of a process's standard error that are looked at."""
_PAGES = 1000
"""Pages of a list of tools, each with a new one; a longer list does not end."""
_ALIVE_SECONDS = 5.0
"""How long a server that may be gone has for an answer that shows it is not."""

logger = logging.getLogger(__name__)


class ConnectionLost(Exception):
    """The server went away; the call in flight may or may not have been made."""


class BadReply(Exception):
    """The server answered, but not in MCP's form."""


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
            BadReply: it answers with something else.
        """
        given = cast("types.RequestParamsMeta | None", meta)
        return result_of(await self._asked(self.client.call_tool(name, arguments, meta=given), seconds))

    async def tools(self, *, seconds: float = 60.0) -> list[types.Tool]:
        """What the server offers, all pages of it; a cursor that leads to nothing new is not followed.

        Raises:
            ConnectionLost, MCPError, BadReply: as `call`.
        """
        found: dict[str, types.Tool] = {}
        cursor: str | None = None
        for _ in range(_PAGES):
            page = await self._asked(self.client.list_tools(cursor=cursor), seconds)
            fresh = {tool.name: tool for tool in page.tools if tool.name not in found}
            found |= fresh
            cursor = page.next_cursor
            if not cursor or not fresh:
                return list(found.values())
        raise BadReply(f"its list of tools does not end ({len(found)} so far)")

    async def _asked(self, request: Awaitable[Answer], seconds: float) -> Answer:
        """The answer to a request; the boundary of the SDK's client.

        A server may answer with the codes by which the SDK says that the connection is closed or the time over, so a
        process counts as gone where it answers nothing any more.
        """
        self._status = 0
        try:
            async with asyncio.timeout(seconds):
                return await request
        except TimeoutError:
            raise ConnectionLost(f"no answer in {seconds:g} s") from None
        except MCPError as error:
            if self._status in PASSING_STATUS:  # of which the SDK says nothing
                raise ConnectionLost(f"HTTP status {self._status}") from None
            local = error.code in (types.CONNECTION_CLOSED, types.REQUEST_TIMEOUT)
            if local and (isinstance(self._target, str) or not await self._is_alive()):
                raise ConnectionLost(str(error)) from None
            raise
        except ConnectionLost:
            raise
        except Exception as error:  # whatever its own libraries raise: validation, JSON, schemas, too deep a value
            raise BadReply(_innermost(error)) from error

    async def _is_alive(self) -> bool:
        """Whether a process still answers, be it with a refusal."""
        try:
            async with asyncio.timeout(_ALIVE_SECONDS):
                await self.client.session.send_ping()
        except MCPError as error:
            return error.code != types.CONNECTION_CLOSED
        except (TimeoutError, ConnectionLost):
            return False
        except Exception:  # an answer of whatever form
            return True
        return True

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
                _quiet()
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
    """What the tool returned, from what MCP carries: all of its blocks.

    A value that is no object travels as `{"result": value}`; the text beside it says whether it did. One text alone is
    the value; several blocks, or blocks that say something else than the structured value, are a list, in which images
    and files stand by what they are.
    """
    structured = result.structured_content
    texts = [part.text for part in result.content if isinstance(part, types.TextContent)]
    if result.is_error:
        told = (result.meta or {}).get(ERROR_META)
        error = told if isinstance(told, dict) else {}
        message = str(error.get("message", "\n".join(texts)))
        return ToolResult(error=Failure(str(error.get("code", "tool_error")), message))
    blocks = [part.text if isinstance(part, types.TextContent) else _named(part) for part in result.content]
    if structured is None:
        return ToolResult(blocks[0] if len(blocks) == 1 else blocks or "")
    wrapped = structured.keys() == {"result"} and texts[:1] != [json.dumps(structured, ensure_ascii=False)]
    value = structured["result"] if wrapped else structured
    if len(blocks) == len(texts) and _repeats(texts, value, structured):
        return ToolResult(value)
    return ToolResult([value, *(blocks[len(texts) :] if _repeats(texts, value, structured) else blocks)])


def _repeats(texts: list[str], value: Json, structured: Json) -> bool:
    """Whether texts say nothing that the structured value does not."""
    if not texts or texts == [value] or texts == [json.dumps(value, ensure_ascii=False)]:
        return True
    read = [parsed(text) for text in texts]
    return read in ([value], [structured], value) or texts == value


def _named(part: types.ContentBlock) -> Json:
    """What a block is that is no text, and the text that is in it."""
    shown = part.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"meta", "annotations"})
    inner = shown.pop("resource", None)
    shown |= inner if isinstance(inner, dict) else {}
    for name in ("data", "blob"):
        if isinstance(coded := shown.pop(name, None), str):
            shown["bytes"] = len(coded.rstrip("=")) * 3 // 4
    return shown


def parsed(text: str) -> Json:
    """The value of a text that is JSON, as others' tools often return; other text as it is."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if is_plain(value) else text


def _quiet() -> None:
    """What a server prints beside its messages is no fault of ours, and the SDK logs a traceback for each line."""
    log = logging.getLogger("mcp.client")
    if log.level == logging.NOTSET:
        log.setLevel(logging.CRITICAL)


def _innermost(error: BaseException) -> str:
    """The first line of the first real error inside task groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error).strip().partition("\n")[0][:300] or type(error).__name__
