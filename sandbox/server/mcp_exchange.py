"""One MCP message over HTTP, answered at once: the SDK's server behind the least transport that it can have.

In both eras of the protocol a message to us is one JSON body and the answer another: nothing is sent unasked or
streamed, and no state is kept. So none of the streams, tasks and connections of the SDK's transports are needed, which
take longer than all else in a call. What a message means (methods, versions, forms of parameters and results, the
checks of a stateless request) stays the SDK's business.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NoReturn

import anyio
import mcp_types as types
from mcp.server.connection import Connection
from mcp.server.lowlevel.server import Server
from mcp.server.runner import ServerRunner
from mcp.shared.dispatcher import CallOptions
from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp.shared.inbound import (
    ERROR_CODE_HTTP_STATUS,
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    InboundLadderRejection,
    classify_inbound_request,
    find_duplicated_routing_header,
    unsupported_protocol_version_rejection,
)
from mcp.shared.message import ServerMessageMetadata
from mcp.shared.transport_context import TransportContext
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.server.http_errors import Refused
from toolgym.sandbox.server.middleware import Reply
from toolgym.sandbox.server.schemas import parse_json

Headers = Sequence[tuple[bytes, bytes]]

_READ = {
    name.encode(): name for name in ("content-type", MCP_PROTOCOL_VERSION_HEADER, MCP_METHOD_HEADER, MCP_NAME_HEADER)
}
_ACCEPTABLE = frozenset({"application/json", "application/*", "*/*"})
_write = json.JSONEncoder(separators=(",", ":")).encode


@dataclass(slots=True)
class _Exchange:
    """What the SDK may know and do while it answers; the answer is the only way to the client."""

    request_id: types.RequestId
    message_metadata: ServerMessageMetadata

    @property
    def transport(self) -> TransportContext:
        """What kind of way the message came."""
        return TransportContext(kind="streamable-http", can_send_request=False)

    @property
    def can_send_request(self) -> bool:
        """Whether the client can be asked."""
        return False

    @property
    def cancel_requested(self) -> anyio.Event:
        """Never set: a client that cancels leaves, and its call is finished all the same."""
        return anyio.Event()

    async def send_raw_request(
        self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None
    ) -> NoReturn:
        """Refuse to ask the client."""
        raise NoBackChannelError(method)

    async def notify(self, method: str, params: Mapping[str, Any] | None, opts: CallOptions | None = None) -> None:
        """Drop a message to the client."""

    async def progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Drop a report of progress."""


async def exchange(server: Server[Any], world: object, headers: Headers, body: bytes) -> Reply:
    """Answer one POST.

    Args:
        server: the SDK's server; its handlers find `world` as the `request` of their context.
        world: what the message acts on.
        headers: those of HTTP, names in lower case.
        body: the message.
    """
    known = {_READ[name]: value.decode("latin-1") for name, value in headers if name in _READ}
    if not known.get("content-type", "").lower().startswith("application/json"):
        return failure(415, types.INVALID_REQUEST, "The body's Content-Type must be application/json.")
    if not _takes_json(b",".join(value for name, value in headers if name == b"accept")):
        return failure(406, types.INVALID_REQUEST, "Answers are application/json; the Accept header must allow that.")
    try:
        message = parse_json(body)
    except Refused as refused:
        return failure(400, types.PARSE_ERROR, refused.message)
    version = known.get(MCP_PROTOCOL_VERSION_HEADER, types.DEFAULT_NEGOTIATED_VERSION)
    stateless = version not in HANDSHAKE_PROTOCOL_VERSIONS
    try:
        if not isinstance(message, dict) or not {"id", "method"} <= message.keys():
            return _acknowledged(message, version if stateless else None)
        request = types.JSONRPCRequest.model_validate(message)
    except ValidationError:
        return failure(400, types.INVALID_REQUEST, "The body must be one JSON-RPC message.", _id_of(message))
    connection = _checked(message, known, headers) if stateless else Connection.from_envelope(version, None, None)
    if isinstance(connection, InboundLadderRejection):
        return _rejected(connection, request.id)
    context = _Exchange(request.id, ServerMessageMetadata(request_context=world))
    try:  # nothing is pushed on the connection's exit stack, so nothing is closed
        result = await ServerRunner(server, connection, {}).on_request(context, request.method, request.params)
    except MCPError as error:
        status = ERROR_CODE_HTTP_STATUS.get(error.code, 200) if stateless else 200
        return failure(status, error.code, error.message, request.id, error.data)
    except ValidationError:
        return failure(400 if stateless else 200, types.INVALID_PARAMS, "Invalid request parameters", request.id, "")
    return Reply(200, _write({"jsonrpc": "2.0", "id": request.id, "result": result}).encode())


def _id_of(message: object) -> types.RequestId | None:
    """The id of a message that is none, where it can be read."""
    given = message.get("id") if isinstance(message, dict) else None
    return given if isinstance(given, int | str) and not isinstance(given, bool) else None


def failure(
    status: int, code: int, message: str, request_id: types.RequestId | None = None, data: Json = None
) -> Reply:
    """A JSON-RPC error."""
    error: dict[str, Json] = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return Reply(status, _write({"jsonrpc": "2.0", "id": request_id, "error": error}).encode())


def _rejected(rejection: InboundLadderRejection, request_id: types.RequestId | None) -> Reply:
    status = ERROR_CODE_HTTP_STATUS.get(rejection.code, 400)
    return failure(status, rejection.code, rejection.message, request_id, rejection.data)


def _checked(
    message: Mapping[str, Any], known: Mapping[str, str], headers: Headers
) -> Connection | InboundLadderRejection:
    """A stateless request's connection, made of what the request itself says, once headers and body agree."""
    twice = find_duplicated_routing_header((_READ[name], "") for name, _ in headers if name in _READ)
    if twice is not None:
        return InboundLadderRejection(types.HEADER_MISMATCH, f"{twice} header appears more than once")
    route = classify_inbound_request(message, headers=known)
    if isinstance(route, InboundLadderRejection):
        return route
    return Connection.from_envelope(route.protocol_version, route.client_info, route.client_capabilities)


def _acknowledged(message: object, version: str | None) -> Reply:
    """The answer to a message that asks for none; `version` is that of the stateless era.

    Raises:
        ValidationError: it is no such message.
    """
    if version is None:
        types.jsonrpc_message_adapter.validate_python(message, by_name=False)
        return Reply(202, b"")
    types.JSONRPCNotification.model_validate(message)
    unsupported = unsupported_protocol_version_rejection(version)
    return Reply(202, b"") if unsupported is None else _rejected(unsupported, None)


@lru_cache(maxsize=64)
def _takes_json(accept: bytes) -> bool:
    kinds = accept.decode("latin-1").lower().split(",")
    return not _ACCEPTABLE.isdisjoint(kind.partition(";")[0].strip() for kind in kinds)
