"""The ways in which a right run is made wrong, each as small as it can be. Arguments change by their declared sort."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from random import Random
from typing import Any

from toolgym.judge.mutation.edits import Place, Played, changed, places, replayed, with_call, with_more
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.kit.table import key_column
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import RowChange
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.proof.reachability import trace
from toolgym.sandbox.synthesis.proof.replay import gold_of

_TRIES = 12
"""Other values or calls that are tried before a mutant is given up."""


@dataclass(frozen=True)
class Subject:
    """A right run with what mutants of it are made from.

    Attributes:
        usual: the run.
        others: further tasks of its world.
        rng: decides.
    """

    usual: Played
    others: Sequence[Task]
    rng: Random

    @property
    def base(self) -> Trajectory:
        """The run's record."""
        return self.usual.trajectory

    @property
    def task(self) -> Task:
        """What the run is about."""
        return self.base.task

    @property
    def domain(self) -> Domain:
        """Its world."""
        return get_domain(self.task.domain)

    def writes(self) -> list[Place]:
        """The changes that the agent made, in any order."""
        found = [place for place in places(self.base) if place.record.wrote]
        return self.rng.sample(found, len(found))

    def tool(self, call: ToolCall) -> Tool:
        """The tool of a call."""
        return self.domain.tools[call.name]

    def one_of(self, tried: Iterator[Sequence[Message]]) -> Played | None:
        """The first of some changed runs whose calls succeed and change something else; the first of all without."""
        first: Played | None = None
        for _, messages in zip(range(_TRIES), tried, strict=False):
            played = replayed(self.base, messages)
            if all(call.ok for call in played.trajectory.calls) and not played.same_as(self.usual):
                return played
            first = first or played
        return first


def dropped(subject: Subject) -> Played | None:
    """A change is not made; everything is said as if it had been."""
    return subject.one_of(with_call(subject.base, place, ()) for place in subject.writes())


def doubled(subject: Subject) -> Played | None:
    """A change is made twice."""
    again = {"id": "again"}
    return subject.one_of(
        with_call(subject.base, place, (place.call, place.call.model_copy(update=again))) for place in subject.writes()
    )


def swapped(subject: Subject) -> Played | None:
    """An argument has another argument's value of its sort, or another value that is possible."""
    return subject.one_of(
        with_call(subject.base, place, (call,)) for place in subject.writes() for call in _swaps(subject, place.call)
    )


def other_person(subject: Subject) -> Played | None:
    """A key is another person's."""
    return subject.one_of(
        with_call(subject.base, place, (call,)) for place in subject.writes() for call in _strange(subject, place.call)
    )


def reordered(subject: Subject) -> Played | None:
    """A change is made before the call that it depends on."""
    gold = list(subject.task.gold)
    steps = trace(subject.task)
    found = {(place.call.name, place.call.arguments_text()): place for place in places(subject.base)}
    for number in subject.rng.sample(range(len(gold)), len(gold)):
        late = found.get((gold[number].name, gold[number].arguments_text()))
        before = [found.get((gold[need].name, gold[need].arguments_text())) for need in steps[number].needs]
        early = min((place.message for place in before if place is not None), default=None)
        if late is not None and late.record.wrote and early is not None and early < late.message:
            messages = with_call(subject.base, late, ())
            messages[early:early] = [Message(role="assistant", tool_calls=(late.call,))]
            return replayed(subject.base, messages)
    return None


def cent_off(subject: Subject) -> Played | None:
    """An amount of money is a cent more or less."""
    return subject.one_of(
        with_call(subject.base, place, (call,)) for place in subject.writes() for call in _off(subject, place.call)
    )


def extra_write(subject: Subject) -> Played | None:
    """One change more is made, that another task asks for."""
    for call in _further(subject):
        played = replayed(subject.base, with_more(subject.base, (call,)))
        if _changed_more(subject, played):
            return played
    return None


def extra_write_undone(subject: Subject) -> Played | None:
    """One change more is made, and taken back by another, so that nothing of it is left."""
    usual = subject.usual
    for call in _further(subject):
        more = replayed(subject.base, with_more(subject.base, (call,)))
        if not _changed_more(subject, more):
            continue
        for back in islice(_undoing(subject, call, more), _TRIES):
            played = replayed(subject.base, with_more(subject.base, (call, back)))
            if played.ends_like(usual) and len(played.changes) == len(usual.changes) + 2:
                return played
    return None


MUTATIONS: dict[str, Callable[[Subject], Played | None]] = {
    "dropped": dropped,
    "doubled": doubled,
    "argument swapped": swapped,
    "another person's id": other_person,
    "dependent calls reordered": reordered,
    "a cent off": cent_off,
    "an extra write": extra_write,
    "an extra write undone": extra_write_undone,
}


# --- other arguments ---


def _arguments(call: ToolCall) -> dict[str, Json]:
    return dict(call.arguments) if isinstance(call.arguments, dict) else {}


