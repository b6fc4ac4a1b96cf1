"""A run's curves as one picture: reward and its parts, success, KL, entropy, length, wait markers, time shares."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sandbox.errors import BadInput

Series = Mapping[str, Sequence[tuple[int, float]]]
"""A metric's values by step."""

_TIMES = {f"timing_s/{part}" for part in ("gen", "old_log_prob", "ref", "update_actor", "update_critic", "testing")}

PANELS: dict[str, Callable[[str], bool]] = {
    "reward": lambda name: name in {"critic/rewards/mean", "critic/score/mean"},
    "reward components": lambda name: name.startswith("toolgym/reward/"),
    "passed": lambda name: name == "toolgym/acc" or name.startswith("toolgym/val/"),
    "advantage spread": lambda name: name in {"toolgym/advantage_spread", "toolgym/constant_groups"},
    "response tokens": lambda name: name == "response_length/mean",
    "wait markers": lambda name: name == "toolgym/wait_markers",
    "KL": lambda name: name in {"actor/kl_loss", "kl_loss", "actor/reward_kl_penalty", "actor/ppo_kl"},
    "entropy": lambda name: name in {"actor/entropy", "actor/entropy_loss"},
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
            record: dict[str, Any] = json.loads(line)
            for name, value in record["data"].items():
                if isinstance(value, int | float) and math.isfinite(value):
                    found[name][record["step"]] = float(value)
    if not found:
        raise BadInput(f"{folder} holds no metrics; has the run made a step?")
    return {name: sorted(values.items()) for name, values in found.items()}


def draw(folder: Path, out: Path, *, title: str = "") -> None:
    """Draw the curves of a run; panels without data are left out. The file's ending decides PNG, SVG or PDF."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    series = read(folder)
    panels = {name: picked for name, wanted in PANELS.items() if (picked := [key for key in series if wanted(key)])}
    columns = 3
    lines = -(-len(panels) // columns)
    figure, axes = pyplot.subplots(lines, columns, figsize=(5 * columns, 3.2 * lines), squeeze=False)
    for axis in axes.flat[len(panels) :]:
        axis.set_visible(False)
    for axis, (name, keys) in zip(axes.flat, panels.items(), strict=False):
        for key in sorted(keys):
            steps, values = zip(*series[key], strict=True)
            axis.plot(steps, values, marker="." if len(steps) < 30 else None, label=_label(key))
        axis.set_title(name, fontsize=10)
        axis.set_xlabel("step", fontsize=8)
        if len(keys) > 1:
            axis.legend(fontsize=7)
    figure.suptitle(title)
    figure.tight_layout()
    figure.savefig(out, dpi=120)
    pyplot.close(figure)


def _label(name: str) -> str:
    for prefix in ("toolgym/reward/", "toolgym/seconds/", "toolgym/val/", "toolgym/", "timing_s/", "actor/", "critic/"):
        if name.startswith(prefix):
            return name.removeprefix(prefix)
    return name
