"""Policy losses that verl does not have, registered under toolgym's own names; called once per micro batch.

| name | loss |
| --- | --- |
| toolgym_local_mean | the clipped surrogate, averaged over the active tokens of the local batch (TIER section 2.3) |

verl's `token-mean` divides by the tokens of the whole batch (which TIER calls DAPO's normalisation), its
`seq-mean-token-mean` by each sequence's own (standard GRPO); between the two stands the local batch.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import torch
from verl.trainer.ppo.core_algos import register_policy_loss


def local_mean(
    old_log_prob: torch.Tensor,
    log_prob: torch.Tensor,
    advantages: torch.Tensor,
    response_mask: torch.Tensor,
    *,
    low: float,
    high: float,
    weights: torch.Tensor | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """The mean clipped surrogate loss over a batch's active tokens, and the share of tokens that were clipped.

    Args:
        old_log_prob, log_prob, advantages: (rows, tokens).
        response_mask: (rows, tokens), 1 on active tokens.
        low, high: how far the ratio may go below and above 1.
        weights: importance weights of the rollout, if it was made by another distribution.
    """
    mask = response_mask.to(log_prob.dtype)
    count = mask.sum().clamp(min=1)
    ratio = torch.exp((log_prob - old_log_prob).clamp(-20, 20))
    plain, clipped = -advantages * ratio, -advantages * ratio.clamp(1 - low, 1 + high)
    loss = torch.maximum(plain, clipped)
    if weights is not None:
        loss = loss * weights
    return (loss * mask).sum() / count, ((clipped > plain) * mask).sum() / count


@cache
def register() -> None:
    """Make the losses known to verl in this process, once."""

    @register_policy_loss("toolgym_local_mean")
    def loss(
        old_log_prob: torch.Tensor,
        log_prob: torch.Tensor,
        advantages: torch.Tensor,
        response_mask: torch.Tensor,
        loss_agg_mode: str = "token-mean",
        config: Any = None,
        rollout_is_weights: torch.Tensor | None = None,
    ) -> tuple[torch.Tensor, dict[str, Any]]:
        mean, clipped = local_mean(
            old_log_prob,
            log_prob,
            advantages,
            response_mask,
            low=config.clip_ratio_low,
            high=config.clip_ratio_high,
            weights=rollout_is_weights,
        )
        every = config.global_batch_info.get("global_batch_size")
        # verl adds the micro batches' losses up, so each counts by its share of the rows
        share = 1.0 if every is None else len(log_prob) / every * config.global_batch_info["dp_size"]
        drift = ((old_log_prob - log_prob) * response_mask).sum() / response_mask.sum().clamp(min=1)
        return mean * share, {"actor/pg_clipfrac": clipped.item(), "actor/ppo_kl": drift.item()}
