"""A run's curves as one picture: reward and its parts, success, KL, entropy, length, wait markers, time shares.

A series that stays 0 says nothing and is left out; one that equals another is named on the other's line.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from pydantic_core import from_json

from toolgym.sandbox.kit.errors import BadInput

Series = Mapping[str, Sequence[tuple[int, float]]]
"""A metric's values by step."""
_SMOOTHED = 30
"""Points from which on a line is drawn smoothed, over what it is of."""

_TIMES = {f"timing_s/{part}" for part in ("gen", "old_log_prob", "ref", "update_actor", "update_critic", "testing")}

_LABELS = {"critic/rewards/mean": "reward", "critic/score/mean": "score", "toolgym/acc": "in training"}

PANELS: dict[str, Callable[[str], bool]] = {
    "reward": lambda name: name in {"critic/rewards/mean", "critic/score/mean"},
    "reward components": lambda name: name.startswith("toolgym/reward/"),
    "passed": lambda name: name == "toolgym/acc" or name.startswith("toolgym/val/"),
    "held out: clean, damage, exploits": lambda name: (
        name.startswith("toolgym/held_out/") and name.rpartition("/")[2] in {"clean", "damage", "exploit"}
    ),
    "advantage spread": lambda name: name in {"toolgym/advantage_spread", "toolgym/constant_groups"},
    "response tokens": lambda name: name == "response_length/mean",
    "wait markers": lambda name: name == "toolgym/wait_markers",
    "KL": lambda name: name in {"actor/kl_loss", "kl_loss", "actor/reward_kl_penalty", "actor/ppo_kl"},
    "entropy": lambda name: name == "actor/entropy",
    "seconds in a step": lambda name: name in _TIMES or name.startswith("toolgym/seconds/"),
}


def read(folder: Path) -> Series:
    """The series of a run's metrics files; where a resumed run made a step again, the later value counts.

    Raises:
        BadInput: the folder holds no step.
    """
    found: dict[str, dict[int, float]] = defaultdict(dict)
    for path in sorted((folder / "metrics").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            record: dict[str, Any] = from_json(line)
            for name, value in record["data"].items():
                if isinstance(value, int | float) and math.isfinite(value):
                    found[name][record["step"]] = float(value)
    if not found:
        raise BadInput(f"{folder} holds no metrics; has the run made a step?")
    return {name: sorted(values.items()) for name, values in found.items()}


def shown(series: Series) -> dict[str, dict[str, Sequence[tuple[int, float]]]]:
    """What each panel draws, by label; panels in which nothing happens are left out."""
    panels: dict[str, dict[str, Sequence[tuple[int, float]]]] = {}
    for name, wanted in PANELS.items():
        lines: dict[str, Sequence[tuple[int, float]]] = {}
        for key in sorted(key for key in series if wanted(key) and any(value for _, value in series[key])):
            same = next((label for label, line in lines.items() if list(line) == list(series[key])), None)
            label = _label(key) if same is None else f"{same} = {_label(key)}"
            if same is not None:
                del lines[same]
            lines[label] = series[key]
        if lines:
            panels[name] = lines
    return panels


def smoothed(points: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """A centred mean over a fifteenth of the points, at each of them; empty where there are fewer than 30 points."""
    if len(points) < _SMOOTHED:
        return []
    reach = max(1, len(points) // 30)
    values = [value for _, value in points]
    return [(step, fmean(values[max(0, at - reach) : at + reach + 1])) for at, (step, _) in enumerate(points)]


def draw(folder: Path, out: Path, *, title: str = "") -> None:
    """Draw the curves of a run. The file's ending decides PNG, SVG or PDF.

    Raises:
        BadInput: the folder holds no step.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    panels = shown(read(folder))
    columns = 3
    rows = max(1, -(-len(panels) // columns))
    figure, axes = pyplot.subplots(
        rows, columns, figsize=(5 * columns, 3.6 * rows), squeeze=False, layout="constrained"
    )
    for axis in axes.flat[len(panels) :]:
        axis.set_visible(False)
    for axis, (name, lines) in zip(axes.flat, panels.items(), strict=False):
        for label, line in lines.items():
            steps, values = zip(*line, strict=True)
            if smooth := smoothed(line):
                (drawn,) = axis.plot(steps, values, linewidth=0.8, alpha=0.35)
                axis.plot(*zip(*smooth, strict=True), color=drawn.get_color(), label=label)
            else:
                axis.plot(steps, values, marker=".", label=label)
        axis.set_title(name, fontsize=10)
        axis.set_xlabel("step", fontsize=8)
        if [*lines] != [name]:  # below the panel, where it covers no line
            axis.legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=3, frameon=False)
    figure.suptitle(title)
    figure.savefig(out, dpi=120)
    pyplot.close(figure)


def _label(name: str) -> str:
    if name in _LABELS:
        return _LABELS[name]
    for prefix in (
        "toolgym/reward/",
        "toolgym/seconds/",
        "toolgym/val/",
        "toolgym/held_out/",
        "toolgym/",
        "timing_s/",
        "actor/",
    ):
        if name.startswith(prefix):
            return name.removeprefix(prefix)
    return name
