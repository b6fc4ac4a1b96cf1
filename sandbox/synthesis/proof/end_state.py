"""Whether two end states are the same: changed rows are compared, generated ids up to which new row has which."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Set

from sandbox.kit.message import Json
from sandbox.runtime.session import RowChange


def same_diff(one: Iterable[RowChange], other: Iterable[RowChange], new_ids: Set[str] = frozenset()) -> bool:
    """Whether two diffs are equal, up to which of the ids that sessions generated went to which new row.

    Args:
        one: changed rows.
        other: changed rows.
        new_ids: the generated ids; every other key has a meaning and must be equal.
    """
    return _rows(_renamed(list(one), new_ids)) == _rows(_renamed(list(other), new_ids))


def _rows(diff: Iterable[RowChange]) -> list[str]:
    return sorted(json.dumps([row.table, list(row.key), row.before, row.after], sort_keys=True) for row in diff)


def _renamed(diff: list[RowChange], new_ids: Set[str]) -> list[RowChange]:
    """The diff with generated ids replaced by their rank among those of inserted rows."""
    new = {row.key[0] for row in diff if row.before is None and len(row.key) == 1 and row.key[0] in new_ids}

    def role(key: str) -> list[str]:
        """Everything that the diff says of a new row, with its id and those of other new rows left open."""
        names = dict.fromkeys(new, "another new row") | {key: "this new row"}
        return [line for line in _rows(_with_names(diff, names)) if "this new row" in line]

    return _with_names(diff, {key: f"new row {rank}" for rank, key in enumerate(sorted(new, key=role))})


def _with_names(diff: list[RowChange], names: Mapping[str, str]) -> list[RowChange]:
    if not names:
        return diff
    return [
        RowChange(
            table=row.table,
            key=tuple(_rename(part, names) for part in row.key),
            before=_rename(row.before, names),
            after=_rename(row.after, names),
        )
        for row in diff
    ]


def _rename(value: Json, names: Mapping[str, str]) -> Json:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [_rename(item, names) for item in value]
    if isinstance(value, dict):
        return {key: _rename(item, names) for key, item in value.items()}
    return value
