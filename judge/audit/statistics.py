"""Estimates with bootstrap intervals over tasks: ratios, variety and overlap of words, likeness to people."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from toolgym.judge.audit.measures import MEASURES, Measured
from toolgym.judge.audit.style import DIMENSIONS, FEATURES

DRAWS = 1000
_ORDERS = 100
"""Random orders of the conversations for what depends on how much text there is."""
_LEVEL = (2.5, 97.5)
_DIFFICULTY = (0.2, 0.4, 0.6, 0.8)
_WORD = re.compile(r"[a-z']+")


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval; nan where there is nothing to measure."""

    value: float
    low: float
    high: float


NOTHING = Estimate(np.nan, np.nan, np.nan)
Floats = NDArray[np.float64]


class Sample:
    """A group's conversations, ready to be resampled by task: trials of one task stay together.

    Args:
        talks: the conversations.
    """

    def __init__(self, talks: Sequence[Measured]) -> None:
        self.talks = talks
        tasks = {task: place for place, task in enumerate(dict.fromkeys(talk.task for talk in talks))}
        self._of = np.array([tasks[talk.task] for talk in talks])
        self._draws = np.random.default_rng(0).multinomial(len(tasks), [1 / len(tasks)] * len(tasks), size=DRAWS)

    @property
    def weights(self) -> Floats:
        """How often each conversation is drawn, a row for each draw."""
        return self._draws[:, self._of].astype(np.float64)

    def ratio(self, name: str) -> Estimate:
        """A measure over all conversations."""
        parts = np.array([talk.ratios[name] for talk in self.talks], dtype=np.float64)
        if not parts[:, 1].sum():
            return NOTHING
        drawn = self.weights @ parts
        usable = drawn[:, 1] > 0
        return _estimate(parts[:, 0].sum() / parts[:, 1].sum(), drawn[usable, 0] / drawn[usable, 1])

    def style(self) -> tuple[Floats, Floats]:
        """The mean of each feature, and in each draw."""
        values = np.array([[talk.style[name] for name in FEATURES] for talk in self.talks])
        weights = self.weights
        return values.mean(axis=0), weights @ values / weights.sum(axis=1, keepdims=True)


def ratios(sample: Sample) -> dict[str, Estimate]:
    """Every measure of a group."""
    return {name: sample.ratio(name) for name in MEASURES}


def likeness(sample: Sample, people: Sample, pooled: Mapping[str, float]) -> dict[str, Estimate]:
    """How like people a group is, 0 to 100: each dimension, outcomes, and their mean.

    The User-Sim Index of Zhou et al. (arXiv 2603.11245) without its survey: a feature's likeness is Dice's
    2 min(a, b) / (a + b) of the two means, a dimension's the mean of its features; outcomes are 100 (1 - ECE), where
    the calibration error is the mean gap in success over five bins of tasks by difficulty. Without shared tasks the
    index is the mean of the four dimensions.

    Args:
        sample: the group.
        people: recorded people.
        pooled: success of each task over all groups, the difficulty by which tasks are binned.
    """
    (here, draws), (there, _) = sample.style(), people.style()
    places = {name: place for place, name in enumerate(FEATURES)}
    found: dict[str, Estimate] = {}
    parts: list[tuple[float, Floats]] = []
    for dimension, names in DIMENSIONS.items():
        columns = [places[name] for name in names]
        value = float(_dice(here[columns], there[columns]).mean() * 100)
        drawn = _dice(draws[:, columns], there[columns]).mean(axis=1) * 100
        parts.append((value, drawn))
        found[dimension] = _centred(value, drawn)
    outcome = _calibration(sample, people, pooled)
    found["outcomes"] = NOTHING if outcome is None else Estimate(outcome, np.nan, np.nan)
    fixed = [] if outcome is None else [outcome]
    count = len(parts) + len(fixed)
    index = (sum(value for value, _ in parts) + sum(fixed)) / count
    spread = (np.sum([drawn for _, drawn in parts], axis=0) + sum(fixed)) / count
    return found | {"index": _centred(index, spread)}


def _centred(value: float, draws: Floats) -> Estimate:
    """A likeness with the spread of its draws; in a draw means lie further apart, so that the likeness itself falls."""
    found = _estimate(value, draws - draws.mean() + value)
    return Estimate(found.value, max(found.low, 0.0), min(found.high, 100.0))


def _dice(one: Floats, other: Floats) -> Floats:
    total = one + other
    return np.where(total > 0, 2 * np.minimum(one, other) / np.where(total > 0, total, 1), 1.0)


def _calibration(sample: Sample, people: Sample, pooled: Mapping[str, float]) -> float | None:
    """100 (1 - ECE); None where no task is shared."""
    here, there = success(sample.talks), success(people.talks)
    shared = [task for task in here if task in there]
    bins: dict[int, list[str]] = {}
    for task in shared:
        bins.setdefault(int(np.digitize(pooled[task], _DIFFICULTY)), []).append(task)
    gaps = [
        len(tasks) * abs(np.mean([here[task] for task in tasks]) - np.mean([there[task] for task in tasks]))
        for tasks in bins.values()
    ]
    return None if not shared else float(100 * (1 - sum(gaps) / len(shared)))


def success(talks: Sequence[Measured]) -> dict[str, float]:
    """The success of each task."""
    found: dict[str, list[bool]] = {}
    for talk in talks:
        found.setdefault(talk.task, []).append(talk.passed)
    return {task: float(np.mean(trials)) for task, trials in found.items()}


def words_of(talks: Sequence[Measured]) -> list[list[str]]:
    """The words of each conversation's user."""
    return [[word for text in talk.texts for word in _WORD.findall(text.lower())] for talk in talks]


def distinct(talks: list[list[str]], n: int, count: int) -> Estimate:
    """Distinct-n of Li et al. (NAACL 2016): different runs of n words, of all such runs.

    Longer texts repeat more, so every group is measured on as many words, of conversations in random orders.
    """

    def share(text: list[str]) -> float:
        grams = list(zip(*(text[place:] for place in range(n)), strict=False))
        return len(set(grams)) / max(len(grams), 1)

    return _ordered(talks, count, share)


def overlap(talks: list[list[str]], reference: list[list[str]], count: int) -> Estimate:
    """What two groups' equally long texts have in common: the sum over words of the smaller share."""
    rng = Random(1)

    def common(text: list[str]) -> float:
        one, other = Counter(text), Counter(_text(reference, count, rng))
        return sum((one & other).values()) / max(count, 1)

    return _ordered(talks, count, common)


def _ordered(talks: list[list[str]], count: int, measure: Callable[[list[str]], float]) -> Estimate:
    if count < 2:
        return NOTHING
    rng = Random(0)
    values = np.array([measure(_text(talks, count, rng)) for _ in range(_ORDERS)])
    return _estimate(float(values.mean()), values)


def _text(talks: list[list[str]], count: int, rng: Random) -> list[str]:
    order = rng.sample(range(len(talks)), len(talks))
    return [word for place in order for word in talks[place]][:count]


def _estimate(value: float, draws: Floats) -> Estimate:
    low, high = np.percentile(draws, _LEVEL) if len(draws) else (np.nan, np.nan)
    return Estimate(float(value), float(low), float(high))
