"""TRL's `environment_factory`: a class per world, whose methods are its tools and whose customer is one of them.

TRL reads a method's name, type hints and docstring, so those are made from a tool's schema. Nothing of TRL is imported
here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.runtime.approval import Consent
from toolgym.sandbox.runtime.registry import domain_name
from toolgym.training.adapters.customer import CustomerRollout, offered, told
from toolgym.training.adapters.rollout import Row, conversations, newest
from toolgym.training.adapters.signatures import as_method


def environment(
    world: str,
    *,
    data: str | None = None,
    reward: str = "outcome",
    reward_options: Mapping[str, Any] | None = None,
    judge: str = "rules",
    judge_options: Mapping[str, Any] | None = None,
    user: str = "scripted",
    user_options: Mapping[str, Any] | None = None,
    max_turns: int = 30,
    consent: Consent = "words",
) -> type:
    """The class to give to `GRPOTrainer(environment_factory=...)`.

    Args:
        world: its name, with its newest tasks, or an environment's id.
        data: another body of data.
        reward: the reward's name: outcome, clean, tarl, prove, tier or an installed one.
        reward_options: the reward's variants.
        judge: who scores turns, for rewards that need turn scores.
        judge_options: the judge's options.
        user: who plays the customer: scripted, llm or an installed name.
        user_options: the customer's options.
        max_turns: calls until the episode is cut.
        consent: `words`, or `call`: each change is shown to the customer, and a declined one is the call's result; name
            it to `rows` too.

    Returns:
        A class with `reset(task=, seed=)`, a method for every tool, `talk_to_customer`, and `get_reward`, which is
        None for an episode that broke: TRL leaves it out of its group.

    Raises:
        BadInput: there is no such world or reward, or one of its tools has a name that TRL keeps for itself.
    """

    def begin(self: Any) -> None:
        self._rollout = CustomerRollout(
            world,
            data=data,
            reward=reward,
            reward_options=reward_options,
            judge=judge,
            judge_options=judge_options,
            user=user,
            user_options=user_options,
            max_turns=max_turns,
            consent=consent,
        )

    def reset(self: Any, *, task: str, seed: int = 0, **_: Any) -> str:
        """Begin the episode of a row; what the customer says first."""
        return str(self._rollout.opening(task, seed))

    async def get_reward(self: Any) -> float | None:
        """The reward of the episode; None where it broke."""
        try:
            return float((await self._rollout.scored()).total)
        except InfrastructureError:
            return None

    name = domain_name(world)
    members: dict[str, Any] = {"__init__": begin, "reset": reset, "get_reward": get_reward}
    for tool in offered(name):
        method = as_method(tool["function"], lambda self, name, given: str(self._rollout.call(name, given)))
        if method.__name__ in members or method.__name__.startswith("_"):
            raise BadInput(f"The tool {method.__name__} of {world} cannot be a method of TRL's environment; rename it.")
        members[method.__name__] = method
    made = type(name, (), members | {"__doc__": f"{name} as TRL plays it."})
    made()  # what is wrong with the settings is told here, not in the middle of a run
    return made


def rows(
    world: str,
    split: str | None = None,
    *,
    data: str | None = None,
    count: int | None = None,
    consent: Consent = "words",
) -> list[Row]:
    """The rows of a split for `datasets.Dataset.from_list`: `prompt`, `task`, `seed`, and `environment` for runs of
    several worlds, where the classes are given as a dictionary by these names.
    """
    name, data = domain_name(world), newest(world, data)
    return [
        {
            "prompt": [{"role": "system", "content": told(task, consent)}, {"role": "user", "content": ""}],
            "task": task.id,
            "seed": task.seed,
            "environment": name,
        }
        for task in conversations(world, split, count, data, consent)
    ]
