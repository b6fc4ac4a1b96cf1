"""Which published tasks are flawed: their right run breaks a rule that the world was found to lack when it was mended.

They stay as they were published. Their ids stand beside the split, so that a score can be told with and without them.
"""

from __future__ import annotations

from toolgym.sandbox.kit.database import NEWEST
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import RowChange, Session


def flaw(task: Task) -> str:
    """What is wrong with a task's gold by the newest rules, in a few words; empty where nothing is."""
    version = get_domain(task.domain).version(task.data, task)
    (was, before), (now, refused) = _played(task, version), _played(task, NEWEST)
    after = {(row.table, tuple(row.key)): row.after for row in now}
    undone = next((row.table for row in was if after.get((row.table, tuple(row.key))) != row.after), "")
    pairs = zip(task.gold, before, refused, strict=True)
    newly = (f"{call.name} is refused: {code}" for call, old, code in pairs if code and not old)
    return undone and next(newly, f"what is written in {undone} does not last")


def _played(task: Task, version: int) -> tuple[list[RowChange], list[str]]:
    """What the gold calls change by the rules of a version, and the codes of their refusals."""
    with Session(get_domain(task.domain), data=task.data, task=task) as session:
        session.database.version = version
        errors = [session.call(call.name, call.arguments, by=call.by).error for call in task.gold]
        return session.diff(), ["" if error is None else error.code for error in errors]
