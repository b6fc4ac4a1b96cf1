"""Blocking work in a thread of its own with a time limit: a call that never returns costs its thread and nothing else.

Not a pool: an abandoned call would keep a pool's thread for ever, and a few of them would stop everybody's work.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")


async def run_in_thread(work: Callable[[], Value], seconds: float | None) -> Value:
    """The result of `work()`, awaited for at most `seconds`, or for ever (TimeoutError; the thread is left behind)."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Value] = loop.create_future()

    def settle(value: Value | None, error: BaseException | None) -> None:
        if done.done():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(value)  # type: ignore[arg-type]  # there is a value where there is no error

    def run() -> None:
        value, failure = None, None
        try:
            value = work()
        except BaseException as error:  # handed to the awaiting side, whatever it is
            failure = error
        with contextlib.suppress(RuntimeError):  # the loop has closed; nobody waits any more
            loop.call_soon_threadsafe(settle, value, failure)

    threading.Thread(target=run, name="toolgym-call", daemon=True).start()
    async with asyncio.timeout(seconds):
        return await done
