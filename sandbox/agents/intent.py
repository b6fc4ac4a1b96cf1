"""Which of a world's goals a person speaks of: the words of its declarations against the words that were said."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.goal import Ask, Condition, Goal
from toolgym.sandbox.kit.sentence import filled, places, without_untold
from toolgym.sandbox.language.inflection import forms
from toolgym.sandbox.language.tokens import singular
from toolgym.sandbox.runtime.registry import get_domain

_WORD = re.compile(r"[a-z]+")
_ALIKE = 0.45
"""The share of a condition's words that a clause must hold."""
_LEAST = 0.3
"""The share of a declared sentence's weight that must be heard for it to be meant."""


@dataclass(frozen=True)
class Intent:
    """What was understood: a goal, or a question that follows one, and how sure that is from 0 to 1."""

    meant: Goal | Ask | None
    weight: float


def intent_of(domain: str, text: str, *, follows: bool = True) -> Intent:
    """The goal or question whose declared sentences share most with a text.

    Args:
        domain: whose goals.
        text: what was said.
        follows: a wish was fulfilled before, so that it may be a question that follows one.
    """
    said = _words(text)
    best = Intent(None, 0.0)
    for meant, sentences in _sentences(domain):
        if isinstance(meant, Ask) and not follows:
            continue
        for words in sentences:
            weight = _shared(words, said, _weights(domain))
            if weight > best.weight:
                best = Intent(meant, weight)
    return best if best.weight >= _LEAST else Intent(None, best.weight)


def condition_of(domain: Domain, clause: str) -> Condition | None:
    """The declared condition that a clause states."""
    said = _words(clause)
    scored = [(_shared(_words(_plain(each.says)), said, {}), index) for index, each in enumerate(domain.conditions)]
    best = max(scored, default=(0.0, -1))
    return domain.conditions[best[1]] if best[0] > _ALIKE else None


def _shared(words: frozenset[str], said: frozenset[str], weights: dict[str, float]) -> float:
    """How much of the first words is said, by the words' weights.

    Summed exactly: the order of a set is another one in every process, and a sum rounded on the way decides ties by it.
    """
    common = math.fsum(weights.get(word, 1.0) for word in words & said)
    return common / (math.fsum(weights.get(word, 1.0) for word in words) + 1.0)


@cache
def _sentences(domain: str) -> Sequence[tuple[Goal | Ask, list[frozenset[str]]]]:
    found: list[tuple[Goal | Ask, list[frozenset[str]]]] = []
    for goal in get_domain(domain).goals:
        whole = [_words(_plain(says)) for says in goal.says]
        brief = [_words(_plain(without_untold(says, {}))) for says in goal.says]
        found.append((goal, [*whole, *brief]))
        found += [(ask, [_words(ask.says)]) for ask in goal.asks]
    return found


@cache
def _weights(domain: str) -> dict[str, float]:
    """Words that few goals use weigh more."""
    used = Counter(word for _, sentences in _sentences(domain) for word in frozenset().union(*sentences))
    count = len(_sentences(domain)) + 1
    return {word: math.log(count / number) + 0.05 for word, number in used.items()}


def _plain(sentence: str) -> str:
    return filled(sentence, dict.fromkeys((name for name, _ in places(sentence)), " "))


def _words(text: str) -> frozenset[str]:
    return frozenset(_base(word) for word in _WORD.findall(text.lower().replace("'", "")))


@cache
def _base(word: str) -> str:
    """A word without its usual ending, so that "cancelled" is "cancel"."""
    for ending in ("d", "ed", "led"):  # not -ing: what a card is "ending in" does not end
        base = word.removesuffix(ending)
        if len(base) > 2 and base != word and word in forms(base):
            return singular(base)
    return singular(word)
