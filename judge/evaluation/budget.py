"""What a run may use at most: tokens and US dollars of the agent's and the user's models. The judge's come after it.

An episode that has begun is played to its end, so a limit is kept by not beginning too many: an episode begins while
what was used, what those under way are expected to use and what it is expected to use itself stay within the limit.
Expected is what the dearest episode so far used; before any has ended, twice the estimate.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolgym.judge.evaluation.cost_estimate import Amount, Estimate
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.models.settings import SpendingLimits
from toolgym.sandbox.runtime.trajectory import Trajectory

CAUTION = 2
"""Times the estimate that an episode is expected to use before one was played."""


class Budget:
    """The limits of a run, and what it has used; an interrupted run's earlier episodes count.

    Args:
        settings: the limits, `max_usd` and `max_tokens_total`; None limits nothing.
        estimate: what the episodes to play will about use; None where no model plays.
        before: what was played before, failures included.

    Raises:
        BadInput: dollars are limited, and the price of a model is not known.
    """

    def __init__(
        self,
        settings: SpendingLimits | None = None,
        estimate: Estimate | None = None,
        before: Iterable[Trajectory] = (),
    ) -> None:
        self._usd = settings.max_usd if settings is not None else None
        self._tokens = settings.max_tokens_total if settings is not None else None
        if self._usd is not None and estimate is not None and estimate.unpriced:
            model = estimate.unpriced[0]
            raise BadInput(
                f"--max-usd needs the price of {model!r}, in dollars per million tokens read/written: "
                f"--price {model}=0.4/1.6 (0/0 where it costs nothing)."
            )
        self.used, self._dearest = Amount(), Amount()
        self._first = estimate.episode if estimate is not None else Amount()
        self._uncounted = ""
        for trajectory in before:
            self.add(trajectory)

    def add(self, trajectory: Trajectory) -> None:
        """Count an episode that has ended."""
        tokens = sum(use.prompt_tokens + use.completion_tokens for use in trajectory.usage)
        amount = Amount(tokens, sum(use.dollars for use in trajectory.usage))
        silent = [use.role for use in trajectory.usage if use.requests and not use.prompt_tokens]
        if silent:
            self._uncounted = silent[0]
        self.used += amount
        self._dearest = Amount(max(self._dearest.tokens, tokens), max(self._dearest.dollars, amount.dollars))

    def admits(self, under_way: int) -> bool:
        """Whether one more episode may begin beside so many; alone it may as long as the limit is not reached."""
        if self.reached is not None:
            return False
        return under_way == 0 or all(
            used + (under_way + 1) * (dearest or CAUTION * first) <= limit
            for limit, used, dearest, first in self._kinds()
            if limit is not None
        )

    @property
    def reached(self) -> str | None:
        """The limit that no more episodes may begin under, as the setting's name; None while they may."""
        if self._uncounted and (self._usd is not None or self._tokens is not None):
            return "usage"
        names = ("max_usd", "max_tokens_total")
        for name, (limit, used, _, _) in zip(names, self._kinds(), strict=True):
            if limit is not None and used >= limit:
                return name
        return None

    def _kinds(self) -> list[tuple[float | None, float, float, float]]:
        used, dearest, first = self.used, self._dearest, self._first
        return [
            (self._usd, used.dollars, dearest.dollars, first.dollars),
            (self._tokens, used.tokens, dearest.tokens, first.tokens),
        ]

    def stopped(self, played: int, wanted: int, again: str = "give the same command") -> dict[str, Any] | None:
        """Why a run holds less than was wanted, for its summary; None where the limits did not stop it.

        Args:
            played: episodes.
            wanted: episodes.
            again: how to go on, before "with a higher limit".
        """
        if played >= wanted or self.reached is None:
            return None
        return {
            "by": self.reached,
            "dollars": self.used.dollars,
            "tokens": int(self.used.tokens),
            "played": played,
            "wanted": wanted,
            "sentence": self._sentence(played, wanted, again),
        }

    def _sentence(self, played: int, wanted: int, again: str) -> str:
        kept = f"{played} of {wanted} episodes are played, kept and scored"
        if self.reached == "usage":
            return (
                f"Stopped: the {self._uncounted}'s endpoint reports no token usage, so no limit can be kept; {kept}. "
                f"To go on, {again} without --max-usd and --max-tokens-total."
            )
        if self.reached == "max_usd":
            said, flag = f"${self.used.dollars:,.4f} of at most ${self._usd:,.4f} are used", "--max-usd"
        else:
            said = f"{self.used.tokens:,.0f} of at most {self._tokens:,} tokens are used"
            flag = "--max-tokens-total"
        return f"Stopped at the limit: {said}; {kept}. To go on, {again} with a higher {flag}."
