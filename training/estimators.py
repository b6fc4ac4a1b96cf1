"""toolgym's advantage estimators under their own verl names; the arithmetic is in `toolgym.training.credit`.

Imported by `toolgym.training.plugin` in every verl process. verl's own `gae`, `grpo` and `rloo` stay untouched.

| name | advantage of a token |
| --- | --- |
| toolgym_grpo | trajectory total, group-normalised with the population deviation (ToolRL sec. 3.4, TARL eq. 5) |
| toolgym_tier | the same with epsilon 1e-4 (TIER sec. 2.3) |
| toolgym_rloo | trajectory total minus the mean of the group's others (TARL eq. 7) |
| toolgym_turn_grpo | the turn's return-to-go, group-normalised turn by turn |
| toolgym_turn_rloo | the turn's return-to-go minus the others' at the same turn |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import torch
from verl.trainer.ppo.core_algos import register_adv_est

from toolgym.training import credit

Advantages = tuple[torch.Tensor, torch.Tensor]
Estimator = Callable[[torch.Tensor, torch.Tensor, Sequence[Any]], torch.Tensor]


def _grpo(rewards: torch.Tensor, mask: torch.Tensor, index: Sequence[Any]) -> torch.Tensor:
    return credit.spread(credit.normalise(rewards.sum(dim=1), index), mask)


def _tier(rewards: torch.Tensor, mask: torch.Tensor, index: Sequence[Any]) -> torch.Tensor:
    return credit.spread(credit.normalise(rewards.sum(dim=1), index, epsilon=credit.EPSILON_TIER), mask)


def _rloo(rewards: torch.Tensor, mask: torch.Tensor, index: Sequence[Any]) -> torch.Tensor:
    return credit.spread(credit.leave_one_out(rewards.sum(dim=1), index), mask)


def _turn_rloo(rewards: torch.Tensor, mask: torch.Tensor, index: Sequence[Any]) -> torch.Tensor:
    return credit.turn_level(rewards, mask, index, leave_out=True)


ESTIMATORS: dict[str, Estimator] = {
    "toolgym_grpo": _grpo,
    "toolgym_tier": _tier,
    "toolgym_rloo": _rloo,
    "toolgym_turn_grpo": credit.turn_level,
    "toolgym_turn_rloo": _turn_rloo,
}


def _register(name: str, estimate: Estimator) -> None:
    @register_adv_est(name)
    def estimator(
        token_level_rewards: torch.Tensor, response_mask: torch.Tensor, index: Sequence[Any], **_: Any
    ) -> Advantages:
        with torch.no_grad():
            advantages = estimate(token_level_rewards, response_mask, credit.apart(list(index), response_mask))
        return advantages, advantages


@cache
def register() -> None:
    """Make the estimators known to verl in this process, once."""
    for name, estimate in ESTIMATORS.items():
        _register(name, estimate)
