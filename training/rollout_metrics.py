"""What our trainer logs about a step's trajectories, as pure functions of plain numbers."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import torch

from toolgym.judge.evaluation.metrics import pass_hat_k
from toolgym.training.credit import groups

PREFIX = "toolgym"
_FAMILIES = ("reward", "seconds")
"""`reward_terminal` is logged as `toolgym/reward/terminal`."""


def averages(infos: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The mean of every number that the loops report, over the rows that report it."""
    values: dict[str, list[float]] = defaultdict(list)
    for info in infos:
        for name, value in info.items():
            if isinstance(value, int | float):
                values[_path(name)].append(float(value))
    return {name: math.fsum(found) / len(found) for name, found in sorted(values.items())}


def group_metrics(totals: torch.Tensor, index: Sequence[Hashable]) -> dict[str, float]:
    """How much the groups have to learn from.

    Args:
        totals: (rows,) each trajectory's reward.
        index: each row's group.

    Returns:
        The share of groups of which one trajectory is left, the others having failed; of the other groups the share
        whose rewards are all equal, which teach group-relative estimators nothing either, and the mean population
        deviation of the rewards within a group.
    """
    every = groups(index)
    found = [totals[rows] for rows in every if len(rows) > 1]
    alone = {f"{PREFIX}/groups_of_one": 1 - len(found) / len(every)} if every else {}
    if not found:
        return alone
    spreads = [float(rewards.std(correction=0)) for rewards in found]
    return alone | {
        f"{PREFIX}/constant_groups": sum(spread < 1e-9 for spread in spreads) / len(spreads),
        f"{PREFIX}/reward_spread": math.fsum(spreads) / len(spreads),
    }


def beside_failed(turns: Sequence[float], index: Sequence[Hashable], size: int) -> dict[str, float]:
    """How long the conversations are of whose group some failed: longer than all the others where failures, which come
    per request, drop long conversations more often than short ones.

    Args:
        turns: each trajectory's agent steps.
        index: each row's group.
        size: trajectories of a whole group.
    """
    left = [turns[row] for rows in groups(index) if len(rows) < size for row in rows]
    return {f"{PREFIX}/turns_beside_failed": math.fsum(left) / len(left)} if left else {}


def advantage_spread(advantages: torch.Tensor, response_mask: torch.Tensor) -> dict[str, float]:
    """The population deviation of the advantages of all generated tokens; both arguments are (rows, tokens)."""
    values = advantages[response_mask.bool()]
    return {f"{PREFIX}/advantage_spread": float(values.std(correction=0))} if values.numel() else {}


def probability_gap(
    rollout: torch.Tensor, trained: torch.Tensor, response_mask: torch.Tensor, top_p: float
) -> dict[str, float]:
    """How far the sampled tokens' probabilities lie from what the trained model and nucleus sampling allow.

    vLLM gives a token's probability among the nucleus (`processed_logprobs`), the trainer its probability among all
    tokens; the nucleus holds a share of top_p to 1, so the first is between the second and its 1 / top_p-fold. An
    engine that gives probabilities before the cut lies on the lower end. With top_p = 1 this is verl's
    rollout_probs_diff.

    Args:
        rollout: (rows, tokens) log-probabilities from the engine.
        trained: (rows, tokens) log-probabilities from the trainer, at the same temperature.
        response_mask: (rows, tokens), 1 on generated tokens.
        top_p: of sampling.
    """
    generated = response_mask.bool()
    if not generated.any():
        return {}
    sampled, least = rollout[generated].exp(), trained[generated].exp()
    most = (least / top_p).clamp(max=1.0)
    gap = torch.maximum(least - sampled, sampled - most).clamp(min=0.0)
    names = (f"{PREFIX}/rollout_probs_gap_max", f"{PREFIX}/rollout_probs_gap_mean")
    return dict(zip(names, (float(gap.max()), float(gap.mean())), strict=True))


def validation_pass(
    sources: Sequence[str], prompts: Sequence[Hashable], passed: Sequence[float | None]
) -> dict[str, float]:
    """pass^k by data source, for every k up to the trials per prompt; trajectories that failed are left out."""
    trials: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for source, prompt, outcome in zip(sources, prompts, passed, strict=True):
        if outcome is not None:
            trials[source][str(prompt)].append(outcome > 0.5)
    found = {}
    for source, outcomes in sorted(trials.items()):
        for k in range(1, max(map(len, outcomes.values())) + 1):
            found[f"{PREFIX}/val/{source}/pass^{k}"] = pass_hat_k(outcomes, k)
    return found


HELD_OUT = ("reward", "acc", "clean", "turns", "calls", "damage", "exploit")
"""What a validation says of the held-out episodes: the optimised reward and, beside it, what it should stand for."""


def held_out(sources: Sequence[str], infos: Mapping[str, Sequence[float | None]]) -> dict[str, float]:
    """The means of `HELD_OUT` by data source; rows that do not report a number are left out of its mean."""
    values: dict[str, list[float]] = defaultdict(list)
    for name in HELD_OUT:
        for source, value in zip(sources, infos.get(name, ()), strict=False):
            if value is not None:
                values[f"{PREFIX}/held_out/{source}/{name}"].append(float(value))
    return {name: math.fsum(found) / len(found) for name, found in sorted(values.items())}


def keep_most_uncertain(
    advantages: torch.Tensor, entropy: torch.Tensor, response_mask: torch.Tensor, share: float
) -> torch.Tensor:
    """The advantages with 0 on all but the `share` of generated tokens with the highest entropy in the batch.

    Wang et al. 2025, "Beyond the 80/20 rule"; TARL section 5.2 tries it with 0.2.
    """
    generated = response_mask.bool()
    count = int(generated.sum())
    if count == 0:
        return advantages
    kept = max(1, math.ceil(share * count))
    threshold = entropy[generated].topk(kept).values[-1]
    return torch.where(generated & (entropy >= threshold), advantages, torch.zeros_like(advantages))


def _path(name: str) -> str:
    family, _, rest = name.partition("_")
    return f"{PREFIX}/{family}/{rest}" if family in _FAMILIES and rest else f"{PREFIX}/{name}"
