"""A wish that is said once more, by somebody who has said it before: without what only led to it the first time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_FIGURE = re.compile(r"\d[\d.,]*\d|\d")
_LED_IN = re.compile(
    r"^(?:and )?(?:there(?: is|'s) something else|that's not all|one more thing|while i have you|next|also)[:,] |"
    r"^(?:(?:actually, )?i've (?:changed my mind(?: about this)?|thought again)|wait, i've changed my mind about this|"
    r"on second thought, i'd rather do something else): ",
    re.I,
)


def without_lead_in(utterance: str) -> str:
    """A wish without "One more thing:" and its like, as it stands otherwise."""
    return _LED_IN.sub("", utterance).strip()


def said_again(utterance: str) -> str:
    """A wish as it is repeated: "One more thing: cancel it." was one more thing the first time alone."""
    plain = without_lead_in(utterance)
    return plain[:1].upper() + plain[1:]


def beside(said: Sequence[str], further: Iterable[str]) -> list[str]:
    """Sentences and those further ones of which they do not hold every word already."""
    whole = " ".join(said).casefold()
    return [*said, *(text for text in further if not _is_held(text, whole))]


def _is_held(text: str, whole: str) -> bool:
    """Whether a sentence says nothing new: its words, or its figures where it has any, have been said."""
    figures = _FIGURE.findall(text)
    return text.rstrip(".!").casefold() in whole or (bool(figures) and all(each in whole for each in figures))
