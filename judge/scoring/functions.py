"""Functions in the place of a judge, `(trajectory) -> scores`, and of a reward, `(trajectory, ...) -> number`."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, cast

from toolgym.judge.scoring.reward import Reward, RewardResult, TurnScores
from toolgym.judge.scoring.verifier import Verdict
from toolgym.sandbox.kit.errors import BadInput, ConfigurationError
from toolgym.sandbox.runtime import parts
from toolgym.sandbox.runtime.parts import Function
from toolgym.sandbox.runtime.trajectory import Trajectory


class FunctionJudge:
    """Scores turns with a function of the trajectory that returns -1, 0 or 1 for each, or `TurnScores`.

    Args:
        function: the function.

    Raises:
        BadInput: it does not take one argument.
    """

    def __init__(self, function: Function) -> None:
        self._function = function.takes("trajectory")
        self._source = parts.shown_name(function.name)

    async def score(self, trajectory: Trajectory) -> TurnScores:
        """What the function says; scores that do not fit are a failure to judge."""
        returned = await self._function(trajectory)
        if isinstance(returned, TurnScores):
            return returned
        turns = len(trajectory.turns())
        fits = (
            isinstance(returned, Sequence) and len(returned) == turns and all(mark in (-1, 0, 1) for mark in returned)
        )
        if not fits:
            why = self._function.odd(returned, f"-1, 0 or 1 for each of the {turns} turns")
            return TurnScores(None, (why,), self._source)
        return TurnScores(tuple(map(int, returned)), ("",) * turns, self._source)


class FunctionReward:
    """A reward by a function that takes the trajectory and, of the arguments of `Reward`, those that it names."""

    def __init__(self, name: str, function: Any) -> None:
        self._shown, self._call = Function("reward", name, function), function
        accepted = inspect.signature(function).parameters.values()
        every = any(parameter.kind is parameter.VAR_KEYWORD for parameter in accepted)
        named = {parameter.name for parameter in accepted if parameter.kind is not parameter.POSITIONAL_ONLY}
        self._takes = {key for key in ("verdict", "scores", "progress") if every or key in named}
        try:
            inspect.signature(function).bind(None, **dict.fromkeys(self._takes))
        except TypeError:
            raise BadInput(
                f"{self._shown.where}the reward {name!r} is a function of {inspect.signature(function)}; it is called "
                "with (trajectory) and those of verdict=, scores= and progress= that it names."
            ) from None

    def __call__(
        self, trajectory: Trajectory, *, verdict: Verdict, scores: TurnScores | None = None, progress: float = 0.0
    ) -> RewardResult:
        """The reward; a number is its total.

        Raises:
            ConfigurationError: it returned neither a number nor a `RewardResult`.
        """
        every = {"verdict": verdict, "scores": scores, "progress": progress}
        returned = self._call(trajectory, **{name: value for name, value in every.items() if name in self._takes})
        if isinstance(returned, RewardResult):
            return returned
        if not isinstance(returned, int | float):
            raise ConfigurationError(self._shown.odd(returned, "a number or a RewardResult"))
        return RewardResult(self._shown.name, float(returned), {})


def reward_of(name: str) -> Reward:
    """The reward that a name stands for (see `parts.find`).

    Raises:
        BadInput: there is no such reward, or it is a function of something else.
    """
    found = parts.find("rewards", name)
    made = found() if inspect.isclass(found) else found
    return cast(Reward, made) if parts.is_installed("rewards", name) else FunctionReward(name, made)
