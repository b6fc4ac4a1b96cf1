"""Whether something has been said: a text that must be communicated, looked for in an agent's words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache


def all_told(tell: Iterable[str], text: str) -> bool:
    """Whether every text occurs as words of its own: case and thousands separators do not matter, 6 is not in 16."""
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text.lower())
    return all(_pattern(words).search(plain) for words in tell)


@lru_cache(maxsize=4096)
def _pattern(words: str) -> re.Pattern[str]:
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", words.lower())
    zeros = "0*" if re.search(r"\.\d+$", plain) else r"(?:\.0+)?" if plain[-1:].isdigit() else ""
    return re.compile(rf"(?<![\w.]){re.escape(plain)}{zeros}(?![\w]|\.\d)")
