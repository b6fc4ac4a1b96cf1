"""Estimators and masked losses: hand-computed values, and verl's own functions on rewards placed by our loop."""

import numpy as np
import pytest
import torch

pytest.importorskip("verl")

from verl.trainer.ppo import core_algos as core

from toolgym.training import credit, estimators
from toolgym.training.settings import CRITIC_ESTIMATORS
from toolgym.training.trainer import GROUP_GAE

MASK = torch.tensor([[1, 1, 0, 0, 1], [1, 0, 1, 1, 1], [1, 1, 1, 0, 0], [1, 0, 0, 1, 0]])
ENDS = [[1, 4], [0, 4], [2], [0, 3]]
TURNS = [[1.0, 3.0], [0.0, 2.0], [6.0], [1.0, -1.0]]
INDEX = np.array(["a", "a", "b", "b"], dtype=object)


def rewards() -> torch.Tensor:
    placed = [credit.place_rewards(ends, turns, 5) for ends, turns in zip(ENDS, TURNS, strict=True)]
    return torch.tensor(placed)


def estimate(name: str) -> torch.Tensor:
    estimators.register()
    advantages, returns = core.get_adv_estimator_fn(name)(
        token_level_rewards=rewards(), response_mask=MASK, index=INDEX, config=None
    )
    assert torch.equal(advantages, returns)
    return advantages


def rowwise(values: list[float]) -> torch.Tensor:
    return torch.tensor(values)[:, None] * MASK


def test_trajectory_level_estimators_by_hand() -> None:
    """Totals are 4, 2 and 6, 0: the population deviations are 1 and 3, the leave-one-out differences 2 and 6."""
    assert torch.allclose(estimate("toolgym_grpo"), rowwise([1.0, -1.0, 1.0, -1.0]), atol=1e-5)
    assert torch.allclose(estimate("toolgym_rloo"), rowwise([2.0, -2.0, 6.0, -6.0]))
    tier = rowwise([1 / (1 + 1e-4), -1 / (1 + 1e-4), 3 / (3 + 1e-4), -3 / (3 + 1e-4)])
    assert torch.allclose(estimate("toolgym_tier"), tier, atol=1e-7)
    assert not torch.allclose(estimate("toolgym_grpo"), tier, atol=1e-5), "the papers' epsilons differ"


def test_turn_level_estimators_by_hand() -> None:
    """Returns-to-go of group a: 4, 2 and 3, 2. In group b only the last row reaches turn 1: it gets its total's."""
    expected = torch.tensor([[2.0, 2, 0, 0, 1], [-2, 0, -1, -1, -1], [6.0, 6, 6, 0, 0], [-6, 0, 0, -6, 0]])
    assert torch.allclose(estimate("toolgym_turn_rloo"), expected)
    signs = torch.tensor([[1.0, 1, 0, 0, 1], [-1, 0, -1, -1, -1], [1, 1, 1, 0, 0], [-1, 0, 0, -1, 0]])
    assert torch.allclose(estimate("toolgym_turn_grpo"), signs, atol=1e-4)


def gae(
    token_rewards: torch.Tensor, values: torch.Tensor, gamma: float, lam: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """verl's, with its whitening undone: (advantages before whitening, returns)."""
    _, returns = core.compute_gae_advantage_return(token_rewards, values, MASK, gamma, lam)
    return returns - values, returns


def test_gae_carries_turn_rewards_back_over_what_the_environment_said() -> None:
    """By hand for row 0 with gamma = lambda = 1 and V = 0.5: generated tokens 0, 1 | 4, rewards 1 at 1 and 3 at 4."""
    values = torch.full(MASK.shape, 0.5)
    _, returns = gae(rewards(), values, 1.0, 1.0)
    assert returns[0][MASK[0].bool()].tolist() == pytest.approx([4.0, 4.0, 3.0])
    lam, value = 0.5, 0.5
    last = 3 - value
    second = (1 + value - value) + lam * last
    first = (0 + value - value) + lam * second
    _, returns = gae(rewards(), values, 1.0, lam)
    assert returns[0][MASK[0].bool()].tolist() == pytest.approx([first + value, second + value, last + value])


def test_a_reward_on_the_environments_last_token_would_be_lost() -> None:
    """Why rewards are placed by mask: verl's default place is the last token, which here is not generated."""
    wrong = torch.zeros(MASK.shape)
    wrong[2, 4] = 6.0
    values = torch.zeros(MASK.shape)
    assert gae(wrong, values, 1.0, 1.0)[1][2][MASK[2].bool()].tolist() == [0.0, 0.0, 0.0]
    assert gae(rewards(), values, 1.0, 1.0)[1][2][MASK[2].bool()].tolist() == [6.0, 6.0, 6.0]


def test_the_uniform_reward_of_tarls_ppo_is_every_tokens_return_however_long_the_row() -> None:
    scores = credit.normalise(rewards().sum(dim=1), list(INDEX))
    values = torch.zeros(MASK.shape)
    _, returns = gae(GROUP_GAE["toolgym_uniform_gae"](scores, MASK), values, 1.0, 1.0)
    assert torch.allclose(returns * MASK, rowwise([1.0, -1.0, 1.0, -1.0]), atol=1e-5)


def test_the_literal_reading_of_tarls_ppo_pays_every_token_so_returns_grow() -> None:
    """Row 0 by hand: three generated tokens of reward 1, so 3, 2 and 1 are still to come."""
    scores = credit.normalise(rewards().sum(dim=1), list(INDEX))
    spread = GROUP_GAE["toolgym_every_token_gae"](scores, MASK)
    assert torch.allclose(spread, rowwise([1.0, -1.0, 1.0, -1.0]), atol=1e-5)
    _, returns = gae(spread, torch.zeros(MASK.shape), 1.0, 1.0)
    assert returns[0][MASK[0].bool()].tolist() == pytest.approx([3.0, 2.0, 1.0], abs=1e-4)


def test_a_critics_estimators_are_known_to_the_settings() -> None:
    assert set(CRITIC_ESTIMATORS) == {"gae", *GROUP_GAE}


def test_the_masked_loss_is_over_generated_tokens_only() -> None:
    """verl's clipped loss with token-mean, by hand: ratios 1.1 and 1.5 with advantages 1 and -1, clip at 0.2."""
    from verl.workers.config import FSDPActorConfig

    mask = torch.tensor([[1, 0, 1]])
    old = torch.zeros(1, 3)
    new = torch.log(torch.tensor([[1.1, 7.0, 1.5]]))
    advantages = torch.tensor([[1.0, 100.0, -1.0]])
    config = FSDPActorConfig(
        strategy="fsdp2",
        rollout_n=1,
        ppo_micro_batch_size_per_gpu=1,
        clip_ratio=0.2,
        clip_ratio_low=0.2,
        clip_ratio_high=0.2,
    )
    config.global_batch_info["dp_size"] = 1
    loss, _ = core.get_policy_loss_fn("vanilla")(
        old_log_prob=old,
        log_prob=new,
        advantages=advantages,
        response_mask=mask,
        loss_agg_mode="token-mean",
        config=config,
    )
    assert float(loss) == pytest.approx((-1.1 + 1.5) / 2)
