"""Watches a run from outside: verl's metrics file as a progress bar and one line a step."""

from __future__ import annotations

import json
import math
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

SHOWN = {
    "critic/rewards/mean": "reward",
    "toolgym/acc": "passed",
    "toolgym/advantage_spread": "spread",
    "response_length/mean": "tokens",
    "toolgym/wait_markers": "wait",
    "actor/kl_loss": "KL",
    "kl_loss": "KL",
    "actor/entropy": "entropy",
    "timing_s/step": "s",
}
"""verl's name of a metric to its heading."""

POLL_SECONDS = 0.5


class Tail:
    """The complete lines that were added to a JSONL file since the last look."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = path.stat().st_size if path.is_file() else 0

    def read(self) -> Iterator[dict[str, Any]]:
        """New records."""
        if not self._path.is_file():
            return
        if self._path.stat().st_size < self._offset:
            self._offset = 0  # verl starts the file anew when it resumes
        with self._path.open("rb") as file:
            file.seek(self._offset)
            for line in file:
                if not line.endswith(b"\n"):
                    return
                self._offset += len(line)
                yield json.loads(line)


def line_of(record: dict[str, Any], steps: int) -> str:
    """A step's metrics in one line."""
    data = record["data"]
    parts = [f"{heading} {data[name]:.4g}" for name, heading in SHOWN.items() if name in data]
    parts += [
        f"{'/'.join(name.split('/')[2:])} {value:.3f}"
        for name, value in sorted(data.items())
        if name.startswith("toolgym/val/") or (name.startswith("toolgym/held_out/") and name.endswith("/clean"))
    ]
    if data.get("toolgym/goodhart"):
        parts.append("the reward rises while clean success on held-out tasks falls: see train.log")
    return f"step {record['step']} of {steps}  " + "  ".join(parts)


class Pace:
    """How long the steps of this start take, and with it how long the others will."""

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self._seconds: list[float] = []

    def left(self, record: dict[str, Any]) -> str:
        """What is left after a step, as `  about 3 min left`; nothing is said after the last."""
        if (seconds := record["data"].get("timing_s/step")) is not None:
            self._seconds.append(float(seconds) + float(record["data"].get("timing_s/testing", 0.0)))
        remaining = self._steps - record["step"]
        if not self._seconds or remaining < 1:
            return ""
        total = remaining * sum(self._seconds) / len(self._seconds)
        return f"  about {total / 3600:.1f} h left" if total > 5400 else f"  about {math.ceil(total / 60)} min left"


def follow(
    process: subprocess.Popen[bytes] | subprocess.Popen[str], metrics: Path, steps: int, console: Console
) -> None:
    """Show a running process's metrics until it ends."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    tail, pace = Tail(metrics), Pace(steps)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("starting", total=steps)
        running = True
        while running:
            running = process.poll() is None
            for record in tail.read():
                console.print(line_of(record, steps) + pace.left(record), highlight=False, soft_wrap=True)
                bar.update(task, completed=record["step"], description="training")
            if running:
                time.sleep(POLL_SECONDS)
