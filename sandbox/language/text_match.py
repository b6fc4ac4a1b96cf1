"""Whether something has been said: a text that must be communicated, looked for in an agent's words.

Shared by the scripted user and the verifier, so that a user is satisfied exactly when the score is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache


def mentions(text: str, speech: str) -> bool:
    """Whether a text occurs as words of its own in what was said.

    Case, typographic quotes, plurals, thousands separators and zeros after the decimal point do not matter; 6 is not
    in 16 and not in 6.5. `|` separates accepted alternatives.
    """
    heard = _plain(speech)
    return any(plain in heard and pattern.search(heard) for plain, pattern in _options(text))


def mentions_all(tell: Iterable[str], speech: str) -> bool:
    """Whether every text has been said."""
    return all(mentions(text, speech) for text in tell)


def first_wording(text: str) -> str:
    """How an agent can say a text: its first alternative."""
    return text.split("|", 1)[0]


def _plain(text: str) -> str:
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text.lower().replace("’", "'"))
    return re.sub(r"\s+", " ", text)


@lru_cache(maxsize=4096)
def _options(text: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The alternatives of a text, each with the pattern of its spellings."""
    return tuple((plain, _pattern(plain)) for plain in (_plain(option).strip() for option in text.split("|")))


def _pattern(plain: str) -> re.Pattern[str]:
    if plain[-1:].isalpha():
        ending = "(?:e?s)?"
    else:
        ending = "0*" if re.search(r"\.\d+$", plain) else r"(?:\.0+)?" if plain[-1:].isdigit() else ""
    return re.compile(rf"(?<![\w.]){re.escape(plain)}{ending}(?![\w]|\.\d)")
