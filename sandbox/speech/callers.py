"""Who a caller may be, from transcripts of what they said and spelled: candidates for names and e-mail addresses.

For agents that listen: a name that was misheard is looked for under the names that it resembles, likeliest first. It
knows the forms in which people give names and a public lexicon (`names`); it never looks into anybody's directory.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from toolgym.sandbox.speech.names import SAID, SPELLED, Evidence, edits, lexicon, likely
from toolgym.sandbox.speech.text_normalization import EMAIL, STATES

_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
_INTRODUCED = re.compile(r"\b(?:names? is|names? are|i'm|this is)\b", re.IGNORECASE)
_FURTHER = re.compile(r"\d[\d ,.-]*|\w*(?:e-?mail|zip|postal|code|address)\w*|@", re.IGNORECASE)
"""What is not about names: an answer is taken apart there."""
_SPELLED = re.compile(r"[A-Z]{2}|[a-z][A-Z]|\b[A-Za-z]-|-[A-Za-z]\b")
"""What shows that letters were heard one by one: capitals, or hyphens between them."""
_PERSON = re.compile(r"^([a-z-]+)[._]([a-z-]+)(\d*)$")
_CAPITALS = {*STATES, "USA", "ID"}
_NO_NAMES = frozenset(
    "a afraid again am an and are as at can dear do don't dont find first for good have hello here hi hm hmi i idea "
    "im in is it its know last me my name names no not number of oh ok one or please really remember said so sorry "
    "spelled sure that thats the this to under usa was yes you your".split()
)
"""Words of answers that are no names, though some people may be called so."""
_MOST = 12
"""Candidates that are worth a look-up."""
_MOST_WORDS = 8
"""Words that can be of a name, said and spelled."""
_INTRODUCED_WEIGHT = 0.45
"""The weight of a word behind "my name is"."""
_IN_ADDRESS = 0.7
"""The weight of a name heard within an address, where it may have been said or spelled."""


@dataclass
class _Heard:
    """What was heard of a first and a last name."""

    first: list[tuple[str, float]] = field(default_factory=list)
    last: list[tuple[str, float]] = field(default_factory=list)


def names(answers: Sequence[str]) -> list[tuple[str, str]]:
    """First and last names that the caller may have, the likeliest first.

    Args:
        answers: transcripts of the caller's answers, as `reading.read` gives them.
    """
    return _pairs(_heard(answers))


def emails(answers: Sequence[str]) -> list[str]:
    """E-mail addresses that the caller may have: those heard, last ones first, then those that likely names make."""
    found = list(dict.fromkeys(email for answer in reversed(answers) for email in re.findall(EMAIL, answer)))
    people = _pairs(_heard(answers))
    ends = dict.fromkeys(
        (index, digits, email.split("@")[1]) for email in found for index, (_, _, digits) in enumerate(_forms(email))
    )
    made = [
        (rank + 2 * index, f"{one}{_sign(found)}{two}{digits}@{host}")
        for rank, (one, two) in enumerate(people)
        for index, digits, host in ends
    ]
    return list(dict.fromkeys([*found, *(email for _, email in sorted(made, key=lambda pair: pair[0]))]))[:_MOST]


def _forms(email: str) -> list[tuple[str, str, str]]:
    """First name, last name and digits of an address of that form; a last A, H or O may be the first digit."""
    match = _PERSON.match(email.split("@")[0].lower())
    if match is None:
        return []
    first, last, digits = match.groups()
    other = {"a": "8", "h": "8", "o": "0"}.get(last[-1]) if digits and len(last) > 2 else None
    return [(first, last, digits), *([(first, last[:-1], other + digits)] if other else [])]


def _sign(found: Sequence[str]) -> str:
    return "_" if found and all("_" in email for email in found) else "."


def _pairs(heard: _Heard) -> list[tuple[str, str]]:
    firsts, lasts = likely(heard.first, "first"), likely(heard.last, "last")
    costs = {(one, two): firsts[one] + lasts[two] for one in firsts for two in lasts}
    return sorted(costs, key=lambda pair: (costs[pair], pair))[:_MOST]


def _heard(answers: Sequence[str]) -> _Heard:
    heard = _Heard()
    for answer in answers:
        for email in re.findall(EMAIL, answer):
            if forms := _forms(email):
                heard.first.append((forms[0][0], _IN_ADDRESS))
                heard.last += [(last, _IN_ADDRESS / len(forms)) for _, last, _ in forms]
        _take_names(re.sub(EMAIL, ".", answer), heard)
    return heard


def _take_names(text: str, heard: _Heard) -> None:
    """Add the names of one answer: `Ana, ANA, Cho, CHO`, and what recognisers leave of it."""
    words = max((_name_words(part) for part in _FURTHER.split(text)), key=_sure, default=[])
    if len(words) == 2 and len(words[1][0]) >= len(words[0][0]) + 2:
        (said, _), (run, weight) = words
        if (cut := _cut(said, run)) is not None:
            words = [words[0], (run[:cut], weight), (run[cut:], weight)]
    if len(words) < 2 or not _sure(words):
        return
    index = min(range(1, len(words)), key=lambda index: _spread(words[:index]) + _spread(words[index:]))
    heard.first += words[:index]
    heard.last += words[index:]


def _sure(words: Evidence) -> float:
    """How much a part of an answer looks like a name: spelled words, and those behind an introduction, count."""
    return sum(weight - SAID for _, weight in words)


def _name_words(text: str) -> list[tuple[str, float]]:
    """The words of a part of an answer that may be names, each with its weight."""
    introduced = list(_INTRODUCED.finditer(text))
    least = _INTRODUCED_WEIGHT if introduced else SAID
    words: list[tuple[str, float]] = []
    for word in _WORD.findall(text[introduced[-1].end() :] if introduced else text):
        plain = re.sub(r"[^a-z]", "", word.lower())
        if len(plain) > 1 and plain not in _NO_NAMES and word not in _CAPITALS:
            words.append((plain, SPELLED if _SPELLED.search(word) else least))
    return words[:_MOST_WORDS]


def _spread(words: Evidence) -> float:
    """How little some words are alike: what they differ from the one that was heard best."""
    best = max(words, key=lambda pair: pair[1])[0]
    return sum(min(3.0, edits(word, best)) for word, _ in words)


def _cut(said: str, run: str) -> int | None:
    """Where the last name begins in a run of both: the first is like the one said, the last is better a known one."""
    known = lexicon("last")
    index = min(range(2, len(run) - 1), key=lambda at: edits(said, run[:at]) + (run[at:] not in known))
    return index if edits(said, run[:index]) <= 2 else None
