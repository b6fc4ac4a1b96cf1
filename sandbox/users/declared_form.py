"""Every wish as its world's declared goal tells it, those of version 1 and of imported tasks too.

What a fact without a kind is follows from its name and from the argument that it became; where no declared goal can say
a wish, its facts are taken by what their values look like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from toolgym.sandbox.kit.errors import ToolgymError
from toolgym.sandbox.kit.goal import Goal, Slot
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.table import key_column, noun
from toolgym.sandbox.kit.task import Fact, Task
from toolgym.sandbox.kit.task import Goal as TaskGoal
from toolgym.sandbox.language.mentions import find_mentions
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.knowledge import fact_of
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.value_words import fact_in_words
from toolgym.sandbox.synthesis.wording import is_typed
from toolgym.sandbox.users.lexicon import PersonLexicon
from toolgym.sandbox.users.once_a_wish import once_a_wish
from toolgym.sandbox.users.records import leaves
from toolgym.sandbox.users.wish import Wish

_KEY = re.compile(r"#?[A-Z0-9_]+|\w+_\d+")
"""A fact that is nothing but a key."""
_NAME = re.compile(r"\b[A-ZÀ-Þ][a-zà-ÿ'-]+ [A-ZÀ-Þ][a-zà-ÿ'-]+\b")
_KEPT = 64
"""Persons whose rows are kept in memory."""


@lru_cache(maxsize=_KEPT)
def _sampler(domain: str, owner: Json, data: str) -> Sampler:
    return Sampler(get_domain(domain), owner, data=data)


@once_a_wish
def wish_of(task: Task, goal: TaskGoal) -> Wish:
    """The wish of a task, made ready once for all the episodes that play it."""
    if is_typed(task):
        return Wish(task, goal)
    if (declared := _declared(task, goal)) is not None:
        return declared
    names = dict.fromkeys(call.name for call in goal.calls)
    kind = "+".join(names) if len(names) > 1 and goal.kind in names else goal.kind
    now = task.now or get_domain(task.domain).now
    facts = tuple(_by_its_look(fact, now) for fact in goal.facts)
    return Wish(task, goal.model_copy(update={"kind": kind, "facts": facts}), {fact.name: fact.name for fact in facts})


def _declared(task: Task, goal: TaskGoal) -> Wish | None:
    """The wish as a declared goal; None where no declared goal can say it, or several calls fulfil it."""
    domain = get_domain(task.domain)
    if not goal.calls or not isinstance(goal.calls[0].arguments, dict):
        return None
    call, is_more = goal.calls[0], len(goal.calls) > 1
    alike = [each for each in domain.goals if each.tool.name == call.name and not each.against]
    fitting = [each for each in alike if (each.also is not None) is is_more]
    owner = _owner(task, call) if fitting else None
    if owner is None:
        return None
    sampler = _sampler(task.domain, owner, task.data)
    seen = _looked_up(task, call)
    told = [each for each in (_told(sampler, declared, goal, call, seen) for declared in fitting) if each is not None]
    if not told:
        return None
    best = min(told, key=lambda each: len(each.declared.slots) - len(each.facts))
    return _of(task, goal.model_copy(update={"kind": best.declared.name, "facts": tuple(best.facts)}), owner, best.own)


def _of(task: Task, goal: TaskGoal, owner: Json, own: Mapping[str, str]) -> Wish:
    wish = Wish(task.model_copy(update={"owner": owner}), goal, own)
    wish.person = _of_owner(task.domain, owner, wish.person)
    return wish


def _by_its_look(fact: Fact, now: datetime) -> Fact:
    """A fact without a kind as one, by what its value looks like."""
    words = _words(fact)
    if fact.kind is not None or not isinstance(fact.value, str):
        return fact.model_copy(update={"kind": fact.kind or "record", "words": words})
    made = next(_plainly(fact.name, words, now), None) if words == fact.value else None
    found = made or fact.model_copy(update={"kind": "text", "words": words})
    return found.model_copy(update={"on_request": fact.on_request})


def wish_of_step(task: Task, goal: TaskGoal, calls: Sequence[ToolCall], call: ToolCall) -> Wish | None:
    """One call of several that bring about what a wish asks for, as a wish of its own; None where nobody is served.

    Args:
        task: whose user.
        goal: the wish.
        calls: all that are made for it: an agent that proposes this one may speak of the others.
        call: the one.
    """
    domain = get_domain(task.domain)
    tool, owner = domain.tools[call.name], _owner(task, call)
    declared = next((each for each in domain.goals if each.tool is tool), None) or Goal(tool, (), ())
    sampler = None if owner is None else _sampler(task.domain, owner, task.data)
    arguments = None if sampler is None else _arguments(sampler, declared, call)
    if sampler is None or arguments is None:
        return None
    facts, told = [], dict[str, str]()
    for slot in declared.slots:
        made = _brought(sampler, declared, slot, arguments) if slot.name in arguments else None
        if made is not None:
            own = next((fact for fact in goal.facts if _slot(declared, fact) is slot), None)
            facts.append(made if own is None else _in_own_words(made, own))
            told |= {} if own is None else {slot.name: own.name}
    update = {"kind": declared.name, "facts": tuple(facts), "calls": tuple(calls)}
    return _of(task, goal.model_copy(update=update), owner, told)


def _looked_up(task: Task, call: ToolCall) -> dict[str, str]:
    """The rows that the right run looks up last before a call that does not name them, by their tables."""
    found: dict[str, str] = {}
    for before in task.gold[: task.gold.index(call)] if call in task.gold else ():
        tool = get_domain(task.domain).tools[before.name]
        given: Mapping[str, Any] = before.arguments if isinstance(before.arguments, dict) else {}
        found |= {table.__name__: str(given.get(tool.inputs[name])) for name, table in tool.references.items()}
    return found


def _of_owner(domain: str, owner: Json, person: PersonLexicon) -> PersonLexicon:
    """Words for the rows of one person alone, where a desk for anybody holds everybody's."""
    identity = get_domain(domain).identity
    if not person.is_shared or identity is None:
        return person
    column = key_column(identity.table)
    strange = {key for (_, key), row in person.rows.items() if row.get(column, owner) != owner}
    return replace(person, holders={place: keys - strange for place, keys in person.holders.items()}, alike={})


