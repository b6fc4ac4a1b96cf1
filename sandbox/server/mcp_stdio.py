"""Answers the lines on standard input that the SDK cannot read, which it would pass over: a client waits for an answer.

What it cannot read is no JSON, holds half of a surrogate pair, or nests hundreds of levels deep.
"""

from __future__ import annotations

import json
import re
from types import TracebackType
from typing import Any

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from toolgym.sandbox.kit.errors import first_invalid
from toolgym.sandbox.kit.text import is_plain

_TOKENS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[{]|[\]}]|[^"\[\]{}]++', re.DOTALL)
_UNREAD = "This line cannot be read: a line is one JSON message of whole characters, nested less than 200 deep."


class Answering:
    """The SDK's stream of messages, with an answer for each line that is none.

    Args:
        inner: the stream.
        writing: the way to the client.
    """

    def __init__(self, inner: Any, writing: Any) -> None:
        self._inner, self._writing = inner, writing

    @property
    def last_context(self) -> Any:
        """The context that the last message was sent in."""
        return self._inner.last_context

    async def receive(self) -> SessionMessage | Exception:
        """The next message."""
        while True:
            item: SessionMessage | Exception = await self._inner.receive()
            error = answer_to(item) if isinstance(item, ValidationError) else None
            if error is None:
                return item
            await self._writing.send(SessionMessage(error))

    async def aclose(self) -> None:
        """Close the stream."""
        await self._inner.aclose()

    def __aiter__(self) -> Answering:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Answering:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def answer_to(fault: ValidationError) -> types.JSONRPCError | None:
    """The answer to a line that is no message; None where it asked for none."""
    problem = first_invalid(fault)
    line = problem.given
    if problem.kind != "json_invalid" or not isinstance(line, str) or not line.strip():
        return None
    try:
        message = json.loads(_outermost(line))
    except ValueError:
        message = {"id": None}
    if not isinstance(message, dict) or "id" not in message:
        return None
    given = message["id"]
    identifier = given if isinstance(given, int | str) and not isinstance(given, bool) and is_plain(given) else None
    return types.JSONRPCError(
        jsonrpc="2.0", id=identifier, error=types.ErrorData(code=types.PARSE_ERROR, message=_UNREAD)
    )


def _outermost(line: str) -> str:
    """An object's own members, with null for whatever nests inside."""
    depth, kept = 0, []
    for token in _TOKENS.findall(line):
        if token in ("[", "{"):
            depth += 1
            kept.append(token if depth == 1 else "null" if depth == 2 else "")
        elif token in ("]", "}"):
            depth -= 1
            kept.append(token if depth == 0 else "")
        elif depth <= 1:
            kept.append(token)
    return "".join(kept)
