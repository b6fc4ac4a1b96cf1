"""What an episode did to the rows, call by call, and where its end differs from a right one, cell by cell.

Says what differs; whether the end counts as right is said by
`toolgym.sandbox.synthesis.proof.end_state`, whose rules on new ids, open columns and addresses are kept here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from typing import Literal, cast

from sqlalchemy import Table

from toolgym.sandbox.kit.errors import ToolgymError
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.table import shown_columns
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.text_match import mentions_all
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.events import events_of
from toolgym.sandbox.runtime.foreign_domain import ForeignDomain
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import RowChange, Session
from toolgym.sandbox.synthesis.proof.end_state import ends_right, with_names
from toolgym.sandbox.synthesis.proof.postal import as_posted
from toolgym.sandbox.synthesis.proof.replay import Gold, right_ends

Standing = Literal["same", "missing", "extra", "wrong"]
"""A row of the end: as it should be, not changed though it should be, changed though it should not, changed wrongly."""
CellStanding = Literal["same", "open", "wrong"]
_ID = re.compile(r"#?\b(?=[\w-]*\d)\w[\w-]+\w\b")
_MOST = 100
"""Words of a conversation that are looked up as keys."""
_ADDRESS = frozenset({"address1", "address2"})


@dataclass(frozen=True, slots=True)
class Cell:
    """A column of a row that differs anywhere; `open` is one whose end value the task leaves open."""

    column: str
    before: Json
    mine: Json
    gold: Json
    standing: CellStanding


@dataclass(frozen=True, slots=True)
class EndRow:
    """A row that the episode or a right run changes.

    Attributes:
        table: whose row.
        key: its key in the episode; empty where only the right run has it.
        gold_key: its key in the right run; another one only for new rows, whose ids are chance.
        standing: how it stands.
        made, due: what the episode did to it, and what a right run does: `inserted`, `updated`, `deleted` or nothing.
        cells: the columns that differ among before, the episode's end and the right end.
    """

    table: str
    key: tuple[Json, ...]
    gold_key: tuple[Json, ...]
    standing: Standing
    made: str
    due: str
    cells: tuple[Cell, ...]


def end_rows(task: Task, diff: Sequence[RowChange], new_ids: Set[str] = frozenset()) -> tuple[EndRow, ...]:
    """The rows that an episode changed beside those of the right end that is nearest to it.

    Args:
        task: what was to be done.
        diff: the rows that the episode changed.
        new_ids: the ids that the episode's session generated, where they are known.
    """
    right = ends_right(task, diff, new_ids)
    found = [tuple(_rows(task, diff, end, new_ids | end.new_ids, right=right)) for end in right_ends(task)]
    return min(found, key=_distance)


def _distance(rows: Sequence[EndRow]) -> int:
    return sum(1 + sum(cell.standing == "wrong" for cell in row.cells) for row in rows if row.standing != "same")


def _rows(task: Task, diff: Sequence[RowChange], end: Gold, new_ids: Set[str], *, right: bool) -> Iterator[EndRow]:
    names = same_new_rows(diff, end.diff, new_ids)
    renamed = with_names(diff, names)
    made = {(row.table, row.key): row for row in renamed}
    shown = {(row.table, row.key): own for own, row in zip(diff, renamed, strict=True)}
    due = {(row.table, row.key): row for row in end.diff}
    for place in sorted({*made, *due}, key=str):
        mine, gold = made.get(place), due.get(place)
        own = shown.get(place)
        cells = tuple(_cells(task, mine, gold, own, right=right))
        differs = any(cell.standing == "wrong" for cell in cells) or _deed(mine) != _deed(gold)
        standing: Standing = (
            "same" if right or not differs else "missing" if mine is None else "extra" if gold is None else "wrong"
        )
        keys = (own.key if own is not None else (), gold.key if gold is not None else ())
        yield EndRow(place[0], *keys, standing, _deed(mine), _deed(gold), cells)


def _deed(row: RowChange | None) -> str:
    if row is None:
        return ""
    return "inserted" if row.before is None else "deleted" if row.after is None else "updated"


def _cells(
    task: Task, mine: RowChange | None, gold: RowChange | None, own: RowChange | None, *, right: bool
) -> Iterator[Cell]:
    """The columns that differ; the episode's values are compared with its ids renamed and shown as they are (`own`)."""
    either = mine or gold
    assert either is not None  # a place comes from one of the two
    before = either.before
    is_now, should_be = (before if row is None else row.after for row in (mine, gold))
    alike = _posted_alike(is_now, should_be) if task.is_own else frozenset[str]()
    for column in dict.fromkeys([*(before or {}), *(is_now or {}), *(should_be or {})]):
        values = tuple((row or {}).get(column) for row in (before, is_now, should_be))
        if values[0] == values[1] == values[2]:
            continue
        place = f"{either.table}.{column}"
        standing: CellStanding = "same" if right or values[1] == values[2] or column in alike else "wrong"
        if place in task.free and mine is not None and gold is not None:
            standing = "open" if right or _mentioned(task, place, values[1]) else "wrong"
        shown = values[1] if own is None else (own.after or {}).get(column)
        yield Cell(column, values[0], shown, values[2], standing)


def _mentioned(task: Task, place: str, value: Json) -> bool:
    told = task.mentions.get(place)
    texts = [str(each) for each in told] if isinstance(told, list | tuple) else []
    return mentions_all(texts, str(value or ""))


