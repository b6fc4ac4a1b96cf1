"""What the trainer logs, computed by hand."""

import math

import pytest
import torch

from training import rollout_metrics as metrics


def test_averages_are_over_the_rows_that_report_a_number() -> None:
    infos = [{"acc": 1.0, "reward_terminal": 10.0, "trajectory": "{}"}, {"acc": 0.0, "seconds_judge": 2.0}]
    assert metrics.averages(infos) == {
        "toolgym/acc": 0.5,
        "toolgym/reward/terminal": 10.0,
        "toolgym/seconds/judge": 2.0,
    }


def test_groups_without_spread_are_counted() -> None:
    found = metrics.group_metrics(torch.tensor([1.0, 1.0, 0.0, 2.0, 5.0]), ["a", "a", "b", "b", "alone"])
    assert found == {"toolgym/constant_groups": 0.5, "toolgym/reward_spread": 0.5}
    assert metrics.group_metrics(torch.tensor([1.0]), ["a"]) == {}


def test_the_spread_of_advantages_is_over_generated_tokens() -> None:
    advantages, mask = torch.tensor([[1.0, 99.0], [3.0, 0.0]]), torch.tensor([[1, 0], [1, 0]])
    assert metrics.advantage_spread(advantages, mask) == {"toolgym/advantage_spread": 1.0}


def test_pass_k_leaves_failed_trajectories_out() -> None:
    found = metrics.validation_pass(
        ["text"] * 5 + ["math"], ["p", "p", "p", "q", "q", "r"], [1.0, 1.0, 0.0, 1.0, None, 0.0]
    )
    assert found["toolgym/val/math/pass^1"] == 0.0 and "toolgym/val/math/pass^2" not in found
    assert found["toolgym/val/text/pass^1"] == pytest.approx((2 / 3 + 1) / 2)
    assert found["toolgym/val/text/pass^2"] == pytest.approx(1 / 3), "C(2,2)/C(3,2); q has one trial left"
    assert found["toolgym/val/text/pass^3"] == 0.0


def test_only_the_most_uncertain_tokens_keep_their_advantage() -> None:
    advantages = torch.ones(2, 5)
    mask = torch.tensor([[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]])
    entropy = torch.tensor([[0.1, 0.9, 0.2, 0.3, 5.0], [0.8, 0.1, 0.1, 0.1, 0.1]])
    kept = metrics.keep_most_uncertain(advantages, entropy, mask, 0.2)
    assert kept.nonzero().tolist() == [[0, 1], [1, 0]], "ceil(0.2 * 9) = 2; masked tokens never count"
    assert metrics.keep_most_uncertain(advantages, entropy, mask, 1.0).sum() == 9
    assert math.isclose(float(metrics.keep_most_uncertain(advantages, entropy, mask * 0, 0.2).sum()), 10)
