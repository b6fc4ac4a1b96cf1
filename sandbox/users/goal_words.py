"""What stands in a goal's declaration, whoever wishes for it: its sentences and their words, and words for all."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from toolgym.sandbox.kit.goal import Goal

_ALL = re.compile(r"\b(all|both|every|each|whole|entire)(?: of| the| my)* ([a-z]+)")
EACH = frozenset(("all", "both", "every", "each"))
"""Words that are right for a wish about several things."""
_WORD = re.compile(r"[a-z]+")
_TIMES = frozenset("second minute hour day morning week month quarter year time other two three".split())
"""What "every" says of a rhythm."""


class Said(NamedTuple):
    """What stands in a goal's declaration, whoever wishes for it.

    Attributes:
        phrasing: its sentences, in lower case.
        words: those of the sentences.
    """

    phrasing: str
    words: frozenset[str]


@cache
def said_of(goal: Goal | None) -> Said:
    """What a declared goal says; nothing for none."""
    phrasing = " ".join(goal.says).lower() if goal is not None else ""
    return Said(phrasing, frozenset(_WORD.findall(phrasing)))


def said_quantifiers(text: str) -> frozenset[str]:
    """The words such as "all" that a wish itself says, not of times."""
    return frozenset(word for word, next_word in _ALL.findall(text.lower()) if next_word not in _TIMES)
