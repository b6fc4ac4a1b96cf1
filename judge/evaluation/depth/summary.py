"""Accuracy by depth and by structure, with intervals, beside the floors; and which call fails first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from toolgym.judge.evaluation import metrics
from toolgym.judge.evaluation.depth import careless
from toolgym.judge.scoring.verifier import Basis, Verdict
from toolgym.sandbox.runtime.references import steps as steps_of
from toolgym.sandbox.runtime.trajectory import Trajectory

Judged = tuple[Trajectory, Verdict]
NO_FAULT, UNREADABLE = "none: another answer or end", "no program to be read"
"""What failed where it was no call."""


def by_depth(judged: Sequence[Judged], basis: Basis) -> dict[str, Any]:
    """A run by depth, as JSON-able data; nothing where no task is made for programs.

    The floors are of the same tasks, whoever played them: see `toolgym.judge.evaluation.depth.careless`.
    """
    judged = [(trajectory, verdict) for trajectory, verdict in judged if trajectory.task.interaction == "program"]
    if not judged:
        return {}
    tasks = {trajectory.task.id: trajectory.task for trajectory, _ in judged}
    passed: dict[str, list[bool]] = defaultdict(list)
    for trajectory, verdict in judged:
        passed[trajectory.task.id].append(verdict.passed(basis))
    floors = careless.outcomes(list(tasks.values()))
    places: dict[str, dict[str, list[str]]] = {name: defaultdict(list) for name in ("depth", "structure", "world")}
    cells: dict[str, list[str]] = defaultdict(list)
    for task in tasks.values():
        for name, value in (("depth", task.depth), ("structure", task.structure), ("world", task.domain)):
            places[name][str(value)].append(task.id)
        cells[f"{task.depth} {task.structure}"].append(task.id)
    return {
        **{name: _rows(found, passed, floors) for name, found in places.items()},
        "cells": _rows(cells, passed, floors),
        "failed": _failed(judged, basis),
    }


def _rows(
    groups: Mapping[str, Sequence[str]], passed: Mapping[str, list[bool]], floors: Mapping[str, Mapping[str, bool]]
) -> dict[str, dict[str, Any]]:
    """By group, how many tasks it has, pass^1 with its interval, and the floors."""
    found: dict[str, dict[str, Any]] = {}
    for group in sorted(groups, key=_order):
        outcomes = {task: passed[task] for task in groups[group]}
        low, high = metrics.interval(outcomes)
        row: dict[str, Any] = {
            "tasks": len(outcomes),
            "pass": metrics.pass_hat_k(outcomes, 1),
            "low": low,
            "high": high,
        }
        for name, results in floors.items():
            counted = [results[task] for task in groups[group] if task in results]
            row[name] = metrics.mean([float(each) for each in counted]) if counted else None
        found[group] = row
    return found


def _order(group: str) -> tuple[int, str]:
    number, _, rest = group.partition(" ")
    return (int(number), rest) if number.isdecimal() else (0, group)


def _failed(judged: Iterable[Judged], basis: Basis) -> dict[str, dict[str, int]]:
    """Of programs that did not pass, the call at fault: by depth at which step of the chain it stands, and by tool."""
    steps: dict[str, Counter[str]] = defaultdict(Counter)
    tools: Counter[str] = Counter()
    for trajectory, verdict in judged:
        if verdict.passed(basis) or not trajectory.info.programs:
            continue
        fault = trajectory.info.programs[-1].fault
        calls = trajectory.turns()[-1].action.tool_calls
        if fault is None:
            step = NO_FAULT
        elif fault.call is None or fault.call >= len(calls):
            step = UNREADABLE
        else:
            step = str(steps_of(calls)[fault.call] + 1)
            tools[f"{calls[fault.call].name}: {fault.code}"] += 1
        steps[str(trajectory.task.depth)][step] += 1
    return {"tools": dict(tools.most_common(12))} | {
        depth: dict(sorted(found.items())) for depth, found in sorted(steps.items(), key=lambda each: int(each[0]))
    }


def depth_table(found: Mapping[str, Any]) -> Group:
    """The table for the terminal."""
    parts: list[Table | Text] = []
    for name in ("depth", "structure"):
        shown = Table(box=None, pad_edge=False)
        shown.add_column(name)
        for heading in ("tasks", "pass^1", "95 %", *careless.MEANING.values()):
            shown.add_column(heading, justify="right")
        for group, row in found[name].items():
            floors = [_number(row[floor]) for floor in careless.MEANING]
            interval = f"{row['low']:.3f} to {row['high']:.3f}"
            shown.add_row(group, str(row["tasks"]), _number(row["pass"]), interval, *floors)
        parts += [Text(), shown]
    failed = {depth: steps for depth, steps in found["failed"].items() if depth != "tools"}
    if failed:
        shown = Table("depth", "first call at fault, by its step in the chain", box=None, pad_edge=False)
        for depth, steps in failed.items():
            shown.add_row(depth, ", ".join(f"{step}: {count}" for step, count in steps.items()))
        parts += [Text(), shown]
    tools = found["failed"]["tools"]
    if tools:
        parts.append(Text("at fault most often: " + ", ".join(f"{name} ({count})" for name, count in tools.items())))
    return Group(*parts)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
