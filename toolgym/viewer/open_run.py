"""A run that is viewed: the index of its episodes, which grows with the run, and how far a running one has come."""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Any

from toolgym.judge.evaluation.episode_index import (
    COLUMNS,
    Index,
    build_index,
    extend,
    failures_of,
    read_index,
    scores_of,
    write_index,
)
from toolgym.judge.evaluation.folder_lock import is_running
from toolgym.judge.evaluation.run_folder import Key, RunFolder
from toolgym.judge.scoring.verifier import Basis, verify
from toolgym.sandbox.kit.errors import BadInput, ToolgymError
from toolgym.sandbox.runtime.trajectory import Trajectory, parse_line
from toolgym.viewer.folders import Folders

_AT = {name: place for place, name in enumerate(COLUMNS)}
_JUDGED_AT_ONCE = 100
"""Episodes without scores that are verified in one look: about a fifth of a second."""
_WINDOW = 30.0
"""Seconds over which the rate of a running evaluation is measured."""

_Stamp = tuple[tuple[int, int, int] | None, tuple[int, int, int] | None]


class OpenRun:
    """The episodes of one run.

    Attributes:
        folder: where it is.
        index: its episodes.
        generation: a number that changes when the index is another one, and not the old one with more rows.
        judged: of so many rows it is known whether they passed, or that nobody can say.
    """

    def __init__(self, folder: RunFolder) -> None:
        self.folder = folder
        self.index = Index()
        self.generation = 0
        self.judged = 0
        self._stamp: _Stamp | None = None
        self._lock = threading.Lock()
        self._pace: deque[tuple[float, int]] = deque()

    def look(self) -> None:
        """Take in what was written since the last look.

        Raises:
            BadInput: the run is no longer there.
        """
        with self._lock:
            if not self.folder.path.is_dir():
                raise BadInput(f"The run {self.folder.path.name} is no longer there.")
            stamp = (_stamp(self.folder.trajectories_file), _stamp(self.folder.scores_file))
            if stamp != self._stamp:
                self._take_in(stamp)
            self._judge_some()

    def _take_in(self, stamp: _Stamp) -> None:
        now, before = stamp[0], self._stamp and self._stamp[0]
        grown = now and before and now[0] == before[0] and now[1] > self.index.read
        if self._stamp is not None and grown and stamp[1] is None and self._stamp[1] is None:
            extend(self.index, self.folder, {})
        else:
            self.index = read_index(self.folder) or _built(self.folder)
            self.generation += 1
            self.judged = 0
        self._stamp = stamp

    def _judge_some(self) -> None:
        """Verify rows that have no scores: a run is scored when it is over, and looked at before."""
        end = min(len(self.index.rows), self.judged + _JUDGED_AT_ONCE)
        if self._stamp is not None and self._stamp[1] is not None:
            end = self.judged = len(self.index.rows)
        for row in self.index.rows[self.judged : end]:
            with suppress(ToolgymError, LookupError, ValueError):  # its world is not installed, or its line damaged
                verdict = verify(self._read(row))
                row[_AT["passed"]] = verdict.passed(self._basis())
                row[_AT["violations"]] = sorted({each.kind for each in verdict.violations})
                row[_AT["clean"]] = row[_AT["passed"]] and verdict.well_conducted
        self.judged = end

    def _basis(self) -> Basis:
        basis: Basis = self.folder.settings().get("basis", "state")
        return basis

    def table(self) -> dict[str, Any]:
        """The index for the page, with the place from which `changes` go on."""
        self.look()
        with self._lock:
            return self.index.table() | {"place": [self.generation, len(self.index.rows), self.judged]}

    def changes(self, place: tuple[int, int, int]) -> tuple[tuple[int, int, int], list[list[Any]] | None]:
        """What is new since a place: the place now and the rows, None where the whole table is another one."""
        with self._lock:
            now = (self.generation, len(self.index.rows), self.judged)
            if place[0] != now[0]:
                return now, None
            rows = self.index.rows
            return now, rows[place[2] : now[2]] + rows[max(place[1], now[2]) :]

    def progress(self) -> dict[str, Any]:
        """How far the run is, in episodes, and what came of those that are judged."""
        rows = self.index.rows
        known = [row[_AT["passed"]] for row in rows if row[_AT["passed"]] is not None]
        live, wanted = is_running(self.folder.path), self._wanted()
        failed = self.failures()
        done, rate = len(rows) + len(failed), self._rate(len(rows))
        left = None if not (live and rate and wanted) else max(0, wanted - done) / rate
        return {
            "live": live,
            "done": len(rows),
            "wanted": wanted,
            "passed": sum(known),
            "judged": len(known),
            "rate": rate if live else None,
            "left_seconds": left,
            "failures": len(failed),
            "last_failures": failed[-5:],
        }

    def _wanted(self) -> int | None:
        try:
            wanted = self.folder.settings().get("wanted")
        except BadInput:
            return None
        return wanted if isinstance(wanted, int) else None

    def _rate(self, done: int) -> float | None:
        """Episodes a second lately; None until two looks are a second apart."""
        now = time.monotonic()
        self._pace.append((now, done))
        while self._pace[0][0] < now - _WINDOW and len(self._pace) > 2:
            self._pace.popleft()
        seconds = now - self._pace[0][0]
        return (done - self._pace[0][1]) / seconds if seconds > 1 else None

    def failures(self) -> list[dict[str, Any]]:
        """Infrastructure failures that no later attempt made good."""
        return failures_of(self.folder, self.index)

    def trajectory(self, task: str, trial: int) -> Trajectory:
        """One episode, read where the index says that it stands, or one that infrastructure cut.

        Raises:
            BadInput: there is no such episode, or its line is damaged.
        """
        self.look()
        for row in self.index.rows:
            if row[_AT["task"]] == task and row[_AT["trial"]] == trial:
                return self._read(row)
        for failed in self.folder.failures():
            if (failed.task.id, failed.trial) == (task, trial):
                return failed
        raise BadInput(f"There is no episode {task}, trial {trial} in {self.folder.path.name}.")

    def _read(self, row: list[Any]) -> Trajectory:
        with self.folder.trajectories_file.open("rb") as file:
            file.seek(row[_AT["offset"]])
            line = file.read(row[_AT["length"]])
        return parse_line(line.decode("utf-8", "replace"), f"{row[_AT['task']]}, trial {row[_AT['trial']]}")

    def state(self) -> tuple[object, int]:
        """Its files as they are, and of how many rows it is known whether they passed; changes with either."""
        self.look()
        return self._stamp, self.judged

    def outcomes(self) -> dict[Key, tuple[bool, bool]]:
        """Whether episodes passed, and passed cleanly, by task and trial, of those of which it is known."""
        self.look()
        at = [_AT[name] for name in ("task", "trial", "passed", "clean")]
        rows = [[row[place] for place in at] for row in self.index.rows]
        return {(task, trial): (passed, clean) for task, trial, passed, clean in rows if passed is not None}

    def find(self, words: list[str]) -> list[str]:
        """The episodes whose record or whose judge's reasons hold all words, whatever their case, as `TASK/TRIAL`."""
        self.look()
        scores = scores_of(self.folder, [])  # the table names the lines that cannot be read
        found = []
        with self.folder.trajectories_file.open("rb") as file:
            for row in self.index.rows:
                file.seek(row[_AT["offset"]])
                text = file.read(row[_AT["length"]]).decode("utf-8", "replace").lower()
                key = (row[_AT["task"]], row[_AT["trial"]])
                text += " ".join(scores.get(key, {}).get("reasons", ())).lower()
                if all(word in text for word in words):
                    found.append(f"{key[0]}/{key[1]}")
        return found


class OpenRuns:
    """The runs that were looked at, each read once.

    Attributes:
        folders: where runs are.
    """

    def __init__(self, folders: Folders) -> None:
        self.folders = folders
        self._kept: dict[Path, OpenRun] = {}
        self._lock = threading.Lock()

    def get(self, identifier: str) -> OpenRun:
        """A run by its id, which is open from then on.

        Raises:
            BadInput: there is none.
        """
        folder = self.folders.get(identifier)
        with self._lock:
            return self._kept.setdefault(folder.path, OpenRun(folder))


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _built(folder: RunFolder) -> Index:
    """Built, with how fast on standard error, and kept; in memory alone where the folder is not ours to write to."""
    started = time.perf_counter()
    index = build_index(folder)
    took, size = time.perf_counter() - started, index.read / 1e6
    if size > 1:
        print(f"Indexed {folder.path.name}: {size:.0f} MB at {size / took:.0f} MB/s.", file=sys.stderr)
    if folder.scores_file.is_file():  # a run without scores is not over: its index would be of other files soon
        with suppress(BadInput, OSError):
            write_index(folder, index)
    return index
