"""The difference between two runs on the same tasks, with what chance alone would make of it. Pure statistics.

Formulas are in docs/compare.md. A task is the unit: its trials stay together and count by the share that passed.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

from toolgym.judge.evaluation import metrics
from toolgym.judge.evaluation.metrics import Outcomes

ALPHA = 0.05
POWER = 0.8
DRAWS = 2000


@dataclass(frozen=True)
class Difference:
    """How two runs differ in one measure.

    Attributes:
        first, second: the measure of each on the tasks that are compared.
        value: second minus first.
        low, high: its 95 % bootstrap interval over tasks.
        tasks: how many are compared: pairs, or of unpaired runs all.
        better, worse: tasks that the second passes more often, and less often; 0 of unpaired runs.
        p: two-sided; paired: the exact sign test over tasks (McNemar's exact test where each has one trial); unpaired:
            a permutation test.
        paired: whether the same tasks are compared.
        needed: tasks on which a difference of this size would show with a chance of 80 %; None where there is none.
        visible: the smallest difference that these tasks show with a chance of 80 %; None where nothing varies.
    """

    first: float
    second: float
    value: float
    low: float
    high: float
    tasks: int
    better: int
    worse: int
    p: float
    paired: bool
    needed: int | None
    visible: float | None

    @property
    def more_than_chance(self) -> bool:
        """Whether the interval leaves 0 out and the test agrees: with few flips the interval alone is too sure."""
        return self.p < ALPHA and (self.low > 0 or self.high < 0)


def paired(first: Outcomes, second: Outcomes) -> Difference:
    """The difference on the tasks that both runs have."""
    shared = [task for task in first if task in second]
    gaps = [_share(second[task]) - _share(first[task]) for task in shared]
    value, low, high = metrics.paired_difference(first, second, draws=DRAWS)
    if len(set(gaps)) == 1:  # the bootstrap has no spread, which does not make the difference certain
        low, high = _bounds(gaps[0], len(gaps))
    better, worse = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
    return Difference(
        first=metrics.mean([_share(first[task]) for task in shared]),
        second=metrics.mean([_share(second[task]) for task in shared]),
        value=value,
        low=low,
        high=high,
        tasks=len(shared),
        better=better,
        worse=worse,
        p=sign_test(better, worse),
        paired=True,
        needed=_needed(value, _variance(gaps)),
        visible=_visible(_variance(gaps), len(gaps)),
    )


def unpaired(first: Outcomes, second: Outcomes) -> Difference:
    """The difference between runs on different tasks of one population; each side is drawn on its own."""
    one, other = ([_share(trials) for trials in found.values()] for found in (first, second))
    rng = random.Random(0)
    draws = sorted(_drawn(other, rng) - _drawn(one, rng) for _ in range(DRAWS))
    value = metrics.mean(other) - metrics.mean(one)
    spread = _variance(one) + _variance(other)
    return Difference(
        first=metrics.mean(one),
        second=metrics.mean(other),
        value=value,
        low=draws[int(0.025 * DRAWS)],
        high=draws[int(0.975 * DRAWS)],
        tasks=len(one) + len(other),
        better=0,
        worse=0,
        p=_permutation_test(one, other),
        paired=False,
        needed=_needed(value, 2 * spread),
        visible=_visible(2 * spread, len(one) + len(other)),
    )


def sign_test(better: int, worse: int) -> float:
    """The two-sided exact p of so many tasks going one way and so many the other, when each way is as likely.

    With one trial a task this is McNemar's exact test (McNemar 1947): ties say nothing.
    """
    count = better + worse
    tail: int = sum(math.comb(count, k) for k in range(min(better, worse) + 1))
    return min(1.0, float(2 * tail / 2**count))


def adjusted(found: Sequence[Difference]) -> list[Difference]:
    """The same differences with p by Holm's method (1979), so that several comparisons are not one lucky one."""
    order = sorted(range(len(found)), key=lambda place: found[place].p)
    result, least = list(found), 0.0
    for rank, place in enumerate(order):
        least = max(least, min(1.0, found[place].p * (len(found) - rank)))
        result[place] = replace(found[place], p=least)
    return result


def _share(trials: Sequence[bool]) -> float:
    return sum(trials) / len(trials)


def _bounds(gap: float, count: int) -> tuple[float, float]:
    """Around a gap that all tasks have: by Wilson's interval, as many others as could have gone unseen."""
    unseen = metrics.wilson(0.0, count)[1]
    return max(-1.0, gap - unseen), min(1.0, gap + unseen)


def _variance(values: Sequence[float]) -> float:
    centre = metrics.mean(values)
    return math.fsum((value - centre) ** 2 for value in values) / max(1, len(values) - 1)


def _reach() -> float:
    normal = NormalDist()
    return normal.inv_cdf(1 - ALPHA / 2) + normal.inv_cdf(POWER)


def _needed(value: float, variance: float) -> int | None:
    return math.ceil(_reach() ** 2 * variance / value**2) if value and variance else None


def _visible(variance: float, count: int) -> float | None:
    return _reach() * math.sqrt(variance / count) if variance and count else None


def _drawn(values: Sequence[float], rng: random.Random) -> float:
    return math.fsum(rng.choices(values, k=len(values))) / len(values)


def _permutation_test(one: Sequence[float], other: Sequence[float]) -> float:
    """How often runs that are alike differ by as much: tasks change sides at random."""
    rng, pool, size = random.Random(0), [*one, *other], len(one)
    seen = abs(metrics.mean(other) - metrics.mean(one)) - 1e-12
    hits = 0
    for _ in range(DRAWS):
        rng.shuffle(pool)
        hits += abs(metrics.mean(pool[size:]) - metrics.mean(pool[:size])) >= seen
    return (hits + 1) / (DRAWS + 1)
