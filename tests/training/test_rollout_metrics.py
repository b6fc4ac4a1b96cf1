"""What the trainer logs, computed by hand."""

import math

import pytest
import torch

from toolgym.training import rollout_metrics as metrics


def test_averages_are_over_the_rows_that_report_a_number() -> None:
    infos = [{"acc": 1.0, "reward_terminal": 10.0, "trajectory": "{}"}, {"acc": 0.0, "seconds_judge": 2.0}]
    assert metrics.averages(infos) == {
        "toolgym/acc": 0.5,
        "toolgym/reward/terminal": 10.0,
        "toolgym/seconds/judge": 2.0,
    }


def test_groups_without_spread_are_counted() -> None:
    found = metrics.group_metrics(torch.tensor([1.0, 1.0, 0.0, 2.0, 5.0]), ["a", "a", "b", "b", "alone"])
    assert found == {
        "toolgym/groups_of_one": pytest.approx(1 / 3),
        "toolgym/constant_groups": 0.5,
        "toolgym/reward_spread": 0.5,
    }
    assert metrics.group_metrics(torch.tensor([1.0]), ["a"]) == {"toolgym/groups_of_one": 1.0}
    assert metrics.group_metrics(torch.tensor([]), []) == {}


def test_the_siblings_of_what_failed_say_whether_long_conversations_are_dropped() -> None:
    turns, index = [3.0, 3.0, 9.0, 11.0, 2.0], ["whole", "whole", "a", "b", "whole"]
    assert metrics.beside_failed(turns, index, 3) == {"toolgym/turns_beside_failed": 10.0}
    assert metrics.beside_failed(turns[:2], index[:2], 2) == {}


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


def test_probabilities_among_the_nucleus_are_no_gap_and_another_temperature_is() -> None:
    """As vLLM gives them (after temperature and top-p) beside the trainer's (after temperature)."""
    from transformers import TopPLogitsWarper
    from verl import DataProto
    from verl.utils.debug.metrics import calculate_debug_metrics

    torch.manual_seed(0)
    logits, top_p = torch.randn(200, 50) * 3 / 0.7, 0.95
    cut = TopPLogitsWarper(top_p)(torch.zeros(200, 1), logits).log_softmax(-1)
    tokens = torch.multinomial(cut.exp(), 1)
    among_nucleus, among_all = cut.gather(1, tokens).T, logits.log_softmax(-1).gather(1, tokens).T
    mask = torch.ones(1, 200)
    fields = {"rollout_log_probs": among_nucleus, "old_log_probs": among_all, "response_mask": mask, "responses": mask}
    verls = calculate_debug_metrics(DataProto.from_dict(fields))["training/rollout_probs_diff_max"]
    assert verls > 0.02, "before against after the cut"
    for sampled in (among_nucleus, among_all):
        found = metrics.probability_gap(sampled, among_all, mask, top_p)
        assert found["toolgym/rollout_probs_gap_max"] == pytest.approx(0, abs=1e-6)
    warmer = (logits * 0.7).log_softmax(-1).gather(1, tokens).T
    assert metrics.probability_gap(among_nucleus, warmer, mask, top_p)["toolgym/rollout_probs_gap_max"] > 0.1


def test_without_a_cut_the_gap_is_verls_difference_over_generated_tokens() -> None:
    sampled, trained = torch.log(torch.tensor([[0.5, 0.9, 0.3]])), torch.log(torch.tensor([[0.4, 0.1, 0.35]]))
    found = metrics.probability_gap(sampled, trained, torch.tensor([[1, 0, 1]]), 1.0)
    assert found == pytest.approx({"toolgym/rollout_probs_gap_max": 0.1, "toolgym/rollout_probs_gap_mean": 0.075})
    assert metrics.probability_gap(sampled, trained, torch.zeros(1, 3), 1.0) == {}
