"""Credit: where a trajectory's reward goes, as pure functions of tensors.

Turns are the runs of ones in a response mask: what the model generated, between stretches of what the environment
said. Registration with verl is `toolgym.training.estimators`; nothing here knows verl.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence

import torch

EPSILON_GRPO = 1e-6
"""Added to the standard deviation; papers only ask for a small constant (TARL eq. 5, ToolRL section 3.4)."""

EPSILON_TIER = 1e-4
"""TIER section 2.3, as the paper's PDF prints it: text versions of the paper drop its formulas."""


def turn_numbers(response_mask: torch.Tensor) -> torch.Tensor:
    """The turn of every token.

    Args:
        response_mask: (rows, tokens), 1 where the model generated the token.

    Returns:
        (rows, tokens) integers: 0, 1, ... on generated tokens, -1 on the others.
    """
    generated = response_mask.bool()
    before = torch.nn.functional.pad(generated, (1, 0))[:, :-1]
    numbers = (generated & ~before).long().cumsum(dim=1) - 1
    return torch.where(generated, numbers, torch.full_like(numbers, -1))


def turn_ends(response_mask: Sequence[int]) -> list[int]:
    """The position of the last generated token of every turn of one row."""
    padded = [*response_mask, 0]
    return [position for position in range(len(response_mask)) if padded[position] and not padded[position + 1]]


def place_rewards(ends: Sequence[int], rewards: Sequence[float], length: int) -> list[float]:
    """Token rewards of one row: each turn's reward on the turn's last generated token.

    Args:
        ends: the position of that token for every turn.
        rewards: one per turn; what is beyond the row's turns is added to the last one, so that the sum never changes.
        length: tokens of the row.

    Raises:
        ValueError: there is a reward but no generated token to carry it.
    """
    tokens = [0.0] * length
    if not ends:
        if any(rewards):
            raise ValueError("A trajectory without a generated token cannot carry a reward.")
        return tokens
    for turn, reward in enumerate(rewards):
        tokens[ends[min(turn, len(ends) - 1)]] += reward
    return tokens


def groups(index: Sequence[Hashable]) -> list[list[int]]:
    """Rows that answer the same prompt, in order of first appearance."""
    found: dict[Hashable, list[int]] = defaultdict(list)
    for row, key in enumerate(index):
        found[key].append(row)
    return list(found.values())


def apart(index: Sequence[Hashable], response_mask: torch.Tensor) -> list[Hashable]:
    """Each row's group, where a row without a generated token is a group of its own: it was left out, and what it
    earned counts in nobody's comparison.

    Args:
        index: each row's group.
        response_mask: (rows, tokens).
    """
    left_out = (~response_mask.bool().any(dim=1)).tolist()
    return [("left out", row) if left_out[row] else key for row, key in enumerate(index)]


def normalise(scores: torch.Tensor, index: Sequence[Hashable], *, epsilon: float = EPSILON_GRPO) -> torch.Tensor:
    """Group-relative scores: (score - mean) / (population standard deviation + epsilon).

    The population form is ToolRL's (section 3.4) and TARL's (eq. 5: the mean square over the G members). A group of
    one gets 0.

    Args:
        scores: (rows,).
        index: each row's group.
        epsilon: keeps a constant group finite.
    """
    result = torch.zeros_like(scores)
    for rows in groups(index):
        members = scores[rows].double()  # equal rewards must come out as 0: in float32 rounding alone rivals epsilon
        result[rows] = ((members - members.mean()) / (members.std(correction=0) + epsilon)).to(scores.dtype)
    return result


def leave_one_out(scores: torch.Tensor, index: Sequence[Hashable]) -> torch.Tensor:
    """Scores minus the mean of the group's other members (RLOO, Ahmadian et al. 2024; TARL eq. 7). Alone: 0."""
    result = torch.zeros_like(scores)
    for rows in groups(index):
        size = len(rows)
        if size > 1:
            members = scores[rows]
            result[rows] = (members - members.mean()) * size / (size - 1)
    return result


def spread(scores: torch.Tensor, response_mask: torch.Tensor) -> torch.Tensor:
    """One score per row on every generated token of the row, 0 elsewhere: (rows, tokens)."""
    return scores[:, None] * response_mask.to(scores.dtype)


def on_last(scores: torch.Tensor, response_mask: torch.Tensor) -> torch.Tensor:
    """One score per row on the row's last generated token, 0 elsewhere: (rows, tokens)."""
    generated = response_mask.long()
    still_to_come = generated.flip(1).cumsum(dim=1).flip(1)
    return scores[:, None] * (generated * (still_to_come == 1)).to(scores.dtype)


def returns_to_go(token_rewards: torch.Tensor, response_mask: torch.Tensor) -> torch.Tensor:
    """What a row still earns from each of its turns on.

    Returns:
        (rows, turns): entry (i, k) is the sum of row i's rewards from turn k to the end; 0 for turns it lacks.
    """
    numbers = turn_numbers(response_mask)
    turns = int(numbers.max().item()) + 1 if numbers.numel() else 0
    columns = [(token_rewards * (numbers >= turn)).sum(dim=1) for turn in range(turns)]
    if not columns:
        return token_rewards.new_zeros(token_rewards.shape[0], 0)
    return torch.stack(columns, dim=1)


def turn_level(
    token_rewards: torch.Tensor,
    response_mask: torch.Tensor,
    index: Sequence[Hashable],
    *,
    leave_out: bool = False,
    epsilon: float = EPSILON_GRPO,
) -> torch.Tensor:
    """Group-relative advantage of every turn, on all its tokens.

    A turn's return-to-go is compared with the same turn of the group's other trajectories that reach it; a turn
    that only one trajectory reaches is compared with nothing and gets that trajectory's group-relative total, so
    that a longer conversation is neither rewarded nor ignored.

    Args:
        token_rewards: (rows, tokens), each turn's reward on its last generated token.
        response_mask: (rows, tokens).
        index: each row's group.
        leave_out: subtract the others' mean (RLOO) instead of normalising (GRPO).
        epsilon: for the GRPO form.

    Returns:
        (rows, tokens), 0 where the environment spoke.
    """

    def relative(scores: torch.Tensor, keys: Sequence[Hashable]) -> torch.Tensor:
        return leave_one_out(scores, keys) if leave_out else normalise(scores, keys, epsilon=epsilon)

    numbers = turn_numbers(response_mask)
    to_go = returns_to_go(token_rewards, response_mask)
    total = relative(token_rewards.sum(dim=1), index)
    advantages = torch.zeros_like(token_rewards)
    for turn in range(to_go.shape[1]):
        present = numbers == turn
        rows = present.any(dim=1).nonzero().flatten().tolist()
        keys = [index[row] for row in rows]
        values = relative(to_go[rows, turn], keys)
        alone = {key for key in keys if keys.count(key) == 1}
        for position, row in enumerate(rows):
            value = total[row] if keys[position] in alone else values[position]
            advantages[row] = torch.where(present[row], value, advantages[row])
    return advantages
