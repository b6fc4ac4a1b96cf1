"""Numbers over many trials: pass^k, confidence intervals, means. Formulas are in docs/evaluation.md."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from statistics import NormalDist

Outcomes = Mapping[str, Sequence[bool]]
"""Task id to the outcome of each of its trials, in trial order."""


def pass_hat_k(outcomes: Outcomes, k: int) -> float:
    """The chance that k independent trials of a task all succeed, averaged over tasks.

    The unbiased estimator C(c, k) / C(n, k) with c successes in n trials (tau-bench, Yao et al. 2024, section 3).
    Tasks with fewer than k trials are left out; no task left gives nan.
    """
    values = [math.comb(sum(trials), k) / math.comb(len(trials), k) for trials in outcomes.values() if len(trials) >= k]
    return math.fsum(values) / len(values) if values else math.nan


def pass_first_k(outcomes: Outcomes, k: int) -> float:
    """The share of tasks whose first k trials all succeed (consistent with TARL's published figures)."""
    values = [all(trials[:k]) for trials in outcomes.values() if len(trials) >= k]
    return sum(values) / len(values) if values else math.nan


def interval(outcomes: Outcomes, k: int = 1, *, level: float = 0.95, draws: int = 2000) -> tuple[float, float]:
    """A percentile bootstrap interval of pass^k over tasks; trials of one task stay together.

    With every task equal the bootstrap has no spread, so the Wilson interval over tasks bounds it there.
    """
    tasks = [trials for trials in outcomes.values() if len(trials) >= k]
    if not tasks:
        return math.nan, math.nan
    shares = [math.comb(sum(trials), k) / math.comb(len(trials), k) for trials in tasks]
    if len(set(shares)) == 1:
        return wilson(shares[0], len(shares), level=level)
    rng = random.Random(0)
    means = sorted(math.fsum(rng.choices(shares, k=len(shares))) / len(shares) for _ in range(draws))
    edge = (1 - level) / 2
    return means[int(edge * draws)], means[min(draws - 1, int((1 - edge) * draws))]


def wilson(share: float, count: int, *, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a share out of `count` (Wilson 1927)."""
    if count == 0:
        return math.nan, math.nan
    z = NormalDist().inv_cdf(0.5 + level / 2)
    centre = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return max(0.0, centre - half), min(1.0, centre + half)


def mean(values: Sequence[float]) -> float:
    """The mean; nan of nothing."""
    return math.fsum(values) / len(values) if values else math.nan


def paired_difference(one: Outcomes, other: Outcomes, *, draws: int = 2000) -> tuple[float, float, float]:
    """Mean pass^1 difference (other - one) over shared tasks, with its 95 % bootstrap interval."""
    shared = [task for task in one if task in other and one[task] and other[task]]
    gaps = [sum(other[task]) / len(other[task]) - sum(one[task]) / len(one[task]) for task in shared]
    if not gaps:
        return math.nan, math.nan, math.nan
    rng = random.Random(0)
    means = sorted(math.fsum(rng.choices(gaps, k=len(gaps))) / len(gaps) for _ in range(draws))
    return mean(gaps), means[int(0.025 * draws)], means[int(0.975 * draws)]
