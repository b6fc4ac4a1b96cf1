"""What an evaluation came to, read from its run's folder."""

from __future__ import annotations

import io
import json
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolgym.judge.comparison.board import compare, tables
from toolgym.judge.comparison.runs import side
from toolgym.judge.evaluation.episode_index import COLUMNS, build_index
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.interop.opened import named_apart, open_run
from toolgym.sandbox.kit.errors import BadInput, ConfigurationError
from toolgym.sandbox.kit.notebook import counted, html_table
from toolgym.sandbox.runtime.terminal import SafeConsole
from toolgym.sandbox.runtime.trajectory import Trajectory

if TYPE_CHECKING:
    import pandas

_PLACE = ("offset", "length")
"""Columns of the index that say where a line stands, which is no result."""


class Results:
    """What an evaluation came to. `evaluate` returns it; `Results("runs/...")` is that of a finished run.

    Args:
        folder: the run's folder.

    Attributes:
        folder: the run's folder.

    Raises:
        BadInput: the folder holds no finished run.

    Examples:
        >>> import tempfile
        >>> from toolgym import Results, evaluate
        >>> inert, oracle = (evaluate("kiosk", agent=name, out=tempfile.mkdtemp()) for name in ("inert", "oracle"))
        >>> oracle.pass_at, len(oracle.episodes), oracle.summary["infrastructure_failures"]
        ({1: 1.0}, 3, 0)
        >>> inert.compare(oracle).comparisons[0]["pass"]["value"]
        1.0
        >>> Results(oracle.folder).pass_at
        {1: 1.0}
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._run = RunFolder(self.folder)
        if not self._run.summary_file.is_file():
            raise BadInput(f"{self.folder} holds no finished run: it has no summary.json.")

    @cached_property
    def summary(self) -> dict[str, Any]:
        """What the run's `summary.json` holds: every number of the table that `toolgym eval` prints."""
        loaded: dict[str, Any] = json.loads(self._run.summary_file.read_text(encoding="utf-8"))
        return loaded

    @property
    def pass_at(self) -> dict[int, float]:
        """By k, pass^k: the chance that k trials of a task all succeed; empty where nothing was finished."""
        return {int(k): value for k, value in self.summary["pass_hat"].items()}

    @cached_property
    def episodes(self) -> list[Trajectory]:
        """The finished episodes, in the order of the tasks; infrastructure failures are in `failures`."""
        return self._run.trajectories() if self._run.trajectories_file.is_file() else []

    @cached_property
    def failures(self) -> list[Trajectory]:
        """The episodes that broken infrastructure, or an agent that raised, cut short; `fault` says where and why."""
        return self._run.failures()

    def compare(self, *others: Results | str | Path) -> Comparison:
        """Other runs against this one: whether they are better or worse by more than chance.

        Args:
            others: their results or folders.

        Raises:
            BadInput: there is none, or one was played on other data.
        """
        if not others:
            raise BadInput("A comparison takes the results, or the folder, of another run.")
        folders = [self.folder, *(other.folder if isinstance(other, Results) else Path(other) for other in others)]
        alike = len({folder.name for folder in folders}) < len(folders)
        names = [str(folder) if alike else folder.name for folder in folders]
        opened = [
            open_run(f"{name}={folder}", env=None, data="tau2") for name, folder in zip(names, folders, strict=True)
        ]
        named_apart(opened)
        return Comparison(compare([side(each, None) for each in opened]))

    def to_pandas(self) -> pandas.DataFrame:
        """A row for every finished episode: task, trial, passed, clean, turns, calls, seconds, rewards by name, ...

        Raises:
            ConfigurationError: pandas is not installed.
        """
        try:
            import pandas
        except ModuleNotFoundError:
            raise ConfigurationError(
                "to_pandas() needs the package pandas, which is not installed: pip install pandas"
            ) from None
        rows = [dict(zip(COLUMNS, row, strict=True)) for row in build_index(self._run).rows]
        plain = [{name: value for name, value in row.items() if name not in (*_PLACE, "rewards")} for row in rows]
        return pandas.DataFrame([flat | row["rewards"] for flat, row in zip(plain, rows, strict=True)])

    def __getitem__(self, name: str) -> Any:
        """An entry of `summary`."""
        return self.summary[name]

    def __repr__(self) -> str:
        passed = [f"pass^{k} {value:.3f}" for k, value in self.pass_at.items()]
        clean = [f"clean pass {self['clean']:.3f}"] if self["clean"] is not None else []
        played = f"{counted(self['tasks'], 'task')}, {counted(self['trajectories'], 'episode')}"
        left = self["infrastructure_failures"]
        counts = [played, *([f"{left} left out"] if left else [])]
        return f"<Results {', '.join([*passed[:1], *clean, *counts])}; {self.folder}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the numbers that stand first in the printed table."""
        rows: list[tuple[str, Any]] = [("clean pass", _number(self["clean"]))]
        for k, value in self.pass_at.items():
            low, high = self["pass_hat_interval"][str(k)]
            rows.append((f"pass^{k}", f"{_number(value)} (95 % {_number(low)} to {_number(high)})"))
        rewards = self.summary.get("scores", {}).get("rewards", {})
        rows += [(f"reward {name}", _number(reward["mean"])) for name, reward in rewards.items()]
        rows += [("turns per episode", _number(self["turns"])), ("calls per episode", _number(self["calls"]))]
        rows += [("left out", sentence) for sentence in self["failure_messages"]]
        return html_table(repr(self), ("", "value"), rows)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


class Comparison:
    """Runs against a first one; printed, it is what `toolgym compare` prints.

    Args:
        found: what `toolgym compare --json` writes.

    Attributes:
        found: the same.
    """

    def __init__(self, found: dict[str, Any]) -> None:
        self.found = found

    @property
    def comparisons(self) -> list[dict[str, Any]]:
        """For each other run the differences (`pass`, `clean`), a `sentence`, and the tasks that flipped."""
        compared: list[dict[str, Any]] = self.found["comparisons"]
        return compared

    def __repr__(self) -> str:
        console = SafeConsole(file=io.StringIO(), width=100, color_system=None)
        with console.capture() as capture:
            console.print(tables(self.found), highlight=False)
        return capture.get().rstrip()
