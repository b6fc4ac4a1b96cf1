"""How far a call's arguments may go, checked before a tool runs, so that no tool meets what it cannot reckon with.

The bounds hold for every tool alike and stand in no schema: what agents are shown of published versions stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticCustomError

FIRST_YEAR, LAST_YEAR = 1900, 2199
"""Within these a tool may add and take away decades and still have a date."""
MOST = 10**12
"""So that a sum or a product of some numbers fits the database's 64 bits."""
LONGEST = 20_000
"""Characters in one text."""
BLANK = "blank"


def beyond(value: Any) -> str:
    """What is out of bounds anywhere in a checked argument, as part of a sentence; empty where nothing is.

    Examples:
        >>> from toolgym.sandbox.kit.bounds import beyond
        >>> beyond([3, 10**13])
        'holds a number that is beyond 10^12'
    """
    if isinstance(value, str):
        return f"holds text of more than {LONGEST:,} characters" if len(value) > LONGEST else ""
    if isinstance(value, int | float):
        return "" if -MOST <= value <= MOST else "holds a number that is beyond 10^12"
    if isinstance(value, datetime) and value.tzinfo is not None:
        return "holds a moment with a zone; give one without, such as 2026-03-10T09:30"
    if isinstance(value, date):
        in_bounds = FIRST_YEAR <= value.year <= LAST_YEAR
        return "" if in_bounds else f"holds a day that is not from {FIRST_YEAR} to {LAST_YEAR}"
    inner = value.__dict__ if isinstance(value, BaseModel) else value
    parts = inner.values() if isinstance(inner, Mapping) else inner if isinstance(inner, list | tuple) else ()
    return next((found for part in parts if (found := beyond(part))), "")


def not_blank(value: str) -> str:
    """A text that holds more than spaces, as it is (an error of the type `blank` otherwise)."""
    if not value.strip():
        raise PydanticCustomError(BLANK, "blank")
    return value
