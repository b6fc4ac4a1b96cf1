"""The statistics of a comparison against scipy, against a simulation of what they promise, and by hand."""

import random
from collections.abc import Sequence

import pytest
from scipy.stats import binomtest, permutation_test

from toolgym.judge.comparison.difference import Difference, adjusted, paired, sign_test, unpaired

Outcomes = dict[str, list[bool]]


def simulated(
    rng: random.Random, tasks: int, first: float, second: float, trials: int = 1
) -> tuple[Outcomes, Outcomes]:
    """Two runs whose tasks share a difficulty, with these chances on average."""
    found: tuple[Outcomes, Outcomes] = ({}, {})
    for number in range(tasks):
        lean = rng.uniform(-0.2, 0.2)
        for outcomes, chance in zip(found, (first, second), strict=True):
            outcomes[str(number)] = [rng.random() < chance + lean for _ in range(trials)]
    return found


@pytest.mark.parametrize("better", range(0, 40, 3))
def test_the_sign_test_is_mcnemars_exact_test(better: int) -> None:
    for worse in (0, 1, 2, 5, 13, 40):
        wanted = binomtest(better, better + worse, 0.5).pvalue if better + worse else 1.0
        assert sign_test(better, worse) == pytest.approx(wanted, rel=1e-9)


def test_one_flip_a_side_by_hand() -> None:
    first = {"a": [True], "b": [False], "c": [True], "d": [True]}
    second = {"a": [True], "b": [True], "c": [False], "d": [True], "e": [False]}
    found = paired(first, second)
    assert (found.tasks, found.better, found.worse, found.value, found.p) == (4, 1, 1, 0.0, 1.0)
    assert (found.first, found.second) == (0.75, 0.75) and not found.more_than_chance


def test_a_task_counts_by_the_share_of_its_trials() -> None:
    found = paired({"a": [True, False], "b": [True, True]}, {"a": [True] * 4, "b": [True, True, True, False]})
    assert found.value == pytest.approx((0.5 - 0.25) / 2) and (found.better, found.worse) == (1, 1)


@pytest.mark.slow
@pytest.mark.parametrize(("trials", "seed"), [(1, 0), (4, 1)])
def test_the_interval_covers_the_truth_as_often_as_it_says(trials: int, seed: int, monkeypatch) -> None:
    monkeypatch.setattr("toolgym.judge.comparison.difference.DRAWS", 400)
    rng, covered, runs = random.Random(seed), 0, 200
    for _ in range(runs):
        found = paired(*simulated(rng, 80, 0.5, 0.6, trials))
        covered += found.low <= 0.1 <= found.high
    assert 0.90 <= covered / runs <= 0.99, "a 95 % interval"


@pytest.mark.slow
def test_chance_is_seldom_taken_for_a_difference(monkeypatch) -> None:
    monkeypatch.setattr("toolgym.judge.comparison.difference.DRAWS", 400)
    rng = random.Random(2)
    for tasks in (12, 60):
        claimed = sum(paired(*simulated(rng, tasks, 0.5, 0.5)).more_than_chance for _ in range(200))
        assert claimed <= 0.05 * 200 + 6, "the test is exact, so five in a hundred at most"


def test_with_few_flips_the_interval_alone_is_too_sure() -> None:
    first = {str(number): [False] for number in range(20)}
    found = paired(first, first | {str(number): [True] for number in range(4)})
    assert found.low > 0 and found.p == 0.125 and not found.more_than_chance


def test_runs_that_never_differ_are_not_known_to_be_equal() -> None:
    same = {str(number): [True] for number in range(20)}
    found = paired(same, same)
    assert found.value == 0 and -0.2 < found.low < 0 < found.high < 0.2 and found.p == 1.0


@pytest.mark.slow
def test_the_tasks_that_would_be_needed_show_the_difference_four_times_in_five(monkeypatch) -> None:
    monkeypatch.setattr("toolgym.judge.comparison.difference.DRAWS", 300)
    rng = random.Random(3)
    wide = paired(*simulated(rng, 4000, 0.5, 0.6))
    assert wide.needed is not None and 300 < wide.needed < 500
    seen = sum(paired(*simulated(rng, wide.needed, 0.5, 0.6)).more_than_chance for _ in range(100))
    assert 68 <= seen <= 90, "80 %, within what 100 tries can tell"


def test_unpaired_runs_against_scipys_permutation_test() -> None:
    rng = random.Random(4)
    first, second = simulated(rng, 60, 0.4, 0.6)
    found = unpaired(first, {f"other {task}": trials for task, trials in second.items()})
    assert not found.paired and found.low <= found.value <= found.high

    def gap(one: Sequence[float], other: Sequence[float]) -> float:
        return sum(other) / len(other) - sum(one) / len(one)

    groups = [[float(trials[0]) for trials in each.values()] for each in (first, second)]
    wanted = permutation_test(groups, gap, n_resamples=2000, rng=0)
    assert found.p == pytest.approx(wanted.pvalue, abs=0.03)


def test_several_comparisons_are_corrected_by_holm() -> None:
    def with_p(p: float) -> Difference:
        return Difference(0, 0, 0.2, 0.1, 0.3, 50, 10, 0, p, True, None, None)

    found = [each.p for each in adjusted([with_p(0.03), with_p(0.01), with_p(0.02)])]
    assert found == pytest.approx([0.04, 0.03, 0.04]), "0.01 x 3, 0.02 x 2, and never less than the one before"
