"""Whether a term was told: a name, an option, a state, in any case and number, as itself and not as part of another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from toolgym.sandbox.language.assertions import is_open, takes_back
from toolgym.sandbox.language.negation import negated_tokens
from toolgym.sandbox.language.tokens import Token, singular, tokenize

_SAME = (
    frozenset(
        {"scheduled", "on schedule", "on time", "as planned", "as scheduled", "punctual", "no delay", "not delayed"}
    ),
    frozenset({"cancelled", "canceled", "called off"}),
    frozenset({"on its way", "shipped", "in transit", "dispatched"}),
    frozenset({"disputed", "in dispute", "under dispute", "contested"}),
)
"""Ways to say one state."""
_GONE = re.compile(r"\b(?:out of stock|sold out|unavailable|not available|discontinued|no longer available)\b")
_JOINED = re.compile(r"(?<=[A-Za-z])-(?=[A-Za-z])")
_OUR = re.compile(r"(?<=[bclvn])our$")
_ADVERB = re.compile(r"(?:ial)?ly$")
_TO_COME = re.compile(r"\b(?:yet|still|about|going|due|needs?|waiting) to (?:be |get )?$")
_BUT = re.compile(
    r"\b(?:every\w*|all|any\w*|each)\b[^.;,]*\b(?:but|except|except for|save|other than|apart from)(?: the)? $"
)
_ONE_OF = re.compile(
    r"\b(?:comes?|available|offered|made) in\b[^.;]*,[^.;]*\b(?:and|or)\b|\bone of (?:these|them|those)\b"
)
"""What is said of all that there is to choose from: "they come in red, blue and green"."""
_ASKS_ALL = re.compile(r"\b(?:which|what)\b.*\b(?:options?|available|colou?rs|sizes|kinds|choices|are)\b")
_NAME_WORDS = frozenset("room in at the is and or for with by from on to mr mrs ms dr".split())


def tells_term(messages: Sequence[str], wordings: tuple[str, ...], about: str) -> bool:
    """Whether one of the wordings was asserted, and not taken back.

    Args:
        messages: what was said, in order.
        wordings: spellings of the term.
        about: the question; what is in stock is told even of what is out of it.
    """
    told = False
    for text in messages:
        if told and takes_back(text):
            told = False
        for line in _sentences(text):
            found = [wording for wording in _spellings(wordings) if _is_told(line, wording, about)]
            if found:
                told = len(wordings) == 1 or not _is_dump(line, wordings)
            elif told and takes_back(line):
                told = False
    return told


def _is_told(sentence: str, wording: str, about: str) -> bool:
    low = sentence.lower().replace("’", "'")
    if is_open(low) or (_GONE.search(low) and not _GONE.search(about.lower()) and "stock" not in about.lower()):
        return False
    if _ONE_OF.search(low) and not _ASKS_ALL.search(about.lower()):
        return False
    tokens, words = tokenize(_JOINED.sub(" ", sentence)), [token.low for token in tokenize(_JOINED.sub(" ", wording))]
    negated = negated_tokens(tokens)
    for index in range(len(tokens) - len(words) + 1):
        part = tokens[index : index + len(words)]
        if _are(part, words) and index not in negated and not _is_longer_name(tokens, index, len(words), wording):
            before = low[: tokens[index].start]
            if _TO_COME.search(before) or _BUT.search(before):
                return False
            return not _is_choice(tokens, index, index + len(words))
    return False


def _are(part: Sequence[Token], words: Sequence[str]) -> bool:
    *head, last = words
    return [token.low for token in part[:-1]] == head and (part[-1].low == last or _spelt(part[-1].low) == _spelt(last))


def _spelt(word: str) -> str:
    """A word in the singular and as Americans write it: "colours" is "color"; "partially" is "part"."""
    word = _ADVERB.sub("", word) if len(word) > 5 else word
    return _OUR.sub("or", singular(word)).replace("grey", "gray").replace("centre", "center")


def _is_longer_name(tokens: Sequence[Token], start: int, length: int, wording: str) -> bool:
    """Whether a single name is the first or the last part of another one: the Charles of "Charles Dupont"."""
    if length > 1 or not wording[:1].isupper():
        return False
    after = tokens[start + 1] if start + 1 < len(tokens) else None
    if after is None or after.kind != "word" or not after.text[:1].isupper() or after.text.isupper():
        return False
    return after.low not in _NAME_WORDS and after.start == tokens[start].end + 1


def _is_choice(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether the term is one of several: "red or blue"."""
    low = [token.low for token in tokens]
    return low[end : end + 1] == ["or"] or low[max(start - 1, 0) : start] == ["or"]


def _is_dump(sentence: str, wordings: Sequence[str]) -> bool:
    """Whether different wordings stand in one sentence, as in a list of all that would count."""
    low = sentence.lower()
    places = {low.find(wording.lower()) for wording in wordings if wording.lower() in low}
    return len(places) > 2 or "|".join(wordings).lower() in low


@lru_cache(maxsize=1024)
def _spellings(wordings: tuple[str, ...]) -> tuple[str, ...]:
    """The wordings with those that mean the same, and names with the last name first."""
    found = dict.fromkeys(wordings)
    for group in _SAME:
        if group & {wording.lower() for wording in wordings}:
            found |= dict.fromkeys(sorted(group))
    for wording in wordings:
        words = wording.split()
        if len(words) == 2 and all(word[:1].isupper() for word in words):
            found[f"{words[1]}, {words[0]}"] = None
        if "_" in wording or "-" in wording:
            found[wording.replace("_", " ").replace("-", " ")] = None
    return tuple(found)


def _sentences(text: str) -> list[str]:
    return [part for line in text.split("\n") for part in re.split(r"(?<=[.!?;])\s+", line) if part.strip()]
