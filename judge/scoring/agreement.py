"""How several judgements of the same turns are made one, and how far judges agree. Pure functions of labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from toolgym.judge.scoring.reward import TurnScores

LABELS = (-1, 0, 1)


def vote(samples: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """One score per turn out of several samples: the median, halves towards 0.

    A turn gets -1 only when more than half of the samples say so. Hence at most one turn does, as in every sample.
    """
    return tuple(_median(sorted(column)) for column in zip(*samples, strict=True))


def _median(ordered: Sequence[int]) -> int:
    return int((ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2)


@dataclass(frozen=True, slots=True)
class ClassAgreement:
    """Agreement on one label against the rest.

    Attributes:
        first: how often the first judge gave it.
        second: how often the second judge gave it.
        both: how often both did, on the same turn.
        positive: 2 x both / (first + second), the specific agreement; None when neither gave it.
        kappa: Cohen's kappa of this label against the rest; None where it is not defined.
    """

    first: int
    second: int
    both: int
    positive: float | None
    kappa: float | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two judges agree.

    Attributes:
        turns: how many turns both scored.
        observed: the share of turns with equal scores; None without turns.
        kappa: Cohen's kappa (1960); None where it is not defined (both judges give one and the same label throughout).
        classes: agreement by label.
    """

    turns: int
    observed: float | None
    kappa: float | None
    classes: dict[int, ClassAgreement]


def agreement(first: Sequence[int], second: Sequence[int]) -> Agreement:
    """Agreement of two judges on the same turns.

    Raises:
        ValueError: the sequences differ in length.
    """
    pairs = list(zip(first, second, strict=True))
    observed = sum(one == other for one, other in pairs) / len(pairs) if pairs else None
    classes = {label: _of_class(pairs, label) for label in LABELS}
    return Agreement(len(pairs), observed, cohen_kappa(first, second), classes)


def agreement_of_judges(first: Iterable[TurnScores], second: Iterable[TurnScores]) -> Agreement:
    """Agreement of two judges over the trajectories that both could judge, given in the same order."""
    ours: list[int] = []
    theirs: list[int] = []
    for one, other in zip(first, second, strict=True):
        if one.scores is not None and other.scores is not None:
            ours += one.scores
            theirs += other.scores
    return agreement(ours, theirs)


def cohen_kappa(first: Sequence[int], second: Sequence[int]) -> float | None:
    """Cohen's kappa (1960), (p_o - p_e) / (1 - p_e); None where chance alone explains everything, or without turns."""
    count = len(first)
    observed = sum(one == other for one, other in zip(first, second, strict=True))
    ours, theirs = Counter(first), Counter(second)
    by_chance = sum(ours[label] * theirs[label] for label in ours)
    # whole numbers, so that "not defined" is exact
    if count * count == by_chance:
        return None
    return (observed * count - by_chance) / (count * count - by_chance)


def _of_class(pairs: Sequence[tuple[int, int]], label: int) -> ClassAgreement:
    ours, theirs = [int(one == label) for one, _ in pairs], [int(other == label) for _, other in pairs]
    first, second = sum(ours), sum(theirs)
    both = sum(one and other for one, other in zip(ours, theirs, strict=True))
    positive = 2 * both / (first + second) if first + second else None
    return ClassAgreement(first, second, both, positive, cohen_kappa(ours, theirs))
