"""People's names as recognisers mishear them: which names are likely, given what was heard, by a public lexicon.

The lexicon holds names of a census; it knows nothing of any world's customers, so some of them are in it and some are
not. What was heard is always among the answers: names that no lexicon holds are found when they are heard right.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Part = Literal["first", "last"]
Evidence = Sequence[tuple[str, float]]
"""What was heard of one name, each with its weight: 1 where it was spelled, less where it was only said."""

SPELLED, SAID = 1.0, 0.4
_UNLISTED = 1.0
"""What a name costs that is not in the lexicon, in edits."""
_RARE = 0.15
"""What a tenfold higher rank in the lexicon costs, in edits."""
_MOST = 6
"""Names that are answered at most."""
_FAR = 3.0
"""Edits beyond which something heard says nothing about a name."""
_SOUND_ALIKE = ("bcdegptvz", "ajhk", "mn", "fsx", "iy", "qu", "ao", "ei", "ck", "ptk", "sz", "lr", "uw")
_RHYMES = {frozenset((one, two)) for group in _SOUND_ALIKE for one in group for two in group if one != two}


@cache
def lexicon(part: Part) -> dict[str, int]:
    """The names in lower case, each with its rank by frequency from 1."""
    text = (files("toolgym.sandbox.speech") / "lexicon" / f"{part}.txt").read_text(encoding="utf-8")
    return {name: rank for rank, name in enumerate((line for line in text.split("\n") if line[:1].isalpha()), start=1)}


def likely(evidence: Evidence, part: Part) -> dict[str, float]:
    """Names that may have been meant, in lower case, the likeliest first, with what each costs in edits."""
    heard = [(text.lower(), weight) for text, weight in evidence if text]
    known = lexicon(part)
    names = {text for text, _ in heard} | {name for text, _ in heard for name in _similar(text, part)}
    costs = {name: _cost(name, heard, known) for name in names}
    return dict(sorted(costs.items(), key=lambda pair: (pair[1], pair[0]))[:_MOST])


def _cost(name: str, heard: Evidence, known: Mapping[str, int]) -> float:
    distance = sum(weight * min(_FAR, edits(text, name)) for text, weight in heard)
    return distance + (_RARE * math.log10(known[name]) if name in known else _UNLISTED)


def edits(one: str, two: str) -> float:
    """Edits from one spelling to another; letters whose names sound alike, and doubled letters, count half."""
    row = [0.0]
    for column, letter in enumerate(two):
        row.append(row[-1] + (0.5 if column and two[column - 1] == letter else 1.0))
    for index, letter in enumerate(one):
        before, row[0] = row[0], row[0] + 1.0
        gone = 0.5 if index and one[index - 1] == letter else 1.0
        for column, other in enumerate(two, start=1):
            changed = 0.0 if letter == other else 0.5 if frozenset((letter, other)) in _RHYMES else 1.0
            added = 0.5 if column > 1 and two[column - 2] == other else 1.0
            before, row[column] = row[column], min(row[column] + gone, row[column - 1] + added, before + changed)
    return row[-1]


@cache
def _letters(part: Part) -> tuple[list[str], NDArray[np.int8]]:
    names = list(lexicon(part))
    return names, np.stack([_counted(name) for name in names])


def _counted(name: str) -> NDArray[np.int8]:
    return np.bincount([ord(letter) - 97 for letter in name if "a" <= letter <= "z"], minlength=26).astype(np.int8)


@cache
def _similar(text: str, part: Part) -> tuple[str, ...]:
    """Names of the lexicon within two edits or so: at most four letters differ, wherever they stand."""
    names, counts = _letters(part)
    near = np.flatnonzero(np.abs(counts - _counted(text)).sum(axis=1) <= min(4, len(text)))
    return tuple(names[index] for index in near if edits(text, names[index]) <= 2)
