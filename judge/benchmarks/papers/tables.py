"""A model's finished runs in the columns of a paper's tables, beside the paper's own rows.

A cell is filled only from a run whose rows were all played; what is measured otherwise than in the paper is marked,
with the reason below the table. Nothing is played here: a missing cell comes with the command that plays it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from toolgym.judge.benchmarks.papers import PAPERS
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.kit.errors import BadInput, unknown
from toolgym.sandbox.runtime import registry

_TAU2_TASKS = {"airline": 50, "retail": 114, "telecom": 114}
_DEPTHBENCH_TASKS = {"0": 51, "1": 480, "2": 95, "3": 75, "4": 45, "5": 10, "6": 10}
"""Of its validation split, by depth."""


@dataclass(frozen=True)
class Cell:
    """A number of a model's row: a percentage, or why there is none.

    Attributes:
        value: 0 to 100.
        missing: why there is none.
        run: the folder that it is from.
    """

    value: float | None = None
    missing: str = ""
    run: str = ""


@dataclass(frozen=True)
class Filled:
    """A table of a paper with a model's row.

    Attributes:
        title: with the number that it has in the paper.
        columns: the columns' names, those with a reservation marked by a letter.
        rows: the paper's: a name and its numbers.
        cells: the model's.
        remarks: what is not comparable, by letter.
        play: commands that play what is missing.
    """

    title: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    cells: tuple[Cell, ...]
    remarks: Mapping[str, str]
    play: tuple[str, ...]


@dataclass(frozen=True)
class Runs:
    """A model's finished runs below a folder.

    Attributes:
        folder: where they are.
        model: the model that played the agent; None for scripted agents, then `agent` names them.
        agent: the agent.
    """

    folder: Path
    model: str | None
    agent: str = "llm"

    @cached_property
    def _found(self) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
        found = []
        for settings in sorted(self.folder.glob("*/run.json"), key=lambda path: path.stat().st_mtime):
            run = RunFolder(settings.parent)
            if not run.summary_file.is_file():
                continue
            kept = run.settings()
            if kept.get("agent") == self.agent and kept.get("agent_model") == self.model:
                found.append((run.path.name, kept, json.loads(run.summary_file.read_text(encoding="utf-8"))))
        return found[::-1]

    def value(self, column: Mapping[str, Any]) -> Cell:
        """What the newest fitting run says in a column."""
        source = str(column["run"])
        fitting = (self._of(source, column, *run) for run in self._found if _is_of(source, run[1], run[2]))
        cells = [cell for cell in fitting if cell is not None]
        return next((cell for cell in cells if cell.value is not None), cells[0] if cells else Cell(missing="no run"))

    @staticmethod
    def _of(source: str, column: Mapping[str, Any], name: str, kept: Any, summary: dict[str, Any]) -> Cell | None:
        if source.startswith("tau2:"):
            wanted = _TAU2_TASKS[source.removeprefix("tau2:")]
            return _whole(summary.get("pass_hat", {}).get("1"), summary.get("tasks", 0), wanted, name)
        if source == "depthbench":
            return _depth(summary.get("by_depth", {}).get("depth", {}), str(column["depth"]), name)
        if "category" in column:
            part = summary.get("categories", {}).get(column["category"])
            return None if part is None else _whole(part["mean"], part["rows"], part["in_file"], name)
        value = next((group["value"] for group in summary["groups"] if group["name"] == column["group"]), None)
        return Cell(missing="part", run=name) if value is None else Cell(100 * value, run=name)


def _is_of(source: str, kept: Mapping[str, Any], summary: Mapping[str, Any]) -> bool:
    """Whether a run is of a benchmark, or of our world with the benchmark's data."""
    kind, _, world = source.partition(":")
    data = str(kept.get("data", "")).partition(":")[0]
    if kind == "tau2":
        return data == "tau2" and str(kept.get("env")).lower().startswith(f"tool{world}-")
    if kind == "depthbench":
        return data == "depthbench" and kept.get("split") == "validation"
    return bool((summary.get("benchmark") or {}).get("name") == kind)


def _whole(value: float | None, rows: int, wanted: int, run: str) -> Cell:
    if value is None or rows < wanted:
        return Cell(missing=f"{rows} of {wanted}", run=run)
    return Cell(100 * value, run=run)


def _depth(found: Mapping[str, Mapping[str, Any]], depth: str, run: str) -> Cell:
    wanted = _DEPTHBENCH_TASKS if depth == "all" else {depth: _DEPTHBENCH_TASKS[depth]}
    rows = {each: int(found.get(each, {}).get("tasks", 0)) for each in wanted}
    if any(rows[each] < count for each, count in wanted.items()):
        return Cell(missing=f"{sum(rows.values())} of {sum(wanted.values())}", run=run)
    passed = math.fsum(found[each]["pass"] * count for each, count in wanted.items())
    return Cell(100 * passed / sum(wanted.values()), run=run)


def paper(name: str) -> dict[str, Any]:
    """A paper's tables as they are stored.

    Raises:
        BadInput: there is no such paper.
    """
    if name not in PAPERS:
        raise unknown("paper", name, PAPERS)
    stored = Path(__file__).with_name(f"{name}.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(stored)
    return found


def tables(name: str, runs: Runs) -> list[Filled]:
    """A paper's tables with a model's row.

    Raises:
        BadInput: no such paper, or no folder of runs.
    """
    stored = paper(name)
    if not runs.folder.is_dir():
        raise BadInput(f"There is no folder {runs.folder} with runs; name it with --runs.")
    return [_filled(each, runs) for each in stored["tables"]]


def _filled(table: Mapping[str, Any], runs: Runs) -> Filled:
    cells: dict[str, Cell] = {}
    remarks: dict[str, str] = {}
    names = []
    for column in table["columns"]:
        cells[column["name"]] = _cell(column, runs, cells)
        remark = column.get("not") or column.get("note")
        letter = next((letter for letter, text in remarks.items() if text == remark), chr(ord("a") + len(remarks)))
        remarks |= {letter: remark} if remark else {}
        names.append(f"{column['name']} ({letter})" if remark else column["name"])
    missing = [each for each in table["columns"] if "run" in each and cells[each["name"]].value is None]
    play = tuple(filter(None, dict.fromkeys(_command(each["run"], runs) for each in missing)))
    return Filled(table["title"], tuple(names), table["rows"], tuple(cells.values()), remarks, play)


def _cell(column: Mapping[str, Any], runs: Runs, before: Mapping[str, Cell]) -> Cell:
    if "not" in column:
        return Cell(missing="-")
    if "run" in column:
        return runs.value(column) if _command(column["run"], runs) else Cell(missing="no adapter")
    parts = [before[name].value for name in column["mean"]]
    known = [value for value in parts if value is not None]
    return Cell(math.fsum(known) / len(known)) if len(known) == len(parts) else Cell(missing="-")


def _command(source: str, runs: Runs) -> str:
    """What plays a source's rows; nothing where no adapter of that name is installed."""
    agent = f"--agent llm --agent-model {runs.model}" if runs.model else f"--agent {runs.agent}"
    kind, _, world = source.partition(":")
    if kind == "tau2":
        return f"toolgym eval {world} --data tau2 --split base {agent}"
    if kind == "depthbench":
        return f"toolgym eval --data depthbench:CHECKOUT --split validation --program {agent} --format json_ast"
    return f"toolgym bench run {kind} {agent}" if kind in registry.names("bench") else ""


def used(found: Iterable[Filled]) -> list[str]:
    """The run folders that numbers are from."""
    return sorted({cell.run for each in found for cell in each.cells if cell.value is not None and cell.run})
