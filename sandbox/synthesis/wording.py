"""Words that the tasks of every world share: lists, and ways to go on. What a world speaks of has its words there."""

from __future__ import annotations

from collections.abc import Iterable

from sandbox.kit.telling import Telling

NO = Telling("cannot", "refusal")
"""That it is not possible, in any words."""
HINTS = ("", " Tell me if that doesn't work.", " If it doesn't work out, I have a second idea.")
LATER = ("Also, {say}", "There is something else: {say}", "And {say}", "One more thing: {say}")
CHANGED = (
    "I have changed my mind: {say}",
    "I've thought again: {say}",
    "I'd rather do something else: {say}",
)


def lower_first(text: str) -> str:
    """A sentence as it continues another; `I` stays a capital."""
    return text if text.startswith(("I ", "I'")) else text[0].lower() + text[1:]


def listed(parts: Iterable[str]) -> str:
    """A, B and C."""
    words = list(parts)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
