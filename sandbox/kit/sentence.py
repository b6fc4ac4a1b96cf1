"""Sentences with places, `{payee}`, and with parts in brackets that may be left out: reading them, and filling them in.

Not for what is said in them: a world's author writes that (`toolgym.sandbox.kit.goal`).
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from functools import lru_cache

_PLACE = re.compile(r"\{(\w+)(?::(\w+))?\}")
"""A place in a sentence: `{payee}`, or `{start:day}`, `{on:month}` for a moment or day of which people say no more."""
_OPTIONAL = re.compile(r"\[([^\]]*)\]")
"""A part of a sentence that is left out when what it speaks of is not told, or said otherwise: `[{day}|some day]`."""


def without_untold(sentence: str, told: Container[str]) -> str:
    """A sentence whose parts in brackets are kept where what they speak of is told, else said otherwise or left out."""
    if "[" not in sentence:
        return sentence

    def kept(match: re.Match[str]) -> str:
        ways = match.group(1).split("|")
        return next((way for way in ways if all(name in told for name, _ in places(way))), "")

    return _OPTIONAL.sub(kept, sentence)


@lru_cache(maxsize=10_000)
def places(sentence: str) -> tuple[tuple[str, str], ...]:
    """The places of a sentence with how coarsely each is said: `(("merchant", ""), ("start", "day"))`."""
    return tuple((match.group(1), match.group(2) or "") for match in _PLACE.finditer(sentence))


def filled(sentence: str, words: Mapping[str, str]) -> str:
    """A sentence with words in its places: "a" is "an" before a vowel, and what is counted once has no plural."""
    agreeing = _ARTICLE.sub(lambda match: "n " if _VOWEL.match(words[match.group(1)]) else " ", sentence)
    agreeing = _PLURAL.sub(lambda match: match.group(1) + ("" if words[match.group(2)] == "1" else "s"), agreeing)
    return _PLACE.sub(lambda match: words[match.group(1)], agreeing)


_ARTICLE = re.compile(r"(?<=\b[Aa]) (?=\{(\w+)\})")
"""What stands between an article and a place."""
_VOWEL = re.compile(r"(?!one|uni|us|eu)[aeiou]", re.IGNORECASE)
"""What "an" stands before: an armchair, but a one-way trip and a unit."""
_PLURAL = re.compile(r"(\{(\w+)\} \w{2,}[^\W\dsiu])s\b")
"""A place with a plural after it: "{quantity} shares", and no "this", "less" or "was"."""
