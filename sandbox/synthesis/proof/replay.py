"""Plays a task's gold calls on a fresh session: what a right run comes to. Played once per task and remembered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.foreign_domain import ForeignDomain
from toolgym.sandbox.runtime.references import resolve_arguments
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import RowChange, Session


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


_PLAYED = {"id", "domain", "data", "seed", "tools", "now", "owner", "setup", "gold", "returns"}
"""What of a task its gold run depends on, with its name."""

_latest: dict[str, tuple[Task, Gold]] = {}
"""The task that was asked for last: scoring one run asks eight times, and writing it out costs 30 us each time."""


def gold_of(task: Task, begun: Sequence[CallRecord] = ()) -> Gold:
    """The outcome of a task's gold calls on a fresh session; computed once per task.

    Args:
        task: whose gold calls.
        begun: the look-ups with which they begin, where those were just made in the same world, so that they are not
            made once more.
    """
    known = _latest.get("gold")
    if known is None or known[0] is not task:
        known = _latest["gold"] = (task, _gold(_Run(task.model_dump_json(include=_PLAYED), task, begun)))
    return known[1]


def gold_calls(task: Task) -> tuple[ToolCall, ...]:
    """The gold calls as a session makes them: a program's references are what they stand for."""
    if task.returns is None:
        return task.gold
    made = zip(task.gold, gold_of(task).log, strict=True)
    return tuple(call.model_copy(update={"arguments": record.arguments}) for call, record in made)


def right_ends(task: Task) -> Iterator[Gold]:
    """The gold run, and the runs that are just as right."""
    yield gold_of(task)
    for calls in task.alternatives:
        yield gold_of(task.model_copy(update={"gold": calls}))


def hands_over(task: Task) -> bool:
    """Whether the gold calls hand the conversation over."""
    tools = get_domain(task.domain).tools
    return any(record.ok and record.name in tools and tools[record.name].ends_episode for record in gold_of(task).log)


def gold_diff(task: Task) -> tuple[RowChange, ...]:
    """The rows that a task's gold calls change."""
    return gold_of(task).diff


@dataclass(frozen=True, slots=True)
class _Run:
    """A task to be played; equal to all others of which the same is played."""

    played: str
    task: Task = field(compare=False)
    begun: Sequence[CallRecord] = field(compare=False, repr=False)


@lru_cache(maxsize=20_000)
def _gold(run: _Run) -> Gold:
    task = run.task
    domain = get_domain(task.domain)
    if isinstance(domain, ForeignDomain):  # nothing can be called: the gold calls are what was proven
        kinds = {name: tool.kind for name, tool in domain.tools.items()}
        made = [CallRecord(call.name, call.arguments, call.by, kinds.get(call.name)) for call in task.gold]
        return Gold((), tuple(made))
    with Session(task.domain, task=task) as session:
        session.replay(run.begun)
        for call in task.gold[len(run.begun) :]:
            given = call.arguments
            if task.returns is not None and isinstance(given, dict):  # a program, with references
                given = resolve_arguments(given, [record.value for record in session.log], {})
            session.call(call.name, given, by=call.by)
        return Gold(tuple(session.diff()), tuple(session.log), session.new_ids)
