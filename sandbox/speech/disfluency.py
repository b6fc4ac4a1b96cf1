"""Hesitations and restarts of people who talk: seeded edits of a text that never touch a fact."""

from __future__ import annotations

import re
from random import Random

from toolgym.sandbox.speech.text_normalization import IDENTIFIER

_FILLERS = ("um,", "uh,", "er,", "let me see,", "you know,")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_RESTART = (2, 3)
"""Words said before a sentence is begun again."""


def add_disfluency(text: str, share: float, rng: Random) -> str:
    """The text with this share of its longer sentences hesitated in or begun again.

    Words are only added, and only before lower-case words without digits, so that names, ids and amounts stay whole.
    """
    sentences = _SENTENCE.split(text)
    return " ".join(_hesitated(sentence, rng) if rng.random() < share else sentence for sentence in sentences)


def _hesitated(sentence: str, rng: Random) -> str:
    words = sentence.split(" ")
    plain = [index for index, word in enumerate(words) if index and re.fullmatch(r"[a-z']+", word)]
    if len(words) < 5 or not plain:
        return sentence
    start = rng.choice(_RESTART)
    opening = words[:start]
    if rng.random() < 0.4 and not IDENTIFIER.search(" ".join(opening)) and _plain(opening[1:]):
        again = opening if opening[0] in {"I", "I'd", "I'm"} else [opening[0][0].lower() + opening[0][1:], *opening[1:]]
        return " ".join([*opening[:-1], f"{opening[-1]},", "um,", *again, *words[start:]])
    index = rng.choice(plain)
    return " ".join([*words[:index], rng.choice(_FILLERS), *words[index:]])


def _plain(words: list[str]) -> bool:
    return all(re.fullmatch(r"[a-z']+", word) for word in words)
