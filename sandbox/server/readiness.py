"""Whether a worker should be sent requests, as `/readyz` tells it, also while it stops."""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from toolgym.sandbox.server.store import Store

State = Literal["ok", "stopping", "storage", "damaged"]
FAREWELLS = 2
"""How often whoever asks regularly is told that the server stops, before it does; balancers believe two answers."""
FAREWELL_SECONDS = 6.0
"""At most so long does it go on for that."""
logger = logging.getLogger("toolgym.server")


class Readiness:
    """The answer to `/readyz`, and the pause between a signal to stop and stopping in which it can be heard."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._asked = [float("-inf")] * 2
        self._stopping = False
        self._farewells = 0
        self._logged: str | None = None

    def ask(self) -> State:
        """The state, for somebody who will act on it."""
        now = time.monotonic()
        if now - self._asked[-1] > 0.5:  # a burst is one question
            self._asked = [self._asked[-1], now]
        if self._stopping:
            self._farewells += 1
            return "stopping"
        return self.look()

    def look(self) -> State:
        """The state of the store; a change is logged."""
        trouble = self._store.check()
        if trouble != self._logged:
            fields = {"state": trouble or "ok"}
            logger.log(
                logging.ERROR if trouble else logging.WARNING, "the store's state is another", extra={"fields": fields}
            )
        self._logged = trouble
        return trouble or "ok"

    @contextmanager
    def announcing(self) -> Iterator[None]:
        """Meanwhile SIGTERM is passed on only after those who ask regularly were told."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop, stop = asyncio.get_running_loop(), signal.getsignal(signal.SIGTERM)

        def announce(number: int, frame: Any) -> None:
            wait = FAREWELL_SECONDS if self._watched() and not self._stopping else 0.0
            self._stopping = True
            if callable(stop):
                loop.call_soon_threadsafe(self._bid_farewell, loop, lambda: stop(number, frame), loop.time() + wait)

        signal.signal(signal.SIGTERM, announce)
        try:
            yield
        finally:
            self._stopping = True
            if signal.getsignal(signal.SIGTERM) is announce:
                signal.signal(signal.SIGTERM, stop)

    def _watched(self) -> bool:
        """Whether somebody asks every few seconds, as balancers do; a container's own check asks less often."""
        return self._asked[1] - self._asked[0] < 8 and time.monotonic() - self._asked[1] < 9

    def _bid_farewell(self, loop: asyncio.AbstractEventLoop, stop: Callable[[], object], until: float) -> None:
        if self._farewells >= FAREWELLS or loop.time() >= until:
            stop()
        else:
            loop.call_later(0.05, self._bid_farewell, loop, stop, until)
