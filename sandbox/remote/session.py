"""A session on a server, with the interface of the local one: same calls, same results, same log.

Its methods wait for the server, so an episode runs them outside the event loop (`blocking`).
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cached_property

from pydantic import TypeAdapter

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.kit.message import Json, Message, Party
from toolgym.sandbox.kit.text import is_plain, kept
from toolgym.sandbox.kit.tool import MAX_ARGUMENT_BYTES, Failure, ToolResult
from toolgym.sandbox.remote.endpoint import Answer, Endpoint, Kinds
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import RowChange, Snapshot

_ROWS = TypeAdapter(list[RowChange])
_CALLS = TypeAdapter(list[CallRecord])


class RemoteSession:
    """A session that a server keeps.

    Args:
        endpoint: the server.
        info: the server's description of the session.

    Attributes:
        id: the session's id; whoever knows it (and the server's token) may use the session.
        mcp_path: where its MCP endpoint is, below the server's address.
        log: the calls made through this object (and those before, when it was opened on a log). Treat as read-only.
    """

    blocking = True

    def __init__(self, endpoint: Endpoint, info: Mapping[str, Json]) -> None:
        self.endpoint = endpoint
        self.id: str = info["id"]
        self.mcp_path: str = info["mcp_path"]
        self.user_mcp_path: str | None = info["user_mcp_path"]
        self.data: str = info["data"]
        self.seed: int = info["seed"]
        self.now = datetime.fromisoformat(info["now"])
        self._domain: str = info["domain"]
        self._as_domain = info["tools"] is None
        self.log: list[CallRecord] = self._read_log() if info["calls"] else []

    @cached_property
    def _kinds(self) -> Kinds:
        """The kind of every tool of this session."""
        if self._as_domain:
            return self.endpoint.kinds(self._domain)
        return self.endpoint.kinds_at(f"/sessions/{self.id}/tools")

    @property
    def domain(self) -> Domain:
        """The world, where it is installed here too."""
        return get_domain(self._domain)

    def call(self, name: str, arguments: Mapping[str, Json] | str, *, by: Party = "agent") -> ToolResult:
        """Call a tool; the call is atomic, logged, and applied once however often it had to be sent.

        Args:
            name: the tool.
            arguments: by name, or the JSON text of such an object.
            by: whose tool set to use.

        Raises:
            InfrastructureError: the server is away, has lost the session, or the tool is broken.
        """
        started = time.perf_counter()
        result = self._send(name, carried(arguments), by)
        given = arguments if isinstance(arguments, str) else dict(arguments)
        self.log.append(
            CallRecord(
                name=kept(name),
                arguments=given if result.ok else kept(given),
                by=by,
                kind=self._kinds.get((by, name)),
                value=result.value,
                error=result.error.code if result.error else None,
                message=result.error.message if result.error else None,
                seconds=time.perf_counter() - started,
            )
        )
        return result

    def rollback(self, calls: int) -> None:
        """Go back to the state after the first `calls` calls of the log; later ones are forgotten."""
        self._ask("POST", "/rollback", {"calls": calls})
        del self.log[calls:]

    def fork(self) -> RemoteSession:
        """An independent session in the same state with the same log, on the same server."""
        return type(self)(self.endpoint, self._ask("POST", "/fork", {}))

    def snapshot(self) -> Snapshot:
        """What rebuilds this session elsewhere or later."""
        return Snapshot.model_validate(self._ask("GET", "/snapshot"))

    def diff(self) -> list[RowChange]:
        """The rows that differ from the session's start, by table and key."""
        return _ROWS.validate_python(self._ask("GET", "/diff")["rows"])

    def digest(self) -> str:
        """SHA-256 of the whole state: equal digests mean equal states."""
        return str(self._ask("GET", "/digest")["sha256"])

    def verify(self, messages: Iterable[Message] = ()) -> dict[str, Json]:
        """What the verifier finds: `passed` and its checks; `messages` are what was said."""
        body = {"messages": [message.model_dump(mode="json") for message in messages]}
        return dict(self._ask("POST", "/verify", body))

    def close(self) -> None:
        """End the session. Closing twice is harmless; the log stays readable.

        Where the server is away this gives up soon: it ends the session itself when its time is over.
        """
        self.endpoint.request("DELETE", f"/sessions/{self.id}", patience=min(1.0, self.endpoint.patience))

    def __enter__(self) -> RemoteSession:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _send(self, name: str, arguments: dict[str, Json] | str, by: Party) -> ToolResult:
        """One call's way to the server and back."""
        body = {"name": name, "arguments": arguments, "by": by}
        answer = self.endpoint.request("POST", f"/sessions/{self.id}/call", body, key=secrets.token_hex(12))
        if answer.status == 200:
            return ToolResult(answer.body["value"])
        refused = answer.status == 409 and answer.code != "key_reused"
        if refused or answer.code in ("invalid_arguments", "unknown_tool"):
            return ToolResult(error=Failure(answer.code, answer.message))
        raise _failure(answer)

    def _ask(self, method: str, path: str, body: Json = None) -> Json:
        answer = self.endpoint.request(method, f"/sessions/{self.id}{path}", body)
        if answer.status >= 400:
            raise _failure(answer)
        return answer.body

    def _read_log(self) -> list[CallRecord]:
        return _CALLS.validate_python(self._ask("GET", "/log")["calls"])


def carried(arguments: Mapping[str, Json] | str) -> dict[str, Json] | str:
    """Arguments in the form in which they reach the tool's own checks, whatever they are: an object, or text.

    What is too long is refused unread for its length, so only so much of it travels.
    """
    if isinstance(arguments, str):
        return arguments[: MAX_ARGUMENT_BYTES + 1]
    text = json.dumps(arguments)
    fits = len(text) <= MAX_ARGUMENT_BYTES and is_plain(arguments)
    return dict(arguments) if fits else text[: MAX_ARGUMENT_BYTES + 1]


def _failure(answer: Answer) -> BadInput | InfrastructureError:
    """The error that a server's refusal of a request comes to."""
    if answer.status in (404, 410):
        return InfrastructureError("session", f"The server has not got this session any more: {answer.message}")
    if answer.code in ("tool_failed", "result_too_large"):
        return InfrastructureError("tool", answer.message)
    if answer.status == 422 or answer.code == "too_few_calls":
        return BadInput(answer.message)
    return InfrastructureError("session", f"The server refused the request: {answer.message}")
