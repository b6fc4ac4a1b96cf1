"""Plays a task's gold calls on a fresh session: what a right run comes to. Played once per task and remembered."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from sandbox.kit.message import ToolCall
from sandbox.kit.task import Task
from sandbox.runtime.call_log import CallRecord
from sandbox.runtime.registry import get_domain
from sandbox.runtime.session import RowChange, Session


@dataclass(frozen=True, slots=True)
class Gold:
    """What a task's gold calls come to.

    Attributes:
        diff: the rows they change.
        log: the calls with their results.
        new_ids: the ids that the session generated.
    """

    diff: tuple[RowChange, ...]
    log: tuple[CallRecord, ...]
    new_ids: frozenset[str] = frozenset()

    @property
    def writes(self) -> tuple[CallRecord, ...]:
        """The write calls that succeed."""
        return tuple(record for record in self.log if record.wrote)


def gold_of(task: Task) -> Gold:
    """The outcome of a task's gold calls on a fresh session; computed once per task."""
    return _gold(
        task.domain,
        task.data,
        task.seed,
        json.dumps([[call.name, call.arguments] for call in task.setup], sort_keys=True),
        json.dumps([[call.name, call.arguments, call.by] for call in task.gold], sort_keys=True),
        json.dumps(task.owner),
        task.now,
    )


def hands_over(task: Task) -> bool:
    """Whether the gold calls hand the conversation over."""
    tools = get_domain(task.domain).tools
    return any(record.ok and record.name in tools and tools[record.name].ends_episode for record in gold_of(task).log)


def gold_diff(task: Task) -> tuple[RowChange, ...]:
    """The rows that a task's gold calls change."""
    return gold_of(task).diff


@lru_cache(maxsize=20_000)
def _gold(domain: str, data: str, seed: int, setup: str, gold: str, owner: str, now: datetime | None) -> Gold:
    steps = tuple(ToolCall(name=name, arguments=arguments) for name, arguments in json.loads(setup))
    task = Task(id="gold", domain=domain, data=data, seed=seed, setup=steps, owner=json.loads(owner), now=now)
    with Session(domain, task=task) as session:
        for name, arguments, by in json.loads(gold):
            session.call(name, arguments, by=by)
        return Gold(tuple(session.diff()), tuple(session.log), session.new_ids)
