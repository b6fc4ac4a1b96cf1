"""What a set of tasks holds: strata, families, sizes, and how different its wishes are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.synthesis.proof.replay import gold_of


@dataclass(frozen=True)
class Statistics:
    """Figures of a set of tasks.

    Attributes:
        counts: tasks by depth, structure, information, interaction, family and split.
        numbers: of every task its wishes, calls, writes and the words of its scenario.
        wordings: different first wishes once values are masked.
    """

    counts: Mapping[str, Counter[str]]
    numbers: Mapping[str, list[int]]
    wordings: int


def statistics(tasks: Sequence[Task]) -> Statistics:
    """The figures of these tasks."""
    counts: dict[str, Counter[str]] = {
        "depth": Counter(str(task.depth) for task in tasks),
        "structure": Counter(task.structure for task in tasks),
        "information": Counter(str(task.information or "-") for task in tasks),
        "interaction": Counter(str(task.interaction) for task in tasks),
        "family": Counter(task.family or "-" for task in tasks),
        "split": Counter(task.split for task in tasks),
    }
    numbers = {
        "wishes": [len(task.goals) for task in tasks],
        "gold calls": [len(task.gold) for task in tasks],
        "writes": [len(gold_of(task).writes) for task in tasks],
        "words of the scenario": [len(task.scenario.split()) for task in tasks],
    }
    return Statistics(counts, numbers, len({masked(goal) for task in tasks for goal in task.goals[:1]}))


def masked(goal: Goal) -> str:
    """A wish with its values masked: what the user names, ids, names and numbers."""
    text = goal.utterance
    for fact in goal.facts:
        if fact.words:
            text = text.replace(fact.words, "_")
    return re.sub(r"[#$]?[A-Z]?[\w-]*\d[\w.,-]*|(?<!^)(?<![.!?] )\b[A-Z]\w+", "_", text)
