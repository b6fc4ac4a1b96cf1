"""What the runs come to: the primary number with paired intervals, by arm, step and depth; table, picture, JSON."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

Grid = np.ndarray[Any, np.dtype[np.float64]]
Runs = Mapping[str, Mapping[str, Any]]
"""What finished runs came to, by name."""


def analysed(plan: Mapping[str, Any], runs: Runs) -> dict[str, Any]:
    """All numbers of the study so far; `complete` says whether every run of the plan is there."""
    arms = {arm: [seed for seed in seeds if f"{arm}-{seed}" in runs] for arm, seeds in plan["arms"].items()}
    present = {arm: seeds for arm, seeds in arms.items() if seeds}
    asked = plan["bootstrap"]
    pairs = [*map(tuple, plan["comparisons"]), *((arm, f"start-{_interaction(runs, arm)}") for arm in present)]
    return {
        "complete": arms == {arm: list(seeds) for arm, seeds in plan["arms"].items()},
        "arms": {arm: _arm(runs, arm, seeds) for arm, seeds in present.items()},
        "starts": {name: _arm(runs, name, [None]) for name in runs if name.startswith("start-")},
        "comparisons": [
            compared(runs, first, second, asked["resamples"], asked["seed"])
            for first, second in pairs
            if _common(runs, first, second)
        ],
        "wall_seconds": sum(run["wall_seconds"] for run in runs.values()),
        "cpu_seconds": sum(run["cpu_seconds"] for run in runs.values()),
    }


def _name(runs: Runs, arm: str, seed: int | None) -> str:
    """The name of an arm's run; a warm start has one for all seeds."""
    return arm if arm in runs else f"{arm}-{seed}"


def _arm(runs: Runs, arm: str, seeds: Sequence[int | None]) -> dict[str, Any]:
    found = [runs[_name(runs, arm, seed)] for seed in seeds]
    outcomes = [run["test"] for run in found]
    by_depth: dict[int, list[bool]] = defaultdict(list)
    for each in (outcome for test in outcomes for outcome in test):
        by_depth[each["depth"]].append(each["clean"])
    return {
        "seeds": list(seeds),
        "interaction": outcomes[0][0]["interaction"],
        "clean": [_mean([each["clean"] for each in test]) for test in outcomes],
        "passed": [_mean([each["passed"] for each in test]) for test in outcomes],
        "by_depth": {str(depth): [_mean(clean), len(clean)] for depth, clean in sorted(by_depth.items())},
        "dev_by_step": [run["dev_by_step"] for run in found if "dev_by_step" in run],
    }


def compared(runs: Runs, first: str, second: str, resamples: int, seed: int) -> dict[str, Any]:
    """The difference of two arms in clean pass^1, and beside it in pass^1, with 95 % intervals."""
    seeds = _common(runs, first, second)
    clean, passed = (_difference(runs, first, second, seeds, measure) for measure in ("clean", "passed"))
    return {
        "first": first,
        "second": second,
        "seeds": seeds,
        "difference": float(clean.mean()),
        "interval": _interval(clean, resamples, seed),
        "by_seed": [float(value) for value in clean.mean(axis=1)],
        "passed": float(passed.mean()),
        "passed_interval": _interval(passed, resamples, seed),
    }


def _difference(runs: Runs, first: str, second: str, seeds: Sequence[int], measure: str) -> Grid:
    """What the first arm has more than the second, by seed and task."""
    grids = [[_by_task(runs[_name(runs, arm, each)]["test"], measure) for each in seeds] for arm in (first, second)]
    found: Grid = np.array(grids[0]) - np.array(grids[1])
    return found


def _interval(difference: Grid, resamples: int, seed: int) -> list[float]:
    """Of its mean: seeds and tasks are drawn anew, with replacement, the same ones for both arms."""
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(resamples):
        chosen = rng.integers(difference.shape[0], size=difference.shape[0])
        tasks = rng.integers(difference.shape[1], size=difference.shape[1])
        drawn.append(difference[chosen][:, tasks].mean())
    return [float(bound) for bound in np.quantile(drawn, (0.025, 0.975))]


