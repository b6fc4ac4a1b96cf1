"""Whether a text asserts the things that it names: not asked, not guessed at, not one of several, not taken back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toolgym.sandbox.language.mentions import Mention
from toolgym.sandbox.language.numbers import UNITS
from toolgym.sandbox.language.tokens import Token, singular, tokenize

_ENDS = frozenset("\n . ; ! ?".split(" "))
_CLAUSE = _ENDS | frozenset(", : | ( ) – — and but while so of".split(" "))
"""What parts the words about one value from those about another: "the balance is $100 and the fee is $20"."""
_QUESTION = re.compile(
    r"^\W*(?:and |or |so |but )?(?:is|was|are|were|shall|did|do|does|could|would|can|may|has|have|had|might|"
    r"should|which|what|"
    r"when|where|who|how|why)\b.*\?\s*$",
    re.DOTALL,
)
_GUESS = re.compile(
    r"\b(?:i (?:believe|think|guess|suppose|assume)|maybe|perhaps|(?:might|may|could) be(?! \w+ed\b)|probably|"
    r"possibly|presumably|"
    r"not (?:quite |really |entirely )?sure|unsure|(?:don't|do not|can't|cannot|can not) (?:know|tell|say)|no idea|"
    r"depends?|used to|no longer|formerly|would have (?:been|cost)|until (?:last|yesterday)|last (?:week|year)|"
    r"almost|nearly|just (?:under|over)|not even|close to|had you|if you had|"
    r"normally|usually|let's say|suppose|imagine|for example|e\.g\.)"
)
_WRONG = (
    r"(?:wrong|not true|untrue|not right|not so(?! \w)|incorrect|false|a mistake|an error|not correct|made up|invented|"
    r"inaccurate|mistaken|nonsense)\b"
)
_MY_WORDS = (
    r"(?:(?:what|everything|anything|all|whatever)(?: that)? i(?:'ve| have| had)?(?: just)? (?:said|told|gave|given|"
    r"wrote|written|stated|quoted|mentioned|claimed|named)|(?:my|the) (?:last|previous|earlier|first|former) (?:answer|"
    r"message|reply|statement|figure|number|value|amount|sentence|words)|(?:the|that|this) (?:\w+ )?(?:that )?i(?:'ve| "
    r"have)?(?: just)? (?:said|told|gave|given|quoted|mentioned|stated|named))"
)
"""What speaks of one's own words: "all of what I just said", "the figure I gave you"."""
_TAKEN_BACK = re.compile(
    rf"\b(?:(?:that|this|it|which)(?:'s| is| was|) (?:all )?{_WRONG}|(?:i )?(?:was|am) (?:mistaken|wrong)|"
    rf"{_MY_WORDS}[^.!?\n]{{0,40}}?(?:\b(?:is|was|were|are|isn't|wasn't)(?: \w+)? {_WRONG}|(?:n't|\bnot|\bno longer) "
    r"(?:holds?|apply|applies|true|right|correct|stands?|counts?|so|adds? up|match(?:es)?)\b)|"
    r"(?:i )?take (?:that|it|this|everything|all of it) back|"
    r"(?:forget|ignore|disregard|scratch|strike) (?:all (?:of )?)?(?:that|this|it|what i)\b|"
    rf"(?:forget|ignore|disregard|scratch|strike|discard|drop|withdraw|retract|replace|overlook) {_MY_WORDS}|"
    r"made (?:that|it) up|my mistake|"
    r"(?<!body )(?<!someone )(?:i )?(?:misspoke|misread|misstated|misquoted|miscounted|miscalculated)|"
    r"i stand corrected|"
    r"i (?:got|had|mixed) (?:that|it|them|this|something) (?:wrong|up|mixed up)|"
    r"i (?:looked at|read|was looking at|was reading) the wrong|do(?:n't| not) trust that|not actually true)"
)
_OR = frozenset(["or", "/", "|"])
_SEPARATORS = frozenset([",", ";", "|", "/", "and", "or", "&", "\n", ".", "-", "*", "•"])
"""What may stand between the values of a bare list: "0, 1, 2 and 3"."""
_EMPTY = frozenset(
    "the a an is was are were be been it its it's that that's this there there's of for to in on at your you you'd my "
    "our we i i'd i've we've have has had now then so and or but also actually sorry rather instead correction fact "
    "really well oh no yes just exactly precisely total altogether all overall again with by from as am will would "
    "please one only please note".split()
)
"""Words that tell two statements about one thing from two about two things by nothing."""


class Place(NamedTuple):
    """A mention in its sentence.

    Attributes:
        mention: what is named.
        sentence: the words around it up to the ends of the sentence, in lower case.
        about: the content words of its clause, the mention left out.
        asserted: whether the text says that it is so.
        label: the words before the colon right behind which it stands.
    """

    mention: Mention
    sentence: str
    about: frozenset[str]
    asserted: bool
    label: frozenset[str] = frozenset()


