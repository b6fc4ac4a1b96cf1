"""The outermost layer of the server: lets in only requests that are allowed, complete and of bearable size.

Host and Origin checks (DNS rebinding), bearer token, body size, nesting and time; counting and logging of requests.
Tool calls are answered right here, everything else by the application behind.
"""

from __future__ import annotations

import hmac
import logging
import time
from collections.abc import Awaitable, Callable, Collection
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.kit.tool import Failure
from toolgym.sandbox.server.body import require_json_text, require_whole_characters
from toolgym.sandbox.server.deadline import Deadline
from toolgym.sandbox.server.http_errors import Refused, broken
from toolgym.sandbox.server.schemas import failure_bytes, refused_by
from toolgym.sandbox.server.settings import LOOPBACK, ServeSettings
from toolgym.sandbox.server.store import StorageError

BODY_SECONDS = 30.0
OPEN_PATHS = frozenset({"/healthz", "/readyz"})
"""Answered without a token and for any Host, so that probes of containers and balancers work."""
PUBLIC_PATHS = frozenset({"/", "/docs", "/openapi.json"})
"""Readable without a token: they describe the program, not its data."""

MCP_ADDRESSES = (["mcp"], ["user", "mcp"])
"""What follows a session's id in the path of its MCP endpoints."""

PATH_WORDS = frozenset(
    "sessions log diff digest snapshot fork rollback verify call mcp user domains tools policy tasks "
    "docs openapi.json healthz readyz metrics watch openenv ws health schema metadata list_environments splits "
    "num_tasks task task_range".split()
)
"""What a path may be made of, beside the names of domains and tools; the log shows nothing else that clients wrote."""

OPENENV_PARTS = frozenset(("ws", "health", "schema", "metadata", "mcp", "list_environments"))
"""How the addresses of an OpenEnv environment begin, beside its name."""

logger = logging.getLogger("toolgym.server")


class Reply(NamedTuple):
    """An answer."""

    status: int
    body: bytes
    headers: tuple[tuple[bytes, bytes], ...] = ()


Mcp = Callable[[str, list[str], list[tuple[bytes, bytes]], bytes], Awaitable["Reply"]]
"""Answers at an MCP address, given the method, the path's parts, the headers and the body."""
Caller = Callable[[list[str], dict[bytes, bytes], bytes], Awaitable["Reply | None"]]
"""Answers a POST under /sessions, given the path's parts, the headers and the body; None when it is no tool call."""
Count = Callable[[str, int, float], None]


class _Watched:
    """The way to the client.

    Attributes:
        status: what went there; None before anything did.
        complete: whether all of the request has come. An answer before that ends the connection, so that what else
            comes is not read.
    """

    def __init__(self, send: Send, complete: bool) -> None:
        self._send, self.complete = send, complete
        self.status: int | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        await self._send(message)

    async def reply(self, reply: Reply) -> None:
        """Send an answer."""
        self.status = reply.status
        length = b"%d" % len(reply.body)
        headers = [(b"content-type", b"application/json"), (b"content-length", length), *reply.headers]
        headers += () if self.complete else ((b"connection", b"close"),)
        await self._send({"type": "http.response.start", "status": reply.status, "headers": headers})
        await self._send({"type": "http.response.body", "body": reply.body})


