"""Rewards as a training run names them: an installed reward, with options where it has variants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from toolgym.judge.scoring.reward import Reward
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime import registry

STEP_REWARDS = ("toolrl", "toolrl_released")
"""Rewards that score a single step of text against a gold step."""


def make_reward(name: str, options: Mapping[str, Any] | None = None) -> Reward:
    """The reward registered as `name`, changed by its options.

    An installed reward is an object; one with variants is an instance of a class whose arguments are the options.

    Raises:
        BadInput: no such reward, or an option that it does not take.
    """
    reward = registry.load("rewards", name)
    if not options:
        return cast(Reward, reward)
    if not isinstance(reward, object) or type(reward).__name__ == "function":
        raise BadInput(f"The reward {name!r} takes no options; got {', '.join(options)}.")
    try:
        return cast(Reward, type(reward)(**options))
    except TypeError as error:
        raise BadInput(f"The reward {name!r} does not take these options: {error}.") from None
