"""The task lint: what is wrong with tasks, each by itself and all together, and how many there are of which sort."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.synthesis.distinct import content_of
from toolgym.sandbox.synthesis.proof.idle import passes_idle
from toolgym.sandbox.synthesis.proof.prove import problems_of
from toolgym.sandbox.synthesis.proof.replay import gold_diff


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a task, in a sentence."""

    task: str
    text: str

    def __str__(self) -> str:
        return f"{self.task}: {self.text}"


@dataclass
class Report:
    """What the lint found.

    Attributes:
        problems: in the tasks' order.
        counts: tasks by family and difficulty.
        writes: tasks by family whose gold calls change something.
        idle: ids of the tasks that an agent which looks nothing up passes.
    """

    problems: list[Problem] = field(default_factory=list)
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    writes: Counter[str] = field(default_factory=Counter)
    idle: list[str] = field(default_factory=list)


def lint(tasks: Iterable[Task], step: Callable[[], None] = lambda: None) -> Report:
    """Check tasks, each by itself and all together.

    Args:
        tasks: of any domains and splits.
        step: called after each task, for a progress bar.
    """
    report = Report()
    ids: set[str] = set()
    wishes: dict[tuple[str, str], str] = {}
    for task in tasks:
        if task.id in ids:
            report.problems.append(Problem(task.id, "another task has the same id."))
        ids.add(task.id)
        twin = wishes.setdefault((task.split, content_of(task)), task.id)
        if twin != task.id:
            report.problems.append(Problem(task.id, f"has the same facts and goals as {twin}."))
        report.problems += [Problem(task.id, text) for text in problems_of(task)]
        report.counts[task.family, task.difficulty] += 1
        with suppress(InfrastructureError):  # its world cannot be prepared, which is among the problems
            report.writes[task.family] += bool(gold_diff(task))
            report.idle += [task.id] if passes_idle(task) else []
        step()
    return report
