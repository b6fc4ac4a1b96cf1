"""What several goals draw and say."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from toolgym.domains.budget.schema import month_of
from toolgym.domains.budget.tools import list_categories
from toolgym.sandbox.kit.goal import Draw


def cents(low: int, high: int) -> list[int]:
    """Amounts from low to below high, 7.35 apart, so that few are round."""
    return list(range(low, high, 735))


def past_month(draw: Draw) -> str:
    """A month that has ended."""
    this = draw.now.date().replace(day=1)
    return month_of(this - timedelta(days=draw.rng.choice((1, 1, 40, 70))))


def in_words(month: str, drawn: Any = None) -> str:
    """A month as people say it."""
    return f"{date(int(month[:4]), int(month[5:]), 1):%B}"


def seen_in_month(draw: Draw) -> list[Any]:
    """The look-up that shows what is left in the drawn month."""
    return [(list_categories, {"month": draw.values["month"]})]
