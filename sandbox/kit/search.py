"""What tools that list rows are searched by."""

from __future__ import annotations


def contains_text(text: str, part: str | None) -> bool:
    """Whether a text holds what is looked for, in capitals or not; without anything to look for every text does."""
    return part is None or part.strip().casefold() in text.casefold()
