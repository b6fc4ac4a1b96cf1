"""Which row comes when: batches alternate between kinds of rows, after a warm-up, by a fixed rule.

TARL section 4.3: the data loader alternates between batches of math, text dialogue and speech dialogue; a warm-up on
simplified tasks comes first. Everything is a function of the settings and the index, so a resumed run goes on
where it stopped and two runs see the same rows.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from toolgym.training.data.kinds import Kind

_REDRAWS = 1000
"""How many times `steps * batch` rows can be drawn; verl sets no bound."""


@dataclass(frozen=True)
class Schedule:
    """The order of a run's rows.

    Attributes:
        mix: the kinds of successive batches, over and over.
        batch: rows in a batch.
        steps: batches in the run.
        warmup: how many batches of kind `warmup` come first.
        seed: shuffles each kind's rows, anew in each pass.
        redraw: more rows than `steps * batch` may be drawn (verl's filter_groups replaces prompts); they go on with
            the mix where the last step stopped, because verl would begin again with row 0 and so with the warm-up.
    """

    mix: tuple[Kind, ...]
    batch: int
    steps: int
    warmup: int = 0
    seed: int = 0
    redraw: bool = False

    def __len__(self) -> int:
        return self.steps * self.batch * (_REDRAWS if self.redraw else 1)

    def kind(self, step: int) -> Kind:
        """The kind of a batch, counted from 0."""
        return "warmup" if step < self.warmup else self.mix[(step - self.warmup) % len(self.mix)]

    def locate(self, index: int, sizes: Mapping[Kind, int]) -> tuple[Kind, int]:
        """The kind of the row at `index` and its position among the `sizes[kind]` rows of that kind."""
        step, slot = divmod(index, self.batch)
        kind = self.kind(step)
        size = sizes[kind]
        turn, position = divmod(self._before(step, kind) * self.batch + slot, size)
        return kind, _order(self.seed, kind, turn, size)[position]

    def _before(self, step: int, kind: Kind) -> int:
        """How many batches of this kind come before a step of it."""
        if kind == "warmup":
            return step
        cycles, rest = divmod(step - self.warmup, len(self.mix))
        return cycles * self.mix.count(kind) + self.mix[:rest].count(kind)

    def kinds(self) -> set[Kind]:
        """The kinds that occur."""
        most = self.warmup + len(self.mix)
        return {self.kind(step) for step in range(most if self.redraw else min(self.steps, most))}


@lru_cache(maxsize=64)
def _order(seed: int, kind: Kind, turn: int, size: int) -> list[int]:
    order = list(range(size))
    random.Random(f"{seed}:{kind}:{turn}").shuffle(order)
    return order
