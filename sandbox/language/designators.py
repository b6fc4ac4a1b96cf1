"""What a bare number is: a name ("page 1"), a value of written data (`"quantity": 1`), or a count in words.

A number that names a thing counts nothing, so that a stray 1 is no answer to "how many".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolgym.sandbox.language.mentions import Mention

_DESIGNATED = re.compile(
    r"\b(number|digit|page|step|row|gate|group|version|line|store|branch|folder|box|bin|floor|aisle|section|chapter|"
    r"paragraph|item|priority|code|level|room(?!:)|seat|order|option|sku|index|day|week|month|year|rank|phase|part|"
    r"volume|platform|terminal|zone|tier|class|type|model|size|status|error|http|case|ticket|rule|table|figure(?!:)|"
    r"account|card|apartment|apt|suite|track|bus|train|locker|shelf|bay|batch|build|release|slot|invoice|payment|"
    r"transfer|listing|hold|booking|reference|id|turn)"
    r"(?: number)?:?\*{0,2}[ _]?#?$",
    re.IGNORECASE,
)
"""What a number directly after it names: "gate 12", "Step 1", "line number 4"; "Room: 4" may say how much there is,
and "Figure: 348" which one was asked for."""
_ENDING = re.compile(
    r"\b(?:end(?:s|ed|ing)?|beginn?(?:s|ing)?|start(?:s|ing)?) (?:in|with|on)(?: an?)? $", re.IGNORECASE
)
"""Before a part of a name: "your card ending in 8"."""
_KEY = re.compile(r"""["'](\w[\w ]*?)\\?["']\s*[:=][\s"'\\]*$|\b(\w+)=["'\\]*$""")
"""The name of a value in written data: `"status": 1`, `quantity=1`."""
_SUBJECT = re.compile(
    r"\b([a-z]+)(?<!ed)\*{0,2} (?:is|are|was|were)(?: (?:now|still|currently|only|just|at|exactly))* $", re.IGNORECASE
)
"""What a number is said to be: "the ask is 57"; "changed is 1" says what was done to what it counts."""
_ONE = re.compile(
    r"\b(?:only|just|exactly|precisely)(?: the| a)?(?: single)? (one)\b(?! (?:of|more|moment|second|last|thing)\b)"
)
_SINGLE = re.compile(r"(?<!not )(?<!without )\b(?:a|one) single\b(?! (?:moment|second|day))")
_NONE = re.compile(
    r"\bnone\b(?! (?:the|but|too)\b)|\bnil\b|\bnothing (?:is )?left\b|(?:\bnot|n't)(?: [a-z]+){0,3} (?:a|one) single\b|"
    r"\bnobody has\b"
)


def named_by(text: str, mention: Mention) -> str | None:
    """The word that makes a number a name, in lower case: "page" in "page 1"; empty for a part of one; None."""
    before = text[: mention.start]
    if _ENDING.search(before):
        return ""
    found = _DESIGNATED.search(before)
    return found[1].lower() if found else None


def data_key(text: str, mention: Mention) -> str | None:
    """The words of the name under which a number stands in written data; None where it stands in none."""
    found = _KEY.search(text[: mention.start])
    return (found[1] or found[2]).replace("_", " ").lower() if found else None


def subject(text: str, mention: Mention) -> str | None:
    """The word that a sentence says to be a number: "ask" in "the ask is 57"."""
    found = _SUBJECT.search(text[: mention.start])
    return found[1].lower() if found else None


def counts_in_words(text: str, value: float, things: tuple[str, ...]) -> Iterator[Mention]:
    """Counts that are said without a number: "exactly one", and for 0 "none" and "no messages"."""
    low = text.lower()
    if value == 1:
        for found in _ONE.finditer(low):
            yield Mention("number", 1, found.start(1), found.end(1), text[found.start(1) : found.end(1)])
        for found in _SINGLE.finditer(low):
            yield Mention("number", 1, found.start(), found.end(), text[found.start() : found.end()])
    if value == 0:
        thing = "|".join(sorted({re.escape(word.lower()) for word in things}))
        named = (
            re.finditer(rf"\bno (?:(?!longer|more)[a-z]+ ){{0,2}}?(?:{thing})s?\b(?! (?:found|match))", low)
            if thing
            else ()
        )
        for found in (*_NONE.finditer(low), *named):
            yield Mention("number", 0, found.start(), found.end(), text[found.start() : found.end()])
