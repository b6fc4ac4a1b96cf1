"""What was said in a conversation that is played, on disk as it is said: a server that stops loses none of it.

A journal is a file of JSON lines in the hidden folder `.play` of the folder that is viewed: how the conversation began,
then every message, then that it was ended or saved.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.text import read_lines

KEPT = 200
"""Journals that a folder keeps; the oldest go first."""
_FOLDER = ".play"
_NAME = re.compile(r"[A-Za-z0-9_-]{8,64}")


class Journal:
    """One conversation's file.

    Args:
        root: the folder that is viewed.
        name: the conversation's id.

    Attributes:
        problem: why nothing can be written; empty while it can.
    """

    def __init__(self, root: Path, name: str) -> None:
        if not _NAME.fullmatch(name):
            raise BadInput(f"There is no conversation {name[:80]!r}.")
        self._path = root / _FOLDER / f"{name}.jsonl"
        self.problem = ""

    def begin(self, header: Json) -> None:
        """Write how the conversation began; older journals beyond `KEPT` are removed."""
        try:
            self._path.parent.mkdir(exist_ok=True)
            others = sorted(self._path.parent.glob("*.jsonl"), key=lambda path: path.stat().st_mtime)
            for old in others[: max(0, len(others) - KEPT + 1)]:
                old.unlink(missing_ok=True)
        except OSError as error:
            self.problem = f"Nothing can be written below {self._path.parent.parent.name} ({error.strerror})."
        self.add({"began": header})

    def add(self, entry: dict[str, Json]) -> None:
        """Append a line and flush it."""
        if self.problem:
            return
        try:
            with self._path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(json.dumps(entry, ensure_ascii=False) + "\n")
        except OSError as error:
            self.problem = f"Nothing more can be written below {self._path.parent.parent.name} ({error.strerror})."

    def read(self) -> tuple[Json, list[dict[str, Json]]]:
        """How it began, and the lines after that.

        Raises:
            BadInput: there is no such conversation, or its file is damaged.
        """
        if not self._path.is_file():
            raise BadInput(
                f"There is no conversation {self._path.stem}; it was never begun here, or is too long ago. "
                f"The last {KEPT} are kept."
            )
        entries: list[dict[str, Json]] = []
        for _, line in read_lines(self._path):
            if not line.endswith("\n"):
                break  # a kill cut it short
            try:
                entries.append(json.loads(line))
            except ValueError:
                break
        if not entries or "began" not in entries[0]:
            raise BadInput(f"The record of the conversation {self._path.stem} is damaged; begin another.")
        return entries[0]["began"], entries[1:]
