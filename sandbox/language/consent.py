"""Whether an answer to a proposal is a yes or a no: shared by agents, the verifier and judges."""

from __future__ import annotations

import re

_YES = re.compile(
    r"\b(?:(?<!say )yes(?! to\b)|yeah|yep|oui|sure|correct|go ahead|do it|please do(?! that only\b)|that's right|"
    r"that is right|exactly)\b"
)
"""A wish to "say yes to" an invitation is none."""
_NO = re.compile(r"\b(?:no|not|don't|wait|wrong|stop|actually|change of plan|changed my mind)\b")
_DENIES = re.compile(r"n't\b|\b(?:never|nope|neither|cannot|rather|instead)\b")
_BEGINS_YES = re.compile(
    r"\W*(?:(?:alright|all right|okay|ok|great|perfect|well|actually|then)\W+)*(?:yes|yeah|yep|oui|sure)\b"
)
_BEGINS_NO = re.compile(
    r"\W*(?:(?:oh|hm+|sorry|well|uh|um|thanks)\W+)*(?:no|nope|nah|don't|do not|stop|wait|hold on)\b(?! problem)"
)
_TAKEN_BACK = re.compile(
    r"(?:^\W*|[.!?;:,—–]\s*|\s-\s+|\b(?:but|oh|no|and|hm+|then)\s+)"
    r"(?:wait|stop(?=\s*(?:$|[.,;:!\u2014-]))|hold on|actually)\b|\bbut first\b|\bchange of plan:|\bchanged my mind\b"
)
"""Words that take a yes back where they begin a clause; "what I am actually paying" does not."""
_SENTENCE = re.compile(r"(?<=[.!?\n])\s+|\n")
_GOES_AHEAD = re.compile(
    r"\b(?:(?<!say )yes(?! to\b)|oui|go ahead|proceed|do it|please do|let's (?:do|book|go)|confirm(?:ed)?)\b"
)
_PICKS = re.compile(
    r"\b(?:i'll|i will|i'd like to|i would like to|i want to|let's|let me|we'll|i'm willing to|i'm happy to) "
    r"(?!know|see|hear|ask|check|talk|speak|understand|think|get)\w+\b|\b(?:option|number) #?\d|"
    r"\bthe (?:first|second|third|last|former|latter) (?:one|option)\b|"
    r"\bplease (?:\w+ly )?(?:cancel|change|update|book|add|apply|process|refund|return|exchange|modify|upgrade|send)\b"
)
_AND_YES = re.compile(r"(?:^\W*|[,;:]\s*|\band\s+)(?:yes|oui)\b(?! to\b)")
_DECLINES = re.compile(r"\b(?:not|never|don't|won't|can't|cannot|isn't|before|until|unless|if|would|could)\b")


_ASKS_BACK = re.compile(
    r"\b(?:you mean|understand rightly|so you would|you would only|would you (?:only|just))\b[^?]*\?\W*$"
)


def asks_back(answer: str) -> bool:
    """Whether an answer to a proposal says in a closed question what the proposal is taken for."""
    return _ASKS_BACK.search(_plain(answer)) is not None


def is_yes(answer: str) -> bool:
    """Whether an answer to a proposal agrees and takes nothing back."""
    said = _plain(answer)
    if _BEGINS_YES.match(said):  # what follows may well hold a no: "Yes, cancel it, but do not write to anybody"
        return _TAKEN_BACK.search(_after_yes(said)) is None
    return "?" not in said and _YES.search(said) is not None and _NO.search(said) is None


def is_no(answer: str) -> bool:
    """Whether an answer to a proposal declines it, or takes a yes back."""
    said = _plain(answer)
    if _BEGINS_YES.match(said):
        return _TAKEN_BACK.search(_after_yes(said)) is not None
    return _BEGINS_NO.match(said) is not None or (
        _TAKEN_BACK.search(said) is not None and "go ahead" not in said and "?" not in said
    )


def objects(answer: str) -> bool:
    """Whether an answer to a proposal asks, denies or takes back anything: what does none of it lets it pass."""
    said = _plain(answer)
    return "?" in said or is_no(said) or _NO.search(said) is not None or _DENIES.search(said) is not None


def goes_ahead(answer: str, *, picks: bool = False) -> bool:
    """Whether some sentence of an answer to a proposal orders it, whatever else the answer asks or declines.

    Args:
        answer: what was said.
        picks: the proposal offered choices, so that naming one is an order.
    """
    said = _plain(answer)
    if _BEGINS_NO.match(said) or _TAKEN_BACK.search(said):
        return False
    told = [each for each in _SENTENCE.split(said) if not each.rstrip().endswith("?")]
    orders = [each for each in told if not _DECLINES.search(each)]
    return any(_AND_YES.search(each) for each in told) or any(
        _GOES_AHEAD.search(each) or (picks and _PICKS.search(each)) for each in orders
    )


def _after_yes(said: str) -> str:
    """What follows the yes that words begin with, so that an "actually" before it takes nothing back."""
    begun = _BEGINS_YES.match(said)
    return said[begun.end() :] if begun else said


def _plain(answer: str) -> str:
    return answer.lower().replace("’", "'").replace("‑", "-")
