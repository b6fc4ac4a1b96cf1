"""How well speech was understood: word errors and ids heard right. Pure functions of texts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolgym.sandbox.speech.inverse_text_normalization import read, squashed
from toolgym.sandbox.speech.text_normalization import IDENTIFIER, identifiers


def words(text: str) -> list[str]:
    """The words that count: lower case, no punctuation, every digit one word, spelled and coded letters joined."""
    plain = re.sub(r"(\d)", r" \1 ", read(text).lower().replace("'", "").replace("’", ""))
    return re.findall(r"[^\W_]+", plain)


def errors(reference: Sequence[str], heard: Sequence[str]) -> int:
    """The fewest words to replace, add or drop to get from one to the other (Levenshtein 1966)."""
    row = list(range(len(heard) + 1))
    for index, word in enumerate(reference, start=1):
        before, row[0] = row[0], index
        for column, other in enumerate(heard, start=1):
            before, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, before + (word != other))
    return row[-1]


def missed(text: str, heard: str) -> list[str]:
    """The ids of a text that a transcript does not hold, letter by letter and digit by digit, unbroken."""
    there = squashed(read(heard))
    return [value for value in dict.fromkeys(identifiers(text)) if squashed(value) not in there]


def id_words(text: str) -> tuple[int, int]:
    """How many words of a text are part of ids, and how many there are in all."""
    inside = sum(len(words(match.group())) for match in IDENTIFIER.finditer(text))
    return inside, len(words(text))
