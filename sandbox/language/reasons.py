"""Whether a refusal was given with its reason, in whatever words: by stems of the rule's own words, and by the usual
ways of English to say its sort of reason.

An apology, an echo of the wish and another reason do not count; what the world's own words are comes from its rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from toolgym.sandbox.language.assertions import sentences
from toolgym.sandbox.language.grounds import GROUNDS
from toolgym.sandbox.language.senses import Sense, has
from toolgym.sandbox.language.tokens import singular

_NO_REASON = re.compile(
    r"\b(?:try|come back|call|contact us|write|check)\b[^.]{0,20}\b(?:again|later|back|in \d+)|"
    r"\bmaintenance\b|\boutage\b|\bis down\b|"
    r"\b(?:system|service|network|page|server)(?:'s| is| was)? (?:\w+ )?(?:down|offline|busy|unavailable|"
    r"slow)\b|\btechnical (?:problem|issue|reasons)"
)
"""Advice and failing machines, which are no reason of the world's."""
_MACHINE = re.compile(
    r"\b(?:our|my|the)(?: [a-z]+)? (?:systems?|computers?|database|software|tools?)(?:'s|'re)? (?:\w+ ){0,3}"
    r"(?:down|offline|unavailable|out of order|crash\w*|timed? out|not respond\w*|fail(?:ed|s|ing))\b|"
    r"\btechnical (?:problems?|issues?|difficult\w+|fault)\b"
)
"""A failure of what the agent works with; of what people have, such as their network, results tell."""
_CLAUSE = re.compile(r"[.;|\n]")
_PLACE = re.compile(r"\{[^}]*\}")
_WEAK = frozenset(
    "the a an is are be been was were to of in on at for with by from and or not no only it its that this you your i "
    "we "
    "our can cannot may must has have had do does did will would should than then so as if when one ones any all each "
    "they their them there here what which who more most least less such other another same new already longer still "
    "yet also just customer person user".split()
)


def gives_reason(messages: Sequence[str], rule: str, about: str = "") -> bool:
    """Whether one of an agent's sentences gives the reason that a rule states.

    Args:
        messages: what the agent said.
        rule: the rule's sentence and the ways to say the reason, separated by `|`.
        about: the wish in the user's words, whose repetition gives no reason.
    """
    plain = rule.lower().replace("’", "'")
    grounds = _grounds_of(plain)
    echoed = about.lower()
    for sentence in _statements(messages):
        if any(has(ground, sentence) for ground in grounds):
            return True
        if any(_is_in(phrase, sentence, echoed, alone=bool(grounds)) for phrase in plain.split("|")):
            return True
    return False


def blames_machine(sentence: str) -> bool:
    """Whether a sentence says that the agent's own machines fail it."""
    low = sentence.lower()
    return _MACHINE.search(low) is not None and not re.search(r"\bno\b|\bnot\b(?! respond)|n't\b|\bif\b|\?", low)


def reasons_stated(messages: Sequence[str], reasons: Sequence[str]) -> int:
    """How many of some reasons are stated nearly as they are written, each by a clause of its own."""
    clauses = [_stems(clause) for text in messages for clause in _CLAUSE.split(text.lower().replace("’", "'"))]
    wanted = {_clauses_of(reason) for reason in reasons}
    return sum(any(stems <= clause for stems in each for clause in clauses) for each in wanted)


@lru_cache(maxsize=1024)
def _clauses_of(reason: str) -> tuple[frozenset[str], ...]:
    """The words that carry each clause of a reason as it is written first, places for values left out."""
    written = _PLACE.sub(" ", reason.lower().split("|")[0])
    found = [stems for clause in _CLAUSE.split(written) if (stems := _stems(clause))]
    return tuple(stems for stems in found if len(stems) > 1) or tuple(found)


@lru_cache(maxsize=1024)
def _grounds_of(rule: str) -> tuple[Sense, ...]:
    return tuple(ground for ground, named in GROUNDS.items() if named.search(rule))


def _statements(messages: Sequence[str]) -> Iterator[str]:
    """The sentences of messages that may give a reason; a list's lines are read as one with what leads to them."""
    for text in messages:
        for sentence in sentences(text):
            kept = ",".join(part for part in sentence.split(",") if not _NO_REASON.search(part))
            if kept.strip() and not sentence.rstrip().endswith("?"):
                yield kept


def _is_in(phrase: str, sentence: str, echoed: str, *, alone: bool) -> bool:
    """Whether the words that carry a phrase stand in a sentence, unless the user said them in the wish itself.

    Args:
        phrase: a way to say the reason.
        sentence: what was said.
        echoed: the wish.
        alone: a single word says too little among others, since there are better signs of this reason.
    """
    stems = _stems(phrase)
    if alone and " " not in phrase.strip():
        return any(_stems(part) == stems for part in re.split(r"[;:,.|()]", sentence)) and bool(stems)
    if not stems or stems <= _stems(echoed):
        return False
    return stems <= _stems(sentence)


@lru_cache(maxsize=8192)
def _stems(text: str) -> frozenset[str]:
    words = re.findall(r"[a-z]+(?:'[a-z]+)?|\d[\d,.:]*\d|\d", text)
    return frozenset(_stem(word) for word in words if word not in _WEAK and not word.endswith("n't"))


def _stem(word: str) -> str:
    """A word without the endings of its forms: "cancelled", "cancelling" and "cancels" are one."""
    word = singular(word)
    for ending in ("ation", "ments", "ment", "ance", "ing", "ied", "ed", "ly", "er", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) > 3:
            word = word.removesuffix(ending)
            break
    return word[:-1] if len(word) > 4 and word[-1] == word[-2:-1] else word
