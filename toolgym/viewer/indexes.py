"""The indexes of runs' episodes while they are looked at: read or built once, gone on with as a run grows."""

from __future__ import annotations

import json
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from judge.evaluation.episode_index import COLUMNS, Index, build_index, read_index, write_index
from judge.evaluation.run_folder import RunFolder
from sandbox.kit.errors import BadInput, unknown
from sandbox.runtime.trajectory import Trajectory, parse_line

_TASK, _TRIAL, _OFFSET, _LENGTH = (COLUMNS.index(name) for name in ("task", "trial", "offset", "length"))


class Indexes:
    """One index for each run that was opened."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[Path, tuple[tuple[float, ...], Index]] = {}

    def of(self, folder: RunFolder) -> Index:
        """A run's index, as its files are now."""
        with self._lock:
            stamp = _stamp(folder)
            known = self._kept.get(folder.path)
            if known is not None and known[0] == stamp:
                return known[1]
            index = read_index(folder) or _built(folder)
            self._kept[folder.path] = (stamp, index)
            return index

    def trajectory(self, folder: RunFolder, task: str, trial: int) -> Trajectory:
        """One episode, read where the index says that it stands.

        Raises:
            BadInput: there is no such episode, or its line is damaged.
        """
        rows = self.of(folder).rows
        found = next((row for row in rows if row[_TASK] == task and row[_TRIAL] == trial), None)
        if found is None:
            raise unknown(f"episode (trial {trial}) in {folder.path.name}", task, {row[_TASK] for row in rows})
        with folder.trajectories_file.open("rb") as file:
            file.seek(found[_OFFSET])
            line = file.read(found[_LENGTH])
        return parse_line(line.decode("utf-8", "replace"), f"{folder.path.name}: {task}, trial {trial}")

    def score(self, folder: RunFolder, task: str, trial: int) -> dict[str, Any]:
        """An episode's line of scores.jsonl; empty where it has none."""
        if not folder.scores_file.is_file():
            return {}
        named = json.dumps(task).encode(), json.dumps(task, ensure_ascii=False).encode()
        with folder.scores_file.open("rb") as file:
            for line in file:
                if any(name in line for name in named):
                    item: dict[str, Any] = json.loads(line)
                    if item["task"] == task and item["trial"] == trial:
                        return item
        return {}

    def find(self, folder: RunFolder, words: list[str]) -> list[str]:
        """The episodes whose record or scores hold all words, whatever their case, as `TASK/TRIAL`."""
        rows = {(row[_TASK], row[_TRIAL]): row for row in self.of(folder).rows}
        reasons = folder.scores()
        found = []
        with folder.trajectories_file.open("rb") as file:
            for key, row in rows.items():
                file.seek(row[_OFFSET])
                text = file.read(row[_LENGTH]).decode("utf-8", "replace").lower()
                text += " ".join(reasons.get(key, {}).get("reasons", ())).lower()
                if all(word in text for word in words):
                    found.append(f"{key[0]}/{key[1]}")
        return found


def _stamp(folder: RunFolder) -> tuple[float, ...]:
    files = (folder.trajectories_file, folder.scores_file)
    try:
        return tuple(part for file in files if file.is_file() for part in (file.stat().st_size, file.stat().st_mtime))
    except OSError:
        raise BadInput(f"The run {folder.path.name} is no longer there.") from None


def _built(folder: RunFolder) -> Index:
    """Built and kept, with how fast on standard error; where the folder cannot be written to, in memory alone."""
    started = time.perf_counter()
    index = build_index(folder)
    took, size = time.perf_counter() - started, index.read / 1e6
    if size > 1:
        print(f"Indexed {folder.path.name}: {size:.0f} MB at {size / took:.0f} MB/s.", file=sys.stderr)
    if folder.scores_file.is_file():  # a run without scores is not finished: the next look would find it changed
        with suppress(BadInput, OSError):
            write_index(folder, index)
    return index
