"""Step 5, the gate: a conversation becomes a row only if it replays on fresh tools and there is none like it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.call_log import CallRecord
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.distinct import SIMILAR
from toolgym.sandbox.synthesis.teaching.nowhere import is_day, told_values
from toolgym.sandbox.synthesis.teaching.row import TURNS, gold_of_log
from toolgym.sandbox.synthesis.teaching.source import Source

ERRORS = 0.30
"""The share of calls that may end in a schema or execution error; an empty result is none (section 3.2, step 5)."""
_SECRET = re.compile(r"passw|secret|token|\bpin\b|api_?key", re.IGNORECASE)
"""Names of parameters whose values must not come from nowhere, where no type says it."""
_TESTED = ("test", "hard", "depth", "dev")
"""Splits on which agents are measured."""


@dataclass
class Gate:
    """What is thrown out and why; it remembers what it let through.

    Attributes:
        kept: how many rows went through.
    """

    kept: int = 0
    _by_call: dict[tuple[str, str], list[frozenset[tuple[str, str]]]] = field(default_factory=lambda: defaultdict(list))
    _words: set[str] = field(default_factory=set)
    _published: dict[str, list[tuple[tuple[str, ...], frozenset[str]]]] = field(default_factory=dict)

    def why(self, source: Source, trajectory: Trajectory, planned: Iterable[str]) -> str | None:
        """Why a finished conversation is thrown out by itself; None where it may go on to `repeats`.

        Args:
            source: its tools.
            trajectory: its record.
            planned: the tools of its plans.
        """
        task, calls = trajectory.task, trajectory.calls
        succeeded = [record for record in calls if record.ok]
        if task.family == "irrelevant" and succeeded:
            return "called though nothing fits"
        if task.family == "chain" and not succeeded:
            return "nothing called"
        if any(record.wrote and record.name not in set(planned) for record in calls):
            return "a write that nobody asked for"
        if not _secrets_told(trajectory):
            return "a secret from nowhere"
        return self._replayed(source, trajectory) or self._is_published(task)

    def _replayed(self, source: Source, trajectory: Trajectory) -> str | None:
        """Play the calls on fresh tools: all of them once, then the gold ones alone, which must come to the same."""
        try:
            played = _played(source, trajectory.task, trajectory.calls)
            if sum(not record.ok for record in played) > ERRORS * len(played):
                return f"more than {ERRORS:.0%} errors".replace("%", " %")
            gold = gold_of_log(trajectory.calls)
            wanted = [record.value for record in gold] if source.fresh > 1 else None
            for _ in range(source.fresh):
                found = _played(source, trajectory.task, gold)
                if not all(record.ok for record in found) or wanted not in (None, [record.value for record in found]):
                    return "not reproducible"
        except InfrastructureError:
            return "not reproducible"
        return None

    def _is_published(self, task: Task) -> str | None:
        """Whether a published test has the same composition of calls on the same row."""
        if task.domain not in self._published:
            self._published[task.domain] = [_composition(each.gold) for each in _published(get_domain(task.domain))]
        mine = _composition(task.gold)
        same = any(names == mine[0] and values & mine[1] for names, values in self._published[task.domain])
        return "a published test has it" if same else None

    def repeats(self, task: Task) -> bool:
        """Whether a row like it went through before; one that does not is let through."""
        calls = frozenset((call.name, call.arguments_text()) for call in task.gold)
        alike = (other for call in calls for other in self._by_call[call])
        told = "\n".join(task.metadata[TURNS]).casefold()
        if told in self._words or any(len(calls & other) / len(calls | other) >= SIMILAR for other in alike):
            return True
        self._words.add(told)
        for call in calls:
            self._by_call[call].append(calls)
        self.kept += 1
        return False


def _played(source: Source, task: Task, calls: Sequence[CallRecord]) -> list[CallRecord]:
    session = source.session(task)
    try:
        for record in calls:
            session.call(record.name, record.arguments)
        return list(session.log)
    finally:
        session.close()


def _secrets_told(trajectory: Trajectory) -> bool:
    """Whether every password, token or PIN of a call stands in what the user said or a tool showed."""
    told = "\n".join(message.content or "" for message in trajectory.messages if message.role in ("user", "tool"))
    tools = get_domain(trajectory.task.domain).tools
    for record in trajectory.calls:
        tool = tools.get(record.name)
        given = record.arguments if isinstance(record.arguments, dict) else {}
        kinds = {} if tool is None else {shown: tool.kinds[own] for own, shown in tool.inputs.items()}
        for name, value in given.items():
            if (kinds.get(name) == "secret" or _SECRET.search(name)) and str(value) not in told:
                return False
    return True


def _published(domain: Domain) -> Iterable[Task]:
    """The tasks on which agents are measured, of every version of a world; foreign and joined ones have none."""
    for name in dict.fromkeys((domain.newest_data, "own")):
        opened = domain.open_data(name)
        for split in opened.splits:
            if split in _TESTED:
                yield from opened.tasks(split)


def _composition(calls: Sequence[ToolCall]) -> tuple[tuple[str, ...], frozenset[str]]:
    """The names of the calls, whatever their order, and the rows that they name."""
    named: list[Json] = [value for call in calls for value in told_values(call.arguments)]
    rows = frozenset(
        value for value in named if isinstance(value, str) and any(map(str.isdigit, value)) and not is_day(value)
    )
    return tuple(sorted(call.name for call in calls)), rows
