"""What the runs come to: each number by arm and population, differences with paired intervals, as JSON and Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from toolgym.judge.evaluation.voids import is_void
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.runtime.trajectory import Trajectory

Grid = np.ndarray[Any, np.dtype[np.float64]]
Runs = Mapping[str, Mapping[str, Any]]
"""What finished runs came to, by name."""
START = "start"
NUMBERS = ("clean", "passed", "asks", "calls", "words", "exploit", "void")


def outcome(trajectory: Trajectory) -> dict[str, Any]:
    """One conversation's numbers: `asks` counts the agent's questions but for proposals, `words` all it said."""
    verdict = verify(trajectory)
    said = [message.content or "" for message in trajectory.messages if message.role == "assistant"]
    return {
        "task": trajectory.task.id,
        "clean": float(verdict.clean),
        "passed": float(verdict.passed()),
        "asks": float(sum(text.endswith("?") and "Shall I" not in text for text in said)),
        "calls": float(len(trajectory.calls)),
        "words": float(sum(len(text.split()) for text in said)),
        "exploit": float(verdict.passed() and not verdict.clean),
        "void": float(is_void(trajectory)),
    }


def analysed(plan: Mapping[str, Any], runs: Runs) -> dict[str, Any]:
    """All numbers of the study so far."""
    names = [START, *plan["arms"], *plan["further"]]
    seeds = {name: sorted(run["seed"] for run in runs.values() if run["arm"] == name) for name in names}
    done = [name for name in names if seeds[name]]
    pairs = [(name, START) for name in done if name != START] + [tuple(pair) for pair in plan["comparisons"]]
    return {
        "done": sum(len(seeds[name]) for name in plan["arms"]),
        "planned": len(plan["arms"]) * len(plan["seeds"]),
        "arms": {
            name: {
                population: {number: _mean(runs, name, seeds[name], population, number) for number in NUMBERS}
                for population in plan["populations"]
            }
            | {"seeds": seeds[name], "training": [runs[_run(name, seed)].get("training", {}) for seed in seeds[name]]}
            for name in done
        },
        "comparisons": [compared(plan, runs, first, second) for first, second in pairs if {first, second} <= {*done}],
        "wall_seconds": sum(run["wall_seconds"] for run in runs.values()),
    }


def _run(arm: str, seed: int) -> str:
    return arm if arm == START else f"{arm}-{seed}"


def _mean(runs: Runs, arm: str, seeds: Sequence[int], population: str, number: str) -> float:
    return float(np.mean([_by_task(runs[_run(arm, seed)], population, number) for seed in seeds]))


def _by_task(run: Mapping[str, Any], population: str, number: str) -> list[float]:
    """Each task's mean over its trials, in the tasks' order."""
    found: dict[str, list[float]] = {}
    for each in run["played"][population]:
        found.setdefault(each["task"], []).append(each[number])
    return [sum(found[task]) / len(found[task]) for task in sorted(found)]


def compared(plan: Mapping[str, Any], runs: Runs, first: str, second: str) -> dict[str, Any]:
    """The difference of two arms in clean and in passed, by population, with 95 % intervals."""
    mine, theirs = ({run["seed"] for run in runs.values() if run["arm"] == arm} for arm in (first, second))
    seeds = sorted(mine if second == START else mine & theirs)
    found: dict[str, Any] = {"first": first, "second": second, "seeds": seeds}
    for population in plan["populations"] if seeds else ():
        for number in ("clean", "passed"):
            grids = [
                np.array([_by_task(runs[_run(arm, seed)], population, number) for seed in seeds])
                for arm in (first, second)
            ]
            gaps = grids[0] - grids[1]
            found[f"{population} {number}"] = [float(gaps.mean()), *_interval(gaps, **plan["bootstrap"])]
    return found


def _interval(gaps: Grid, resamples: int, seed: int) -> list[float]:
    """Of its mean: seeds and tasks are drawn anew, with replacement, the same ones for both arms."""
    rng = np.random.default_rng(seed)
    rows, columns = gaps.shape
    drawn = [
        gaps[rng.integers(rows, size=rows)][:, rng.integers(columns, size=columns)].mean() for _ in range(resamples)
    ]
    return [float(bound) for bound in np.quantile(drawn, (0.025, 0.975))]


def table(plan: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    """The numbers as Markdown: a row for each arm and population, then the differences."""
    lines = [
        "| arm | seeds | cards | " + " | ".join(NUMBERS) + " |",
        "| --- " * (3 + len(NUMBERS)) + "|",
    ]
    for arm, of in found["arms"].items():
        for population in plan["populations"]:
            values = " | ".join(f"{of[population][number]:.3f}" for number in NUMBERS)
            lines.append(f"| `{arm}` | {len(of['seeds'])} | {population} | {values} |")
    kinds = [f"{population} {number}" for population in plan["populations"] for number in ("clean", "passed")]
    lines += ["", "| difference | seeds | " + " | ".join(kinds) + " |", "| --- " * (2 + len(kinds)) + "|"]
    for each in found["comparisons"]:
        if each["seeds"]:
            cells = " | ".join(_spelled(*each[kind]) for kind in kinds)
            lines.append(f"| `{each['first']}` less `{each['second']}` | {len(each['seeds'])} | {cells} |")
    return "\n".join(lines)


def _spelled(value: float, low: float, high: float) -> str:
    return f"{value:+.3f} ({low:+.3f} to {high:+.3f})"
