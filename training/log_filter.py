"""Filters what verl and Ray say into a log for people: no colours, each warning once, whole pages of figures apart."""

from __future__ import annotations

import re
from pathlib import Path
from types import TracebackType

_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_SPEAKER = re.compile(r"^\((?P<name>[^()]*?)\s*pid=\d+[^)]*\)\s?")
"""Ray's mark of the process that said a line, as in `(WorkerDict pid=123, ip=10.0.0.1) `."""

_REPEATED = re.compile(r"\s*\[repeated \d+x across cluster\].*$")
_WARNING = re.compile(r"warn|deprecat|not available|target_num_threads", re.IGNORECASE)
_VARIES = re.compile(r"0x[0-9a-f]+|\d+")
"""What may differ between two tellings of one warning: times, process numbers, addresses."""

_PAGES = ("{'actor_rollout_ref'", '("Initial validation metrics', '("Final validation metrics')
"""How the pages begin that verl prints (its whole configuration, every metric of a validation); their other lines are
indented."""

_QUOTED_CODE = re.compile(r"\s+warnings\.warn\(")
"""The line of code that Python shows below a warning."""


class LogFilter:
    """The log of a run, open for lines as they come.

    The pages that verl prints go to `NAME-pages.txt` beside it.
    """

    def __init__(self, log: Path) -> None:
        self._log = log.open("a", encoding="utf-8")
        self._page = log.with_name(f"{log.stem}-pages.txt")
        self._on_page = False
        self._seen: set[str] = set()
        self._left_out = 0

    def __enter__(self) -> LogFilter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._left_out:
            self._log.write(f"[{self._left_out} repeated warnings were left out]\n")
        self._log.close()

    def add(self, line: str) -> None:
        """Write a line where it belongs, or leave it out."""
        text = _COLOUR.sub("", line.rstrip("\r\n")).rsplit("\r", 1)[-1]
        said = _REPEATED.sub("", _SPEAKER.sub("", text))
        if self._is_page(said) or _QUOTED_CODE.match(said):
            return
        if _WARNING.search(said):
            key = _VARIES.sub("#", said)
            if key in self._seen:
                self._left_out += 1
                return
            self._seen.add(key)
        self._log.write(text + "\n")
        self._log.flush()

    def _is_page(self, said: str) -> bool:
        """Whether the line is one of a page, which is then kept apart."""
        self._on_page = said.startswith(_PAGES) or (self._on_page and said.startswith(" "))
        if self._on_page:
            with self._page.open("a", encoding="utf-8") as page:
                page.write(said + "\n")
        return self._on_page
