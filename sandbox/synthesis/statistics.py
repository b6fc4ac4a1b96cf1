"""What a set of tasks holds: strata, families, sizes, how wishes hang together, and how different they are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import Goal, Task
from toolgym.sandbox.synthesis.information import information_of, says_keys
from toolgym.sandbox.synthesis.proof.replay import gold_of
from toolgym.sandbox.synthesis.turns import CALCULATE, turns_of

DEEP = 4
"""A depth from which on a task counts as deep."""


@dataclass(frozen=True)
class Statistics:
    """Figures of a set of tasks.

    Attributes:
        counts: tasks by depth, structure, information, interaction, family and split.
        numbers: of every task its wishes, calls, writes and the words of its scenario.
        wordings: different first wishes once values are masked.
        shares: of what, how many, and how many of these are so.
    """

    counts: Mapping[str, Counter[str]]
    numbers: Mapping[str, list[int]]
    wordings: int
    shares: Mapping[str, tuple[int, int]] = field(default_factory=dict)


def statistics(tasks: Sequence[Task]) -> Statistics:
    """The figures of these tasks."""
    counts: dict[str, Counter[str]] = {
        "depth": Counter(str(task.depth) for task in tasks),
        "structure": Counter(task.structure for task in tasks),
        "information": Counter(str(task.information or "-") for task in tasks),
        "information, measured": Counter(information_of(task) for task in tasks),
        "interaction": Counter(str(task.interaction) for task in tasks),
        "family": Counter(task.family or "-" for task in tasks),
        "split": Counter(task.split for task in tasks),
    }
    numbers = {
        "wishes": [len(task.goals) for task in tasks],
        "gold calls": [len(task.gold) for task in tasks],
        "without pages and sums": [sum(not _is_filler(call) for call in task.gold) for task in tasks],
        "writes": [len(gold_of(task).writes) for task in tasks],
        "calls of calculate": [sum(call.name == CALCULATE for call in task.gold) for task in tasks],
        "turns of a right run, at most": [turns_of(task) for task in tasks],
        "words of the scenario": [len(task.scenario.split()) for task in tasks],
    }
    wordings = len({masked(goal) for task in tasks for goal in task.goals[:1]})
    return Statistics(counts, numbers, wordings, _shares(tasks))


def _is_filler(call: ToolCall) -> bool:
    """Whether a call is a further page of a list, or a sum."""
    page = call.arguments.get("page") if isinstance(call.arguments, dict) else None
    return call.name == CALCULATE or (isinstance(page, int) and page > 1)


def _shares(tasks: Sequence[Task]) -> dict[str, tuple[int, int]]:
    """How many of which are so, by what is said of them."""
    wishes = [goal for task in tasks for goal in task.every_goal()]
    several = [task for task in tasks if len(_wished(task)) > 1]
    seconds = [(goal, goal.fallback) for goal in wishes if goal.fallback is not None and not goal.calls]
    depending = [goal for goal in wishes if any(fact.name == "condition" for fact in goal.facts)]
    withheld = [task for task in tasks if task.information == "withheld"]
    further = [goal for task in tasks for goal in task.goals[1:] if goal.kind != "ask"]
    ways = Counter(" ".join(goal.utterance.split()[:2]) for goal in further)
    return {
        f"depth {DEEP} or more": _of(task.depth >= DEEP for task in tasks),
        "several wishes: two of them share a row": _of(map(_shares_a_row, several)),
        "second choice: of the same kind or about the same row": _of(_is_near(*pair) for pair in seconds),
        "condition: on something that the wish is about": _of(map(_is_about_it, depending)),
        "called withheld: something is held back": _of(information_of(task) == "withheld" for task in withheld),
        "wishes: one says a key that people do not say": (sum(map(says_keys, tasks)), len(wishes)),
        "further wishes: the commonest two first words": (max(ways.values(), default=0), len(further)),
        "distractors": _of(bool(task.distractors) for task in tasks),
        "stripped enums": _of(task.strip_enums for task in tasks),
        "no offered tool fits": _of(task.family in ("irrelevant", "hidden_tool") for task in tasks),
    }


def _of(each: Iterable[bool]) -> tuple[int, int]:
    found = list(each)
    return sum(found), len(found)


def _wished(task: Task) -> list[Goal]:
    """The wishes of a task but for questions that only follow one."""
    return [goal for goal in task.goals if goal.kind != "ask"]


def _shares_a_row(task: Task) -> bool:
    rows = [_rows(goal) for goal in _wished(task)]
    return any(one & other for place, one in enumerate(rows) for other in rows[:place])


def _rows(goal: Goal) -> set[str]:
    """The keys of all rows that a wish, or what may replace it, is about."""
    values = [fact.value for each in goal.every() for fact in each.facts if fact.kind == "reference"]
    return {str(key) for value in values for key in (value if isinstance(value, list) else [value])}


def _is_near(first: Goal, second: Goal) -> bool:
    own = {str(fact.value) for fact in first.facts if fact.kind == "reference"}
    return first.kind == second.kind or bool(own & {str(fact.value) for fact in second.facts})


def _is_about_it(goal: Goal) -> bool:
    condition = next(fact for fact in goal.facts if fact.name == "condition")
    return any(fact is not condition and fact.words and fact.words in condition.words for fact in goal.facts)


def masked(goal: Goal) -> str:
    """A wish with its values masked: what the user names, ids, names and numbers."""
    text = goal.utterance
    for fact in goal.facts:
        if fact.words:
            text = text.replace(fact.words, "_")
    return re.sub(r"[#$]?[A-Z]?[\w-]*\d[\w.,-]*|(?<!^)(?<![.!?] )\b[A-Z]\w+", "_", text)
