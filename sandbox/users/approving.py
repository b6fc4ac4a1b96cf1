"""What the scripted user answers to a call that is shown to it: it compares what it wants and can judge.

It holds its wish in its own words: the facts of the wish, a description for a row that it does not know by its key, and
what the wish decides by itself. Amounts that have to be worked out, means that the policy prescribes and secrets it
leaves to the agent; a wish that may not be granted it approves like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.goal import Goal as DeclaredGoal
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.table import noun
from toolgym.sandbox.kit.task import Fact, Goal, Task
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.runtime.approval import Shown
from toolgym.sandbox.runtime.events import events_of
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import RowChange, Session
from toolgym.sandbox.synthesis.proof.end_state import same_diff
from toolgym.sandbox.synthesis.proof.replay import gold_of
from toolgym.sandbox.users.declared_form import wish_of
from toolgym.sandbox.users.slot_words import plain_name

NOT_ASKED_FOR = "No, that is not what I asked for."
_UNJUDGED = frozenset(("free", "secret"))
"""Kinds of arguments that nobody compares: text that the agent composes, and what unlocks things."""


class Wanted:
    """One wish, made ready to be compared with calls.

    Args:
        task: whose user.
        goal: the wish.
    """

    def __init__(self, task: Task, goal: Goal) -> None:
        self._task, self.goal = task, goal
        self._domain = get_domain(task.domain)
        held = wish_of(task, goal).goal
        self._facts = {fact.name: fact for fact in held.facts}
        self._declared = next((each for each in self._domain.goals if each.name == held.kind), None)

    @cached_property
    def _tools(self) -> frozenset[str]:
        """The tools with which it is granted."""
        declared = {self._declared.tool.name} if self._declared else {self.goal.kind}
        return frozenset(declared | {call.name for call in self.goal.calls})

    @cached_property
    def _new_ids(self) -> frozenset[str]:
        """Ids that a right run makes: which one a row gets is nobody's wish."""
        return gold_of(self._task).new_ids if self.goal.calls else frozenset()

    @cached_property
    def _end(self) -> tuple[RowChange, ...]:
        """The rows that stand changed once a right run has granted the wish, and did not before."""
        due = [(call.name, call.arguments) for call in self.goal.calls]
        places = [place for place, call in enumerate(self._task.gold) if (call.name, call.arguments) in due]
        if not places:
            return ()
        with Session(self._task.domain, task=self._task) as session:
            before: tuple[RowChange, ...] = ()
            for place, call in enumerate(self._task.gold[: places[-1] + 1]):
                before = events_of(session) if place == places[0] else before
                session.call(call.name, call.arguments, by=call.by)
            return tuple(row for row in events_of(session) if row not in before)

    def stands(self, rows: Sequence[RowChange], before: Sequence[RowChange]) -> bool | None:
        """Whether the wish is granted, by the rows that stand changed now and those that did when it was put.

        The same rows as in a right run, up to the ids of new ones and what the task leaves open. None where that is
        not sure: a right run changes nothing that a person sees, or its rows stand otherwise, or beside others.
        """
        if not self._end:
            return None
        now = [row for row in rows if row not in before]
        new = {row.key[0] for row in (*now, *self._end) if row.before is None and isinstance(row.key[0], str)}
        if same_diff(now, self._end, new, self._task.free):
            return True
        keys = {(row.table, row.key) for row in now}
        is_undone = any(row.before is not None and (row.table, row.key) not in keys for row in self._end)
        return False if is_undone or len(now) < len(self._end) else None

    @cached_property
    def _touched(self) -> tuple[RowChange, ...]:
        """Every row that stands changed at some point of a right run."""
        found: dict[tuple[str, tuple[Json, ...]], RowChange] = {}
        with Session(self._task.domain, task=self._task) as session:
            for call in self._task.gold:
                session.call(call.name, call.arguments, by=call.by)
                found |= {(row.table, row.key): row for row in events_of(session)}
        return tuple(found.values())

    def unlike(self, rows: Sequence[RowChange], before: Sequence[RowChange]) -> list[RowChange]:
        """The rows that stand changed now and did not when the wish was put, while it is not granted."""
        now = [row for row in rows if row not in before]
        return [] if now and self.stands(rows, before) else [row for row in now if row not in self._end]

    def beside(self, rows: Sequence[RowChange], before: Sequence[RowChange]) -> list[RowChange]:
        """The rows that stand changed now, did not when the wish was put, and that no right run touches."""
        now = self.unlike(rows, before)
        if not now or self.goal.outcome not in ("done", "answered"):
            return []
        keys = {(row.table, row.key) for row in self._touched}
        new = {row.table for row in self._touched if row.before is None}
        return [
            row for row in now if (row.table, row.key) not in keys and not (row.before is None and row.table in new)
        ]

    def contradicts(self, call: ToolCall, shown: Shown) -> Fact | str | None:
        """What of a call is not as it is wished: the fact that is another, a sentence, or None where all fits."""
        tool = self._domain.tools.get(call.name)
        if tool is not None and self._is_right(tool, shown):
            return None
        if tool is None or call.name not in self._tools:
            return NOT_ASKED_FOR
        given, said = shown.arguments, set[str]()
        if self._declared is not None and tool is self._declared.tool:
            for name, wire in tool.inputs.items():
                if name in self._facts and not _fits(self._facts[name], tool, wire, given, shown):
                    return self._facts[name]
                said |= {wire} if name in self._facts else set()
            fixed = {tool.inputs[name]: value for name, value in self._declared.fixed.items() if name in tool.inputs}
            if any(not _same(given.get(wire, _default(tool, wire)), value) for wire, value in fixed.items()):
                return NOT_ASKED_FOR
            said |= fixed.keys()
        for fact in self._criteria(self._declared):
            if any(fact.name in row and not _same(row[fact.name], fact.value) for row in _all(shown.rows)):
                return fact
        for name, wire in tool.inputs.items():
            if wire not in said and tool.kinds.get(name) not in _UNJUDGED:
                other = self._other(tool, name, shown)
                if other is not None:
                    return other
        return None

    def _is_right(self, tool: Tool, shown: Shown) -> bool:
        """Whether a call is one of those that grant the wish as it was meant: of several, each is of another thing."""
        is_done_by_itself = self.goal.outcome == "done" and self.goal.final is self.goal
        calls = self.goal.calls or (self._task.gold if is_done_by_itself else ())  # a repair names no calls
        judged = [wire for name, wire in tool.inputs.items() if tool.kinds.get(name) not in _UNJUDGED]
        return any(
            call.name == tool.name
            and isinstance(call.arguments, dict)
            and all(
                _same(shown.arguments.get(wire, _default(tool, wire)), call.arguments.get(wire, _default(tool, wire)))
                for wire in judged
            )
            for call in calls
        )

    def _criteria(self, declared: DeclaredGoal | None) -> Iterator[Fact]:
        """What leads to a row without being an argument: the speed of the shipping that is chosen."""
        inputs = declared.tool.inputs if declared is not None else {}
        return (
            fact
            for name, fact in self._facts.items()
            if name not in inputs and fact.kind in ("text", "choice", "number") and not fact.described
        )

    def _other(self, tool: Tool, name: str, shown: Shown) -> Fact | str | None:
        """What an argument of another name than its fact's is, that the user can see to be another than wished."""
        wire = tool.inputs[name]
        value = shown.arguments.get(wire, _default(tool, wire))
        calls = [call.arguments for call in self.goal.calls if call.name == tool.name]
        wanted = [given.get(wire, _default(tool, wire)) for given in calls if isinstance(given, dict)]
        if not wanted or any(_same(value, each) for each in wanted):
            return None
        for fact in self._facts.values():
            if any(_same(fact.value, each) or _holds(fact.value, wire, each) for each in wanted):
                return None if _describes(fact, shown.rows.get(wire, ())) else fact
            if fact.kind == "date" and all(str(each).startswith(f"{fact.value}T") for each in wanted):
                return None if str(value).startswith(f"{fact.value}T") else fact  # a moment of the day that was said
        if all(each is None for each in wanted) or tool.kinds.get(name) in ("choice", "flag"):
            return NOT_ASKED_FOR  # something that nobody asked for, or what the wish decides by itself
        if name not in tool.references:
            return None  # worked out
        if any(self._new_ids.intersection(_texts(each)) for each in wanted):
            return NOT_ASKED_FOR if self._was_there(tool.references[name], value) else None
        is_means = {"payment", "method", "shipping"} & set(wire.split("_"))
        return None if is_means else NOT_ASKED_FOR

    def _was_there(self, model: type[DeclarativeBase], key: Json) -> bool:
        """Whether a row stood there before anything was done: then it is none that was made for this wish."""
        with Session(self._task.domain, task=self._task) as session:
            return session.database.get(model, key) is not None


