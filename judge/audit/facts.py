"""Which of the things that a user knows were said, and in which of its messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import cast

from toolgym.sandbox.kit.task import Fact, Task
from toolgym.sandbox.language.mentions import Kind
from toolgym.sandbox.language.said import says
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.value_words import fact_in_words
from toolgym.sandbox.users.fact_extraction import understood

_TOKEN = re.compile(r"[\w@#]+(?:[.@:'/-]\w+)*")
_STEM = 5
"""Letters by which a word is recognised in another form."""
_SMALL = 4
_TYPED: dict[str, Kind] = {"date": "date", "number": "number"}
"""Kinds of fact that have many spellings; the others are said as they are."""


class Facts:
    """What the user of one task knows of itself and of its wishes as it first has them.

    Args:
        task: whose user.
    """

    def __init__(self, task: Task) -> None:
        known = understood(task)
        self._now: datetime = (known.now or get_domain(known.domain).now).replace(tzinfo=None)
        own = [fact for fact in known.facts if fact.name not in ("known_info", "unknown_info")]
        every = [*own, *(fact for goal in known.goals for fact in goal.facts)]
        self.facts = list({(fact.name, _words(fact)): fact for fact in every if _telling(_words(fact))}.values())

    def told(self, texts: Sequence[str]) -> list[int]:
        """The number of the message, from 0, in which each fact was first told; those never told are left out."""
        tokens = [set(_tokens(text)) for text in texts]
        places = [self._place(fact, texts, tokens) for fact in self.facts]
        return [place for place in places if place is not None]

    def _place(self, fact: Fact, texts: Sequence[str], tokens: Sequence[set[str]]) -> int | None:
        wanted = _telling(_words(fact))
        kind = _TYPED.get(fact.kind or "")
        for place, (text, said) in enumerate(zip(texts, tokens, strict=True)):
            if all(any(word == each or (word.isalpha() and each.startswith(word)) for each in said) for word in wanted):
                return place
            if kind is not None and says(text, kind, _value(fact), self._now):
                return place
        return None


def _value(fact: Fact) -> object:
    if fact.kind == "date" and isinstance(fact.value, str):
        return datetime.fromisoformat(fact.value).date()
    return cast(object, fact.value)


def _words(fact: Fact) -> str:
    return fact.words or fact_in_words(fact.value)


def _telling(words: str) -> list[str]:
    """The parts of a fact by which it is recognised: numbers, codes and names, or the stems of its words."""
    strong = [part for part in _TOKEN.findall(words) if any(map(str.isdigit, part)) or part[0].isupper()]
    if strong:
        return list(_tokens(" ".join(strong)))
    return [part[:_STEM] for part in _tokens(words) if len(part) >= _SMALL]


def _tokens(text: str) -> Iterator[str]:
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text.lower().replace("’", "'"))
    yield from (part.strip("#'") for part in _TOKEN.findall(plain))
