"""Whether a message refuses: it says that what was asked for cannot, may not or will not be done."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolgym.sandbox.language.senses import has

_CANNOT = re.compile(
    r"\b(?:can't|cannot|can not|can no longer|could(?:n't| not)|may (?:not|no longer)|mus(?:tn't|t not)|"
    r"(?:un|not |n't )able to|not (?:allowed|permitted) to|no way to)\b(?P<rest>[^.;]*)"
)
_WILL_NOT = re.compile(r"\b(?:won't|will not|wouldn't|would not|will never)\b(?P<rest>[^.;]*)")
_NOT_SO = re.compile(
    r"^\W*(?:(?:sadly|unfortunately|regrettably|alas|sorry|i'm|that's|it's|but),? )*"
    r"(?:(?:afraid )?not(?! (?:yet|sure|that|if|until|only))|no\W*$|impossible|out of the question)\b[^?]*$"
)
_HYPOTHESIS = re.compile(r"\b(?:if|in case|should|whether|when|whenever|assuming)\b[^.;]*$")
_AFTERWARDS = re.compile(r"\b(?:undone|undo|revers(?:e|ed|ible))\b|^\W*once \w+ed\b|\b(?:again|later)\s*[.!,;]?$")
_LEAVES = re.compile(r"\b(?:i|we)(?: will not|'ll not| won't| would not| wouldn't)\b(?! be able)")
_YOU = re.compile(r"\b(?:you|your|please)\b")
_CLAUSES = re.compile(r"[;–—]| - |, (?:so|but|though|yet) ")


def answers_itself(question: str, sentence: str) -> bool:
    """Whether a sentence says no to the question that its speaker has just put: "Two more? Not so"."""
    return question.endswith("?") and _NOT_SO.match(sentence) is not None


def denied(sentence: str, *, in_any_case: bool = True) -> list[str]:
    """What a sentence says cannot or will not be done.

    Args:
        sentence: in lower case with straight quotes.
        in_any_case: nothing is denied where the listener can change that.
    """
    if not in_any_case:
        return [] if _AFTERWARDS.search(sentence) else [match["rest"] for match in _CANNOT.finditer(sentence)]
    if has("condition", sentence) and not _AFTERWARDS.search(sentence):
        return []
    found = [match for pattern in (_CANNOT, _WILL_NOT) for match in pattern.finditer(sentence)]
    return [match["rest"] for match in found if not _HYPOTHESIS.search(sentence[: match.start()])]


def refuses(sentences: Sequence[tuple[str, str]]) -> bool:
    """Whether a message refuses, by its sentences: what each does (as dialogue acts name it) and says.

    What is said before a question for consent or for details is a caveat, unless the speaker refuses in person or goes
    on to offer something else.
    """
    last = max((place for place, (act, text) in enumerate(sentences) if _wants_answer(act, text)), default=-1)
    refused = [(place, text) for place, (act, text) in enumerate(sentences) if act == "refuse"]
    refused += [
        (place, clause)
        for place, (act, text) in enumerate(sentences)
        if act in ("agree", "ask")
        for clause in _CLAUSES.split(text)[:-1]
        if has("refusal", clause)
    ]
    if any(place > last for place, _ in refused):
        return True
    if not refused or last < 0:
        return False
    act, question = sentences[last]
    after = sentences[min(place for place, _ in refused) :]
    if any(has("other", text) for act, text in after if _wants_answer(act, text)):
        return True
    return any(has("in_person", text) for _, text in refused) if act == "agree" else has("offer", question)


def denies(sentences: Sequence[tuple[str, str]]) -> bool:
    """Whether a message says what stands in the way and asks nothing, or only whether something else would do.

    In a message that asks and promises nothing, anything negative may do.
    """
    if any(_wants_answer(act, text) and not has("other", text) for act, text in sentences):
        return False
    if any(act == "tell" and has("order", text) for act, text in sentences):
        return False
    if sentences and (has("promise", sentences[-1][1]) or has("on_the_way", sentences[-1][1])):
        return False
    return any(act == "refuse" or (act == "tell" and has("negative", text)) for act, text in sentences)


def will_not(text: str) -> bool:
    """Whether a sentence says that the speaker will leave something undone: "I will not cancel it"."""
    return _LEAVES.search(text) is not None


def _wants_answer(act: str, text: str) -> bool:
    """Whether a sentence wants an answer: a question, or a request to the listener."""
    if act == "refuse":
        return has("detail", text)
    return act == "agree" or (act == "ask" and ("?" in text or _YOU.search(text) is not None))
