"""TIER's batch-normalised loss by hand, and against verl's token mean where the two agree."""

import pytest
import torch
from verl.trainer.ppo.core_algos import compute_policy_loss_vanilla, get_policy_loss_fn
from verl.workers.config import FSDPActorConfig

from toolgym.training import losses

OLD = torch.tensor([[-1.0, -2.0, -1.0], [-1.0, -1.0, -1.0]])
NEW = torch.tensor([[-0.5, -2.0, -1.0], [-1.0, -3.0, -1.0]])
ADVANTAGES = torch.tensor([[1.0, 1.0, 0.0], [-2.0, -2.0, 0.0]])
MASK = torch.tensor([[1, 1, 0], [1, 1, 0]])


def test_the_clipped_surrogate_by_hand() -> None:
    loss, clipped = losses.local_mean(OLD, NEW, ADVANTAGES, MASK, low=0.2, high=0.2)
    # ratios e^0.5, 1 and 1, e^-2: the first is clipped to 1.2, the last to 0.8 (the larger loss, 1.6)
    assert loss.item() == pytest.approx((-1.2 - 1.0 + 2.0 + 1.6) / 4)
    assert clipped.item() == pytest.approx(2 / 4)


def config(**batch: int) -> FSDPActorConfig:
    made = FSDPActorConfig(strategy="fsdp2", ppo_micro_batch_size_per_gpu=1, rollout_n=1)
    made.global_batch_info.update({"dp_size": 1, "batch_num_tokens": None, "global_batch_size": None} | batch)
    return made


def test_one_whole_batch_equals_verls_token_mean() -> None:
    losses.register()
    ours = get_policy_loss_fn("toolgym_local_mean")
    arguments = {"old_log_prob": OLD, "log_prob": NEW, "advantages": ADVANTAGES, "response_mask": MASK.bool()}
    expected, _ = compute_policy_loss_vanilla(**arguments, loss_agg_mode="token-mean", config=config())
    assert ours(**arguments, config=config())[0].item() == pytest.approx(expected.item())


def test_micro_batches_count_by_their_rows_and_not_by_their_tokens() -> None:
    losses.register()
    ours = get_policy_loss_fn("toolgym_local_mean")
    mask = torch.tensor([[1, 1, 0], [1, 0, 0]]).bool()
    parts = [
        ours(
            old_log_prob=OLD[row : row + 1],
            log_prob=NEW[row : row + 1],
            advantages=ADVANTAGES[row : row + 1],
            response_mask=mask[row : row + 1],
            config=config(global_batch_size=2),
        )[0].item()
        for row in range(2)
    ]
    assert sum(parts) == pytest.approx(((-1.2 - 1.0) / 2 + 2.0) / 2)
