"""Whether an episode ended right: the rows that it changed are those that a right run changes.

Compared are all columns but those that the task leaves open, and generated ids up to which new row has which.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.text_match import mentions
from toolgym.sandbox.language.told import tells
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import RowChange
from toolgym.sandbox.synthesis.proof.postal import as_posted
from toolgym.sandbox.synthesis.proof.replay import Gold, right_ends

_ADDRESS = re.compile(r"\b(?P<name>[A-Za-z]+[._-][A-Za-z]+)@[\w-]+(?:\.[\w-]+)+")
"""An address of a first and a last name: "quentin.rivera@larkfield.example"."""


def ends_right(task: Task, diff: Sequence[RowChange], new_ids: Set[str] = frozenset()) -> bool:
    """Whether these changed rows are a right end of a task: the gold run's, or an alternative's.

    Args:
        task: what was to be done. Of rows that both ends hold, its `free` columns are not compared.
        diff: the rows that an episode changed.
        new_ids: the ids that the episode's session generated, where they are known.
    """
    ends = (gold for gold in right_ends(task) if _same_end(task, diff, gold, new_ids | gold.new_ids))
    return any(_mentioned(task, gold.diff, diff) for gold in ends)


def _same_end(task: Task, diff: Sequence[RowChange], gold: Gold, new_ids: Set[str]) -> bool:
    """Whether two ends are one; in our own data addresses are compared as a post office would."""
    if same_diff(diff, gold.diff, new_ids, task.free):
        return True
    if not task.is_own or len(diff) != len(gold.diff):
        return False
    return same_diff(as_posted(diff), as_posted(gold.diff), new_ids, task.free)


def _mentioned(task: Task, gold: Sequence[RowChange], diff: Sequence[RowChange]) -> bool:
    """Whether the composed text of every column says what it must, where the gold run wrote some."""
    for column, told in task.mentions.items():
        table, _, name = column.partition(".")
        texts = [str((row.after or {}).get(name) or "") for row in diff if row.table == table]
        if any(row.table == table for row in gold) and not _says_all(task, told, "\n".join(texts)):
            return False
    return True


def _says_all(task: Task, told: Iterable[str], text: str) -> bool:
    """Whether a composed text says all of these, in any usual spelling: "March 23rd" for "March 23"."""
    text = _ADDRESS.sub(_with_name, text)
    now = (task.now or get_domain(task.domain).now).replace(tzinfo=None)
    return all(mentions(each, text) or tells([text], each, now) for each in told)


def _with_name(address: re.Match[str]) -> str:
    """An e-mail address with the name that it holds, as who is pointed to it is named by it."""
    return f"{address.group()} ({re.sub('[._-]', ' ', address['name']).title()})"


def same_diff(
    one: Sequence[RowChange], other: Sequence[RowChange], new_ids: Set[str] = frozenset(), free: Sequence[str] = ()
) -> bool:
    """Whether two diffs are equal, up to which of the ids that sessions generated went to which new row.

    Args:
        one: changed rows.
        other: changed rows.
        new_ids: the generated ids; every other key has a meaning and must be equal.
        free: columns, as `table.column`, whose end value does not matter.
    """
    if len(one) != len(other):
        return False
    mine, others = _opened(one, free), _opened(other, free)
    if _rows(mine) == _rows(others):  # most right runs; a series of 180 new rows takes long to rename
        return True
    return _rows(_renamed(mine, new_ids)) == _rows(_renamed(others, new_ids))


def _opened(diff: Sequence[RowChange], free: Sequence[str]) -> Sequence[RowChange]:
    """The diff with the end values of free columns left out: a row stays, so that both ends must have changed it."""
    return [replace(row, after=_without_free(row, free)) for row in diff] if free else diff


def _without_free(row: RowChange, free: Sequence[str]) -> dict[str, Json] | None:
    if row.after is None:
        return None
    return {name: value for name, value in row.after.items() if f"{row.table}.{name}" not in free}


def _rows(diff: Iterable[RowChange]) -> list[str]:
    return sorted(json.dumps([row.table, list(row.key), row.before, row.after], sort_keys=True) for row in diff)


def _renamed(diff: Sequence[RowChange], new_ids: Set[str]) -> Sequence[RowChange]:
    """The diff with generated ids replaced by their rank among those of inserted rows."""
    new = {row.key[0] for row in diff if row.before is None and len(row.key) == 1 and row.key[0] in new_ids}

    def role(key: str) -> list[str]:
        """Everything that the diff says of a new row, with its id and those of other new rows left open."""
        names = dict.fromkeys(new, "another new row") | {key: "this new row"}
        return [line for line in _rows(with_names(diff, names)) if "this new row" in line]

    return with_names(diff, {key: f"new row {rank}" for rank, key in enumerate(sorted(new, key=role))})


def with_names(diff: Sequence[RowChange], names: Mapping[str, str]) -> Sequence[RowChange]:
    """The diff with ids in keys and values replaced by other names."""
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
