"""Which turns an annotator is asked for, and in which order: the same for everybody, whoever asks and whenever."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Literal

from toolgym.judge.annotation.record import Place
from toolgym.judge.evaluation.run_folder import Key

Draw = Literal["all", "sample", "disagreed"]


def everything(turns: Mapping[Key, int]) -> list[Place]:
    """Every turn, in the run's order.

    Args:
        turns: how many turns each episode has, in the run's order.
    """
    return [(task, trial, turn) for (task, trial), count in turns.items() for turn in range(count)]


def sample(turns: Mapping[Key, int], count: int) -> list[Place]:
    """Whole episodes, drawn by their names, until they hold `count` turns; the run's order is kept.

    Whole ones, because who scores a turn reads its conversation anyway, and a -1 is a matter of all its turns. A larger
    sample holds the smaller ones.
    """
    drawn: set[Key] = set()
    left = count
    for key in sorted(turns, key=lambda key: hashlib.sha256(f"{key[0]}/{key[1]}".encode()).digest()):
        if left <= 0:
            break
        drawn.add(key)
        left -= turns[key]
    return everything({key: number for key, number in turns.items() if key in drawn})


def disagreed(turns: Mapping[Key, int], said: Sequence[Mapping[Place, int]]) -> list[Place]:
    """The turns to which two of them gave different scores.

    Args:
        turns: how many turns each episode has, in the run's order.
        said: the scores of each judge or person.
    """
    return [place for place in everything(turns) if len({each[place] for each in said if place in each}) > 1]
