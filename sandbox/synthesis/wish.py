"""One wish, drawn whole: what is wanted, how it is said, what a right run calls and must tell.

From a goal's declaration and a person's live rows; nothing here knows a world.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any

from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.reference import Kind
from toolgym.sandbox.kit.rule import Rule
from toolgym.sandbox.kit.task import Fact, Information
from toolgym.sandbox.kit.task import Goal as Wish
from toolgym.sandbox.kit.telling import Telling
from toolgym.sandbox.synthesis.arguments import Arguments, call_of
from toolgym.sandbox.synthesis.free_text import composed
from toolgym.sandbox.synthesis.knowledge import echoes, fact_of, first_words, slots_told
from toolgym.sandbox.synthesis.naming import Naming, named_fact
from toolgym.sandbox.synthesis.prepared import Prepared
from toolgym.sandbox.synthesis.right_run import (
    Trial,
    own_key_shown,
    own_values,
    shown_by,
    told_kind,
    told_value,
    told_when_asked,
    with_made,
)
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.value_words import told
from toolgym.sandbox.synthesis.wording import NO

TRIES = 8
"""Draws of how a person describes what a wish is about, until nothing is said twice."""
ASKED = 0.3
"""The share of granted wishes that a question follows, where a goal declares one."""


@dataclass(frozen=True)
class Mentioned:
    """Something that an earlier wish of the conversation was about.

    Attributes:
        value: the argument: a row, or a plain value.
        fact: how the person knows it.
        said: how the first words of a later wish speak of it.
    """

    value: Any
    fact: Fact
    said: str


@dataclass(frozen=True)
class Drawn:
    """A wish with what a right run does about it.

    Attributes:
        wish: for the task.
        about: facts that belong to the person and not to this wish, such as a PIN.
        gold: the calls of a right run, in order.
        arguments: of the call that is wanted.
        broken: the rule for which it must be refused; None when it can be granted.
        further: a question that follows once the wish is settled.
        needs: the tool that grants it.
        prepared: the world that it is about, where that is not the one that tasks begin with.
        answers: what the agent tells of it as a tool shows it, with what sort of value each is.
    """

    wish: Wish
    about: tuple[Fact, ...]
    gold: tuple[ToolCall, ...]
    arguments: Arguments
    broken: Rule | None = None
    further: Wish | None = None
    needs: str = ""
    prepared: Prepared | None = None
    answers: tuple[tuple[Kind, Json], ...] = ()


def drawn(
    sampler: Sampler,
    goal: Goal,
    rng: Random,
    information: Information,
    *,
    breaking: Rule | None = None,
    naming: Naming | None = None,
) -> Drawn | None:
    """A wish of this goal; None when this person has nothing for it.

    Args:
        sampler: the person's world.
        goal: what is wanted.
        rng: decides everything.
        information: how the person puts it.
        breaking: the one rule that the wish is to break.
        naming: how its first row is named; without it, in one of the usual ways.
    """
    found = sampler.forbidden(goal, breaking, rng) if breaking else sampler.allowed(goal, rng)
    return None if found is None else worded(sampler, goal, found, rng, information, breaking, naming=naming)


def worded(
    sampler: Sampler,
    goal: Goal,
    arguments: Arguments,
    rng: Random,
    information: Information,
    broken: Rule | None,
    known: Mapping[str, Mentioned] = MappingProxyType({}),
    naming: Naming | None = None,
) -> Drawn | None:
    """The wish for these arguments; None when they cannot be said or found out.

    Args:
        sampler: the person's world.
        goal: what is wanted.
        arguments: of its call.
        rng: decides the words.
        information: how the person puts it.
        broken: the rule for which it must be refused.
        known: by slot, what an earlier wish was about.
        naming: how its first row is named.
    """
    arguments = composed(sampler, goal, arguments)
    tries = (_brought(sampler, goal, arguments, rng, information, known, naming) for _ in range(TRIES))
    brought = next((each for each in tries if each is None or not echoes(each[0])), None)
    if brought is None:
        return None
    facts, looked_up = brought
    said = first_words(goal, facts, rng, sampler.split, {name: each.said for name, each in known.items()})
    if said is None:
        return None
    utterance, named = said
    # what did not fit into the first words is told when asked
    implied = named | set(goal.fixed)
    facts = [fact if fact.name in implied else fact.model_copy(update={"on_request": True}) for fact in facts]
    wanted = call_of(goal.tool, arguments, sampler.database)
    base = Wish(kind=goal.name, utterance=utterance, facts=tuple(facts))
    if broken is not None:
        seen = {call.name for call in looked_up}
        reads = [call for call in shown_by(sampler, broken, goal.tool, arguments) if call.name not in seen]
        handover = sampler.domain.handover
        if handover is not None and broken in handover.rules:
            away = ToolCall(name=handover.tool.name, arguments=dict.fromkeys(handover.tool.inputs.values(), utterance))
            wish = base.model_copy(update={"outcome": "transferred"})
            return Drawn(wish, (), (*looked_up, *reads, away), arguments, broken)
        reason = broken.reason(sampler.known(broken, arguments))
        wish = base.model_copy(
            update={"outcome": "refused", "must_communicate": (NO, Telling(reason, "reason", rule=broken.name))}
        )
        return Drawn(wish, (), (*looked_up, *reads), arguments, broken)
    return _granted(sampler, goal, base, arguments, wanted, looked_up, rng)


def _brought(
    sampler: Sampler,
    goal: Goal,
    arguments: Arguments,
    rng: Random,
    information: Information,
    known: Mapping[str, Mentioned],
    naming: Naming | None,
) -> tuple[list[Fact], list[ToolCall]] | None:
    """What the person knows of all that the wish is about, and the look-ups that this asks for."""
    facts: list[Fact] = []
    looked_up = own_key_shown(sampler, arguments)
    for slot in slots_told(sampler, goal, arguments):
        if slot.name in known:
            facts.append(known[slot.name].fact)
            continue
        named = None if naming is None else named_fact(sampler, slot, arguments.get(slot.name), naming, rng)
        naming = naming if named is None else None
        brought = named or fact_of(sampler, goal, slot, arguments, rng, information)
        if brought is None:
            return None
        facts.append(brought[0])
        looked_up += [call for call in brought[1] if call not in looked_up]
    return None if naming is not None else (facts, looked_up)


def _granted(
    sampler: Sampler,
    goal: Goal,
    wish: Wish,
    arguments: Arguments,
    wanted: ToolCall,
    looked_up: list[ToolCall],
    rng: Random,
) -> Drawn | None:
    mending = [
        call_of(rule.remedy, own_values(sampler, rule.remedy), sampler.database)
        for rule in sampler.rules
        if rule.remedy is not None and rule.applies(goal.tool) and not sampler.holds(rule, arguments)
    ]
    mending = list({call.name: call for call in mending}.values())
    about = tuple(told_when_asked(sampler, call) for call in mending)
    before, drawing = [*looked_up, *mending], sampler.drawing(rng, arguments)
    also: list[ToolCall] = []
    with Trial(sampler) as trial:
        results = {}
        for call in (*before, wanted):
            result = trial.call(call)
            if not result.ok:
                return None
            results[call.name] = result.value
        made = {wanted.name: results[wanted.name]}
        for tool, given in goal.also(drawing) if goal.also else ():
            also.append(call_of(tool, with_made(given, made, wanted.name), sampler.database))
            result = trial.call(also[-1])
            if not result.ok:
                return None
            made[tool.name] = result.value
        after = []
        tells: list[Telling] = []
        answers: list[tuple[Kind, Json]] = []
        for tell in goal.tells if sampler.deep is None or goal.tool.kind != "write" else ():
            value, shown = told_value(sampler, goal, tell, drawing, made, trial)
            if value is None:
                return None
            if any(fact.value == value for fact in wish.facts):
                continue  # the person said it, so hearing it again tells nothing
            after += [shown] if shown else []
            each = value if isinstance(value, list) else [value]
            tells += [told(told_kind(sampler, goal, tell), one, tell.near) for one in each]
            answers += [(told_kind(sampler, goal, tell), one) for one in each if tell.value is None]
        further = None
        if goal.asks and sampler.deep is None and rng.random() < ASKED:
            ask = rng.choice(goal.asks)
            value, shown = told_value(sampler, goal, ask.tells, drawing, made, trial)
            if value is None:
                return None
            after += [shown] if shown else []
            answer = told(told_kind(sampler, goal, ask.tells), value, ask.tells.near)
            further = Wish(kind="ask", utterance=ask.says, must_communicate=(answer,), outcome="answered")
    writes = goal.tool.kind == "write"
    outcome = "transferred" if goal.tool.ends_episode else "done" if writes else "answered"
    changes: dict[str, Any] = {"must_communicate": tuple(tells), "outcome": outcome}
    further_writes = (call for call in also if sampler.domain.tools[call.name].kind == "write")
    changes["calls"] = (*mending, wanted, *further_writes) if writes else ()
    gold = (*before, *(() if not writes and wanted in before else (wanted,)), *also, *after)
    wish, needs = wish.model_copy(update=changes), goal.tool.name
    return Drawn(wish, about, gold, arguments, further=further, needs=needs, answers=tuple(answers))
