"""uvicorn's HTTP, with the head and the body of an answer sent in one piece: each piece costs the server a system call,
the network a packet and the client a wake-up.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol


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


class Protocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]  # uvicorn chooses among its own
    """One connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)
        super().connection_made(_Gathering(transport))
