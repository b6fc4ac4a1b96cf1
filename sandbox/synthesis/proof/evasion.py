"""Whether a rule is held by every tool that can break it, and whether it sees all rows that it is about.

Tried live: a tool that writes what a rule decides on is given what the rule forbids, beside arguments that people
bring. Not whether a tool that acts on the same row minds its state: that may well be another matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

from toolgym.sandbox.kit.author_errors import place_of
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.rule import Rule, known
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.runtime.session import RowChange
from toolgym.sandbox.synthesis.arguments import Arguments, call_of, written
from toolgym.sandbox.synthesis.sampler import Sampler

PEOPLE = 8
"""Whose wishes are tried; those of one goal are alike."""
Columns = dict[str, set[tuple[str, str]]]
"""By the name of an argument, also of one inside a list: the tables and columns that its value ends in."""


def evaded(domain: Domain) -> Iterator[str]:
    """Tools that do what a rule forbids and that it does not name, and rules that see only the first page of a list."""
    if not (domain.rules and domain.goals):
        return
    people = [Sampler(domain, key) for key in islice(domain.owner_keys() or [None], PEOPLE)]
    goals = [goal for goal in domain.goals if goal.against is None]
    try:
        for rule in domain.rules:
            yield from _first_pages(people, rule, [goal for goal in goals if rule.applies(goal.tool)])
        writes = [goal for goal in goals if goal.tool.kind == "write"]
        columns = {goal.tool: Columns() for goal in writes}
        for goal in writes:
            for name, found in _columns(people, goal).items():
                columns[goal.tool].setdefault(name, set()).update(found)
        for rule in domain.rules:
            if rule.by == "tool" and not rule.inside and rule.remedy is None:
                yield from _evasions(people, rule, writes, columns)
    finally:
        for sampler in people:
            sampler.session.close()


def _first_pages(people: Sequence[Sampler], rule: Rule, goals: Sequence[Goal]) -> Iterator[str]:
    """Reads of a rule that show one page of a list alone: all pages are read for it where the tool takes a `page`."""
    looked, rng = list[ToolCall](), Random(0)
    for sampler in people:
        for goal in goals if rule.looks else ():
            arguments = sampler.draw(goal, rng)
            if arguments is not None:

                def see(call: ToolCall, sampler: Sampler = sampler) -> Json:
                    looked.append(call)
                    return sampler.read(call).value

                known(sampler.session.over(sampler.database).database, rule, arguments, see)
    for tool in rule.reads:
        is_paged = "pages" in ((tool.returns or {}).get("properties") or {})
        if is_paged and "page" not in tool.inputs and tool.name in {call.name for call in looked}:
            yield (
                f"{place_of(rule.holds)}rule {rule.name}: {tool.name} shows a page of a list and takes no `page`, so "
                "that the rule sees its first rows only; give it one."
            )


def _columns(people: Sequence[Sampler], goal: Goal) -> Columns:
    """Where the arguments of a wish end: in changed rows' columns that are called as they are and hold their value."""
    found, rng = Columns(), Random(0)
    for sampler in people:
        arguments = sampler.allowed(goal, rng)
        if arguments is None:
            continue
        with sampler.session.fork() as session:
            call = call_of(goal.tool, arguments, sampler.database)
            if not session.call(call.name, call.arguments).ok:
                continue
            rows = [(row.table, _changed(row)) for row in session.diff()]
        for given in _levels(arguments):
            for name, value in given.items():
                held = written(value, sampler.database)
                for table, after in rows:
                    for column in {name, f"{name}_id", *_shown(goal.tool, name)} & {*after}:
                        if after[column] == held:
                            found.setdefault(name, set()).add((table, column))
    return found


def _changed(row: RowChange) -> dict[str, Json]:
    """The columns of a row that hold something new."""
    before, after = row.before or {}, row.after or {}
    return {name: value for name, value in after.items() if before.get(name) != value}


def _shown(tool: Tool, name: str) -> Sequence[str]:
    return [tool.inputs[name]] if name in tool.inputs else []


def _levels(arguments: Arguments) -> Iterator[Mapping[str, Any]]:
    """The arguments, and what each item of a list among them holds by name."""
    yield arguments
    for value in arguments.values():
        for item in value if isinstance(value, list) else ():
            if isinstance(item, dict):
                yield item


def _evasions(
    people: Sequence[Sampler], rule: Rule, goals: Sequence[Goal], columns: Mapping[Tool, Columns]
) -> Iterator[str]:
    """Each tool that a rule does not name and that does what it forbids, with the call."""
    named = {tool for each in people[0].domain.rules if each.name == rule.name for tool in each.on}
    for tool in columns:
        if tool in named:
            continue
        shared = {
            name
            for own in rule.on
            for name, ends in columns.get(own, {}).items()
            if name in rule.parameters and ends & columns[tool].get(name, set())
        }
        rows = {name for name in rule.views if all(name in own.inputs for own in rule.on)}
        values = shared - {name for own in rule.on for name in own.references}
        if not values or not rows <= shared | {*tool.inputs}:
            continue  # it is about other things than the rule
        rng = Random(0)
        found = next(filter(None, (_evasion(each, rule, tool, goals, shared, rng) for each in people)), None)
        if found:
            yield (
                f"{place_of(rule.holds)}rule {rule.name}: {tool.name} does what it forbids, such as {found}; name it "
                "in `on=`."
            )


def _evasion(sampler: Sampler, rule: Rule, tool: Tool, goals: Sequence[Goal], shared: set[str], rng: Random) -> str:
    """A call of a tool that succeeds with what the rule forbids in another one's; empty where none was found."""
    forbidden = (sampler.forbidden(goal, rule, rng) for goal in goals if rule.applies(goal.tool))
    wanted = [sampler.allowed(goal, rng) for goal in goals if goal.tool is tool]
    for arguments in filter(None, forbidden):
        for base in filter(None, wanted):
            for given, decided in _mixed(base, arguments, shared):
                if sampler.holds(rule, {**arguments, **decided}):
                    continue
                call = call_of(tool, given, sampler.database)
                with sampler.session.fork() as session:
                    if session.call(call.name, call.arguments).ok:
                        return f"{call.name} of {call.arguments}"
    return ""


def _mixed(base: Arguments, forbidden: Arguments, shared: set[str]) -> Iterator[tuple[Arguments, Arguments]]:
    """Arguments with what is forbidden in their place, and what of them the rule decides on."""
    for names in (shared, *({name} for name in sorted(shared))):
        put = {name: forbidden[name] for name in names if name in forbidden}
        yield {**base, **put}, {name: value for name, value in {**base, **put}.items() if name in shared}
        for name, value in base.items():
            for index, item in enumerate(value if isinstance(value, list) else ()):
                if isinstance(item, dict) and put.keys() & item.keys():
                    changed = {**item, **{each: put[each] for each in put if each in item}}
                    items = [*value[:index], changed, *value[index + 1 :]]
                    yield {**base, name: items}, {each: changed[each] for each in shared if each in changed}
