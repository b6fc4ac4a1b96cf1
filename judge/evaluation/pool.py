"""Plays jobs side by side in one event loop, so many at a time, and begins none that is not admitted."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")

Admits = Callable[[int], bool]
"""Whether another job may begin while so many are under way. Refusing one when none is under way ends it all."""


def always(under_way: int) -> bool:
    """Everything is admitted."""
    return True


async def side_by_side(
    jobs: Iterable[Job],
    play: Callable[[Job], Awaitable[Result]],
    done: Callable[[Result], None],
    *,
    workers: int,
    admits: Admits = always,
) -> None:
    """Play jobs in their order, at most `workers` at a time, handing each result to `done` as it ends.

    Raises:
        Exception: what the first job to fail raised; it stops the others.
    """
    waiting = deque(jobs)
    under_way = 0
    ended = asyncio.Event()
    caller = asyncio.current_task()
    assert caller is not None

    async def worker() -> None:
        nonlocal under_way
        # scripted jobs never wait, so whoever is interrupted would otherwise begin one with every worker first
        while waiting and not caller.cancelling():
            if not admits(under_way):
                if under_way == 0:
                    return
                ended.clear()
                await ended.wait()
                continue
            job = waiting.popleft()
            under_way += 1
            result = await play(job)
            under_way -= 1
            done(result)
            ended.set()
            await asyncio.sleep(0)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(workers):
                group.create_task(worker())
    except ExceptionGroup as several:  # the first one stopped the others
        raise several.exceptions[0] from None
