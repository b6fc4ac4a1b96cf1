"""What the right calls of a wish are given, what they touch and what they return: true to say of it, in its role.

An agent that has looked says more than its user did: what is paid in all, the day of delivery, the code of the very
row, what will be left. The gold run is played once on a private copy of the world; only comparing uses what it shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.language.iso_dates import iso_day, iso_moment
from toolgym.sandbox.language.mentions import Mention
from toolgym.sandbox.language.said import same_value
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.users.slots import cents_of

_DAY = len("2026-03-17")


@dataclass(frozen=True)
class Outcome:
    """What a wish's right calls come to.

    Attributes:
        shown: every plain value that they are given, find in their rows or return, by the column or parameter.
        named: the same without what lies inside a column, such as the other things of an order.
        changed: those that stand in their rows or results only afterwards.
        tables: the stored tables that they write to.
    """

    shown: frozenset[tuple[str, Any]] = field(default_factory=frozenset)
    named: frozenset[tuple[str, Any]] = field(default_factory=frozenset)
    changed: frozenset[tuple[str, Any]] = field(default_factory=frozenset)
    tables: frozenset[str] = field(default_factory=frozenset)

    def columns_of(self, mention: Mention, *, changed: bool = False) -> frozenset[str]:
        """The columns and parameters in which a mention's value stands.

        Args:
            mention: of a day, a time, an amount, a number or a key.
            changed: only what was not there before.
        """
        is_name = mention.kind in ("identifier", "term", "phone", "email")
        held = self.named if is_name else self.shown
        held = held & self.changed if changed else held
        return frozenset(column for column, value in held if is_said(mention, column, value))


def outcome_of(task: Task, goal: Goal) -> Outcome:
    """What the calls of one wish come to in the task's right run; nothing where they are no part of it."""
    before: set[tuple[str, Any]] = set()
    after: set[tuple[str, Any]] = set()
    named: set[tuple[str, Any]] = set()
    tables: set[str] = set()
    due = [(call.name, call.arguments) for call in goal.calls]
    wanted = [(call.name, call.arguments) in due for call in task.gold]
    last = max((place for place, is_due in enumerate(wanted) if is_due), default=-1)
    try:
        with Session(task.domain, task=task) as session:
            tools = session.tools_of("agent")
            for call, is_due in zip(task.gold[: last + 1], wanted, strict=False):
                tool = tools.get(call.name)
                if not is_due and tool is not None and tool.kind == "read":
                    continue  # it leaves everything as it is
                calls = len(session.log)
                result = session.call(call.name, call.arguments)
                if not is_due:
                    continue
                changes = session.diff(calls)
                tables.update(change.table for change in changes)
                after.update(_totals(call.arguments))
                for held in (call.arguments, *(change.before for change in changes)):
                    before.update(_leaves(held, ""))
                    named.update(_plain(held))
                for held in (result.value, *(change.after for change in changes)):
                    after.update(_leaves(held, ""))
                    named.update(_plain(held))
    except (BadInput, InfrastructureError):
        return Outcome()
    return Outcome(frozenset(before | after), frozenset(named), frozenset(after - before), frozenset(tables))


def seen_by(task: Task, goal: Goal) -> frozenset[tuple[str, Any]]:
    """All that the task's right run shows up to the last call of a wish, also where it only looks something up."""
    due = [(call.name, call.arguments) for call in goal.calls]
    last = max((place for place, call in enumerate(task.gold) if (call.name, call.arguments) in due), default=-1)
    try:
        with Session(task.domain, task=task) as session:
            results = [session.call(call.name, call.arguments) for call in task.gold[: last + 1]]
    except (BadInput, InfrastructureError):
        return frozenset()
    return frozenset(leaf for result in results for leaf in _leaves(result.value, ""))


def _leaves(value: Json, name: str) -> Iterator[tuple[str, Any]]:
    """The plain values inside a value, each with the name that it goes by; those in a list by the list's."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, str(key))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(inner, name)
    elif value not in (None, "", True, False) or (isinstance(value, int) and not isinstance(value, bool)):
        yield name, value


def _cents(column: str, value: Any) -> int | None:
    """An amount in cents; None where a column holds something else."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    if column.endswith("_cents"):
        return abs(round(value))
    is_amount = isinstance(value, float) or column.split("_")[-1] in ("price", "amount", "total", "cost", "fare")
    return abs(round(value * 100)) if is_amount else None


def _totals(given: Json) -> Iterator[tuple[str, Any]]:
    """What the amounts in a list of a call come to, such as those by which a booking is paid."""
    for listed in given.values() if isinstance(given, Mapping) else ():
        entries = [each for each in listed if isinstance(each, Mapping)] if isinstance(listed, list) else []
        for name in entries[0] if len(entries) > 1 else ():
            amounts = [each.get(name) for each in entries]
            if all(_cents(name, each) is not None for each in amounts):
                yield name, sum(float(str(each)) if isinstance(each, float) else int(str(each)) for each in amounts)


def _plain(value: Json) -> Iterator[tuple[str, Any]]:
    """The plain values of an object, each with its name."""
    for name, inner in value.items() if isinstance(value, Mapping) else ():
        parts = inner if isinstance(inner, list | tuple) else (inner,)
        yield from ((str(name), part) for part in parts if isinstance(part, str) and part)


def is_said(mention: Mention, column: str, value: Any) -> bool:
    """Whether a mention is the value of a column or a parameter."""
    if isinstance(value, int | float):
        if column.endswith("_cents"):
            return cents_of(mention) == abs(round(value))
        if mention.kind == "money":
            return bool(abs(mention.value) == abs(round(value * 100)))
        return mention.kind in ("number", "count", "duration") and bool(mention.value == value)
    text = str(value)
    if mention.kind == "date":
        day = iso_day(text[:_DAY])
        return day is not None and bool(same_value("date", mention.value, day))
    if mention.kind == "time":
        moment = iso_moment(text)
        return moment is not None and bool(mention.value == moment.time())
    return mention.kind in ("identifier", "term", "phone", "email") and str(mention.value).casefold() == text.casefold()