def change_in_words(domain: str, row: RowChange) -> str:
    """What has become of a row, as its owner would tell it: "the status of my order W1042 has changed"."""
    models = {model.__tablename__: model for model in get_domain(domain).models}
    name = noun(models[row.table])
    if row.before is None:
        return f"there is a new {name}"
    thing = " ".join([f"my {name}", *(str(part) for part in row.key if isinstance(part, str))])
    if row.after is None:
        return f"{thing} is gone"
    changed = next(column for column, value in row.after.items() if row.before.get(column) != value)
    return f"the {plain_name(changed)} of {thing} has changed"


def _fits(fact: Fact, tool: Tool, wire: str, given: Mapping[str, Json], shown: Shown) -> bool:
    """Whether an argument is the fact, or a row that fits its description."""
    value = given.get(wire, _default(tool, wire))
    if isinstance(fact.value, Mapping) and not isinstance(value, Mapping):  # a rhythm fills two arguments
        return all(
            _same(given.get(name, _default(tool, name)), each) for name, each in fact.value.items() if name in given
        )
    if fact.kind in _UNJUDGED or _same(value, fact.value):
        return True
    return _describes(fact, shown.rows.get(wire, ()))


def _describes(fact: Fact, rows: Sequence[Mapping[str, Json]]) -> bool:
    """Whether rows are all as the user knows the thing that it cannot name."""
    known = fact.known_by if fact.described else {}
    fits = (name in row and _same(row[name], wanted) for row in rows for name, wanted in known.items())
    return bool(known) and bool(rows) and all(fits)


def _holds(value: Json, wire: str, wanted: Json) -> bool:
    """Whether a fact of several parts says an argument."""
    return isinstance(value, Mapping) and wire in value and _same(value[wire], wanted)


def _default(tool: Tool, wire: str) -> Json:
    found: Json = tool.parameters["properties"].get(wire, {}).get("default")
    return found


def _same(one: Json, other: Json) -> bool:
    """Whether two values are one to a person: 1 and 1.0, lists in any order, `W1` for `#W1`."""
    return bool(_plain(one) == _plain(other))


def _plain(value: Json) -> Any:
    if isinstance(value, str):
        return value.strip().removeprefix("#").casefold()
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items() if inner is not None}
    if isinstance(value, list | tuple):
        return sorted((_plain(inner) for inner in value), key=repr)
    return value


def _texts(value: Json) -> set[str]:
    held = value if isinstance(value, list) else [value]
    return {each for each in held if isinstance(each, str)}


def _all(rows: Mapping[str, Sequence[Mapping[str, Json]]]) -> Iterator[Mapping[str, Json]]:
    return (row for held in rows.values() for row in held)
