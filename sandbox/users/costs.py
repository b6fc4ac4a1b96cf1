"""What an action is said to cost, by its tool's description."""

from __future__ import annotations

from collections.abc import Iterable, Set
from datetime import datetime
from functools import lru_cache
from typing import Any

from toolgym.sandbox.language.mentions import find_mentions


@lru_cache(maxsize=1024)
def costs_of(description: str, now: datetime) -> frozenset[int]:
    """The amounts, in cents, and percentages that a tool's description says the action costs."""
    is_priced = any(word in description.lower() for word in ("cost", "price"))
    found = find_mentions(" ".join(description.split()), None, now) if is_priced else ()
    return frozenset(mention.value for mention in found if mention.kind == "money" or mention.unit == "%")


def of_pieces(costs: Set[int], counts: Iterable[Any]) -> frozenset[int]:
    """What a few pieces cost together, two to nine of them."""
    return frozenset(cost * count for cost in costs for count in counts if count in range(2, 10))