def _common(runs: Runs, first: str, second: str) -> list[int]:
    """The seeds that both arms have."""
    seeds = sorted(int(run["seed"]) for run in runs.values() if run["arm"] == first)
    return [seed for seed in seeds if _name(runs, second, seed) in runs]


def _interaction(runs: Runs, arm: str) -> str:
    return str(next(run["test"][0]["interaction"] for run in runs.values() if run["arm"] == arm))


def _by_task(outcomes: Sequence[Mapping[str, Any]], measure: str) -> list[float]:
    """Each task's share of clean or passed trials, in the tasks' order."""
    found: dict[str, list[bool]] = defaultdict(list)
    for each in outcomes:
        found[each["task"]].append(each[measure])
    return [_mean(found[task]) for task in sorted(found)]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else float("nan")


def table(found: Mapping[str, Any]) -> str:
    """The numbers as Markdown."""
    lines = [
        "| arm | seeds | clean pass^1 before | after | passed after | by depth, after |",
        "|---|---|---|---|---|---|",
    ]
    for arm, of in found["arms"].items():
        depths = ", ".join(f"{depth}: {mean:.3f}" for depth, (mean, _) in of["by_depth"].items())
        start = found["starts"].get(f"start-{of['interaction']}")
        before = _mean(start["clean"]) if start else float("nan")
        cells = (
            arm,
            len(of["seeds"]),
            f"{before:.3f}",
            f"{_mean(of['clean']):.3f}",
            f"{_mean(of['passed']):.3f}",
            depths,
        )
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    lines += ["", "| difference | seeds | clean pass^1 | seed by seed | passed |", "|---|---|---|---|---|"]
    for each in found["comparisons"]:
        seeds = ", ".join(f"{value:+.3f}" for value in each["by_seed"])
        clean, passed = (
            _spelled(each["difference"], each["interval"]),
            _spelled(each["passed"], each["passed_interval"]),
        )
        name = f"{each['first']} - {each['second']}"
        lines.append(f"| {name} | {len(each['seeds'])} | {clean} | {seeds} | {passed} |")
    return "\n".join(lines)


def _spelled(difference: float, interval: Sequence[float]) -> str:
    return f"{difference:+.3f} ({interval[0]:+.3f} to {interval[1]:+.3f})"


def draw(found: Mapping[str, Any], out: Path) -> None:
    """The picture: dev by step, and test by depth."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (steps, depths) = pyplot.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    width = 0.8 / max(1, len(found["arms"]))
    for place, (arm, of) in enumerate(found["arms"].items()):
        lines = [line for line in of["dev_by_step"] if line]
        at = sorted({int(step) for line in lines for step in line})
        values = [[line[str(step)] for line in lines if str(step) in line] for step in at]
        label = f"{arm} (seeds: {len(of['seeds'])})"
        steps.errorbar(
            at,
            [_mean(each) for each in values],
            yerr=[float(np.std(each)) for each in values],
            marker="o",
            capsize=3,
            label=label,
        )
        known = {int(depth): mean for depth, (mean, _) in of["by_depth"].items()}
        depths.bar([depth + place * width for depth in known], list(known.values()), width, label=arm)
    at = sorted({int(depth) for of in found["arms"].values() for depth in of["by_depth"]})
    depths.set_xticks([depth + (0.8 - width) / 2 for depth in at], [str(depth) for depth in at])
    for axis, title, below in ((steps, "clean on dev", "step"), (depths, "clean pass^1 on test", "depth")):
        axis.set_title(title, fontsize=10)
        axis.set_xlabel(below)
        axis.set_ylim(bottom=0)
        axis.legend(fontsize=7)
    figure.savefig(out, dpi=120)
    pyplot.close(figure)
