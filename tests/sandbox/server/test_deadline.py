"""A time limit for many waits: each is interrupted when its own time is over, and nothing else is."""

import asyncio

import pytest

from toolgym.sandbox.server.deadline import Deadline


async def after(seconds: float) -> float:
    await asyncio.sleep(seconds)
    return seconds


async def test_each_wait_has_its_own_time() -> None:
    patience = Deadline(0.5)

    async def later(start: float, seconds: float) -> float:
        await asyncio.sleep(start)
        return await patience(after(seconds))

    starts = [(0, 0), (0, 0.05), (0, 50), (0.15, 0.1), (0.15, 50), (0.7, 0.01), (0.7, 50)]
    began = asyncio.get_running_loop().time()
    ended = await asyncio.gather(*(later(*start) for start in starts), return_exceptions=True)
    assert [type(end) for end in ended] == [int, float, TimeoutError, float, TimeoutError, float, TimeoutError]
    assert asyncio.get_running_loop().time() - began < 30


async def test_who_was_interrupted_goes_on() -> None:
    patience = Deadline(0.3)
    with pytest.raises(TimeoutError):
        await patience(after(50))
    assert await patience(after(0.01)) == 0.01
    await asyncio.sleep(0.4)
    with pytest.raises(TimeoutError):
        await patience(after(50))


async def test_another_cancellation_stays_one() -> None:
    waiting = asyncio.create_task(Deadline(5)(after(5)))
    await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