def places(text: str, mentions: Sequence[Mention], due: Sequence[Mention] = ()) -> list[Place]:
    """Where alike mentions stand in a text, in order.

    Args:
        text: what was said.
        mentions: the alike ones.
        due: those that all have to be told, so that a list of them alone leaves nothing to choose.
    """
    tokens = tokenize(text)
    listed = _listed(tokens, mentions, due)
    return [_place(text, tokens, mention, mention in listed) for mention in mentions]


def takes_back(text: str) -> bool:
    """Whether a text declares wrong what was said before it."""
    return _TAKEN_BACK.search(text.lower().replace("’", "'")) is not None


def is_open(sentence: str) -> bool:
    """Whether a sentence in lower case asks or guesses rather than says."""
    return _QUESTION.match(sentence) is not None or _GUESS.search(sentence) is not None


def are_bare_list(tokens: Sequence[Token], one: Mention, other: Mention) -> bool:
    """Whether nothing but separators stands between two mentions."""
    between = [token.low for token in tokens if one.end <= token.start and token.end <= other.start]
    return all(word in _SEPARATORS for word in between)


def content_words(text: str) -> frozenset[str]:
    """The words of a text that mean a thing, in the singular."""
    return frozenset(
        singular(token.low) for token in tokenize(text) if token.kind == "word" and token.low not in _EMPTY
    )


def _listed(tokens: list[Token], mentions: Sequence[Mention], due: Sequence[Mention]) -> list[Mention]:
    """Those of which one stands for the others: joined by "or", or three and more in a bare list."""
    found: list[Mention] = []
    run: list[Mention] = []
    for mention in (*mentions, None):
        if run and mention is not None and are_bare_list(tokens, run[-1], mention):
            run.append(mention)
            continue
        is_open = len(run) > 2 and not all(each in due for each in run)
        found += run if is_open or _has_or(tokens, run) else []
        run = [mention] if mention is not None else []
    return found


def _has_or(tokens: Sequence[Token], run: Sequence[Mention]) -> bool:
    return len(run) > 1 and any(
        token.low in _OR for token in tokens if run[0].end <= token.start and token.end <= run[-1].start
    )


def _place(text: str, tokens: list[Token], mention: Mention, is_listed: bool) -> Place:
    sentence = _around(tokens, mention, _ENDS)
    said = text[sentence[0].start : sentence[-1].end] if sentence else ""
    end = sentence[-1].end if sentence else mention.end
    asks = text[end : end + 1] == "?"
    low = said.lower().replace("’", "'") + ("?" if asks else "")
    clause = [token for token in _around(tokens, mention, _CLAUSE) if token.kind == "word"]
    is_first = not clause or clause[0].start >= mention.start  # right behind its label: "**Failed events:** 1"
    label = frozenset(singular(token.low) for token in _label(tokens, mention)) if is_first else frozenset()
    outside = (token for token in clause if token.end <= mention.start or token.start >= mention.end)
    about = frozenset(singular(token.low) for token in outside if token.low not in _EMPTY)
    asserted = not (_is_denied(tokens, mention) or is_listed or is_open(low))
    return Place(mention, low, about, asserted, label)


def _label(tokens: Sequence[Token], mention: Mention) -> list[Token]:
    """The words before the colon after which a mention stands."""
    index = next((i for i, token in enumerate(tokens) if token.end > mention.start), 0) - 1
    while index >= 0 and tokens[index].kind == "sign" and tokens[index].low not in (":", *_ENDS):
        index -= 1
    found: list[Token] = []
    if index >= 0 and tokens[index].low == ":":
        while index > 0 and not _parts(tokens, index - 1, _ENDS):
            index -= 1
            found.insert(0, tokens[index])
    holds_another = any(token.kind == "num" or token.low in UNITS for token in found)
    return [] if holds_another else [token for token in found if token.kind == "word"]


def _is_denied(tokens: Sequence[Token], mention: Mention) -> bool:
    """Whether the value itself is denied; not where a thing known by it is spoken of: "they won't get the $714"."""
    if not mention.negated:
        return False
    before = [token.low for token in tokens if token.end <= mention.start][-2:]
    definite = before[-1:] and before[-1] in ("the", "this", "that", "those", "these", "your")
    return not definite or before[0] in ("not", "isn't", "wasn't")


def _around(tokens: Sequence[Token], mention: Mention, ends: frozenset[str]) -> list[Token]:
    """The tokens around a mention up to the next ones that part, itself included."""
    first = next((i for i, token in enumerate(tokens) if token.end > mention.start), 0)
    last = next((i for i in range(len(tokens) - 1, -1, -1) if tokens[i].start < mention.end), 0)
    start, end = first, last + 1
    while start > 0 and not _parts(tokens, start - 1, ends):
        start -= 1
    while end < len(tokens) and not _parts(tokens, end, ends):
        end += 1
    return list(tokens[start:end])


def _parts(tokens: Sequence[Token], index: int, ends: frozenset[str]) -> bool:
    return tokens[index].low in ends or tokens[index].kind == "break"


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text in lower case, lines apart."""
    for line in text.lower().replace("’", "'").split("\n"):
        yield from (part for part in re.split(r"(?<=[.!?])\s+", line) if part.strip())
