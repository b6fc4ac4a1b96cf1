"""Words that the tasks of every world share: lists, and ways to go on. What a world speaks of has its words there."""

from __future__ import annotations

from collections.abc import Iterable

from toolgym.sandbox.kit.task import Goal
from toolgym.sandbox.kit.telling import Telling

NO = Telling("cannot", "refusal")
"""That it is not possible, in any words."""
HINTS = (
    "",
    " Let me know if that doesn't work.",
    " If that isn't possible, I have another idea.",
    " If you can't do that, there's something else I'd settle for.",
    " Otherwise I have a second choice.",
)
LATER = (
    "Also, {say}",
    "One more thing: {say}",
    "And there's something else: {say}",
    "While I have you: {say}",
    "Next: {say}",
    "That's not all: {say}",
)
CHANGED = (
    "I've changed my mind: {say}",
    "Actually, I've thought again: {say}",
    "On second thought, I'd rather do something else: {say}",
    "Wait, I've changed my mind about this: {say}",
)
ONLY = ("But please do that only", "Do this only", "I only want that")
"""What goes before a condition that follows the wish."""
BEGINNINGS = ("Please", "Could", "Can", "Would", "I want", "I'd like", "I need")
"""Of wishes that a condition may stand before."""


def lower_first(text: str) -> str:
    """A sentence as it continues another; `I` stays a capital."""
    return text if text.startswith(("I ", "I'")) else text[0].lower() + text[1:]


def continued(wish: Goal) -> str:
    """A wish's words as they continue a sentence; a name that they begin with keeps its capital."""
    text, known = wish.utterance, [fact.words for fact in wish.facts]
    return text if any(words[:1].isupper() and text.startswith(words) for words in known) else lower_first(text)


def listed(parts: Iterable[str]) -> str:
    """A, B and C."""
    words = list(parts)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
