"""Credit assignment equals values computed by hand, and verl's own output where verl has the same estimator."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from toolgym.training import credit

MASK = torch.tensor([[1, 1, 0, 1, 0], [1, 0, 0, 1, 1], [0, 1, 1, 0, 0]])


def test_turns_are_runs_of_generated_tokens() -> None:
    assert credit.turn_numbers(MASK).tolist() == [[0, 0, -1, 1, -1], [0, -1, -1, 1, 1], [-1, 0, 0, -1, -1]]
    assert [credit.turn_ends(row) for row in MASK.tolist()] == [[1, 3], [0, 4], [2]]


def test_rewards_sit_on_the_last_generated_token_of_their_turn() -> None:
    assert credit.place_rewards(credit.turn_ends([1, 1, 0, 1, 0]), [2.0, 3.0], 5) == [0, 2.0, 0, 3.0, 0]
    assert credit.place_rewards([1], [1.0, 2.0, 4.0], 3) == [0, 7.0, 0], "a cut trajectory keeps its sum"
    assert credit.place_rewards([], [0.0], 2) == [0, 0]
    with pytest.raises(ValueError, match="without a generated token"):
        credit.place_rewards([], [1.0], 1)


def test_group_normalisation_by_hand() -> None:
    scores = torch.tensor([1.0, 3.0, 5.0, 7.0])
    result = credit.normalise(scores, ["a", "a", "b", "c"], epsilon=0.0)
    assert result[:2].tolist() == [-1.0, 1.0], "population deviation of (1, 3) is 1"
    assert torch.isnan(result[2:]).all()
    assert credit.normalise(scores, ["a", "a", "b", "c"])[2:].tolist() == [0.0, 0.0]


@settings(max_examples=100, deadline=None)
@given(st.floats(-15, 15, width=32), st.integers(2, 16))
def test_a_group_of_equal_rewards_teaches_nothing(reward: float, size: int) -> None:
    assert credit.normalise(torch.full((size,), reward), [0] * size).abs().max() < 1e-6


def test_leave_one_out_by_hand() -> None:
    scores = torch.tensor([1.0, 2.0, 6.0, 9.0])
    assert credit.leave_one_out(scores, ["a", "a", "a", "b"]).tolist() == [1 - 4, 2 - 3.5, 6 - 1.5, 0.0]


def test_turn_level_by_hand() -> None:
    mask = torch.tensor([[1, 0, 1, 0], [1, 0, 1, 1], [1, 1, 0, 0]])
    rewards = torch.tensor([[1.0, 0, 2.0, 0], [0.0, 0, 0, 4.0], [0, 5.0, 0, 0]])
    advantages = credit.turn_level(rewards, mask, ["g", "g", "g"], leave_out=True)
    first = [3 - 4.5, 4 - 4.0, 5 - 3.5]  # returns from turn 0 are 3, 4, 5
    second = [2 - 4.0, 4 - 2.0]  # only two rows have a turn 1
    expected = [[first[0], 0, second[0], 0], [first[1], 0, second[1], second[1]], [first[2], first[2], 0, 0]]
    assert torch.allclose(advantages, torch.tensor(expected))


def test_a_turn_only_one_trajectory_reaches_gets_its_total() -> None:
    mask = torch.tensor([[1, 0, 1], [1, 0, 0]])
    rewards = torch.tensor([[0.0, 0, 3.0], [1.0, 0, 0]])
    advantages = credit.turn_level(rewards, mask, [0, 0], leave_out=True)
    assert advantages.tolist() == [[2.0, 0, 2.0], [-2.0, 0, 0]]


batches = st.integers(0, 10_000)


def batch(seed: int) -> tuple[torch.Tensor, torch.Tensor, list[int]]:
    draw = torch.Generator().manual_seed(seed)
    mask = torch.randint(0, 2, (8, 12), generator=draw)
    mask[:, 0] = 1
    rewards = torch.randn(8, 12, generator=draw) * mask
    return rewards, mask, [0, 0, 0, 1, 1, 1, 2, 2]


@settings(max_examples=50, deadline=None)
@given(batches)
def test_one_turn_makes_turn_level_equal_to_trajectory_level(seed: int) -> None:
    rewards, _, index = batch(seed)
    mask = torch.ones_like(rewards, dtype=torch.long)
    assert torch.allclose(
        credit.turn_level(rewards, mask, index), credit.spread(credit.normalise(rewards.sum(1), index), mask), atol=1e-5
    )


@settings(max_examples=50, deadline=None)
@given(batches)
def test_the_environments_tokens_get_nothing(seed: int) -> None:
    rewards, mask, index = batch(seed)
    for leave_out in (False, True):
        assert (credit.turn_level(rewards, mask, index, leave_out=leave_out)[mask == 0] == 0).all()


def test_estimators_agree_with_verl() -> None:
    from verl.trainer.ppo import core_algos as core

    from toolgym.training import estimators

    estimators.register()
    rewards, mask, _ = batch(3)
    index = np.array(list("aaabbbcc"), dtype=object)
    keywords = {"token_level_rewards": rewards, "response_mask": mask, "index": index, "config": None}
    ours, _ = core.get_adv_estimator_fn("toolgym_rloo")(**keywords)
    theirs, _ = core.get_adv_estimator_fn("rloo")(**keywords)
    assert torch.allclose(ours, theirs, atol=1e-5)
    ours, _ = core.get_adv_estimator_fn("toolgym_grpo")(**keywords)
    theirs, _ = core.get_adv_estimator_fn("grpo")(**keywords)
    for group, size in (("a", 3), ("b", 3), ("c", 2)):
        rows = index == group
        scale = (size / (size - 1)) ** 0.5  # verl divides by the sample deviation, the papers by the population's
        assert torch.allclose(ours[rows], theirs[rows] * scale, atol=1e-4)
