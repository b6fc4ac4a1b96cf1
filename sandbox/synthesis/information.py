"""How a task's user puts its wishes, measured on the task as it is: everything at first, some when asked, described."""

from __future__ import annotations

from collections.abc import Mapping

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.goal import Thing
from toolgym.sandbox.kit.sentence import places
from toolgym.sandbox.kit.task import Fact, Goal, Information, Task
from toolgym.sandbox.runtime.registry import get_domain


def information_of(task: Task) -> Information:
    """How the wishes are put.

    `withheld`: something of a wish is told only when asked. `described`: a thing is known by more than its name, or a
    value by where else it stands. `complete`: neither.
    """
    facts = [(goal, fact) for goal in task.every_goal() for fact in goal.facts]
    if any(fact.on_request for _, fact in facts):
        return "withheld"
    domain = get_domain(task.domain)
    described = any(fact.described and not _is_named(domain, goal, fact) for goal, fact in facts)
    return "described" if described else "complete"


def _is_named(domain: Domain, goal: Goal, fact: Fact) -> bool:
    """Whether the words of a thing are those by which people call any such thing in short."""
    declared = next((each for each in domain.goals if each.name == goal.kind), None)
    table = declared.tables.get(fact.name) if declared is not None else None
    thing = next((each for each in domain.things if each.table is table), None)
    if thing is None or thing.says_key or fact.kind != "reference":
        return False
    each = fact.known_by.get("each")
    return all(_in_short(thing, known) for known in (each if isinstance(each, list) else [fact.known_by]))


def _in_short(thing: Thing, known: object) -> bool:
    columns = [frozenset(name for name, _ in places(sentence)) for sentence in thing.says]
    least = min(map(len, columns))
    return isinstance(known, Mapping) and any(len(each) == least and each == set(known) for each in columns)


def says_keys(task: Task) -> int:
    """How many wishes say a row's key that people of its world do not say."""
    domain, count = get_domain(task.domain), 0
    for goal in task.every_goal():
        declared = next((each for each in domain.goals if each.name == goal.kind), None)
        said = [fact for fact in goal.facts if fact.kind == "reference" and not fact.described]
        tables = [declared.tables.get(fact.name) for fact in said] if declared is not None else [None for _ in said]
        usual = {thing.table for thing in domain.things if thing.says_key}
        keys = [
            str(value)
            for fact, table in zip(said, tables, strict=True)
            if table is None or table not in usual
            for value in (fact.value if isinstance(fact.value, list) else [fact.value])
        ]
        count += any("@" not in key and key in goal.utterance for key in keys)
    return count
