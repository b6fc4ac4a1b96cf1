"""Matching predicted calls to gold calls, ToolRL's way: names first, then the best pairing of calls of one name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.runtime.extras import missing

Call = tuple[str, dict[str, Json]]
"""A call as name and arguments."""

Matching = Literal["greedy", "optimal"]
Granularity = Literal["refined", "finegrained", "intermediate", "coarse"]


def jaccard(one: Iterable[str], other: Iterable[str]) -> float:
    """Multiset Jaccard similarity; two empty collections are equal, one empty one is not."""
    first, second = Counter(list(one)), Counter(list(other))  # a mapping would be taken for counts
    union = (first | second).total()
    return (first & second).total() / union if union else 1.0


def pair_score(gold: dict[str, Json], predicted: dict[str, Json]) -> float:
    """Parameter names (Jaccard) plus the number of gold parameters with an equal value (ToolRL section 3.3)."""
    return jaccard(gold, predicted) + _equal_values(gold, predicted)


def strict_pair_score(gold: dict[str, Json], predicted: dict[str, Json]) -> float:
    """The finegrained variant: parameter names count only when all are equal (section 5.3)."""
    return float(gold.keys() == predicted.keys()) + _equal_values(gold, predicted)


def _equal_values(gold: dict[str, Json], predicted: dict[str, Json]) -> int:
    return sum(1 for name, value in gold.items() if name in predicted and predicted[name] == value)


def best_score(
    gold: Sequence[Call],
    predicted: Sequence[Call],
    matching: Matching,
    score: Callable[[dict[str, Json], dict[str, Json]], float] = pair_score,
) -> float:
    """The total score of the matched pairs.

    `greedy` takes, for each gold call in order, the best unused predicted call of its name (the released code);
    `optimal` maximises the sum (the paper) with scipy's assignment solver.

    Raises:
        ConfigurationError: `optimal` with several calls to assign needs scipy.
    """
    if matching == "greedy" or max(Counter(name for name, _ in gold).values(), default=0) < 2:
        return _greedy(gold, predicted, score)
    return sum(_assign(gold, predicted, name, score) for name in dict.fromkeys(name for name, _ in gold))


def _greedy(
    gold: Sequence[Call], predicted: Sequence[Call], score: Callable[[dict[str, Json], dict[str, Json]], float]
) -> float:
    free, total = list(range(len(predicted))), 0.0
    for name, arguments in gold:
        best, index = 0.0, None
        for candidate in free:
            if predicted[candidate][0] == name and (value := score(arguments, predicted[candidate][1])) > best:
                best, index = value, candidate
        if index is not None:
            free.remove(index)
            total += best
    return total


def _assign(
    gold: Sequence[Call],
    predicted: Sequence[Call],
    name: str,
    score: Callable[[dict[str, Json], dict[str, Json]], float],
) -> float:
    wanted = [arguments for called, arguments in gold if called == name]
    given = [arguments for called, arguments in predicted if called == name]
    if not given:
        return 0.0
    table = [[score(arguments, other) for other in given] for arguments in wanted]
    if len(wanted) == 1:
        return max(table[0])
    try:
        from scipy.optimize import linear_sum_assignment
    except ImportError as error:
        raise missing(error, "Optimal matching (greedy does without)") from error
    rows, columns = linear_sum_assignment(table, maximize=True)
    return float(sum(table[row][column] for row, column in zip(rows, columns, strict=True)))
