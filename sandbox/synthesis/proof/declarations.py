"""What is wrong with a world's declarations by themselves: columns, parameters and tools that do not exist.

Only for worlds that declare goals or rules. Each finding begins with the file and line of the declaration.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from toolgym.sandbox.kit.author_errors import place_of
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.goal import Goal, Thing
from toolgym.sandbox.kit.rule import Rule
from toolgym.sandbox.kit.sentence import places
from toolgym.sandbox.kit.table import brief_columns, owner_path, shown_columns
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.kit.trouble import repairing


def declarations(domain: Domain) -> Iterator[str]:
    """What does not fit together, one sentence each."""
    if not (domain.goals or domain.rules):
        return
    for model in domain.models:
        brief_columns(model)  # these two raise the sentence
        owner_path(model)
    for rule in domain.rules:
        yield from _rule(domain, rule)
    for goal in domain.goals:
        yield from _goal(domain, goal)
    for thing in domain.things:
        yield from _thing(domain, thing)
    yield from _writes(domain)
    yield from _handover(domain)


def _rule(domain: Domain, rule: Rule) -> Iterator[str]:
    where = f"{place_of(rule.holds)}rule {rule.name}:"
    named = [*rule.on, *rule.reads, *([rule.remedy] if rule.remedy else [])]
    yield from (f"{where} {name} is no tool of the world." for name in _strange(domain, named))
    if not rule.on:
        yield f"{where} it is about no tool; name them with `on=`."
    elif not any(rule.applies(goal.tool) for goal in domain.goals):
        yield f"{where} no goal is about {_listed(rule.on)}, so that no task can break it; declare one."


def _goal(domain: Domain, goal: Goal) -> Iterator[str]:
    where, inputs = f"{place_of(goal.at)}goal {goal.name}:", goal.tool.inputs
    yield from (f"{where} {name} is no tool of the world." for name in _strange(domain, [goal.tool]))
    for slot in goal.slots:
        for name in slot.fills or (slot.name,):
            if name not in inputs and not ((goal.worked_out or goal.also) and not slot.fills):
                yield f"{where} Slot({slot.name!r}) is for no parameter; {goal.tool.name} has {_listed(inputs)}."
    known = {*inputs, *(slot.name for slot in (*goal.slots, *goal.about))}
    for sentence in goal.says:
        for name, _ in places(sentence):
            if name not in known:
                yield f"{where} {{{name}}} in {sentence!r} is no parameter; {goal.tool.name} has {_listed(inputs)}."
    for tell in (*goal.tells, *(ask.tells for ask in goal.asks)):
        if tell.by is not None and tell.by.name not in domain.tools:
            yield f"{where} {tell.by.name} is no tool of the world."


def _thing(domain: Domain, thing: Thing) -> Iterator[str]:
    where, shown = f"{place_of(thing.at)}thing {thing.table.__name__}:", shown_columns(thing.table)
    for sentence in thing.says:
        for name, _ in places(sentence):
            if name not in shown:
                yield f"{where} {{{name}}} in {sentence!r} is no column that views show; there are {_listed(shown)}."
    listing = [tool for tool in domain.tools.values() if tool.kind == "read" and thing.table in tool.lists]
    if not listing and not thing.found_by:
        yield f"{where} no read tool lists one, so that nobody can look up what is described; write one."


def _writes(domain: Domain) -> Iterator[str]:
    remedies = {rule.remedy.name for rule in domain.rules if rule.remedy}
    wanted = {goal.tool.name for goal in domain.goals} | remedies | repairing(domain.troubles)
    for tool in domain.tools.values():
        if tool.kind == "write" and tool.name not in wanted:
            yield f"{place_of(tool.function)}tool {tool.name}: no goal is about it; declare one, or leave the tool out."


def _handover(domain: Domain) -> Iterator[str]:
    ending = [tool for tool in domain.tools.values() if tool.ends_episode]
    if ending and domain.handover is None:
        yield (
            f"{place_of(ending[0].function)}tool {ending[0].name}: it ends the episode, and the world does not say "
            "when it may; give the domain `handover=Handover(tool, when=...)`."
        )
    if domain.handover is not None:
        tool = domain.handover.tool
        yield from (
            f"{place_of(tool.function)}tool {name}: is no tool of the world." for name in _strange(domain, [tool])
        )


def _strange(domain: Domain, named: Sequence[Tool]) -> list[str]:
    return [tool.name for tool in named if domain.tools.get(tool.name) is not tool]


def _listed(names: Iterable[Any]) -> str:
    return ", ".join(str(getattr(name, "name", name)) for name in names)
