"""annotations.jsonl of a run's folder: lines are only ever added, one at a time, by any number of writers."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from toolgym.judge.annotation.record import Annotation, Place, parse
from toolgym.sandbox.kit.errors import BadInput, writing

try:
    import fcntl
except ModuleNotFoundError:  # Windows: writers in one process wait for one another, those of two do not
    fcntl = None  # type: ignore[assignment]

NAME = "annotations.jsonl"
_IN_THIS_PROCESS = threading.Lock()

Given = dict[Place, dict[str, Annotation]]
"""By turn what each annotator said last; who took a score back is not there."""


@dataclass(frozen=True)
class Read:
    """What a file holds.

    Attributes:
        entries: in the order in which they were written.
        problems: a sentence for each line that cannot be read.
    """

    entries: tuple[Annotation, ...] = ()
    problems: tuple[str, ...] = ()


def read(folder: Path) -> Read:
    """The annotations of a run's folder; nothing where there are none."""
    path = folder / NAME
    return read_file(path) if path.is_file() else Read()


def read_file(path: Path) -> Read:
    """The annotations of a file; a line that cannot be read costs no other one."""
    entries: list[Annotation] = []
    problems: list[str] = []
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        if line.strip():
            try:
                entries.append(parse(line.decode("utf-8", "replace"), f"{path.name}, line {number}"))
            except BadInput as error:
                problems.append(str(error))
    return Read(tuple(entries), tuple(problems))


def latest(entries: Iterable[Annotation]) -> Given:
    """The last of each annotator for each turn."""
    found: Given = {}
    for entry in entries:
        said = found.setdefault(entry.place, {})
        if entry.score is None:
            said.pop(entry.annotator, None)
        else:
            said[entry.annotator] = entry
    return {place: said for place, said in found.items() if said}


def add(folder: Path, entries: Sequence[Annotation]) -> None:
    """Write annotations down; when this returns they are on the disk.

    Raises:
        BadInput: the file cannot be written.
    """
    content = "".join(f"{entry.to_line()}\n" for entry in entries).encode()
    path = folder / NAME
    with writing(path), _IN_THIS_PROCESS, path.open("a+b") as file, _alone(file):
        size = file.seek(0, os.SEEK_END)
        if size:
            file.seek(size - 1)
            if file.read(1) != b"\n":  # a line that a crash cut short stays a line of its own
                content = b"\n" + content
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _alone(file: IO[bytes]) -> Iterator[None]:
    """Other processes wait; the lock ends with the file's closing, or with the process."""
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX)
    yield
