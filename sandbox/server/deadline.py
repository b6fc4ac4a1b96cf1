"""A time limit for many waits at once, with one timer: a timer for each would cost more than most waits do."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Awaited = TypeVar("Awaited")


class Deadline:
    """Interrupts what takes longer than so many seconds."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._since: dict[asyncio.Task[Any], float] = {}
        self._late: set[asyncio.Task[Any]] = set()
        self._timer: asyncio.TimerHandle | None = None

    async def __call__(self, work: Coroutine[Any, Any, Awaited]) -> Awaited:
        """What `work` returns.

        Raises:
            TimeoutError: it takes too long.
        """
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None
        self._since[task] = loop.time()
        if self._timer is None:
            self._timer = loop.call_later(self._seconds, self._interrupt)
        try:
            return await work
        except asyncio.CancelledError:
            if task in self._late and task.uncancel() == 0:
                raise TimeoutError from None
            raise
        finally:
            del self._since[task]
            self._late.discard(task)

    def _interrupt(self) -> None:
        loop = asyncio.get_running_loop()
        patient = loop.time() - self._seconds
        waiting = {task: since for task, since in self._since.items() if task not in self._late}
        for task in [task for task, since in waiting.items() if since <= patient]:
            self._late.add(task)
            task.cancel()
            del waiting[task]
        self._timer = loop.call_at(min(waiting.values()) + self._seconds, self._interrupt) if waiting else None
