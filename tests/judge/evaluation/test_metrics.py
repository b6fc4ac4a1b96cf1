"""pass^k and its intervals equal values computed by hand; the table says when trials say nothing new."""

import asyncio
import io
import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from toolgym.judge.evaluation import metrics
from toolgym.judge.evaluation.episodes import Evaluation
from toolgym.judge.evaluation.run import unspoken
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.evaluation.summary import Judged, judge_all, summarise, table

OUTCOMES = {"a": [True, True, False, True], "b": [False] * 4, "c": [True] * 4}


def test_trials_that_end_alike_are_remarked_on() -> None:
    oracle = Evaluation(EvalSettings(env="kiosk", agent="oracle", tasks=("2",), trials=2))
    played = [asyncio.run(oracle.play(task, trial)) for task in oracle.tasks for trial in range(2)]
    judged = judge_all(played)
    remark = "every task's 2 trials ended alike"
    assert remark in shown(judged)
    (trajectory, verdict), *rest = judged
    assert remark not in shown([(trajectory, replace(verdict, state=False)), *rest])
    assert remark not in shown(judged[::2]), "one trial each"
    assert max(map(len, shown(judged).splitlines())) <= 80


def test_a_score_of_version_2_is_told_with_and_without_what_is_flawed() -> None:
    identifiers = ("budget-v2-test-0-0012", "budget-v2-test-0-0013")
    judged = judge_all(unspoken(EvalSettings(env="budget", data="v2", split="test", agent="oracle", tasks=identifiers)))
    (flawed, verdict), sound = judged
    assert "without flawed" not in shown([sound])
    summary = summarise([(flawed, replace(verdict, state=False)), sound], [], basis="state")
    assert (summary["pass_hat"]["1"], summary["flawed"]["tasks"], summary["flawed"]["pass_hat_1"]) == (0.5, 1, 1.0)
    assert "pass^1 1.000  (but for 1 task whose gold breaks a rule)" in shown(judged)


def shown(judged: Sequence[Judged]) -> str:
    console = Console(file=io.StringIO(), width=300)
    console.print(table(summarise(judged, [], basis="state"), "a run"))
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())  # type: ignore[attr-defined]


def test_pass_hat_k_by_hand() -> None:
    assert metrics.pass_hat_k(OUTCOMES, 1) == pytest.approx((3 / 4 + 0 + 1) / 3)
    assert metrics.pass_hat_k(OUTCOMES, 2) == pytest.approx((3 / 6 + 0 + 1) / 3)
    assert metrics.pass_hat_k(OUTCOMES, 4) == pytest.approx(1 / 3)
    assert math.isnan(metrics.pass_hat_k(OUTCOMES, 5))


def test_first_k_differs_from_the_estimator() -> None:
    assert metrics.pass_first_k(OUTCOMES, 2) == pytest.approx(2 / 3)
    assert metrics.pass_first_k(OUTCOMES, 3) == pytest.approx(1 / 3)


def test_wilson_by_hand() -> None:
    low, high = metrics.wilson(0.5, 100)
    assert (low, high) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert metrics.wilson(1.0, 10)[1] == 1.0 and metrics.wilson(1.0, 10)[0] == pytest.approx(0.7225, abs=1e-4)


def test_paired_difference() -> None:
    better = {"a": [True] * 4, "b": [True, False, False, False], "c": [True] * 4, "d": [True]}
    gap, low, high = metrics.paired_difference(OUTCOMES, better)
    assert gap == pytest.approx((0.25 + 0.25 + 0) / 3) and low <= gap <= high


outcomes = st.dictionaries(st.text(min_size=1), st.lists(st.booleans(), min_size=3, max_size=3), min_size=1, max_size=8)


@pytest.mark.slow
@given(outcomes)
def test_properties(found: dict[str, list[bool]]) -> None:
    values = [metrics.pass_hat_k(found, k) for k in (1, 2, 3)]
    assert 1 >= values[0] >= values[1] >= values[2] >= 0
    assert values[2] == metrics.pass_first_k(found, 3)
    low, high = metrics.interval(found)
    assert 0 <= low <= high <= 1 and low <= values[0] + 1e-9 and high >= values[0] - 1e-9


def test_difficulties_are_counted_from_simple_to_hard() -> None:
    played = unspoken(EvalSettings(env="ToolRetail-v0", agent="inert", split="test", tasks=("20",)))
    assert list(summarise(judge_all(played), [], basis="state")["difficulties"]) == ["simple", "standard", "hard"]
