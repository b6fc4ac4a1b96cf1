"""The run folders below one folder, and the ids by which addresses name them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.kit.errors import unknown

_DEPTH = 5
"""How far below the folder runs are looked for: runs/SWEEP/RUN/validation/STEP."""
_MARKS = ("run.json", "trajectories.jsonl", "metrics")


class Folders:
    """Finds run folders.

    Attributes:
        root: the folder that is viewed; a run itself, or what runs lie in.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def ids(self) -> list[str]:
        """The ids of all runs: paths below the root, `.` for the root itself."""
        return sorted(path.relative_to(self.root).as_posix() for path in _runs(self.root, _DEPTH))

    def get(self, identifier: str) -> RunFolder:
        """A run by its id.

        Raises:
            BadInput: there is none; nothing outside the root is one.
        """
        if identifier not in (ids := self.ids()):
            raise unknown(f"run in {self.root.name}", identifier, ids)
        return RunFolder(self.root / identifier)


def _runs(folder: Path, depth: int) -> Iterator[Path]:
    try:
        entries = {entry.name: entry for entry in os.scandir(folder)}
    except OSError:  # gone since it was listed, or not ours to read
        return
    if any(mark in entries for mark in _MARKS):
        yield folder
    if depth:
        for entry in entries.values():
            if entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."):
                yield from _runs(folder / entry.name, depth - 1)
