"""What tools that list rows do with the filters they are given; a filter that was left out lets every row pass.

Here, so that all worlds mean the same by "holds this", "only in this city" and "from this day to that one".
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar


class Ordered(Protocol):
    """What has an order: numbers, days, moments."""

    def __le__(self, other: Any, /) -> bool: ...


Value = TypeVar("Value", bound=Ordered)


def contains_text(text: str, part: str | None) -> bool:
    """Whether a text holds what is looked for, in capitals or not; without anything to look for every text does.

    Examples:
        >>> from toolgym.kit import contains_text
        >>> contains_text("Alder Drill", "drill"), contains_text("Alder Drill", "saw")
        (True, False)
    """
    return part is None or part.strip().casefold() in text.casefold()


def equals_text(text: str, wanted: str | None) -> bool:
    """Whether a text is the one that is looked for, in capitals or not; without one every text is.

    Examples:
        >>> from toolgym.kit import equals_text
        >>> equals_text("Oslo", "oslo"), equals_text("Oslo", "Os"), equals_text("Oslo", None)
        (True, False, True)
    """
    return wanted is None or wanted.strip().casefold() == text.casefold()


def is_within(value: Value, least: Value | None, most: Value | None) -> bool:
    """Whether a number, a day or a moment lies between two others, both included; one left out is no bound.

    Examples:
        >>> from toolgym.kit import is_within
        >>> is_within(5, 1, 5), is_within(5, 6, None)
        (True, False)
    """
    return (least is None or least <= value) and (most is None or value <= most)


def given(**arguments: Any) -> dict[str, Any]:
    """The arguments that were given, by name: what `Database.find` and `Database.mine` look for.

    Examples:
        >>> from toolgym.kit import given
        >>> given(city="Oslo", state=None)
        {'city': 'Oslo'}
    """
    return {name: value for name, value in arguments.items() if value is not None}
