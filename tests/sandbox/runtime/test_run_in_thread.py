"""Blocking work in a thread of its own: its value, its error, its time limit, and what is left of it."""

import asyncio
import threading

import pytest

from toolgym.sandbox.runtime.background_loop import run_in_loop
from toolgym.sandbox.runtime.run_in_thread import run_in_thread


async def test_values_and_errors_come_back() -> None:
    assert await run_in_thread(threading.get_ident, 60) != threading.get_ident()

    def broken() -> None:
        raise KeyError("lost")

    with pytest.raises(KeyError, match="lost"):
        await run_in_thread(broken, 60)


async def test_a_hang_is_left_behind_and_others_go_on() -> None:
    release, ended = threading.Event(), threading.Event()

    def hang() -> None:
        release.wait(600)
        ended.set()

    hanging = asyncio.create_task(run_in_thread(hang, 0.05))
    others = await asyncio.gather(*(run_in_thread(lambda: 7, 60) for _ in range(50)))
    assert others == [7] * 50
    with pytest.raises(TimeoutError):
        await hanging
    release.set()
    assert await asyncio.to_thread(ended.wait, 60), "its late result disturbs nobody"
    assert await run_in_thread(lambda: 8, 60) == 8


def test_a_result_after_the_loop_has_closed_is_dropped() -> None:
    release, threads = threading.Event(), []

    def hang() -> None:
        threads.append(threading.current_thread())
        release.wait(600)

    async def give_up() -> None:
        with pytest.raises(TimeoutError):
            await run_in_thread(hang, 0.01)

    asyncio.run(give_up())
    release.set()
    threads[0].join(600)
    assert not threads[0].is_alive()


async def test_elsewhere_awaits_in_another_loop() -> None:
    async def which() -> int:
        return id(asyncio.get_running_loop())

    assert await run_in_loop(which()) != await which()
