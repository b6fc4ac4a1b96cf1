"""What a person says, as it is told to whoever plays the person."""

from __future__ import annotations

import re

_SECOND = {
    "my": "your",
    "mine": "yours",
    "i": "you",
    "me": "you",
    "i'm": "you are",
    "i'd": "you would",
    "i've": "you have",
}
_VERBS = ((re.compile(r"\bI was\b"), "you were"), (re.compile(r"\bI am\b"), "you are"))
"""Verbs that change with the person."""


def second_person(text: str) -> str:
    """A person's words as they are told to whoever plays the person."""
    for verb, other in _VERBS:
        text = verb.sub(other, text)
    return re.sub(r"[\w']+", lambda match: _SECOND.get(match.group().lower(), match.group()), text)