def _swaps(subject: Subject, call: ToolCall) -> Iterator[ToolCall]:
    tool, given = subject.tool(call), _arguments(call)
    own = {shown: name for name, shown in tool.inputs.items()}
    names = [name for name in given if tool.kinds[own[name]] not in ("free", "secret")]
    for one in names:
        for other in names:
            alike = tool.kinds[own[one]] == tool.kinds[own[other]] and type(given[one]) is type(given[other])
            if alike and one < other and given[one] != given[other]:
                yield changed(changed(call, one, given[other]), other, given[one])
    for name in subject.rng.sample(names, len(names)):
        schema = tool.parameters["properties"][name]
        for value in _other_values(schema, given[name]):
            yield changed(call, name, value)
        tables = tool.takes.get(own[name], ())
        for value in _keys_seen(subject, tables):
            if value != given[name] and isinstance(given[name], str):
                yield changed(call, name, value)


def _other_values(schema: Any, value: Json) -> Iterator[Json]:
    """Values of the same sort that a schema allows as well."""
    choices = schema.get("enum") or [each for part in schema.get("anyOf", ()) for each in part.get("enum", ())]
    yield from (choice for choice in choices if choice != value)
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, str) and schema.get("format") == "date":
        yield (date.fromisoformat(value) + timedelta(days=1)).isoformat()
    elif isinstance(value, list) and len(value) > 1:
        yield value[:-1]


def _keys_seen(subject: Subject, tables: Sequence[type]) -> Iterator[str]:
    """Keys of some tables in what the run's own reads showed."""
    text = " ".join(message.content or "" for message in subject.base.messages if message.role == "tool")
    for table in tables:
        found = [key for key in _keys(subject, table) if f'"{key}"' in text]
        yield from subject.rng.sample(found, len(found))


def _keys(subject: Subject, table: type) -> list[str]:
    column, name = key_column(table), table.__tablename__  # type: ignore[attr-defined]
    reader = subject.domain.template(subject.task.data).reader
    return [str(row[0]) for row in reader.execute(f'SELECT "{column}" FROM "{name}" ORDER BY 1')]


def _strange(subject: Subject, call: ToolCall) -> Iterator[ToolCall]:
    tool, given = subject.tool(call), _arguments(call)
    text = " ".join(message.content or "" for message in subject.base.messages)
    for name, tables in tool.takes.items():
        shown = tool.inputs[name]
        if not isinstance(given.get(shown), str):
            continue
        for table in tables:
            others = [key for key in _keys(subject, table) if key not in text]
            for key in subject.rng.sample(others, min(_TRIES, len(others))):
                yield changed(call, shown, key)


def _off(subject: Subject, call: ToolCall) -> Iterator[ToolCall]:
    tool, given = subject.tool(call), _arguments(call)
    for name, shown in tool.inputs.items():
        if shown in given:
            other = _cent(given[shown], money=tool.kinds[name] == "money")
            if other != given[shown]:
                yield changed(call, shown, other)


def _cent(value: Json, *, money: bool) -> Json:
    """A value in which the first amount of money is a cent more."""
    if isinstance(value, bool) or (not money and not isinstance(value, dict | list)):
        return value
    if isinstance(value, int | float):
        return value + 1 if isinstance(value, int) else round(value + 0.01, 2)
    if isinstance(value, list):
        return [_cent(item, money=money) if not place else item for place, item in enumerate(value)]
    if isinstance(value, dict):
        return {name: _cent(item, money=name in ("amount", "amount_cents")) for name, item in value.items()}
    return value


# --- further calls ---


def _further(subject: Subject) -> Iterator[ToolCall]:
    """Changes that other tasks of the same person, or of a desk for anybody, ask for."""
    count = 0
    for task in subject.rng.sample(list(subject.others), len(subject.others)):
        if task.owner != subject.task.owner or count >= _TRIES:
            continue
        for record in gold_of(task).writes:
            tool = subject.domain.tools.get(record.name)
            if record.by == "agent" and tool is not None and not tool.ends_episode:
                count += 1
                yield ToolCall(name=record.name, arguments=record.arguments)


def _changed_more(subject: Subject, played: Played) -> bool:
    """Whether the further call succeeded and changed something more."""
    usual = subject.usual
    failed = sum(not call.ok for call in played.trajectory.calls) - sum(not call.ok for call in subject.base.calls)
    return not failed and len(played.changes) > len(usual.changes) and not played.ends_like(usual)


def _undoing(subject: Subject, call: ToolCall, more: Played) -> Iterator[ToolCall]:
    """Calls that may take a change back: the same one with the old values, or another one about the same new row."""
    given = _arguments(call)
    for row in more.trajectory.diff:
        if row.before is not None and row.after is not None:
            back = _old_values(given, row)
            if back != given:
                yield call.model_copy(update={"arguments": back})
    about = {name: value for name, value in given.items() if isinstance(value, str)}
    new = [str(row.key[0]) for row in more.trajectory.diff if row.before is None]
    for tool in subject.domain.tools.values():
        if tool.kind != "write" or tool.ends_episode or tool.name == call.name:
            continue
        required = list(tool.parameters.get("required", ()))
        if all(name in about for name in required):
            yield ToolCall(name=tool.name, arguments={name: about[name] for name in required})
        if len(required) == 1:
            yield from (ToolCall(name=tool.name, arguments={required[0]: key}) for key in new)


def _old_values(given: dict[str, Json], row: RowChange) -> dict[str, Json]:
    before, after = row.before or {}, row.after or {}
    moved = {name for name in after if before.get(name) != after[name]}
    old: dict[str, Json] = {}
    for name, value in given.items():
        column = name if name in moved else next((each for each in moved if after[each] == value), None)
        old[name] = before[column] if column is not None else value
    return old
