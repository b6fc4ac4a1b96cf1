"""A selection: who goes through which gate, what is kept for training and what for a holdout of other people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from toolgym.judge.selection.candidate import Candidate
from toolgym.judge.selection.gates import Gate, share_of

_BAR = 24
"""Characters of the longest bar."""
_REASONS = 2
"""Reasons of each gate that the terminal names; funnel.json has all."""
_TESTED = frozenset({"test", "dev", "depth", "validation", "base"})
"""Splits on which agents are measured."""


@dataclass(frozen=True)
class Stage:
    """One gate: how many came, how many went on, and why others did not."""

    gate: str
    came: int
    left: int
    reasons: Mapping[str, int]


@dataclass(frozen=True)
class Selection:
    """What a selection came to.

    Attributes:
        stages: the gates in their order.
        train, holdout: what is kept, by name, each person in one of them only.
        fates: of every candidate, in the order it came: the gate that stopped it and why, or where it is kept.
    """

    stages: tuple[Stage, ...]
    train: tuple[Candidate, ...]
    holdout: tuple[Candidate, ...]
    fates: tuple[Mapping[str, Any], ...]


def select(found: Sequence[Candidate], gates: Sequence[Gate], *, holdout: float, seed: int) -> Selection:
    """Send candidates through gates; the same ones, in whatever order, give the same selection.

    Args:
        found: the candidates.
        gates: in their order.
        holdout: share of people whose conversations are held out. Who is held out stays so when more is selected.
        seed: decides who is held out, and which ones a gate takes that keeps so many.
    """
    left, stages = list(found), []
    stopped: dict[str, tuple[str, str]] = {}
    for gate in gates:
        reasons = gate.stopped(left, seed)
        stopped |= {name: (gate.text, reason) for name, reason in reasons.items()}
        stages.append(Stage(gate.text, len(left), len(left) - len(reasons), Counter(reasons.values())))
        left = [each for each in left if each.name not in reasons]
    held = {each.name for each in left if share_of(each.person, seed) < holdout}
    kept = sorted(left, key=lambda each: each.name)
    return Selection(
        stages=tuple(stages),
        train=tuple(each for each in kept if each.name not in held),
        holdout=tuple(each for each in kept if each.name in held),
        fates=tuple(_fate(each, stopped, held) for each in found),
    )


def _fate(each: Candidate, stopped: Mapping[str, tuple[str, str]], held: set[str]) -> dict[str, Any]:
    gate, why = stopped.get(each.name, (None, None))
    kept = None if gate else "holdout" if each.name in held else "train"
    task = each.task
    return {
        **{"run": each.run, "world": task.domain, "data": task.data, "split": task.split, "task": task.id},
        **{"trial": each.trajectory.trial, "family": task.family, "person": each.person},
        **{"kept": kept, "stopped_by": gate, "why": why},
    }


def summary(found: Selection) -> dict[str, Any]:
    """The funnel as JSON-able data."""
    parts = {"train": found.train, "holdout": found.holdout}
    return {
        "candidates": len(found.fates),
        "gates": [{"gate": s.gate, "came": s.came, "left": s.left, "reasons": dict(s.reasons)} for s in found.stages],
        **{name: _counts(kept) for name, kept in parts.items()},
    }


def _counts(kept: Sequence[Candidate]) -> dict[str, Any]:
    return {
        "conversations": len(kept),
        "tasks": len({(each.task.domain, each.task.data, each.task.id) for each in kept}),
        "people": len({each.person for each in kept}),
        "people_unknown": sum(not each.knows_person for each in kept),
        "worlds": _count(each.task.domain for each in kept),
        "splits": _count(each.task.split for each in kept),
        "families": _count(each.task.family or "-" for each in kept),
        "rules": _count(" ".join((each.task.domain, *each.rule)) for each in kept if each.rule),
        "runs": _count(each.run for each in kept),
    }


def _count(values: Any) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))


def warnings(found: Selection) -> list[str]:
    """What a reader should know before learning from it."""
    told = []
    tested = sum(each.task.split in _TESTED for each in (*found.train, *found.holdout))
    if tested:
        told.append(f"{tested} are on tasks that agents are tested on: what learns from them is not tested by them.")
    nameless = sum(not each.knows_person for each in (*found.train, *found.holdout))
    if nameless:
        told.append(f"{nameless} do not say whom they serve; each task of these counts as a person of its own.")
    return told


def table(found: Selection) -> Group:
    """The funnel for the terminal."""
    most = max(1, len(found.fates))
    shown = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    shown.add_column("gate", no_wrap=True)
    shown.add_column("left", justify="right", no_wrap=True)
    shown.add_column("", no_wrap=True)
    shown.add_column("stopped, most often because")
    shown.add_row("candidates", str(len(found.fates)), _bar(len(found.fates), most), "")
    for stage in found.stages:
        reasons = Counter(stage.reasons).most_common(_REASONS)
        why = "; ".join(f"{count} {reason}" for reason, count in reasons)
        shown.add_row(Text(stage.gate), str(stage.left), _bar(stage.left, most), Text(why))
    rows: list[RenderableType] = [shown, Text()]
    for name, kept in (("train", found.train), ("holdout", found.holdout)):
        counts = _counts(kept)
        people = f"{counts['tasks']} tasks of {counts['people']} people"
        families = ", ".join(f"{family} {count}" for family, count in counts["families"].items()) or "nothing"
        rows.append(Text(f"{name}: {len(kept)} conversations, {people} ({families})"))
    return Group(*rows)


def _bar(count: int, most: int) -> str:
    return "█" * max(round(count / most * _BAR), 1 if count else 0)
