"""Takes out of an episode's data, before somebody else gets them, what belongs to people: columns that a world declares
hidden or personal, and secrets that a task's user knows.

A value is taken out wherever it stands: in cells, results, arguments and in what was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any, cast

from sqlalchemy import Table

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import ToolgymError
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.table import personal_columns
from toolgym.sandbox.runtime.distractors import with_distractors
from toolgym.sandbox.runtime.joined import JoinedDomain
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.proof.reachability import every_fact

INSTEAD = "[redacted]"
_LEAST = 3
"""Characters of a value that is taken out wherever it stands; a shorter one goes from its cell alone."""


def redacted(data: dict[str, Any], trajectory: Trajectory) -> dict[str, Any]:
    """An episode's data (`episode_data`) without what belongs to people."""
    columns = private_columns(trajectory)
    return without(data, private_values(trajectory), columns)


def private_values(trajectory: Trajectory) -> set[str]:
    """What belongs to people in an episode and is long enough to be found wherever it stands."""
    return {value for value in _values(trajectory, private_columns(trajectory)) if len(value) >= _LEAST}


def without(data: dict[str, Any], values: Set[str], columns: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Data without these values, and without what stands in these columns."""
    ordered = sorted(map(re.escape, values), key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(ordered)})(?!\w)", re.IGNORECASE) if ordered else None
    found: dict[str, Any] = _without(data, pattern, columns)
    return found


def private_columns(trajectory: Trajectory) -> frozenset[str]:
    """The names of the hidden and personal columns of an episode's worlds; none where they are not installed."""
    try:
        domain = with_distractors(get_domain(trajectory.task.domain), trajectory.task)
    except ToolgymError:
        return frozenset()
    return frozenset(name for world in _worlds(domain) for model in world.models for name in _private(model))


def _worlds(domain: Domain) -> Iterator[Domain]:
    yield domain
    if isinstance(domain, JoinedDomain):
        yield from domain.others.values()


def _private(model: Any) -> Iterator[str]:
    yield from personal_columns(model)
    yield from (column.name for column in cast(Table, model.__table__).columns if column.info.get("hidden"))


def _values(trajectory: Trajectory, columns: frozenset[str]) -> Iterator[str]:
    """What such columns hold in anything that the record shows, and the secrets."""
    task = trajectory.task
    for fact in (*task.facts, *every_fact(task)):
        if fact.kind == "secret" or fact.name in columns:
            yield from _leaves(fact.value)
    for record in trajectory.calls:
        yield from _named(record.value, columns)
        yield from _named(record.arguments, columns)
    for row in trajectory.diff:
        yield from _named(row.before, columns)
        yield from _named(row.after, columns)


def _named(value: Json, columns: frozenset[str]) -> Iterator[str]:
    """The plain values under names of private columns, at any depth."""
    for name, inner in value.items() if isinstance(value, Mapping) else ():
        yield from _leaves(inner) if name in columns else _named(inner, columns)
    for inner in value if isinstance(value, list | tuple) else ():
        yield from _named(inner, columns)


def _leaves(value: Json) -> Iterator[str]:
    if isinstance(value, Mapping | list | tuple):
        for inner in cast(Iterable[Any], value.values() if isinstance(value, Mapping) else value):
            yield from _leaves(inner)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _without(value: Any, pattern: re.Pattern[str] | None, columns: frozenset[str]) -> Any:
    if isinstance(value, str):
        return pattern.sub(INSTEAD, value) if pattern else value
    if isinstance(value, Mapping):
        if value.get("column") in columns:  # a cell of the end
            kept = {"column": value["column"], "standing": value["standing"]}
            return {name: None if each is None else INSTEAD for name, each in value.items()} | kept
        return {
            (_without(name, pattern, columns) if " " in name else name): INSTEAD  # a name that is a message
            if name in columns and not isinstance(each, Mapping | list) and each
            else _without(each, pattern, columns)
            for name, each in value.items()
        }
    if isinstance(value, list | tuple):
        if len(value) == 3 and isinstance(value[0], str) and value[0] in columns:  # a changed cell
            return [value[0], *(None if each is None else INSTEAD for each in value[1:])]
        return [_without(each, pattern, columns) for each in value]
    return value
