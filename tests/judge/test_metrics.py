"""pass^k and its intervals equal values computed by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge import metrics

OUTCOMES = {"a": [True, True, False, True], "b": [False] * 4, "c": [True] * 4}


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


@given(outcomes)
def test_properties(found: dict[str, list[bool]]) -> None:
    values = [metrics.pass_hat_k(found, k) for k in (1, 2, 3)]
    assert 1 >= values[0] >= values[1] >= values[2] >= 0
    assert values[2] == metrics.pass_first_k(found, 3)
    low, high = metrics.interval(found)
    assert 0 <= low <= high <= 1 and low <= values[0] + 1e-9 and high >= values[0] - 1e-9
