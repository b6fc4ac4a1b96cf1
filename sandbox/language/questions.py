"""Whether a question leaves anything open: "May I save it?" wants a yes or a no, "Which one?" does not."""

from __future__ import annotations

import re

from toolgym.sandbox.language.senses import has

_MARK = r"(?:what|which|who|whom|whose|when|where|how)"
_WHO = r"(?:i|we|you|it|they|this|that|he|she)\b"
_VERB = r"(?:is|are|am|was|were|do|does|did|would|should|shall|will|can|may|has|have)"
_BEGINS = r"^\W*(?:(?:and|so|but|ok|okay|hey|hi|now) )?"
_OPENS = re.compile(rf"{_BEGINS}{_MARK}\b(?! about\b)[^.!;]*\?")
_UNMARKED = re.compile(rf"{_BEGINS}(?:(?:what|who|where|when)'?s|{_MARK}(?: (?!{_WHO})\w+){{0,2}} {_VERB})\b[^.!:]*$")
_KEY = re.compile(
    r"\b(?:let me have|give me|tell me|i need|i'll need|with|and)\b[^.?!:]{0,12}?\b(?:your|the) "
    r"(?:[a-z]+ ){0,2}(?:pin|codes?|passwords?)\b"
    r"(?! (?:is|was|has|checks?|works?|fits?|matche[sd])\b)|\byour (?:[a-z]+ ){0,2}(?:pin|codes?|passwords?),? please\b"
)


def is_question(sentence: str) -> bool:
    """Whether a sentence is a question, with its mark or as people type it who leave out all marks at the end."""
    return "?" in sentence or _UNMARKED.match(sentence) is not None


def opens_question(sentence: str) -> bool:
    """Whether a question asks for a thing from its first word on, whatever is denied in it afterwards."""
    return _OPENS.match(sentence) is not None


def asks_openly(sentence: str) -> bool:
    """Whether a sentence in lower case asks for something other than a yes or a no."""
    return not is_closed(sentence) and has("data", sentence)


def is_closed(sentence: str) -> bool:
    """Whether a sentence in lower case is a question to which a yes or a no is the whole answer."""
    return "?" in sentence and not has("open", sentence)


def keys_asked(sentence: str) -> list[str]:
    """What a request for agreement wants to hear with it: "your PIN" of "Please confirm, and let me have your PIN."."""
    return _KEY.findall(sentence)