def _owner(task: Task, call: ToolCall) -> Json:
    """Whose task it is, by the call or by the rows that it names."""
    domain = get_domain(task.domain)
    table = domain.owner or (domain.identity.table if domain.identity else None)
    if table is None or task.owner is not None:
        return task.owner
    database = domain.database(task.data, now=task.now or domain.now, seed=0, task=task)
    tool, name = domain.tools[call.name], key_column(table)
    for parameter, wire in tool.inputs.items():
        model = tool.references.get(parameter)
        value = call.arguments.get(wire) if isinstance(call.arguments, dict) else None
        row = database.get(model, value) if model is not None and isinstance(value, str) else None
        key = getattr(row, name, None) if row is not None else None
        if key is not None and database.get(table, key) is not None:
            return str(key)
    return None


class _Told(NamedTuple):
    """A wish in a declared goal's words.

    Attributes:
        declared: the goal.
        facts: with their kinds.
        own: what the task calls them, by the names of the goal's slots.
    """

    declared: Goal
    facts: list[Fact]
    own: dict[str, str]


def _told(sampler: Sampler, declared: Goal, goal: TaskGoal, call: ToolCall, seen: Mapping[str, str]) -> _Told | None:
    """The facts with their kinds; None where the goal has no slot for one."""
    arguments = _arguments(sampler, declared, call)
    if arguments is None:
        return None
    found, own = dict[str, Fact](), dict[str, str]()
    for fact in goal.facts:
        made = _typed(sampler, declared, fact, arguments, seen)
        if made is None:
            return None
        if made.name not in found:
            is_its_own = _slot(declared, fact) is not None or made.kind != "record"
            words = _words(fact) if is_its_own else made.words
            found[made.name] = made.model_copy(update={"on_request": fact.on_request, "words": words})
            own[made.name] = fact.name
    for more in (
        _spoken_of(sampler, declared, arguments),
        _also_said(declared, goal),
        _only_one(sampler, declared, goal, call),
    ):
        found |= {fact.name: fact for fact in more if fact.name not in found}
    rows = {name: arguments.get(name) for name in declared.tool.references}
    is_whole = all(name in found or row is None or row == sampler.person for name, row in rows.items())
    return _Told(declared, list(found.values()), own) if is_whole else None


def _words(fact: Fact) -> str:
    return fact.words or fact_in_words(fact.value)


def _spoken_of(sampler: Sampler, declared: Goal, arguments: Mapping[str, Any]) -> Iterator[Fact]:
    """What a wish speaks of besides and the call tells, such as that the flights are direct."""
    for slot in declared.about:
        if slot.of_call is not None and (made := _brought(sampler, declared, slot, arguments)) is not None:
            yield made


def _also_said(declared: Goal, goal: TaskGoal) -> Iterator[Fact]:
    """Who is to be replaced, of whom the first words of a wish speak and no fact does."""
    given = " ".join(leaf for call in goal.calls for leaf in leaves(call.arguments))
    names = [name for name in _NAME.findall(goal.utterance) if not set(name.split()) <= set(given.split())]
    is_told = any(name in fact_in_words(fact.value) for fact in goal.facts for name in names)
    if len(names) == 1 and not is_told and any(slot.name == "old" for slot in declared.slots):
        yield Fact(name="old", value=names[0], kind="record", words=names[0])


def _only_one(sampler: Sampler, declared: Goal, goal: TaskGoal, call: ToolCall) -> Iterator[Fact]:
    """A row that a wish speaks of as the one that there is: "my line"."""
    given: Mapping[str, Any] = call.arguments if isinstance(call.arguments, dict) else {}
    for name, table in declared.tool.references.items():
        words, key = f"my {noun(table)}", given.get(declared.tool.inputs[name])
        if isinstance(key, str) and words in goal.utterance.lower() and key != sampler.owner:
            yield Fact(name=name, value=key, kind="reference", words=words)


