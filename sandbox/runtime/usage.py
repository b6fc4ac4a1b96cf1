"""What the models of an episode cost, summed by role."""

from __future__ import annotations

from collections.abc import Sequence

from toolgym.sandbox.runtime.roles import Usage
from toolgym.sandbox.runtime.trajectory import UsageRecord


def summed(items: Sequence[Usage]) -> tuple[UsageRecord, ...]:
    """One record a role, in the order of their names."""
    totals: dict[str, UsageRecord] = {}
    for item in items:
        old = totals.get(item.role, UsageRecord(role=item.role))
        totals[item.role] = UsageRecord(
            role=item.role,
            requests=old.requests + 1,
            prompt_tokens=old.prompt_tokens + item.prompt_tokens,
            completion_tokens=old.completion_tokens + item.completion_tokens,
            dollars=old.dollars + item.dollars,
            cached=old.cached + item.cached,
        )
    return tuple(totals[role] for role in sorted(totals))
