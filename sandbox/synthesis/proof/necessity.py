"""Whether a task needs each of its gold writes: without one of them a later call is refused, or the end is not right.

Played in one session that goes back and forth. That look-ups are needed is for `reachability` to say.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.proof.end_state import ends_right
from toolgym.sandbox.synthesis.proof.replay import Gold, gold_of


def needless_writes(task: Task) -> list[str]:
    """Sentences about gold writes that can be left out; one about a gold run that is another one when replayed."""
    gold = gold_of(task)
    with Session(task.domain, task=task) as session:
        if session.replay(gold.log) or tuple(session.diff()) != gold.diff:
            return [
                "its gold calls replayed give other results, so the world is not a function of its seed and its log."
            ]
        writes = [index for index, record in enumerate(gold.log) if record.wrote]
        needless = [index for index in reversed(writes) if _right_without(index, task, gold, session)]
    return [f"the gold call {gold.log[index].name} is not needed: without it the end is right." for index in needless]


def _right_without(index: int, task: Task, gold: Gold, session: Session) -> bool:
    """Whether the gold run ends right without one of its calls; the session holds it up to that call at least."""
    later = gold.log[index + 1 :]
    if not _played(session, index, [record for record in later if record.wrote]) or not _ends_right(task, session):
        return False  # as it is with nearly every call, so that the look-ups are not made again
    return _played(session, index, later)


def _played(session: Session, index: int, later: Sequence[CallRecord]) -> bool:
    """Play calls after the first `index` ones; False when one is refused that was not."""
    session.rollback(index)
    return all(session.call(each.name, each.arguments, by=each.by).ok or not each.ok for each in later)


def _ends_right(task: Task, session: Session) -> bool:
    if task.assertions:
        return all(session.holds(assertion) for assertion in task.assertions)
    return ends_right(task, session.diff(), session.new_ids)
