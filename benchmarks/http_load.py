"""A load generator: prepared requests over many connections, one under way on each, and little work per request."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """Requests to send: connection n sends `requests[n % len(requests)]` again and again, to one port of loopback."""

    port: int
    requests: Sequence[bytes]


@dataclass(frozen=True)
class Load:
    """What came of it: seconds that each answer took, and how long all of it lasted."""

    seconds: list[float]
    elapsed: float

    @property
    def per_second(self) -> float:
        """Answers per second."""
        return len(self.seconds) / self.elapsed

    def percentile(self, share: float) -> float:
        """The seconds within which this share of the answers came."""
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def request(method: str, path: str, body: bytes = b"", headers: Sequence[str] = ()) -> bytes:
    """A request as bytes."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1:8000", "Content-Type: application/json", *headers]
    return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode() + body


class _Connection(asyncio.Protocol):
    def __init__(self, content: bytes, seconds: list[float], until: float, done: asyncio.Future[None]) -> None:
        self._content, self._seconds, self._until, self._done = content, seconds, until, done
        self._buffer = b""
        self._sent = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._send()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        head = self._buffer[:end].lower()
        if b"transfer-encoding: chunked" in head:
            if not self._buffer.endswith(b"0\r\n\r\n"):
                return
        else:
            start = head.find(b"content-length:") + 15
            if len(self._buffer) < end + 4 + int(head[start : (head + b"\r").find(b"\r", start)]):
                return
        now = time.perf_counter()
        if not self._buffer.startswith(b"HTTP/1.1 20"):
            self._fail(RuntimeError(self._buffer[:600].decode("latin-1")))
            return
        self._seconds.append(now - self._sent)
        self._buffer = b""
        if now < self._until:
            self._send()
        else:
            self._transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        if self._buffer or error is not None:
            self._fail(error or RuntimeError("the server closed the connection"))
        elif not self._done.done():
            self._done.set_result(None)

    def _send(self) -> None:
        self._sent = time.perf_counter()
        self._transport.write(self._content)

    def _fail(self, error: Exception) -> None:
        if not self._done.done():
            self._done.set_exception(error)
        self._transport.abort()


def load(target: Target, *, concurrency: int, seconds: float) -> Load:
    """Send requests over `concurrency` connections for so long (RuntimeError on any answer that is no success)."""

    async def run() -> Load:
        loop = asyncio.get_running_loop()
        times: list[float] = []
        started = time.perf_counter()
        futures = []
        for number in range(concurrency):
            done = loop.create_future()
            content = target.requests[number % len(target.requests)]
            await loop.create_connection(
                lambda content=content, done=done: _Connection(content, times, started + seconds, done),  # type: ignore[misc]
                "127.0.0.1",
                target.port,
            )
            futures.append(done)
        await asyncio.gather(*futures)
        return Load(times, time.perf_counter() - started)

    return asyncio.run(run())
