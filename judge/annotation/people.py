"""How far the judge that has just scored a run agrees with each person who scored its turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from toolgym.judge.annotation import file
from toolgym.judge.annotation.pair import agree
from toolgym.judge.annotation.record import Place, digest_of
from toolgym.judge.scoring.reward import TurnScores
from toolgym.sandbox.runtime.trajectory import Trajectory


def agreement_with_people(
    folder: Path, trajectories: Sequence[Trajectory], judged: Sequence[TurnScores]
) -> list[dict[str, Any]]:
    """For each annotator the agreement on the turns that both scored (see `toolgym.judge.annotation.pair`).

    Args:
        folder: the run's.
        trajectories: its episodes.
        judged: their scores, in the same order.
    """
    given = file.latest(file.read(folder).entries)
    if not given:
        return []
    scored: dict[str, list[tuple[Place, int, int]]] = {}
    for trajectory, found in zip(trajectories, judged, strict=True):
        for turn, score in zip(trajectory.turns(), found.scores or (), strict=False):
            place = (trajectory.task.id, trajectory.trial, turn.index)
            for name, entry in given.get(place, {}).items():
                if entry.score is not None and entry.digest == digest_of(turn):
                    scored.setdefault(name, []).append((place, entry.score, score))
    pairs = {name: agree(each) for name, each in sorted(scored.items())}
    return [{"with": name, **asdict(pair)} for name, pair in pairs.items() if pair is not None]


def people_line(found: Mapping[str, Any]) -> str:
    """The agreement with one person for the terminal."""
    figures = [f"{name} {_figure(found[key], found[f'{key}_interval'])}" for name, key in _SHOWN]
    equal = f"equal on {found['observed']:.1%} of {found['turns']} turns"
    return f"agreement with {found['with']}: {', '.join(figures)}, {equal}"


_SHOWN = (("Cohen's kappa", "kappa"), ("weighted", "weighted"))


def _figure(value: float | None, interval: Sequence[float] | None) -> str:
    if value is None:
        return "not defined"
    return f"{value:.2f}" + (f" ({interval[0]:.2f} to {interval[1]:.2f})" if interval else "")
