"""Words that the tasks of every world share: grammatical person, lists, amounts, ways to say no and to go on.

Texts hold `{I}`, `{me}`, `{my}` and `{mine}` where the person shows; `first` and `second` fill them in. What a world
speaks of has its words in that world.
"""

from __future__ import annotations

from collections.abc import Iterable

from sandbox.kit.telling import Telling

CANNOT = (
    "cannot|can't|can not|can only|unable|not able|not possible|isn't possible|impossible|not allowed|isn't allowed|"
    "not permitted|not eligible|isn't eligible|no longer possible|won't be able|could not|couldn't|does not allow|"
    "doesn't allow|don't allow|not available|unavailable|out of stock|have to decline|must decline|not supported|"
    "not authorized|not something|denied|unfortunately|only be|only possible|only pending|only delivered|only orders"
)
"""Ways to say no."""
NO = Telling(CANNOT, "refusal")
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


def money(dollars: float) -> str:
    """An amount as it must be told: without trailing zeros, which the agent may add."""
    return f"{dollars:.2f}".rstrip("0").rstrip(".")
