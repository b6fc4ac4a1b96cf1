"""What follows from a task's gold calls and wishes when they are put together."""

from __future__ import annotations

from collections.abc import Sequence

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import Fact
from toolgym.sandbox.kit.task import Goal as Wish
from toolgym.sandbox.synthesis.sampler import Sampler


def said_first(themselves: Sequence[Fact], goals: Sequence[Wish]) -> tuple[Fact, ...]:
    """The facts of the person, of which none is held back that a wish tells, such as the number of a line."""
    speech = " ".join(wish.utterance for goal in goals for wish in goal.every())
    return tuple(
        fact.model_copy(update={"on_request": fact.on_request and str(fact.value) not in speech}) for fact in themselves
    )


def composed_columns(sampler: Sampler, gold: Sequence[ToolCall]) -> dict[str, list[str]]:
    """The columns into which a right run writes text that agents compose, with what it must mention."""
    values = [value for call in gold if isinstance(call.arguments, dict) for value in call.arguments.values()]
    if not any(isinstance(value, str) and value in sampler.texts for value in values):
        return {}
    found: dict[str, list[str]] = {}
    later = sampler.after(gold)
    for row in later.session.diff():
        for name, value in (row.after or {}).items():
            if isinstance(value, str) and value in sampler.texts:
                told = found.setdefault(f"{row.table}.{name}", [])
                told += [text for text in sampler.texts[value] if text not in told]
    later.close()
    return found


def once(domain: Domain, calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """The calls without look-ups that were made before and show the same, as nothing was written in between."""
    kept: list[ToolCall] = []
    fresh: list[ToolCall] = []
    for call in calls:
        if domain.tools_of(call.by)[call.name].kind == "write":
            fresh = []
        elif call in fresh:
            continue
        else:
            fresh.append(call)
        kept.append(call)
    return tuple(kept)
