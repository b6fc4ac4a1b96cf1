"""Connections to OpenAI-compatible endpoints: one pooled `openai` client and one limit per endpoint and event loop."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from typing import Any
from weakref import WeakKeyDictionary

import httpx2

from toolgym.sandbox.kit.masking import masked

Address = tuple[str | None, str, int]
"""Base URL (None: the package's own), key, and how many requests may be under way."""

_LOG = logging.getLogger(__name__)
_QUIET = 3.0
"""Seconds between two notes about one endpoint: a run has many requests under way."""
_OPEN: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Address, Endpoint]] = WeakKeyDictionary()


class Endpoint:
    """One endpoint within one event loop.

    Attributes:
        client: the connection pool; its retries honour Retry-After and back off with jitter.
        limit: lets `concurrency` requests through at a time, whichever roles send them.
        rejected: parameters that a model here has refused, by model.
    """

    def __init__(self, address: Address) -> None:
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient  # loads slowly, and most runs ask no model

        url, key, concurrency = address
        hooks: dict[str, list[Callable[..., Any]]] = {"request": [self._say_retry], "response": [self._remember]}
        self.client = AsyncOpenAI(
            base_url=url,
            api_key=key,
            http_client=DefaultAsyncHttpxClient(event_hooks=hooks),  # the package's own pool
        )
        self._trouble, self._said = "gives no answer", -_QUIET
        self.limit = asyncio.Semaphore(concurrency)
        self.rejected: set[tuple[str, str]] = set()
        self._lifetime = self._close_with_loop(address)

    @property
    def name(self) -> str:
        """The endpoint's base URL without a password or key in it, for messages and cache keys."""
        return masked(str(self.client.base_url))

    async def _remember(self, response: httpx2.Response) -> None:
        self._trouble = f"answers {response.status_code}" if response.is_error else "gives no answer"
        if response.status_code == 501:  # it cannot do this at all, so asking again is waiting for nothing
            response.headers["x-should-retry"] = "false"

    async def _say_retry(self, request: httpx2.Request) -> None:
        """One line for people who wait: what the endpoint did, and that it is asked again."""
        attempt, now = request.headers.get("x-stainless-retry-count", "0"), time.monotonic()
        if attempt != "0" and now - self._said >= _QUIET:
            self._said = now
            _LOG.warning("%s %s; asking again (attempt %d).", self.name, self._trouble, int(attempt) + 1)

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
