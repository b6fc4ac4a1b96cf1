"""Whether an answer to a proposal is a yes or a no: shared by agents, the verifier and judges."""

from __future__ import annotations

import re

_YES = re.compile(
    r"\b(?:(?<!say )yes(?! to\b)|yeah|yep|sure|correct|go ahead|do it|please do|that's right|that is right|exactly)\b"
)
"""A wish to "say yes to" an invitation is none."""
_NO = re.compile(r"\b(?:no|not|don't|wait|wrong|stop|actually|change of plan|changed my mind)\b")
_BEGINS_YES = re.compile(r"\W*(?:yes|yeah|yep|sure)\b")
_BEGINS_NO = re.compile(
    r"\W*(?:(?:oh|hm+|sorry|well|uh|um|thanks)\W+)*(?:no|nope|nah|don't|do not|stop|wait|hold on)\b(?! problem)"
)
_TAKEN_BACK = re.compile(
    r"\b(?:wait|stop(?=\s*(?:$|[.,;:!\u2014-]))|actually|hold on|but first|change of plan|changed my mind)\b"
)


def is_yes(answer: str) -> bool:
    """Whether an answer to a proposal agrees and takes nothing back."""
    said = _plain(answer)
    if _BEGINS_YES.match(said):  # what follows may well hold a no: "Yes, cancel it, but do not write to anybody"
        return _TAKEN_BACK.search(said) is None
    return "?" not in said and _YES.search(said) is not None and _NO.search(said) is None


def is_no(answer: str) -> bool:
    """Whether an answer to a proposal declines it, or takes a yes back."""
    said = _plain(answer)
    if _BEGINS_YES.match(said):
        return _TAKEN_BACK.search(said) is not None
    return _BEGINS_NO.match(said) is not None or (
        _TAKEN_BACK.search(said) is not None and "go ahead" not in said and "?" not in said
    )


def _plain(answer: str) -> str:
    return answer.lower().replace("’", "'")
