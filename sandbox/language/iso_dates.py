"""Days and moments as data writes them (ISO 8601), read out of values that may be any text."""

from __future__ import annotations

import re
from datetime import date, datetime

_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def iso_day(text: str) -> date | None:
    """The day that a text is; None where it is none, or none that there is."""
    try:
        return date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None


def iso_moment(text: str) -> datetime | None:
    """The moment that a text is; None where it is none."""
    try:
        return datetime.fromisoformat(text) if _MOMENT.match(text) else None
    except ValueError:
        return None