class RequestMiddleware:
    """The ASGI application that uvicorn runs; see the module's first lines.

    Args:
        app: answers what is neither a tool call nor MCP.
        mcp: answers on the MCP addresses of sessions.
        caller: answers tool calls.
        count: told of every request's door, status and seconds.
        names: of domains and tools, which the log may show in paths.
    """

    def __init__(
        self,
        app: ASGIApp,
        mcp: Mcp,
        settings: ServeSettings,
        caller: Caller,
        count: Count,
        names: Collection[str] = (),
    ) -> None:
        self._words = PATH_WORDS.union(names)
        self._app, self._mcp, self._caller, self._count = app, mcp, caller, count
        self._max_body = settings.max_body
        self._patience = Deadline(BODY_SECONDS)
        self._token = settings.token.get_secret_value().encode() if settings.token else None
        self._hosts = LOOPBACK | {settings.host} | set(settings.allow_hosts)
        self._openenv = settings.openenv
        self._openenv_parts = OPENENV_PARTS | {settings.openenv}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        first = scope["path"].removeprefix("/").partition("/")[0]  # the path of `OPTIONS *` is a star
        if self._openenv is not None and first in self._openenv_parts:
            scope = {**scope, "path": f"/openenv/{self._openenv}{scope['path']}"}
        if scope["type"] == "websocket":
            await self._open_socket(scope, receive, send)
            return
        headers = dict(scope["headers"])
        started, watched = time.perf_counter(), _Watched(send, complete=not _has_body(headers))
        path: str = scope["path"]
        parts = path.split("/")[2:] if path.startswith("/sessions/") else []
        door = "mcp" if parts[1:] in MCP_ADDRESSES else "rest"
        try:
            door = await self._serve(door, parts, scope, headers, receive, watched)
        except _Disconnected:
            pass
        except Exception as error:  # the outermost boundary of the process: logged there and reported
            if watched.status is None:
                await watched.reply(reply_to(error))
        finally:
            seconds, status = time.perf_counter() - started, watched.status or 499
            self._count(door, status, seconds)
            if logger.isEnabledFor(logging.INFO):
                _log(scope["method"], _shown(path, self._words), status, seconds)

    async def _open_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a WebSocket in, or say in plain HTTP why not; it counts as one request, however long it lasts."""
        try:
            self._admit(dict(scope["headers"]), scope["path"])
        except Refused as refused:
            reply = reply_to(refused)
            headers = [(b"content-type", b"application/json"), *reply.headers]
            await send({"type": "websocket.http.response.start", "status": reply.status, "headers": headers})
            await send({"type": "websocket.http.response.body", "body": reply.body})
            self._count("socket", refused.status, 0.0)
            return
        started = time.perf_counter()
        try:
            await self._app(scope, receive, send)
        finally:
            self._count("socket", 101, time.perf_counter() - started)

    async def _serve(
        self,
        door: str,
        parts: list[str],
        scope: Scope,
        headers: dict[bytes, bytes],
        receive: Receive,
        send: _Watched,
    ) -> str:
        """Answer, and say by which door."""
        self._admit(headers, scope["path"])
        body = await self._read(headers, receive)
        send.complete = True
        require_json_text(body)
        if door == "mcp":
            await send.reply(await self._mcp(scope["method"], parts, scope["headers"], body))
            return door
        if parts and scope["method"] == "POST":
            reply = await self._caller(parts, headers, body)
            if reply is not None:
                await send.reply(reply)
                return "call"
        require_whole_characters(body)
        # every body is JSON here, whatever curl says
        plain = [header for header in scope["headers"] if header[0] != b"content-type"]
        scope = {**scope, "headers": [*plain, (b"content-type", b"application/json")]}
        await self._app(scope, _replay(body, receive), send)
        return door

    def _admit(self, headers: dict[bytes, bytes], path: str) -> None:
        if b"transfer-encoding" in headers and b"content-length" in headers:
            raise Refused(400, "two_lengths", "Send Content-Length or Transfer-Encoding, not both (RFC 9112, 6.1).")
        if path in OPEN_PATHS:
            return
        host = headers.get(b"host", b"").decode("latin-1")
        origin = headers.get(b"origin")
        if origin is not None and _site_of(origin.decode("latin-1")) != host:
            raise Refused(403, "wrong_origin", "Pages of other sites may not use this server.")
        if path in PUBLIC_PATHS:
            return
        if self._token is not None:
            scheme, _, given = headers.get(b"authorization", b"").partition(b" ")
            if not (hmac.compare_digest(given, self._token) and scheme.lower() == b"bearer"):
                raise Refused(401, "unauthorized", "Send the server's token: Authorization: Bearer TOKEN.")
        elif _name_of(host) not in self._hosts:
            raise Refused(421, "wrong_host", "This server does not go by that name; --allow-hosts adds one.")

    async def _read(self, headers: dict[bytes, bytes], receive: Receive) -> bytes:
        declared = headers.get(b"content-length", b"0")
        if declared.isdigit() and int(declared[:20]) > self._max_body:
            raise self._too_large()
        try:
            body = await self._patience(self._whole(receive))
        except TimeoutError:
            raise Refused(408, "too_slow", f"The body did not arrive in {BODY_SECONDS:g} s.") from None
        if len(body) > self._max_body:
            raise self._too_large()
        return bytes(body)

    async def _whole(self, receive: Receive) -> bytearray:
        """The body, or its beginning where it is too large."""
        body, more = bytearray(), True
        while more and len(body) <= self._max_body:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise _Disconnected
            body += message.get("body", b"")
            more = message.get("more_body", False)
        return body

    def _too_large(self) -> Refused:
        return Refused(413, "body_too_large", f"A body may have {self._max_body} bytes.")


class _Disconnected(Exception):
    """The client left before its request was complete."""


def _replay(body: bytes, receive: Receive) -> Receive:
    """The request once more, for those who read it themselves."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return messages.pop() if messages else await receive()

    return again


def reply_to(error: Exception) -> Reply:
    """What a client is told about an error; unexpected ones are logged and not told."""
    if isinstance(error, BadInput):
        refused = refused_by(error)
        extra: tuple[tuple[bytes, bytes], ...] = ((b"www-authenticate", b"Bearer"),) if refused.status == 401 else ()
        extra += ((b"retry-after", b"1"),) if refused.passing else ()
        return Reply(refused.status, failure_bytes(refused), extra)
    logger.error("a request failed", exc_info=error)
    if isinstance(error, StorageError) and error.trouble == "storage":
        return Reply(507, failure_bytes(Failure("storage_failed", error.message)), ((b"retry-after", b"1"),))
    if isinstance(error, InfrastructureError):
        code = "storage_damaged" if isinstance(error, StorageError) else f"{error.boundary}_failed"
        return Reply(500, failure_bytes(Failure(code, broken(error))))
    return Reply(500, failure_bytes(Failure("internal_error", "The server failed; nothing was applied.")))


def _site_of(origin: str) -> str | None:
    """The host and port of an Origin header; None when it is no address."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _name_of(host: str) -> str:
    """A Host header without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()


def _has_body(headers: dict[bytes, bytes]) -> bool:
    return headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers


def _shown(path: str, words: Collection[str]) -> str:
    """A path as the log may show it: a session's id opens the session, and the rest may be anything."""
    parts = path[:200].split("/")
    shown = [part if not part or part in words else "{...}" for part in parts]
    for index in [index for index, part in enumerate(parts[:-1], start=1) if part == "sessions"]:
        shown[index] = "{id}"
    return "/".join(shown)


def _log(method: str, path: str, status: int, seconds: float) -> None:
    """One line per request."""
    fields = {"method": method, "path": path, "status": status, "ms": round(seconds * 1000, 3)}
    logger.info("request", extra={"fields": fields})