def _posted_alike(one: Mapping[str, Json] | None, other: Mapping[str, Json] | None) -> frozenset[str]:
    """The columns that hold the same to a post office."""
    if one is None or other is None:
        return frozenset()
    rows = as_posted([RowChange("", (), None, dict(row)) for row in (one, other)])
    mine, theirs = (row.after or {} for row in rows)
    same = {name for name in mine if mine[name] == theirs.get(name)}
    return frozenset(same | (_ADDRESS if "address" in same else set()))


# --- which new row is which ---


def same_new_rows(diff: Sequence[RowChange], gold: Sequence[RowChange], new_ids: Set[str]) -> dict[str, str]:
    """For generated keys of the episode's new rows, those of the right run's that are most like them.

    Args:
        diff: the rows that the episode changed.
        gold: those that the right run changes.
        new_ids: the ids that either session generated.
    """
    mine, due = (_new(rows, new_ids) for rows in (diff, gold))
    blank = dict.fromkeys((*mine, *due), "a new row")
    likeness = sorted(
        (
            (_likeness(mine[one], due[other], blank), one == other, one, other)
            for one in mine
            for other in due
            if mine[one].table == due[other].table
        ),
        key=lambda pair: (-pair[0], not pair[1], pair[2], pair[3]),
    )
    names: dict[str, str] = {}
    for _, _, one, other in likeness:
        if one not in names and other not in names.values():
            names[one] = other
    unlike = [one for one in mine if one not in names]
    # an extra new row must not be taken for one of the right run's that has its key by chance
    return names | {one: f"{one} (another)" for one in unlike if one in due}


def _new(rows: Sequence[RowChange], new_ids: Set[str]) -> dict[str, RowChange]:
    new = (row for row in rows if row.before is None and len(row.key) == 1)
    return {str(row.key[0]): row for row in new if row.key[0] in new_ids}


def _likeness(one: RowChange, other: RowChange, names: Mapping[str, str]) -> int:
    mine, theirs = (row.after or {} for row in with_names([one, other], names))
    return sum(mine[name] == theirs.get(name) for name in mine)


@dataclass(frozen=True, slots=True)
class NamedRow:
    """A row that a conversation names by its key."""

    table: str
    key: tuple[Json, ...]
    cells: dict[str, Json]


@dataclass(frozen=True, slots=True)
class RowHistory:
    """The rows that each call of a log changed.

    Attributes:
        calls: for every call that could be made again, the rows it changed, each as before and after that call.
        end: all rows that differ from the start after the last of them.
        new_ids: the ids that the session generated.
        unlike: the positions of calls that come to something else here than they are recorded.
        stopped: why no more calls could be made again; empty where all were.
        seen: for every call what the session's owner sees changed by it (see `toolgym.sandbox.runtime.events`).
        named: the rows whose keys stand in a text, as they are at the end, in the columns that tools show.
    """

    calls: tuple[tuple[RowChange, ...], ...]
    end: tuple[RowChange, ...]
    new_ids: frozenset[str] = frozenset()
    unlike: tuple[int, ...] = ()
    stopped: str = ""
    seen: tuple[tuple[RowChange, ...], ...] = ()
    named: tuple[NamedRow, ...] = ()


def row_history(task: Task, log: Sequence[CallRecord], text: str = "") -> RowHistory:
    """Make the calls of a log again in a fresh session of a task, with the session's diff after each.

    A world that is not installed makes no call; `stopped` says so.

    Args:
        task: of the session.
        log: the calls.
        text: in which rows are named.
    """
    seen: list[tuple[RowChange, ...]] = []
    named: tuple[NamedRow, ...] = ()
    changed: list[tuple[RowChange, ...]] = []
    unlike: list[int] = []
    end: tuple[RowChange, ...] = ()
    new_ids: frozenset[str] = frozenset()
    stopped = ""
    try:
        if isinstance(get_domain(task.domain), ForeignDomain):  # its calls cannot be made, and its rows are not seen
            return RowHistory(tuple(() for _ in log), end, new_ids, (), "")
        with Session(task.domain, task=task) as session:
            for position, record in enumerate(log):
                unlike += [position] if session.replay([record]) else []
                changed.append(tuple(session.diff(since=position)))
                seen.append(events_of(session, since=position))
                end, new_ids = tuple(session.diff()), session.new_ids
            named = tuple(_named(session, text))
    except ToolgymError as problem:
        stopped = str(problem)
    return RowHistory(tuple(changed), end, new_ids, tuple(unlike), stopped, tuple(seen), named)


def _named(session: Session, text: str) -> Iterator[NamedRow]:
    """The rows whose keys, of one column, are words of a text with a figure in them."""
    words = json.dumps(list(dict.fromkeys(_ID.findall(text)))[:_MOST])
    for model in session.domain.models:
        key, *others = cast(Table, model.__table__).primary_key.columns
        if others:
            continue
        found = session.database.select(model, f'"{key.name}" IN (SELECT value FROM json_each(:words))', words=words)
        for row in found:
            shown = {name: value for name, value in row._asdict().items() if name in shown_columns(model)}  # type: ignore[attr-defined]
            cells = {name: value.isoformat() if isinstance(value, date) else value for name, value in shown.items()}
            yield NamedRow(model.__tablename__, (cells[key.name],), cells)
