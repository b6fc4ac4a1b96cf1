"""No two tasks of a set are the same: by what is called, and by how the wish is worded once values are masked."""

from __future__ import annotations

from collections import defaultdict

from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.synthesis.statistics import masked

SIMILAR = 0.70
"""Jaccard similarity of two sets of calls from which on tasks are duplicates (PROVE section 3.2)."""
Calls = frozenset[tuple[str, str]]


class Distinct:
    """The tasks kept so far.

    Two tasks are duplicates when their sets of (tool, arguments) are alike and their wishes, values masked, are worded
    alike, or when they have the same facts and goals, however worded. The wishes of tasks without calls are told apart
    with their values.
    """

    def __init__(self) -> None:
        self._contents: set[str] = set()
        self._by_wording: defaultdict[str, list[Calls]] = defaultdict(list)

    def add(self, task: Task) -> bool:
        """Keep a task; False when it is a duplicate of one that was kept."""
        calls = frozenset((call.name, call.arguments_text()) for call in task.gold)
        told = (goal.utterance for goal in task.every_goal()) if not calls else map(masked, task.every_goal())
        alike = self._by_wording["\n".join(told)]
        content = content_of(task)
        if content in self._contents or any(_similarity(calls, other) >= SIMILAR for other in alike):
            return False
        alike.append(calls)
        self._contents.add(content)
        return True


def content_of(task: Task) -> str:
    """What makes two tasks the same, however they are worded."""
    facts = [fact.model_dump_json(exclude={"on_request"}) for fact in task.facts]
    facts += [call.model_dump_json() for call in task.setup]
    return "\n".join(
        [task.domain, task.data, *facts, *(goal.model_dump_json(exclude={"utterance"}) for goal in task.goals)]
    )


def _similarity(one: Calls, other: Calls) -> float:
    together = len(one | other)
    return len(one & other) / together if together else 1.0
