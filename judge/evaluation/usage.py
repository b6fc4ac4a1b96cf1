"""What a run's models used and cost, and how often the simulated user erred. Pure functions of trajectories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from toolgym.sandbox.runtime.info import UserChecks
from toolgym.sandbox.runtime.roles import Usage
from toolgym.sandbox.runtime.trajectory import Trajectory

Totals = dict[str, dict[str, float]]
"""Requests, tokens, US dollars and replies from the cache, by role."""


def usage_totals(trajectories: Iterable[Trajectory]) -> Totals:
    """What the models of trajectories used; failed episodes cost too."""
    return _summed((use.role, use.model_dump(exclude={"role"})) for t in trajectories for use in t.usage)


def sum_usage(replies: Iterable[Usage]) -> Totals:
    """What single replies used."""
    return _summed(
        (
            use.role,
            {
                "requests": 1,
                "prompt_tokens": use.prompt_tokens,
                "completion_tokens": use.completion_tokens,
                "dollars": use.dollars,
                "cached": int(use.cached),
            },
        )
        for use in replies
    )


def _summed(items: Iterable[tuple[str, Mapping[str, float]]]) -> Totals:
    totals: dict[str, dict[str, float]] = {}
    for role, counts in items:
        found = totals.setdefault(role, dict.fromkeys(counts, 0))
        for name, value in counts.items():
            found[name] += value
    return dict(sorted(totals.items()))


def simulator_errors(trajectories: Iterable[Trajectory]) -> dict[str, Any] | None:
    """The checks of the simulated user summed over trajectories; None where no user was checked.

    `faulty_rate` is the share of replies whose first version had a fault, `uncorrected_rate` the share played with
    one; `episodes_uncorrected` counts the conversations that hold such a reply.
    """
    checked = [t.info.user for t in trajectories if isinstance(t.info.user, UserChecks) and t.info.user.replies]
    replies = sum(user.replies for user in checked)
    if not replies:
        return None
    faulty, left = sum(user.faulty for user in checked), sum(user.uncorrected for user in checked)
    faults: Counter[str] = Counter()
    for user in checked:
        faults.update(user.faults)
    return {
        "replies": replies,
        "faulty": faulty,
        "uncorrected": left,
        "faulty_rate": faulty / replies,
        "uncorrected_rate": left / replies,
        "episodes_uncorrected": sum(user.uncorrected > 0 for user in checked),
        "faults": dict(sorted(faults.items())),
    }


def usage_rows(
    usage: Mapping[str, Mapping[str, float]], unpriced: Sequence[str], errors: Mapping[str, Any] | None = None
) -> list[tuple[str, str]]:
    """These figures as rows of the summary table; none where no model took part."""
    rows = []
    for role, use in usage.items():
        cached = f", {use['cached']:.0f} of them from the cache" if use["cached"] else ""
        tokens = f"{use['prompt_tokens']:,.0f} tokens read, {use['completion_tokens']:,.0f} written"
        rows.append((f"{role} model", f"{use['requests']:,.0f} requests{cached}; {tokens}"))
    if usage:
        unknown = f"  (no price given for {', '.join(unpriced)}: counted as 0)" if unpriced else ""
        rows.append(("cost", f"${sum(use['dollars'] for use in usage.values()):.4f}{unknown}"))
    if errors:
        share = f"{errors['faulty_rate']:.1%} of {errors['replies']} replies faulty at first"
        which = ", ".join(f"{name} {count}" for name, count in errors["faults"].items())
        left = f"{errors['uncorrected']} uncorrected in {errors['episodes_uncorrected']} episodes"
        rows.append(("user check", f"{share}, {left}{f'  ({which})' if which else ''}"))
    return rows
