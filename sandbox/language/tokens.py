"""Cuts a text into tokens once, so that readers of numbers, dates and names look words up instead of scanning.

A token's kind says what its form alone gives away; what it means is the readers' business.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple


class Token(NamedTuple):
    """A piece of text: `kind` is its form, `low` its lower-case words with straight apostrophes, `text` as written."""

    kind: str
    low: str
    start: int
    end: int
    text: str


class Reading(NamedTuple):
    """What a reader made of the tokens from where it was asked up to `end` (exclusive).

    `kind` is empty where the tokens are understood and mean nothing that counts ("24/7"). `also` holds other readings
    of an ambiguous one ("9:30" may be in the evening).
    """

    kind: str
    value: Any
    end: int
    unit: str = ""
    also: tuple[Any, ...] = ()


_FORMS = (
    # a word that cannot be the beginning of anything longer, also before a full stop: nearly all tokens, so it is first
    ("plain", r"[^\W\d_]++(?:['’][^\W\d_]++)*+(?:(?![\w@.+'’-])|(?=\.(?![\w@.+'’-]))(?<![AaPp][Mm]))"),
    ("email", r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    # 2026-03-05, 2026/3/5
    ("iso", r"(?<!\w)\d{4}(?P<a>[-/])\d{1,2}(?P=a)\d{1,2}(?!\d)"),
    # (415) 555-0134, +1 415 555 0134, 6175550199; +33 1 42 57 14 55, 1 42 57 14 55, 20 7946 0958
    (
        "phone",
        r"\+\d{1,3}(?:[ .-]\d{1,4}){3,6}(?!\w)|(?<![\w#.,$-])(?:\d(?: \d\d){4}|\d{1,2} \d{4} \d{4})(?![\w-]|[.,]\d)|"
        r"(?<![\w#-])(?:\+\d{1,3}[ .-]?)?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\w-])|"
        r"(?<![\w#.,$-])(?:\+\d{10,13}|\d{10})(?![\w-]|[.,]\d)",
    ),
    # 7641 5013 6753, 764150136753: digits in groups are no quantity
    ("digits", r"(?<![\w#.,$-])(?:\d{3,5}(?:[ -]\d{3,5}){2,}|\d{5}-\d{4}|\d{9,})(?![\w-]|[.,]\d)"),
    # 03/05/2026, 5.3.26
    ("slashes", r"(?<![\w/.])\d{1,2}(?P<b>[/.])\d{1,2}(?P=b)(?:\d{4}|\d{2})(?![\w/])"),
    # 9:30, 12:35:00, 14h35; the T of 2026-03-10T09:30 is a token of its own
    ("joint", r"(?<=\d)T(?=\d\d:)"),
    ("clock", r"(?<![\d:])\d{1,2}(?::\d{2}(?::\d{2})?|h\d{2})(?!\d)"),
    # #W8157235, ev-20931, GYM242, 8K2QPL; not USD1200, not #2
    (
        "id",
        r"#(?=[\w-]{3})\w[\w-]*|(?<![\w-])(?!USD|EUR|GBP)(?:[A-Za-z]{1,4}-\d{2,}|[A-Za-z]\d{2,}|[A-Z]{2,5}\d{2,}|"
        r"(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z\d]{5,10})(?!\w)",
    ),
    # a.m., p.m. and the am of 9am
    ("half", r"(?<=[\d\s])[AaPp](?:\.[Mm]\.|[Mm]\b)"),
    # 1 104.33 and $1 104, 1,104.33; 104,33; 2.5
    (
        "num",
        r"(?<![\d.,])\d{1,3}(?: \d{3})+(?:[.,]\d\d(?!\d)|(?= ?(?:dollars?|USD|EUR|euros?|€|£)))|"
        r"(?:(?<=[$€£])|(?<=USD )|(?<=EUR ))\d{1,3}(?: \d{3})+(?!\d)|\d+(?:[.,]\d+)*",
    ),
    ("word", r"[^\W\d_]+(?:['’][^\W\d_]+)*"),
    ("break", r"\n+"),
    ("sign", r"->|=>|\*{2,}|•{2,}|[^\w\s]|_"),
)
_TOKEN = re.compile(r"[^\S\n]*(?:" + "|".join(f"(?P<{kind}>{form})" for kind, form in _FORMS) + ")")
_KINDS = {"am": "half", "pm": "half"}
"""Plain words with a kind of their own. "I am" is one too: only times look for it, behind a number."""
_GAP = re.compile(r"[^\W_]+")
_NEW: Callable[[type[Token], tuple[str, str, int, int, str]], Token] = tuple.__new__


@lru_cache(maxsize=1024)
def tokenize(text: str) -> list[Token]:
    """The text's tokens in order; blanks are only what lies between them.

    The list is shared by all who read the same text, so nobody changes it.
    """
    tokens = []
    lower = text.lower().replace("’", "'")
    lower = lower if len(lower) == len(text) else ""
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or ""
        start, end = found.span(kind)
        written = text[start:end]
        low = lower[start:end] or written.lower().replace("’", "'")
        kind = _KINDS.get(low, "word") if kind == "plain" else kind
        tokens.append(_NEW(Token, (kind, low, start, end, written)))  # a third of the time of calling the class
    return tokens


_MARKS = str.maketrans({"\u2010": "-", "\u2011": "-", "\u00a0": " ", "\u202f": " ", "\u2009": " "})


def plain_marks(text: str) -> str:
    """A text of the same length with the usual hyphen and blank in place of those that break no line."""
    return text.translate(_MARKS)


def touches(tokens: list[Token], index: int) -> bool:
    """Whether nothing lies between this token and the one before."""
    return index > 0 and tokens[index - 1].end == tokens[index].start


def words_at(tokens: list[Token], index: int, *phrases: str) -> int:
    """Where the first of these phrases that stands at `index` ends, else `index` itself: ("of", "of the")."""
    if not 0 <= index < len(tokens):
        return index
    for words in _by_first(phrases).get(tokens[index].low, ()):
        if len(words) == 1 or [token.low for token in tokens[index : index + len(words)]] == words:
            return index + len(words)
    return index


@lru_cache(maxsize=1024)
def _by_first(phrases: tuple[str, ...]) -> Mapping[str, Sequence[list[str]]]:
    """The words of phrases by their first one, in the order of the phrases."""
    found: dict[str, list[list[str]]] = {}
    for phrase in phrases:
        words = phrase.split(" ")
        found.setdefault(words[0], []).append(words)
    return found


def low_at(tokens: list[Token], index: int) -> str:
    """The lower-case token at `index`, empty outside of the text."""
    return tokens[index].low if 0 <= index < len(tokens) else ""


def squash(text: str) -> str:
    """Letters and digits alone, in lower case: what two ways of writing an identifier share."""
    return text.lower() if text.isalnum() else "".join(_GAP.findall(text)).lower()


@lru_cache(maxsize=8192)
def singular(word: str) -> str:
    """A word without the ending of a plural or a possessive: "boxes" is "box", "webcam's" is "webcam"."""
    word = word.removesuffix("'s").removesuffix("'")
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-1] if word in _IN_IE else word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zes")) else word[:-1]


_IN_IE = frozenset("movies cookies calories zombies hoodies selfies smoothies rookies brownies".split())
_IRREGULAR = {
    "people": "person",
    "men": "man",
    "women": "woman",
    "children": "child",
    "feet": "foot",
    "series": "series",
}
