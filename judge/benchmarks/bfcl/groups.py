"""BFCL's own table: how its groups are made of categories. Read in the packages' `eval_runner_helper`.

Where a category of a group was not played whole, the group has no value; the package would count it as 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from toolgym.judge.benchmarks.bfcl.versions import Version
from toolgym.judge.benchmarks.contract import Group

Values = Mapping[str, tuple[float, int]]
_LIVE = ("live_simple", "live_multiple", "live_parallel", "live_parallel_multiple")


def table(version: Version, values: Values) -> Sequence[Group]:
    """The groups whose formulas need nothing that is left out.

    Version 4 weighs its overall score 10 non-live, 10 live, 10 irrelevance, 30 multi-turn and 40 agentic; agentic is
    left out, so it has none. The overall score of version 3 is the mean of non-live, live and multi-turn, and its
    non-live score holds executed calls; what is called AST below is without them.
    """
    simple = _mean(values, version.simple)
    parts = None if simple is None else _mean(values, ("multiple", "parallel", "parallel_multiple"), simple)
    multi_turn = [name for name in version.categories if name.startswith("multi_turn")]
    live = _LIVE if version.by_group else (*_LIVE, "live_irrelevance", "live_relevance")
    return (
        Group("non-live AST", parts, "mean of (mean of simple by language, multiple, parallel, parallel_multiple)"),
        Group("live AST", _weighted(values, _LIVE), "live simple, multiple, parallel, parallel_multiple by rows"),
        *(() if version.by_group else (Group("live", _weighted(values, live), "all six live categories by rows"),)),
        Group("multi-turn", _mean(values, multi_turn), "mean of base, miss_func, miss_param, long_context"),
        Group("irrelevance", _mean(values, ("irrelevance", "live_irrelevance")), "mean of non-live and live"),
        Group("relevance", _mean(values, ("live_relevance",)), "live_relevance"),
    )


def _mean(values: Values, names: Sequence[str], *more: float) -> float | None:
    if any(name not in values for name in names):
        return None
    every = [*more, *(values[name][0] for name in names)]
    return math.fsum(every) / len(every)


def _weighted(values: Values, names: Sequence[str]) -> float | None:
    if any(name not in values for name in names):
        return None
    return math.fsum(values[name][0] * values[name][1] for name in names) / sum(values[name][1] for name in names)
