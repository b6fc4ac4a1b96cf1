"""Nobody says one sentence three times: other words for an act, the same fact with "as I said", or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from random import Random

from toolgym.sandbox.kit.message import STOP
from toolgym.sandbox.language.nlg_templates import Act, Style, is_act, is_fixed, phrase

_TWICE = 2
"""How often one sentence is said."""
_DRAWS = 6
"""Draws after which an act has no words left."""


class Variety:
    """What one user has said.

    Args:
        style: how the user talks.
        rng: draws the wording.
    """

    def __init__(self, style: Style, rng: Random) -> None:
        self._style, self._rng = style, rng
        self._said: Counter[str] = Counter()

    def note(self, *sentences: str) -> None:
        """Count sentences as said."""
        for sentence in sentences:  # a counter's `update` looks at what it is given for longer than it counts
            self._said[sentence] += 1

    def word(self, act: Act, about: str = "") -> str:
        """Words for an act, others than those that were said twice where there are any."""
        words = phrase(act, self._style, self._rng, about)
        for _ in range(_DRAWS):
            if self._said[words] < _TWICE:
                break
            words = phrase(act, self._style, self._rng, about)
        return words

    def fresh(self, parts: Sequence[str], wish: str, others: Callable[[], Iterable[str]]) -> list[str]:
        """What is left of some sentences without saying one of them a third time; it counts as said.

        Args:
            parts: the sentences.
            wish: the wish as it was put first.
            others: finds other ways to put it, asked for only where the wish would be said again.
        """
        left: list[str] = []
        for part in parts:
            if self._said[part] < _TWICE or part == STOP:
                left.append(part)
            elif is_fixed(part) and is_act(part, "yes"):
                left.append(self.word("yes"))  # who is asked for a third yes gives it, if need be in the same words
            elif part == wish:
                left += next(([other] for other in others() if self._said[other] < _TWICE), [])
            elif not (part.endswith((":", "?")) or is_fixed(part)):
                again = f"{self.word('again')} {part}"
                left += [again] if self._said[again] < _TWICE else []
        while left and left[-1].endswith(":"):  # it would lead to what has been left out
            left.pop()
        self.note(*left)
        return left
