"""What part a mention plays by the words before it: from X to Y, X instead of Y, not X, for X, by X, with X.

A small grammar of prepositions: past determiners and adjectives to the nearest preposition. "To pay Rosa" gives no
role, for a verb stands between.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Literal

from toolgym.sandbox.language.tokens import Token, low_at, words_at

Role = Literal["from", "to", "instead_of", "not", "for", "by", "with", "before", "after"]

_PREPOSITIONS: dict[str, Role] = {
    "from": "from",
    "since": "from",
    "starting": "from",
    "beginning": "from",
    "effective": "from",
    "between": "from",
    "to": "to",
    "into": "to",
    "onto": "to",
    "until": "to",
    "till": "to",
    "til": "to",
    "towards": "to",
    "for": "for",
    "by": "by",
    "with": "with",
    "using": "with",
    "via": "with",
    "through": "with",
    "before": "before",
    "after": "after",
    "except": "not",
    "without": "not",
}
_PHRASES: tuple[tuple[str, Role | None], ...] = (
    ("instead of", "instead_of"),
    ("rather than", "instead_of"),
    ("in place of", "instead_of"),
    ("in lieu of", "instead_of"),
    ("as opposed to", "instead_of"),
    ("starting on", "from"),
    ("as of", "from"),
    ("prior to", "before"),
    ("later than", "by"),
    ("earlier than", "from"),
    ("except for", "not"),
    ("other than", "not"),
    ("but not", "not"),
    ("up to", None),
    ("due to", None),
    ("according to", None),
    ("close to", None),
    ("comes to", None),
    ("come to", None),
    ("amounts to", None),
)
"""Longer ones first looked at; those without a role only look like one: "up to 100"."""
_BY_LAST_WORD = {
    last: tuple((phrase, role) for phrase, role in _PHRASES if phrase.split(" ")[-1] == last)
    for last in {phrase.split(" ")[-1] for phrase, _ in _PHRASES}
}
_DETERMINERS = frozenset("the a an my your our his her their this that these those its any both all".split())
_ADJECTIVES = frozenset(
    "new old original same other current existing first second next last whole full total exactly about around "
    "approximately one ending ends only just own default saved number no code id called named date amount "
    "of on at in".split()
)
_SIGNS = frozenset("# * ** ( [ \" ' ` “ ‘ : $".split())
_SKIPPED = 5
"""Words between a preposition and its name at most: "from the account with the number"."""


def role_before(tokens: list[Token], start: int, nouns: Container[str]) -> Role | None:
    """The role that the words before a mention's first token give it; `nouns` are the things of the world."""
    position, skipped = start - 1, 0
    while position >= 0 and skipped <= _SKIPPED:
        word = tokens[position].low
        found, role = _preposition(tokens, position)
        if found:
            return role
        if word not in _DETERMINERS and word not in _SIGNS and word not in nouns and word not in _ADJECTIVES:
            return None
        position, skipped = position - 1, skipped + 1
    return None


_MOVES: dict[str, Role] = {
    "leaves": "from", "out of": "from", "taken off": "from", "lower": "from", "lowers": "from",
    "put on": "to", "put into": "to", "arrives on": "to", "arrives in": "to", "arrives at": "to", "lands on": "to",
    "lands in": "to", "land in": "to", "land on": "to", "goes on": "to", "goes into": "to", "raises": "to",
    "raise": "to", "tops up": "to", "top up": "to",
}  # fmt: skip
"""What is said before the name of what moves or gives, such as money; of times and numbers it means nothing."""
_GIVES: dict[str, Role] = {
    "give": "from", "gives": "from", "giving": "from", "lose": "from", "loses": "from", "losing": "from",
    "shrinks": "from", "drops": "from",
    "falls": "from", "get": "to", "gets": "to", "getting": "to", "receive": "to", "receives": "to",
    "receiving": "to", "gain": "to", "gains": "to", "gaining": "to", "grows": "to", "rises": "to",
}  # fmt: skip
"""What is said after the name of what gives or gets something: "clothes would give up $5"."""
_BEFORE_GIVING = frozenset("will would then shall account category as the one that which limit budget".split())


def moved(tokens: list[Token], start: int, end: int) -> Role | None:
    """The role that a verb of moving or giving gives a name: "it leaves A-1 and arrives on A-2", "A-1 gives $5"."""
    before = [token.low for token in tokens[max(start - 6, 0) : start]]
    if before[-4:] == ["the", "one", "ending", "in"]:
        before = before[:-4]  # "it leaves the one ending in 5366"
    while before and (before[-1] in _DETERMINERS or before[-1] in _SIGNS):
        before.pop()
    if before[-1:] == ["off"] and any(map(str.isdigit, " ".join(before[-3:-1]))):
        return "from"  # "$15 off groceries", and not "pay off the loan"
    told = _MOVES.get(" ".join(before[-2:])) or _MOVES.get(before[-1] if before else "")
    return told or _GIVES.get(next((t.low for t in tokens[end : end + 6] if t.low not in _BEFORE_GIVING), ""))


def joins(tokens: list[Token], end: int, start: int) -> str:
    """How two mentions that follow each other are joined: the one word between them, else empty.

    "and", "or", a dash, an arrow, "to"; a determiner or a preposition after it does not matter.
    """
    between = [token.low for token in tokens[end:start] if token.low not in _DETERMINERS and token.low not in _SIGNS]
    return between[0] if len(between) == 1 else ""


def _preposition(tokens: list[Token], position: int) -> tuple[bool, Role | None]:
    word = tokens[position].low
    for phrase, role in _BY_LAST_WORD.get(word, ()):
        if words_at(tokens, position - phrase.count(" "), phrase) == position + 1:
            return True, role
    return word in _PREPOSITIONS, _PREPOSITIONS.get(word)


def after_between(tokens: list[Token], start: int) -> bool:
    """Whether a mention's first token comes after "between", its article aside."""
    return low_at(tokens, start - 1 - (low_at(tokens, start - 1) in _DETERMINERS)) == "between"


def is_to(word: str) -> bool:
    """Whether a word or sign between two alike makes the second one the end of a span."""
    return word in ("to", "until", "till", "through", "-", "–", "—", "->", "→", "=>", "thru")


def is_arrow(tokens: list[Token], index: int) -> bool:
    """Whether an arrow stands at this token: "vinyl → chrome"."""
    return low_at(tokens, index) in ("->", "→", "=>")
