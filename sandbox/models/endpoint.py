"""Connections to OpenAI-compatible endpoints: one pooled `openai` client and one limit per endpoint and event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from weakref import WeakKeyDictionary

from openai import AsyncOpenAI

Address = tuple[str | None, str, int]
"""Base URL (None: the package's own), key, and how many requests may be under way."""

_OPEN: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Address, Endpoint]] = WeakKeyDictionary()


class Endpoint:
    """One endpoint within one event loop.

    Attributes:
        client: the connection pool; its retries honour Retry-After and back off with jitter.
        limit: lets `concurrency` requests through at a time, whichever roles send them.
        rejected: parameters that a model here has refused, by model.
    """

    def __init__(self, address: Address) -> None:
        url, key, concurrency = address
        self.client = AsyncOpenAI(base_url=url, api_key=key)
        self.limit = asyncio.Semaphore(concurrency)
        self.rejected: set[tuple[str, str]] = set()
        self._lifetime = self._close_with_loop(address)

    @property
    def name(self) -> str:
        """The endpoint's base URL, for messages and cache keys."""
        return str(self.client.base_url)

    async def opened(self) -> Endpoint:
        """Tie the client's life to the running loop, which closes its asynchronous generators when it ends."""
        await anext(self._lifetime)
        return self

    async def _close_with_loop(self, address: Address) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        try:
            yield
        finally:
            _OPEN.get(loop, {}).pop(address, None)
            await self.client.close()


async def endpoint_at(address: Address) -> Endpoint:
    """The endpoint at an address for the running loop, opened on first use and closed with the loop."""
    known = _OPEN.setdefault(asyncio.get_running_loop(), {})
    if address not in known:
        known[address] = Endpoint(address)
        await known[address].opened()
    return known[address]
