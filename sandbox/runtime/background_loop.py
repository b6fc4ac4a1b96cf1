"""One event loop in a thread of its own, so that synchronous code can await, inside and outside a running loop.

All callers of a process share it; a forked child gets its own.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
from collections.abc import Awaitable
from typing import TypeVar

Value = TypeVar("Value")

_lock = threading.Lock()
_loops: dict[int, asyncio.AbstractEventLoop] = {}


def run_sync(work: Awaitable[Value]) -> Value:
    """The result of `work`, awaited in the background loop; an interrupt cancels it."""
    future = asyncio.run_coroutine_threadsafe(_await(work), _loop())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


async def run_in_loop(work: Awaitable[Value]) -> Value:
    """The result of `work`, awaited in the background loop, so that it never holds up the caller's."""
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_await(work), _loop()))


async def _await(work: Awaitable[Value]) -> Value:
    return await work


def _loop() -> asyncio.AbstractEventLoop:
    with _lock:
        process = os.getpid()
        if process not in _loops:
            loop = _loops[process] = asyncio.new_event_loop()
            thread = threading.Thread(target=loop.run_forever, name="toolgym-loop", daemon=True)
            thread.start()
            atexit.register(_end, loop, thread)
        return _loops[process]


def _end(loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
    if not thread.is_alive():  # inherited by a forked child, where the thread does not run
        return
    loop.call_soon_threadsafe(loop.stop)
    thread.join(timeout=1)
    if not loop.is_running():
        loop.close()


def _renew_lock() -> None:
    """In a forked child the lock may be held by a thread that does not exist there."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)
