"""How far long work is: a bar on a terminal, else a line on standard error every half minute."""

from __future__ import annotations

import math
import sys
import threading
import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Bar

EVERY = 30.0
"""Seconds between two lines where there is no terminal."""
_REFRESH = 0.2
"""Seconds between two drawings of a bar that has no thread."""


class Progress:
    """Shows how far work is while its `with` block runs: what is done, the share passed so far, the time left.

    Args:
        console: where the bar is drawn. Where it is no terminal, lines go to standard error, so that what a command
            prints stays its result; a quiet one shows nothing.
        what: what is being done, such as `proving`.
        total: of how many pieces; None while that is not known.
        alone: draws and prints when told something alone, without a thread beside it, so that the process can fork.
    """

    def __init__(self, console: Console, what: str, total: int | None = None, *, alone: bool = False) -> None:
        self._what, self._total, self._alone = what, total, alone
        self._done = self._begun = self._passed = self._judged = 0
        self._started = self._shown = time.monotonic()
        self._quiet, self._over = console.quiet, threading.Event()
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[state]}"))
        self._bar = (
            Bar(*columns, console=console, transient=True, auto_refresh=not alone) if console.is_terminal else None
        )
        self._line = self._bar.add_task(what, total=total, state="") if self._bar is not None else None

    def __enter__(self) -> Progress:
        """Begin to show it."""
        if self._bar is not None:
            self._bar.start()
        elif not self._alone and not self._quiet:
            threading.Thread(target=self._tell_by_the_clock, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away."""
        self._over.set()
        if self._bar is not None:
            self._bar.stop()

    def advance(self, *, passed: bool | None = None) -> None:
        """One more piece is done; `passed` where it is one that passes or fails."""
        self.update(self._done + 1, passed=passed)

    def begin(self, done: int, total: int) -> None:
        """So many pieces are there; those that are done already say nothing about the time left."""
        self._begun, self._total = done, total
        self.update(done)

    def update(self, done: int, total: int | None = None, *, passed: bool | None = None) -> None:
        """So many pieces are done, of so many; `passed` says it of the last one."""
        self._done, self._total = done, total or self._total
        self._judged += passed is not None
        self._passed += bool(passed)
        self.doing(self._what)

    def doing(self, what: str) -> None:
        """What is being done now."""
        self._what = what
        if self._bar is not None and self._line is not None:
            self._bar.update(self._line, completed=self._done, total=self._total, description=what, state=self.state())
        if self._alone and time.monotonic() - self._shown >= (EVERY if self._bar is None else _REFRESH):
            self._show()

    def state(self) -> str:
        """How far it is, in words: `120 of 500, 71 % passed, about 4 min left`."""
        if self._total is None and not self._done:
            return "under way"
        of = "" if self._total is None else f" of {self._total}"
        share = f", {self._passed / self._judged:.0%} passed".replace("%", " %") if self._judged else ""
        return f"{self._done}{of}{share}{self._left()}"

    def _left(self) -> str:
        worked = self._done - self._begun
        if self._total is None or worked < 1 or self._done >= self._total:
            return ""
        seconds = (self._total - self._done) * (time.monotonic() - self._started) / worked
        if seconds < 90:
            return f", about {math.ceil(seconds)} s left"
        return (
            f", about {math.ceil(seconds / 60)} min left" if seconds < 5400 else f", about {seconds / 3600:.1f} h left"
        )

    def _show(self) -> None:
        self._shown = time.monotonic()
        if self._bar is not None:
            self._bar.refresh()
        elif not self._quiet:
            print(f"{self._what}: {self.state()}", file=sys.stderr, flush=True)

    def _tell_by_the_clock(self) -> None:
        while not self._over.wait(EVERY):
            self._show()
