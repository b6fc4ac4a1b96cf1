"""How far a training is, read from its files: rate, time left, last validation, warnings, what was lost."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import fmean
from typing import Any

_LATELY = 10
"""Steps over which the rate is measured."""
_SOURCES = re.compile(r"toolgym/(val|held_out)/(?:toolgym/)?(.+)/([^/]+)")
_LOST = re.compile(r"Task (?P<task>\S+), attempt \d+: (?P<message>.*) \((?P<boundary>\w+)\)$")
"""What the loop logs of an attempt that infrastructure cut, as in `Task kiosk-4, attempt 1: timed out (model)`."""
_ERROR = re.compile(r"^(?:\([^()]*\) )?(?:[\w.]+\.)?((?:\w*(?:Error|Exception)|BadInput): .+)")
"""The last line of a traceback, behind Ray's mark of the process and the module of the exception."""
_LOG_END = 1 << 18
"""Bytes of the log's end in which messages are looked for."""
_SHOWN = frozenset({"pass^1", "clean", "damage", "exploit"})

Series = Mapping[str, Sequence[tuple[int, float]]]


def progress(folder: Path, series: Series, settings: Mapping[str, Any], live: bool) -> dict[str, Any]:
    """What the page says above the curves.

    Args:
        folder: the training's.
        series: its metrics by step (toolgym.training.plots.read).
        settings: its run.json.
        live: whether it runs now.
    """
    step = max((points[-1][0] for points in series.values()), default=None)
    wanted, seconds = settings.get("steps"), _step_seconds(series)
    said = _end_of_log(folder)
    lost = [value for _, value in series.get("toolgym/failed", ())]
    left = None
    if live and seconds and step is not None and wanted:
        left = max(0.0, (wanted - step) * seconds - _idle(folder))
    return {
        "live": live,
        "step": step,
        "wanted": wanted,
        "step_seconds": seconds,
        "episodes_a_second": _episodes(settings, lost) / seconds if seconds else None,
        "left_seconds": left,
        "validation": _validation(series),
        "warnings": _warnings(folder, series, settings),
        "lost": int(sum(lost)),
        "last_lost": [match.groupdict() for line in said if (match := _LOST.search(line))][-5:],
        "errors": [] if live or (wanted and (step or 0) >= wanted) else _errors(said),
    }


def _step_seconds(series: Series) -> float | None:
    """Mean seconds of a step lately; its validation, which not every step has, counts in."""
    made = dict(series.get("timing_s/step", ()))
    testing = dict(series.get("timing_s/testing", ()))
    lately = [seconds + testing.get(step, 0.0) for step, seconds in [*made.items()][-_LATELY:]]
    return fmean(lately) if lately else None


def _episodes(settings: Mapping[str, Any], lost: Sequence[float]) -> float:
    """Episodes of a step: what the settings want without what was lost lately."""
    wanted = float(settings.get("batch") or 0) * float(settings.get("group") or 0)
    return max(0.0, wanted - (fmean(lost[-_LATELY:]) if lost else 0.0))


def _idle(folder: Path) -> float:
    """Seconds since a step ended: the present one has taken so long."""
    written = [file.stat().st_mtime for file in (folder / "metrics").glob("*.jsonl")]
    return max(0.0, time.time() - max(written)) if written else 0.0


def _validation(series: Series) -> dict[str, Any] | None:
    """The last validation: its step, and by data source what it came to."""
    found: dict[str, dict[str, tuple[int, float]]] = {}
    for name, points in series.items():
        match = _SOURCES.fullmatch(name)
        if match and match[3] in _SHOWN:
            found.setdefault(match[2], {})[match[3]] = points[-1]
    if not found:
        return None
    last = max(step for values in found.values() for step, _ in values.values())
    sources = [
        {"source": source} | {name: value for name, (step, value) in values.items() if step == last}
        for source, values in sorted(found.items())
    ]
    return {"step": last, "sources": [each for each in sources if len(each) > 1]}


def _warnings(folder: Path, series: Series, settings: Mapping[str, Any]) -> list[str]:
    """What the trainer warned of at its last validation, in its own words."""
    from toolgym.training import (
        reward_gaming,  # knows no torch, but is of another room: only who looks at a training loads it
    )

    if not (alarms := series.get("toolgym/goodhart")) or not alarms[-1][1]:
        return []
    said = "The reward rises while clean success on held-out tasks falls: the reward may be gamed."
    with suppress(OSError, ValueError, TypeError):  # the sentence stands without its figures
        history = reward_gaming.history(folder / "checkpoints")
        said = reward_gaming.alarm(history, int(settings.get("goodhart_validations") or 1)) or said
    return [f"{said} The run was ended for it (goodhart=stop)." if settings.get("goodhart") == "stop" else said]


def _end_of_log(folder: Path) -> list[str]:
    try:
        with (folder / "train.log").open("rb") as file:
            file.seek(max(0, file.seek(0, 2) - _LOG_END))
            return file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return []


def _errors(said: Sequence[str]) -> list[str]:
    """What a training that is over said of errors last, each once: the last is often verl's, one before says why."""
    found = dict.fromkeys(match[1] for line in said if (match := _ERROR.match(line)))
    return [*found][-3:]
