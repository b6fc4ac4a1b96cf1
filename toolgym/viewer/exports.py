"""What is taken from the viewer as one file: episodes beside one another, or runs compared with what flips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

from toolgym.judge.comparison.board import compare
from toolgym.judge.comparison.runs import Side, side
from toolgym.judge.interop.opened import run_of
from toolgym.judge.report.export import Shown, of_episodes, of_runs
from toolgym.sandbox.kit.errors import BadInput
from toolgym.viewer.open_run import OpenRun, OpenRuns

_FLIPS = 100
"""Episodes that an exported comparison holds at most."""
_KEPT = 16
_kept: dict[tuple[tuple[Any, ...], ...], dict[str, Any]] = {}
"""Comparisons by their runs as these were, so many of them."""


def compared(runs: Sequence[OpenRun]) -> dict[str, Any]:
    """The runs against the first one, as `toolgym compare --json` writes it; by their scores, where they have some.

    What was compared is kept until a run changes: reading its records is most of the work.

    Raises:
        BadInput: they cannot be compared.
    """
    key = tuple((run.folder.path, *run.state()) for run in runs)
    if key not in _kept:
        found = compare([_side(run) for run in runs])
        while len(_kept) >= _KEPT:
            del _kept[next(iter(_kept))]
        _kept[key] = found
    return _kept[key]


def _side(run: OpenRun) -> Side:
    """A run to compare; of one whose scores are known only the tasks are read."""
    known, opened = run.outcomes(), run_of(run.folder, bare=True)
    if any((each.task.id, each.trial) not in known for each in opened.trajectories):
        opened = run_of(run.folder)
    return side(opened, None, known)


def episodes(runs: OpenRuns, named: Sequence[str]) -> str:
    """A page with some episodes of one task, named as RUN/TASK/TRIAL with each part percent-encoded.

    Raises:
        BadInput: a name is none, or there is no such episode.
    """
    return of_episodes([_shown(runs, *_parts(each)) for each in named])


def comparison(runs: OpenRuns, ids: Sequence[str]) -> str:
    """A page that compares runs with the first, with the episodes of the tasks that flip.

    Raises:
        BadInput: fewer than two runs, or they cannot be compared.
    """
    chosen = {each: runs.get(each) for each in ids}
    if len(chosen) < 2:
        raise BadInput("Name two runs or more to compare, or an episode.")
    found = compared(list(chosen.values()))
    flipped: dict[tuple[str, str, int], None] = {}
    for other, pair in zip(ids[1:], found["comparisons"], strict=True):
        for flip in pair["flips"]:
            for run, trials in ((ids[0], flip["first"]), (other, flip["second"])):
                flipped |= {(run, flip["task"], trial): None for trial in trials}
    return of_runs(
        {name: run.folder for name, run in chosen.items()}, found, [_shown(runs, *each) for each in [*flipped][:_FLIPS]]
    )


def _parts(episode: str) -> tuple[str, str, int]:
    parts = [unquote(part) for part in episode.split("/")]
    if len(parts) != 3 or not parts[2].isdecimal():
        raise BadInput(f"{episode!r} names no episode; one is RUN/TASK/TRIAL, each part percent-encoded.")
    return parts[0], parts[1], int(parts[2])


def _shown(runs: OpenRuns, run: str, task: str, trial: int) -> Shown:
    found = runs.get(run)
    played = found.trajectory(task, trial)
    row = next(row for row in found.index.rows if (row[0], row[1]) == (task, trial))
    return Shown(run, found.folder, row, played, found.folder.score(task, trial))
