"""uvicorn's HTTP, with the head and the body of an answer sent in one piece: each piece costs the server a system call,
the network a packet and the client a wake-up. Bodies in countless chunks are cut off: each chunk costs what a small
request does, and others wait meanwhile.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_CHUNKS = 4096
"""Chunks of one body: a tenth of a second of work. Clients that stream send some kilobytes in each."""


class _Gathering:
    """A transport that holds what is written until the next write, or until the event loop has nothing else to do."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._held = b""

    def write(self, data: bytes) -> None:
        """Send with what is held, or hold."""
        if self._held:
            self._transport.write(self._held + data)
            self._held = b""
        elif data:
            self._held = data
            self._loop.call_soon(self._release)

    def close(self) -> None:
        """Send what is held, then close."""
        self._release()
        self._transport.close()

    def _release(self) -> None:
        if self._held:
            self._transport.write(self._held)
            self._held = b""

    def __getattr__(self, name: str) -> Any:  # everything else is the transport's own
        return getattr(self._transport, name)


class _TooManyChunks(Exception):
    """A body comes in more chunks than anybody needs."""


class _Reading(h11.Connection):
    """A connection that counts the chunks of a body.

    Raises:
        _TooManyChunks: from `next_event`.
    """

    _chunks = 0

    def next_event(self) -> Any:
        """What has come."""
        event = super().next_event()
        if type(event) is h11.Data:
            self._chunks += event.chunk_start
            if self._chunks > MAX_CHUNKS:
                raise _TooManyChunks
        elif type(event) is h11.Request:
            self._chunks = 0
        return event


class Protocol(H11Protocol):
    """One connection."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.conn = _Reading(h11.SERVER, self.conn._max_incomplete_event_size)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)
        super().connection_made(_Gathering(transport))  # type: ignore[arg-type]  # it is one to all who use it

    def handle_events(self) -> None:
        """Act on what has come."""
        try:
            super().handle_events()
        except _TooManyChunks:
            self.cycle.disconnected = True  # whoever answers this request is not heard any more
            if self.conn.our_state is h11.SEND_RESPONSE:
                self.send_400_response(f"A body may come in {MAX_CHUNKS} chunks; send larger ones.")
            self.transport.close()
