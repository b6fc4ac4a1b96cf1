"""What stands in a goal's declaration, whoever wishes for it: its sentences and their words, rhythms, words for all."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.language.prefilter import Prefiltered

_ALL = Prefiltered(r"\b(all|both|every|each|whole|entire)(?: of| the| my)* ([a-z]+)")
EACH = frozenset(("all", "both", "every", "each"))
"""Words that are right for a wish about several things."""

_WORD = re.compile(r"[a-z]+")
_STEM = re.compile(r"\b[a-z]{3,}?(?=s?\b)")
RHYTHM = Prefiltered(
    r"\b(?:dai|week|month|year|annual|quarter)ly\b|\bevery (?:two|three|four|other|second|\d+) "
    r"(?:day|week|month|year)|\b(?:every|each|a|per) (?:day|week|month|year)\b|\{every"
)
TIMES = frozenset("second minute hour day morning week month quarter year time other two three".split())
"""What "every" says of a rhythm."""


class Said(NamedTuple):
    """What stands in a goal's declaration, whoever wishes for it.

    Attributes:
        phrasing: its sentences.
        words: those of the sentences.
        repeats: they speak of something that happens again and again.
        spoken: the sentences, the tool's names and its description.
        stems: the beginnings of the words of all that.
    """

    phrasing: str
    words: frozenset[str]
    repeats: bool
    spoken: str
    stems: frozenset[str]


@cache
def said_of(goal: Goal) -> Said:
    """What a declared goal says."""
    tool, phrasing = goal.tool, " ".join(goal.says).lower()
    names = (name.replace("_", " ") for name in (tool.name, *tool.kinds))
    spoken = " ".join([phrasing, *names, tool.description.lower()])
    words = frozenset(_WORD.findall(phrasing))
    return Said(phrasing, words, RHYTHM.search(phrasing) is not None, spoken, stems_of(spoken))


def stems_of(text: str) -> frozenset[str]:
    """The beginnings of words, without a plural's ending."""
    return frozenset(_STEM.findall(text)) - {"order", "line"}


def said_quantifiers(text: str) -> frozenset[str]:
    """The words such as "all" that a wish itself says, not of times."""
    return frozenset(word for word, next_word in _ALL.findall(text.lower()) if next_word not in TIMES)


NOTHING_SAID = Said("", frozenset(), False, "", frozenset())
