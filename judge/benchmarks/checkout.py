"""A benchmark's files in a folder of the user's, named by an environment variable: found, counted and recognised."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.kit.foreign_process import ForeignProcess

_READ = (".py", ".json", ".jsonl")
_SHOWN = 16
"""Characters of a digest."""
_NAME = 12
"""Characters of git's name of a file."""
_PART = 2**20
"""Bytes of a file that are read at once."""


@dataclass(frozen=True)
class Checkout:
    """Where a benchmark's files are.

    Attributes:
        title: what people know the benchmark by.
        variable: the environment variable that names the folder.
        get: the lines that fetch it.
        files: what is needed of it: the data and the checker.
        version: the one that the adapter was checked with.
        digest: of these files in that version.
        folders: whose files of Python and JSON are needed too, whatever their names.
    """

    title: str
    variable: str
    get: tuple[str, ...]
    files: tuple[str, ...]
    version: str
    digest: str
    folders: tuple[str, ...] = ()

    def folder(self) -> Path:
        """The folder (ConfigurationError says what to fetch and where to put it)."""
        how = "\n".join(f"  {line}" for line in self.get)
        named = os.environ.get(self.variable)
        if not named:
            raise ConfigurationError(f"{self.title} is not here: {self.variable} names no folder. Do:\n{how}")
        folder = Path(named).expanduser().resolve()
        missing = [file for file in self.files if not (folder / file).is_file()]
        missing += [name for name in self.folders if not (folder / name).is_dir()]
        if missing:
            raise ConfigurationError(f"{folder} lacks {missing[0]} of {self.title}. Do:\n{how}")
        return folder

    def found(self) -> tuple[str, str, bool]:
        """Version, digest, and whether both are those that the adapter was checked with."""
        folder, whole = self.folder(), hashlib.sha256()
        inner = (path for name in self.folders for path in (folder / name).rglob("*") if path.suffix in _READ)
        for file in sorted([*self.files, *(path.relative_to(folder).as_posix() for path in inner)]):
            whole.update(json.dumps(file).encode() + _digest_of(folder / file))
        digest = whole.hexdigest()[:_SHOWN]
        known = digest == self.digest
        return (self.version if known else "unknown version", digest, known)

    def read(self, file: str) -> Any:
        """What a JSON file holds (ConfigurationError where it is none)."""
        return self._parsed(file, json.loads)

    def lines(self, file: str) -> list[Any]:
        """What a file with a JSON value a line holds (ConfigurationError where it is none)."""
        return list(self._parsed(file, lambda text: [json.loads(line) for line in text.splitlines() if line.strip()]))

    def _parsed(self, file: str, parse: Callable[[str], Any]) -> Any:
        path = self.folder() / file
        try:
            return parse(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ConfigurationError(f"{path} is not JSON ({error}); fetch {self.title} again.") from None


def _digest_of(path: Path) -> bytes:
    """Of a file's content with the ends of its lines as git keeps them; by parts, as some are of 100 MB."""
    content, held = hashlib.sha256(), b""
    with path.open("rb") as file:
        while read := file.read(_PART):
            part = held + read
            held = part[-1:] if part.endswith(b"\r") else b""  # the next part may begin with its line feed
            content.update(part[: len(part) - len(held)].replace(b"\r\n", b"\n"))
    content.update(held)
    return content.digest()


def named_by_git(file: Path) -> str:
    """How git's name of a file's content begins: tells a published file of which nothing else is known."""
    content = file.read_bytes().replace(b"\r\n", b"\n")
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()[:_NAME]


class Checker:
    """A program of ours beside an adapter that runs the benchmark's own code, with a folder to write to.

    Args:
        title: what people know the benchmark by.
        program: the program; it is given the first checkout, the folder to write to, and the further ones.
        checkouts: where the benchmark's code and data are.
    """

    def __init__(self, title: str, program: Path, *checkouts: Checkout) -> None:
        self._title, self._program, self._checkouts = title, program, checkouts

    @cached_property
    def _process(self) -> ForeignProcess:
        self._scratch = tempfile.TemporaryDirectory(prefix="toolgym-bench-")
        first, *others = (str(checkout.folder()) for checkout in self._checkouts)
        arguments = [first, self._scratch.name, *others]
        return ForeignProcess(f"{self._title}'s code", self._program, arguments)

    def ask(self, what: str, **given: Any) -> Any:
        """What its code answers (InfrastructureError where it broke)."""
        return self._process.ask({"do": what, **given})

    def close(self) -> None:
        """End it; the next request starts it again."""
        process = vars(self).pop("_process", None)
        if process is not None:
            process.close()
            self._scratch.cleanup()
