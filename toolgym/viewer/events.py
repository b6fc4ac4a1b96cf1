"""What happens while the page is open, as server-sent events.

Of one run: `progress` (see OpenRun.progress), `rows` (new or newly judged episodes, with their columns), `anew` (the
whole run is to be asked for again: it was sorted, scored, or begun anew), `curves` (a training made a step) and `gone`.
Of the list: `runs`.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from toolgym.judge.evaluation.episode_index import COLUMNS
from toolgym.sandbox.kit.errors import BadInput
from toolgym.viewer.open_run import OpenRun

_LOOK = 0.3
"""Seconds between two looks at a run: an episode is on the page within a second of its end."""
_LIST_LOOK = 2.0

Event = dict[str, Any]
Place = tuple[int, int, int]


async def of_run(opened: Callable[[], OpenRun], place: Place, ending: Callable[[], bool]) -> AsyncIterator[Event]:
    """What happens in a run after a place (OpenRun.table), until the server ends."""
    progress: Event = {}
    curves: int | None = None
    while not ending():
        try:
            run = await asyncio.to_thread(opened)
            await asyncio.to_thread(run.look)
            now = await asyncio.to_thread(run.progress)
        except (BadInput, OSError):
            yield {"kind": "gone"}
            return
        place, rows = run.changes(place)
        if rows is None:
            yield {"kind": "anew"}
        elif rows:
            yield {"kind": "rows", "columns": COLUMNS, "rows": rows}
        if now != progress:
            progress = now
            yield {"kind": "progress"} | now
        before, curves = curves, _size(run.folder.path / "metrics")
        if before not in (None, curves):
            yield {"kind": "curves"}
        await asyncio.sleep(_LOOK)


async def of_list(rows: Callable[[], list[Event]], ending: Callable[[], bool]) -> AsyncIterator[Event]:
    """The list of runs, whenever it is another one, until the server ends."""
    before, looked = "", -_LIST_LOOK
    while not ending():
        if time.monotonic() - looked < _LIST_LOOK:
            await asyncio.sleep(_LOOK)
            continue
        now, looked = await asyncio.to_thread(rows), time.monotonic()
        if (text := json.dumps(now)) != before:
            before = text
            yield {"kind": "runs", "runs": now}


def _size(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.glob("*.jsonl")) if folder.is_dir() else 0
