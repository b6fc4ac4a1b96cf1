"""How much an agent loses under perturbations: paired differences from the same tasks as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from toolgym.judge.evaluation import metrics
from toolgym.judge.evaluation.metrics import Outcomes
from toolgym.judge.evaluation.run import unspoken
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.evaluation.summary import Judged, judge_all, outcomes

MEANING = (
    "Each row plays the same tasks and seeds under a perturbation that leaves the right run as it was; the difference "
    "is the mean over tasks, with its 95 % bootstrap interval."
)


def robustness(settings: EvalSettings, run: Sequence[Judged], usual: Sequence[Judged]) -> dict[str, Any]:
    """The robustness table as JSON-able data.

    Args:
        settings: of the perturbed run.
        run: what it came to.
        usual: the same tasks as they are; played where it holds none and costs nobody money or time, as is each of
            several perturbations alone.
    """
    spec = settings.perturbations()
    assert spec is not None
    rows: dict[str, Sequence[Judged]] = {}
    if settings.repeats_freely():
        usual = usual or _played(settings, None)
        alone = [str(each) for each in spec.each()]
        rows = {each: _played(settings, each) for each in alone} if len(alone) > 1 else {}
    rows["all together" if rows else str(spec)] = run
    before = _measures(usual, settings)
    return {
        "meaning": MEANING,
        "usual": {name: metrics.pass_hat_k(found, 1) for name, found in before.items()},
        "rows": [{"perturbation": name} | _row(before, _measures(judged, settings)) for name, judged in rows.items()],
    }


def _played(settings: EvalSettings, perturb: str | None) -> Sequence[Judged]:
    return judge_all(unspoken(settings.model_copy(update={"perturb": perturb, "sandbox": None})))


def _measures(judged: Sequence[Judged], settings: EvalSettings) -> dict[str, Outcomes]:
    clean: dict[str, list[bool]] = {}
    for trajectory, verdict in judged:
        clean.setdefault(trajectory.task.id, []).append(verdict.clean)
    return {"pass": outcomes(judged, settings.basis), "clean": clean}


def _row(before: Mapping[str, Outcomes], after: Mapping[str, Outcomes]) -> dict[str, Any]:
    row: dict[str, Any] = {"tasks": len(after["pass"])}
    for name, found in after.items():
        difference = metrics.paired_difference(before[name], found)
        row |= {name: metrics.pass_hat_k(found, 1), f"{name}_difference": list(difference)}
    return row


def robustness_table(found: Mapping[str, Any]) -> Group:
    """The table for the terminal."""
    shown = Table(box=None, pad_edge=False)
    shown.add_column("perturbed")
    for heading in ("pass^1", "difference (95 %)", "clean", "difference (95 %)"):
        shown.add_column(heading, justify="right", no_wrap=True)
    usual = found["usual"]
    if usual["pass"] == usual["pass"]:  # not nan
        shown.add_row("nothing", f"{usual['pass']:.3f}", "", f"{usual['clean']:.3f}", "")
    for row in found["rows"]:
        cells = [cell for name in ("pass", "clean") for cell in (f"{row[name]:.3f}", _gap(row[f"{name}_difference"]))]
        shown.add_row(row["perturbation"], *cells)
    note = "" if usual["pass"] == usual["pass"] else "Run the same command without --perturb first to see differences."
    return Group(Text(), shown, Text(note))


def _gap(difference: Sequence[float]) -> str:
    mean, low, high = difference
    return "-" if mean != mean else f"{mean:+.3f} ({low:+.2f} {high:+.2f})"
