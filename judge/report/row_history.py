"""What every call of an episode did to the rows: its calls made again in a session, with the session's diff after each.

Not for what the end should have been: see `toolgym.judge.report.end_rows`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toolgym.sandbox.kit.errors import ToolgymError
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.session import RowChange, Session


@dataclass(frozen=True, slots=True)
class RowHistory:
    """The rows that each call of a log changed.

    Attributes:
        calls: for every call that could be made again, the rows it changed, each as before and after that call.
        end: all rows that differ from the start after the last of them.
        new_ids: the ids that the session generated.
        unlike: the positions of calls that come to something else here than they are recorded.
        stopped: why no more calls could be made again; empty where all were.
    """

    calls: tuple[tuple[RowChange, ...], ...]
    end: tuple[RowChange, ...]
    new_ids: frozenset[str] = frozenset()
    unlike: tuple[int, ...] = ()
    stopped: str = ""


def row_history(task: Task, log: Sequence[CallRecord]) -> RowHistory:
    """Make the calls of a log again in a fresh session of a task; a world that is not installed here is said so."""
    changed: list[tuple[RowChange, ...]] = []
    unlike: list[int] = []
    end: tuple[RowChange, ...] = ()
    new_ids: frozenset[str] = frozenset()
    stopped = ""
    try:
        with Session(task.domain, task=task) as session:
            for position, record in enumerate(log):
                unlike += [position] if session.replay([record]) else []
                changed.append(tuple(session.diff(since=position)))
                end, new_ids = tuple(session.diff()), session.new_ids
    except ToolgymError as problem:
        stopped = str(problem)
    return RowHistory(tuple(changed), end, new_ids, tuple(unlike), stopped)
