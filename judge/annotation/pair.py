"""How far two who scored the same turns agree: confusion, Cohen's kappa plain and weighted, with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toolgym.judge.annotation.record import Place
from toolgym.judge.scoring.agreement import LABELS

Interval = tuple[float, float]
_DRAWS = 2000
_FEWEST = 5
"""Tasks below which an interval of a bootstrap says nothing."""


@dataclass(frozen=True)
class PairAgreement:
    """Agreement of two on the turns that both scored.

    Attributes:
        turns, tasks: how many of each.
        confusion: `confusion[i][j]`: how often the first gave LABELS[i] and the second LABELS[j] (-1, 0, 1).
        observed: the share of equal scores.
        kappa: Cohen's kappa (1960); None where it is not defined (both give one and the same score throughout).
        kappa_interval: its 95 % interval; None with fewer than five tasks or where it is not defined.
        weighted: kappa with linear weights (Cohen 1968): -1 against 1 counts twice as much as -1 against 0.
        weighted_interval: its 95 % interval.
    """

    turns: int
    tasks: int
    confusion: tuple[tuple[int, ...], ...]
    observed: float
    kappa: float | None
    kappa_interval: Interval | None
    weighted: float | None
    weighted_interval: Interval | None


def agree(scored: Iterable[tuple[Place, int, int]]) -> PairAgreement | None:
    """The agreement on turns with two scores each; None without turns.

    Intervals are percentile bootstraps over tasks (2,000 draws): turns of one conversation, and trials of one task,
    depend on one another and are drawn together.
    """
    tables: dict[str, NDArray[np.int64]] = {}
    for (task, _, _), first, second in scored:
        table = tables.setdefault(task, np.zeros((3, 3), dtype=np.int64))
        table[LABELS.index(first), LABELS.index(second)] += 1
    if not tables:
        return None
    each = np.stack([tables[task] for task in sorted(tables)])
    whole = each.sum(axis=0)
    return PairAgreement(
        turns=int(whole.sum()),
        tasks=len(tables),
        confusion=tuple(tuple(map(int, row)) for row in whole),
        observed=float(np.trace(whole) / whole.sum()),
        kappa=kappa(whole),
        kappa_interval=_interval(each, weighted=False),
        weighted=kappa(whole, weighted=True),
        weighted_interval=_interval(each, weighted=True),
    )


def kappa(confusion: NDArray[np.int64] | Sequence[Sequence[int]], *, weighted: bool = False) -> float | None:
    """1 - (sum w o) / (sum w e), o the observed and e the chance table, w the weights of disagreement.

    Weights are 1 off the diagonal (Cohen 1960), or `weighted` the distance of the two scores (linear; Cohen 1968).
    None where chance alone explains everything.
    """
    found = _kappas(np.asarray(confusion)[None], weighted)[0]
    return None if np.isnan(found) else float(found)


def _kappas(tables: NDArray[np.int64], weighted: bool) -> NDArray[np.float64]:
    """Kappa of each table of a stack; nan where it is not defined."""
    distance = np.abs(np.subtract.outer(LABELS, LABELS))
    weights = distance if weighted else np.minimum(distance, 1)
    observed = (weights * tables).sum(axis=(1, 2)) * tables.sum(axis=(1, 2))
    by_chance = np.einsum("ni,nj,ij->n", tables.sum(axis=2), tables.sum(axis=1), weights)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(by_chance == 0, np.nan, 1 - observed / by_chance)


def _interval(tables: NDArray[np.int64], *, weighted: bool) -> Interval | None:
    if len(tables) < _FEWEST:
        return None
    drawn = np.random.default_rng(0).multinomial(len(tables), [1 / len(tables)] * len(tables), size=_DRAWS)
    found = _kappas(np.einsum("dt,tij->dij", drawn, tables), weighted)
    known = found[~np.isnan(found)]
    if len(known) < _DRAWS / 2:
        return None
    low, high = np.percentile(known, [2.5, 97.5])
    return float(low), float(high)
