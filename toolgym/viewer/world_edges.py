"""The stored tasks on both sides of a rule's edge: in the same words one is just allowed and the other just refused."""

from __future__ import annotations

from typing import Any

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.task import Task

_SHOWN = 5
"""Pairs of a rule in a split that are shown."""


def edges(domain: Domain) -> list[dict[str, Any]]:
    """By rule and split, how many pairs there are, and the first ones with what each side asks and what is right.

    A split by depth may hold one side alone, which is no pair.
    """
    found = []
    for data in ("own", "v2"):
        for split in domain.open_data(data).splits if data in domain.data else ():
            pairs: dict[tuple[str, str], list[Task]] = {}
            for task in domain.tasks(split, data):
                if "pair" in task.metadata:
                    pairs.setdefault((task.metadata["rule"], task.metadata["pair"]), []).append(task)
            by_rule: dict[str, list[list[Task]]] = {}
            for (rule, _), sides in sorted(pairs.items()):
                if len(sides) == 2:
                    by_rule.setdefault(rule, []).append(sides)
            found += [
                {
                    "rule": rule,
                    "data": data,
                    "split": split,
                    "pairs": len(every),
                    "shown": [[_side(task) for task in sides] for sides in every[:_SHOWN]],
                }
                for rule, every in by_rule.items()
            ]
    return found


def _side(task: Task) -> dict[str, Any]:
    gold = [{"name": call.name, "arguments": call.arguments} for call in task.gold]
    return {"task": task.id, "allowed": task.family != "forbidden", "scenario": task.scenario, "gold": gold}
