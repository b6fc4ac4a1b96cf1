"""Jobs that play side by side end early where they are interrupted."""

import asyncio

import pytest

from toolgym.judge.evaluation.pool import side_by_side


def test_an_interrupted_pool_begins_no_more_jobs() -> None:
    played: list[int] = []

    async def play() -> None:
        pool = asyncio.current_task()
        assert pool is not None

        async def job(number: int) -> int:  # like a scripted episode, it waits for nothing
            if number == 3:
                pool.cancel()  # what asyncio does at the first ctrl-C
            return number

        await side_by_side(range(200), job, played.append, workers=64)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(play())
    assert played == [0, 1, 2, 3]
