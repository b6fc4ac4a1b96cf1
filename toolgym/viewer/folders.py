"""The run folders below one folder, and the ids by which addresses name them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.kit.errors import BadInput, unknown
from toolgym.sandbox.kit.text import escaped

_DEPTH = 5
"""How far below the folder runs are looked for: runs/SWEEP/RUN/validation/STEP."""
_MARKS = ("run.json", "trajectories.jsonl", "metrics")
_READ = frozenset({".json", ".jsonl", ".yaml", ".log"})
"""Endings of the files of a run that are read."""


class Folders:
    """Finds run folders.

    Attributes:
        root: the folder that is viewed; a run itself, or what runs lie in.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def paths(self) -> dict[str, Path]:
        """All runs by their ids: paths below the root as text, `.` for the root itself."""
        return dict(sorted(identified(self.root, _runs(self.root, _DEPTH)).items()))

    def get(self, identifier: str) -> RunFolder:
        """A run by its id.

        Raises:
            BadInput: there is none, nothing outside the root is one, or it cannot be read (`sound`).
        """
        if identifier not in (paths := self.paths()):
            raise unknown(f"run in {self.root.name}", identifier, list(paths))
        return sound(paths[identifier])


def identified(root: Path, paths: Iterable[Path]) -> dict[str, Path]:
    """The paths by what addresses call them: where they are below the root, as text whatever their bytes."""
    return {escaped(path.relative_to(root).as_posix()): path for path in paths}


def sound(path: Path) -> RunFolder:
    """The run of a folder, once nothing in it would break or hold up whoever reads it.

    Raises:
        BadInput: its name is no text, or what is called as one of its files is none.
    """
    name = str(path)
    if escaped(name) != name:
        raise BadInput(f"{escaped(path.name)} cannot be shown: the name of its folder is not UTF-8. Give it another.")
    for folder in (path, path / "metrics"):
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                # a pipe is waited for until somebody writes to it
                if Path(entry.name).suffix in _READ and not entry.is_file() and Path(entry).exists():
                    raise BadInput(f"{path.name} is damaged: {escaped(entry.name)} is no file. Remove or rename it.")
    return RunFolder(path)


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
