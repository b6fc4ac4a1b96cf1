"""Where the places of a set of tasks are drawn: in several processes of this machine, or over a Ray cluster.

A place's first task follows from the generator's arguments and the place alone, so that it does not matter where.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar, cast

Result = TypeVar("Result")
Draw = Callable[[int], Result]
"""Draws a place."""
CHUNK = 20
"""Places drawn at once; an even number, as pairs are drawn together."""
GARBAGE = 50_000
"""New objects after which a process that draws looks for garbage in cycles; 700 are Python's usual. It costs 45 MB."""


def in_processes(make: Callable[[], Draw[Result]], count: int, processes: int) -> Iterator[Result]:
    """What is drawn for so many places, in their order.

    Args:
        make: called once in each process; must be picklable.
        count: how many places.
        processes: how many draw.
    """
    start = get_context("fork" if _has_one_thread() else "spawn")
    with ProcessPoolExecutor(processes, start, _begin, (make,)) as pool:
        chunk = max(2, min(CHUNK, count // (processes * 4) // 2 * 2))
        yield from cast(Iterator[Result], pool.map(_draw, range(count), chunksize=chunk))


def on_cluster(make: Callable[[], Draw[Result]], count: int) -> Iterator[Result]:
    """The same on the Ray cluster that RAY_ADDRESS names, or on one of this machine's processors.

    Raises:
        BadInput: there is no such cluster.
        ConfigurationError: the cluster's machines cannot draw.
        HeadLost: the cluster's head died.
    """
    from toolgym.sandbox.kit.errors import ConfigurationError
    from toolgym.sandbox.runtime.cluster import Lost, joined, spread  # Ray is an extra, and slow to load

    ready: dict[int, list[Result]] = {}
    first = 0
    with joined():
        for start, results in spread(Drawer, (make, count), range(0, count, CHUNK)):
            if isinstance(results, Lost):
                raise ConfigurationError(f"The processes that drew tasks died: {results.why}")
            ready[start] = results
            while first in ready:
                yield from ready.pop(first)
                first += CHUNK


class Drawer:
    """One process of a cluster, with a generator of its own."""

    def __init__(self, make: Callable[[], Draw[object]], count: int) -> None:
        self._make, self._count = make, count

    @cached_property
    def _draw(self) -> Draw[object]:
        """Made by the first job, because Ray wraps what goes wrong in a constructor."""
        return self._make()

    async def work(self, start: int) -> list[object]:
        """Draw the places of a chunk."""
        return [self._draw(place) for place in range(start, min(start + CHUNK, self._count))]


def _has_one_thread() -> bool:
    """Whether a copy of this process is a sound one: a lock that another thread holds would be held for ever."""
    threads = Path("/proc/self/task")
    return threads.is_dir() and len(list(threads.iterdir())) == 1


_drawers: dict[str, Draw[object]] = {}
"""What draws in a process of a pool."""


def _begin(make: Callable[[], Draw[object]]) -> None:
    _drawers["own"] = make()
    # what is loaded by now stays, so the collector need not walk through it a hundred times a second: a tenth of a draw
    gc.freeze()
    gc.set_threshold(GARBAGE, 20, 20)


def _draw(place: int) -> object:
    return _drawers["own"](place)