def _arguments(sampler: Sampler, declared: Goal, call: ToolCall) -> dict[str, Any] | None:
    """A call's arguments by the parameters' names: rows for keys."""
    given: Mapping[str, Any] = call.arguments if isinstance(call.arguments, dict) else {}
    found: dict[str, Any] = {}
    for name, wire in declared.tool.inputs.items():
        table, value = declared.tool.references.get(name), given.get(wire)
        if wire not in given:
            continue
        is_key = isinstance(value, str | int)
        found[name] = value if table is None else sampler.database.get(table, value) if is_key else None
        if found[name] is None:
            return None
    drawing = sampler.drawing(Random(0), found)
    for slot in (*declared.slots, *declared.about):
        if slot.of_call is not None:
            try:
                drawing.values[slot.name] = slot.of_call(drawing)
            except (ToolgymError, LookupError, ValueError, TypeError, AttributeError):
                return None  # arguments of another form than the goal's
    return {**found, **drawing.values}


def _typed(
    sampler: Sampler, declared: Goal, fact: Fact, arguments: Mapping[str, Any], seen: Mapping[str, str]
) -> Fact | None:
    slot = _slot(declared, fact)
    if slot is not None and set(slot.fills or (slot.name,)) <= set(arguments):
        brought = _brought(sampler, declared, slot, arguments)
        return None if brought is None else _in_own_words(brought, fact)
    words = _words(fact)
    if slot is not None and slot.of is not None and isinstance(fact.value, str):
        key = fact.value if sampler.database.get(slot.of, fact.value) is not None else seen.get(slot.of.__name__)
        return Fact(name=slot.name, value=key, kind="reference", words=words) if key else None
    if slot is not None:
        return next(_plainly(slot.name, words, sampler.now), None)
    for other in (each for each in declared.slots if each.name in arguments):
        brought = _brought(sampler, declared, other, arguments)
        if brought is not None and _is_part(words, brought):
            return brought
    entry = next(_entries(words, arguments), None)
    if entry is not None:
        new = next((slot.name for slot in declared.slots if slot.name == "new"), entry[0])
        return Fact(name=new, value=entry[1], kind="record", words=words)
    return Fact(name="reason", value=words, kind="text", words=words) if fact.name in _BESIDE else None


def _brought(sampler: Sampler, declared: Goal, slot: Slot, arguments: Mapping[str, Any]) -> Fact | None:
    """A slot's fact as the goal makes it of the arguments; None for a value of another form than the goal draws."""
    try:
        brought = fact_of(sampler, declared, replace(slot, reads=None), dict(arguments), Random(0), "complete")
    except (ToolgymError, LookupError, ValueError, TypeError, AttributeError):
        return None
    return None if brought is None else brought[0]


def _is_part(words: str, whole: Fact) -> bool:
    """Whether words say what a slot holds, or one thing of several: a day of a trip, somebody who comes along."""
    held = leaves(whole.value)
    return words == whole.words or words in held or any(_NAME.fullmatch(each) and each in words for each in held)


_BESIDE = frozenset(("reason", "complaint"))
"""Facts that say why, which no argument holds."""


def _slot(declared: Goal, fact: Fact) -> Slot | None:
    """The slot of a fact, by its name: `payment` is `payment_method`, `order_id` is `order`."""
    name = fact.name.removesuffix("_id")
    names = list(dict.fromkeys((*(slot.name for slot in declared.slots), *declared.tool.inputs)))
    same = [each for each in names if each in (fact.name, name)]
    alike = [each for each in names if each.startswith(f"{name}_") or each.split("_")[-1] == name.split("_")[-1]]
    return declared.slot((same or alike)[0]) if same or alike else None


def _in_own_words(made: Fact, fact: Fact) -> Fact:
    """As the user says it, where that is more than a key."""
    if not isinstance(fact.value, str) or _KEY.fullmatch(fact.value) or made.kind == "choice":
        return made
    return made.model_copy(update={"words": _words(fact)})


def _plainly(name: str, words: str, now: datetime) -> Iterator[Fact]:
    """A day or a number that the call holds in another form, such as a sum."""
    for mention in find_mentions(words, None, now):
        if mention.kind == "date":
            yield Fact(name=name, value=mention.value.first.isoformat(), kind="date", words=words)
        elif mention.kind in ("number", "count"):
            yield Fact(name=name, value=mention.value, kind="number", words=words)


def _entries(words: str, arguments: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Json]]]:
    """What a list of the call holds of some words, such as the new one of several people."""
    for name, value in arguments.items():
        for entry in value if isinstance(value, list) else ():
            held = {key: leaf for key, leaf in entry.items() if str(leaf) in words} if isinstance(entry, dict) else {}
            if len(held) > 1 and leaves(list(held.values())):
                yield name, held
