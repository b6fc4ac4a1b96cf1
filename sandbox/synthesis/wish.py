"""One wish, drawn whole: what is wanted, how it is said, what a right run calls and must tell.

From a goal's declaration and a person's live rows; nothing here knows a world.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from inspect import signature
from random import Random
from typing import Any

from sandbox.kit.goal import Goal, Slot, Tell, filled, places, without_untold
from sandbox.kit.message import Json, ToolCall
from sandbox.kit.reference import Kind, kind_of
from sandbox.kit.rule import Rule, known
from sandbox.kit.table import key_column, noun
from sandbox.kit.task import Fact, Information
from sandbox.kit.task import Goal as Wish
from sandbox.kit.telling import Telling
from sandbox.kit.tool import Tool
from sandbox.kit.view import column_types
from sandbox.synthesis.addressing import addressed
from sandbox.synthesis.free_text import composed
from sandbox.synthesis.lookup import lookup, referred
from sandbox.synthesis.prepared import Prepared
from sandbox.synthesis.sampler import Arguments, Drawing, Sampler, call_of, kind_in, parameters, written
from sandbox.synthesis.spoken import in_words, told
from sandbox.synthesis.wording import NO, listed

Row = dict[str, Any]
"""Columns of a row with their values."""
ASKED = 0.3
"""The share of granted wishes that a question follows, where a goal declares one."""


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
    """

    wish: Wish
    about: tuple[Fact, ...]
    gold: tuple[ToolCall, ...]
    arguments: Arguments
    broken: Rule | None = None
    further: Wish | None = None
    needs: str = ""
    prepared: Prepared | None = None


def drawn(
    sampler: Sampler, goal: Goal, rng: Random, information: Information, *, breaking: Rule | None = None
) -> Drawn | None:
    """A wish of this goal; None when this person has nothing for it.

    Args:
        sampler: the person's world.
        goal: what is wanted.
        rng: decides everything.
        information: how the person puts it.
        breaking: the one rule that the wish is to break.
    """
    found = sampler.forbidden(goal, breaking, rng) if breaking else sampler.allowed(goal, rng)
    return None if found is None else worded(sampler, goal, found, rng, information, breaking)


def worded(
    sampler: Sampler, goal: Goal, arguments: Arguments, rng: Random, information: Information, broken: Rule | None
) -> Drawn | None:
    """The wish for these arguments; None when they cannot be said or found out."""
    arguments = composed(sampler, goal, arguments)
    facts: list[Fact] = []
    looked_up = _myself(sampler, arguments)
    for slot in _slots(sampler, goal, arguments):
        brought = _fact(sampler, goal, slot, arguments, rng, information)
        if brought is None:
            return None
        fact, calls = brought
        facts.append(fact)
        looked_up += [call for call in calls if call not in looked_up]
    said = _utterance(goal, facts, rng)
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
        reads = [call for call in _shown_by(sampler, broken, goal.tool, arguments) if call.name not in seen]
        handover = sampler.domain.handover
        if handover is not None and broken in handover.rules:
            away = ToolCall(name=handover.tool.name, arguments=dict.fromkeys(handover.tool.inputs.values(), utterance))
            wish = base.model_copy(update={"outcome": "transferred"})
            return Drawn(wish, (), (*looked_up, *reads, away), arguments, broken)
        reason = broken.reason(known(sampler.database, broken, arguments))
        wish = base.model_copy(
            update={"outcome": "refused", "must_communicate": (NO, Telling(reason, "reason", rule=broken.name))}
        )
        return Drawn(wish, (), (*looked_up, *reads), arguments, broken)
    return _granted(sampler, goal, base, arguments, wanted, looked_up, rng)


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
        call_of(rule.remedy, _own_values(sampler, rule.remedy), sampler.database)
        for rule in sampler.domain.rules
        if rule.remedy is not None and rule.applies(goal.tool) and not sampler.holds(rule, arguments)
    ]
    mending = list({call.name: call for call in mending}.values())
    about = tuple(_told_when_asked(sampler, call) for call in mending)
    before, drawing = [*looked_up, *mending], sampler.drawing(rng, arguments)
    also = [call_of(tool, given, sampler.database) for tool, given in (goal.also(drawing) if goal.also else ())]
    with sampler.session.fork() as session:
        results = {}
        for call in (*before, wanted, *also):
            result = session.call(call.name, call.arguments)
            if not result.ok:
                return None
            results[call.name] = result.value
        after = []
        tells = []
        for tell in goal.tells if sampler.hops is None or goal.tool.kind != "write" else ():
            value, shown = _value(sampler, goal, tell, drawing, results, session)
            if value is None:
                return None
            if any(fact.value == value for fact in wish.facts):
                continue  # the person said it, so hearing it again tells nothing
            after += [shown] if shown else []
            each = value if isinstance(value, list) else [value]
            tells += [told(_kind(sampler, goal, tell), one, tell.near) for one in each]
        further = None
        if goal.asks and sampler.hops is None and rng.random() < ASKED:
            ask = rng.choice(goal.asks)
            value, shown = _value(sampler, goal, ask.tells, drawing, results, session)
            if value is None:
                return None
            after += [shown] if shown else []
            answer = told(_kind(sampler, goal, ask.tells), value, ask.tells.near)
            further = Wish(kind="ask", utterance=ask.says, must_communicate=(answer,), outcome="answered")
    writes = goal.tool.kind == "write"
    outcome = "transferred" if goal.tool.ends_episode else "done" if writes else "answered"
    changes: dict[str, Any] = {"must_communicate": tuple(tells), "outcome": outcome}
    changes["calls"] = (*mending, wanted, *also) if writes else ()
    gold = (*before, *(() if not writes and wanted in before else (wanted,)), *also, *after)
    return Drawn(wish.model_copy(update=changes), about, gold, arguments, further=further, needs=goal.tool.name)


# --- what is known and said ---


def _slots(sampler: Sampler, goal: Goal, arguments: Arguments) -> list[Slot]:
    """What the person brings to a wish: slots whose value is no default, no composed text and not the person."""
    found = []
    for name, value in arguments.items():
        slot = goal.slot(name)
        is_person = value in (sampler.person, [sampler.person])
        if slot in found or is_person or kind_in(goal.tool, name) == "free" or name in goal.worked_out:
            continue
        parameter = parameters(goal.tool).get(name)
        if parameter is None and (slot not in (*goal.slots, *goal.about) or value == ""):
            continue
        if parameter is None or value != parameter.default:
            found.append(slot)
    return found


def _fact(
    sampler: Sampler, goal: Goal, slot: Slot, arguments: Arguments, rng: Random, information: Information
) -> tuple[Fact, list[ToolCall]] | None:
    """What the person knows of one slot, and the look-ups that its description asks for."""
    value: Any = {name: arguments[name] for name in slot.fills} if slot.fills else arguments[slot.name]
    kind: Kind = "reference" if slot.name in goal.tables else kind_in(goal.tool, slot.name)
    if isinstance(value, date) and not isinstance(value, datetime):
        kind = "date"
    elif slot.fills or slot.say:
        kind = "number" if isinstance(value, int) else "record"
    asked = information != "complete" and rng.random() < (slot.withheld if information == "withheld" else 0.0)
    drawing = sampler.drawing(rng, arguments)
    more = [call_of(tool, given, sampler.database) for tool, given in (slot.reads(drawing) if slot.reads else ())]
    same = _same(sampler, slot, value, rng) if slot.same_as and information == "described" else None
    if same is not None:
        words, columns, steps = same
        changes = {"words": words, "described": True, "known_by": written(columns, sampler.database)}
        held = Fact(name=slot.name, value=written(value, sampler.database), on_request=asked, kind=kind)
        return held.model_copy(update=changes), steps
    if kind != "reference":
        words = asking(slot.say, value, drawing) if slot.say else in_words(kind, value, rng, slot.words, sampler.now)
        plain = written(value, sampler.database)
        return Fact(name=slot.name, value=plain, on_request=asked, kind=kind, words=words), more
    rows = value if isinstance(value, list) else [value]
    whose, thing = all(sampler.database.is_own(row) for row in rows), sampler.thing(rows[0].model)
    keys = [getattr(row, key_column(row.model)) for row in rows]
    fact = Fact(name=slot.name, value=keys if isinstance(value, list) else keys[0], on_request=asked, kind=kind)
    if (information == "complete" and (thing is None or thing.has_known_key)) or not whose:
        named = [key if "@" in key else f"{noun(row.model)} {key}" for row, key in zip(rows, keys, strict=True)]
        return fact.model_copy(update={"words": listed(named)}), more
    found = [looked_at(sampler, row, None, rng) for row in rows]
    told = [each for each in found if each is not None]
    if len(told) < len(found):
        return None
    spoken_of = [written(each[1], sampler.database) for each in told]
    changes = {
        "words": listed([each[0] for each in told]),
        "described": True,
        "known_by": spoken_of[0] if fact.value == keys[0] else {"each": spoken_of},
    }
    return fact.model_copy(update=changes), [*(call for each in told for call in each[2]), *more]


def _same(sampler: Sampler, slot: Slot, value: Any, rng: Random) -> tuple[str, Row, list[ToolCall]] | None:
    """Words for a value that stands elsewhere as well, and the look-ups that lead there."""
    for same in slot.same_as:
        for row in sampler.rows(same.table):
            if abs(getattr(row, same.column)) != value:
                continue
            found = looked_at(sampler, row, same.by, rng)
            if found is not None:
                return filled(same.says, {"it": found[0]}), found[1], found[2]
    return None


def looked_at(sampler: Sampler, row: Any, by: Tool | None, rng: Random) -> tuple[str, Row, list[ToolCall]] | None:
    """Words for a row, the columns that they speak of, and the look-ups that find and show it."""
    if sampler.hops is None:
        described = describe(sampler, row, rng)
        found = None if described is None else lookup(sampler, row, described[1])
    else:
        way = addressed(sampler, row, rng, rng.randint(sampler.hops * 2 // 3, sampler.hops))
        described = None if way is None else (way.words, dict(way.columns))
        found = None if way is None else list(way.calls)
    if described is None or found is None:
        return None
    shown = None if by is None else beside(sampler, by, by, dict.fromkeys(by.references, row))
    return *described, found if shown is None else [*found, shown]


def describe(sampler: Sampler, row: Any, rng: Random) -> tuple[str, Row] | None:
    """Words that fit this row and no other of the person's, with the columns that they speak of."""
    thing = sampler.thing(row.model)
    if thing is None:
        return None
    for sentence in rng.sample(list(thing.says), len(thing.says)):
        columns = places(sentence)
        values = _columns(sampler, row, columns)
        if any(value in (None, "") for value in values.values()):
            continue
        twins = [other for other in sampler.rows(row.model) if _columns(sampler, other, columns) == values]
        if len(twins) == 1:
            types = column_types(row.model)
            words = {
                name: in_words(kind_of(name, types[name]), value, rng, now=sampler.now)
                for name, value in values.items()
            }
            return filled(sentence, words), values
    return None


def _columns(sampler: Sampler, row: Any, columns: list[tuple[str, str]]) -> dict[str, Any]:
    view = sampler.view(row)
    values = {column: getattr(view, column) for column, _ in columns}
    return values | {column: values[column].date() for column, coarsely in columns if coarsely == "day"}


def signed_in(sampler: Sampler, rng: Random, *, asked: bool) -> tuple[tuple[Fact, ...], tuple[ToolCall, ...]]:
    """What a person says of themself at a desk, and the look-up that finds them."""
    identity, person = sampler.domain.identity, sampler.person
    if identity is None or person is None:
        return (), ()
    for tool in rng.sample(list(identity.found_by), len(identity.found_by)):
        said = identity.known(sampler.database, person, tool)
        if said is not None:
            facts = tuple(Fact(name=name, value=value, on_request=asked) for name, value in said.items())
            return facts, (ToolCall(name=tool.name, arguments=said),)
    return (), ()


def _utterance(goal: Goal, facts: list[Fact], rng: Random) -> tuple[str, set[str]] | None:
    """The wish as the person says it first, without what is told only when asked; and the parameters it names."""
    told = {fact.name: fact.words for fact in facts if not fact.on_request}
    left = []
    for sentence in goal.says:
        kept = without_untold(sentence, told)
        named = {name for name, _ in places(kept)}
        if named <= set(told):
            left.append((len(named), kept))
    most = max((count for count, _ in left), default=0)
    whole = [kept for count, kept in left if count == most]
    if not whole:
        return None
    chosen = rng.choice(whole)
    text = filled(chosen, told)
    return _SENTENCE.sub(lambda match: match.group().upper(), text), {name for name, _ in places(chosen)}


_SENTENCE = re.compile(r"(?:^|(?<=[a-z\d][.?!] ))[a-z]")
"""The first letter of a sentence."""


def asking(function: Callable[..., Any], value: Any, drawing: object) -> Any:
    """What a world's function says of a value; one with a second parameter is given all that was drawn."""
    return function(value, drawing) if len(signature(function).parameters) > 1 else function(value)


# --- what a right run does ---


def _myself(sampler: Sampler, arguments: Arguments) -> list[ToolCall]:
    """The look-up that shows the person's own key, where the call needs it."""
    person = sampler.person
    if sampler.domain.owner is None or not any(value in (person, [person]) for value in arguments.values()):
        return []
    for tool in sampler.domain.tools.values():
        if tool.kind == "read" and person.model in tool.shows and not parameters(tool):
            return [call_of(tool, {}, sampler.database)]
    return []


def _own_values(sampler: Sampler, tool: Tool) -> dict[str, Any]:
    """Arguments that are columns of the owner's row, such as a PIN."""
    row = sampler.person
    return {name: getattr(row, name) for name in tool.inputs if row is not None and hasattr(row, name)}


def _told_when_asked(sampler: Sampler, call: ToolCall) -> Fact:
    tool = sampler.domain.tools[call.name]
    assert isinstance(call.arguments, dict)
    name, value = next(iter(call.arguments.items()))
    return Fact(name=name, value=value, on_request=True, kind=tool.kinds[name], words=str(value))


def _shown_by(sampler: Sampler, rule: Rule, tool: Tool, arguments: Arguments) -> Iterator[ToolCall]:
    """The reads that show whether a rule holds for these arguments."""
    seen = known(sampler.database, rule, arguments, lambda call: sampler.read(call).value)
    looks: list[ToolCall] = []
    for made in (rule.look(name, seen) for name in rule.looks):
        looks += [] if made is None else [made] if isinstance(made, ToolCall) else made
    for read in rule.reads:
        call = beside(sampler, read, tool, arguments)
        if call is not None and read.name not in {look.name for look in looks}:
            yield call
    yield from looks


def beside(sampler: Sampler, read: Tool, tool: Tool, arguments: Arguments) -> ToolCall | None:
    """A read call about the same things as a call; None when it asks for something else."""
    given: dict[str, Any] = {}
    for name, parameter in parameters(read).items():
        if name in read.takes:
            near = (*arguments.values(), sampler.person)
            fitting = [value for value in near if getattr(value, "model", None) in read.takes[name]]
            if fitting:
                fitting.sort(key=lambda value: value == sampler.person)  # what the wish is about goes first
                given[name] = next((value for value in fitting if value == arguments.get(name)), fitting[0])
                continue
        if parameter.default is parameter.empty:
            return None
    return call_of(read, given, sampler.database)


def _value(
    sampler: Sampler, goal: Goal, tell: Tell, drawing: Drawing, results: Mapping[str, Json], session: Any
) -> tuple[Json, ToolCall | None]:
    """What must be told, and the call that shows it when the wanted one does not."""
    call = None
    result = results[goal.tool.name]
    if tell.by is not None:
        known = drawing.values
        call = beside(sampler, tell.by, goal.tool, _referred(sampler, tell, known) if tell.of else known)
        assert call is not None, f"{tell.by.name} cannot show what {goal.name} must tell"
        result = session.call(call.name, call.arguments).value
    return (asking(tell.value, result, drawing) if tell.value else within(result, tell.name)), call


def _referred(sampler: Sampler, tell: Tell, arguments: Arguments) -> Arguments:
    """The row of another table that the wish's own rows refer to."""
    assert tell.of is not None
    rows = [value for value in arguments.values() if hasattr(value, "model")]
    found = (each for row in rows if (each := referred(sampler, row, tell.of)) is not None)
    return {"": next(found, None)}


def within(result: Json, path: str) -> Json:
    """A value in a result by its path, such as `items.0.name`."""
    for part in path.split("."):
        result = result[int(part)] if isinstance(result, list) else result[part]
    return result


def _kind(sampler: Sampler, goal: Goal, tell: Tell) -> Kind:
    if tell.kind is not None:
        return tell.kind
    column = tell.name.rsplit(".", 1)[-1]
    for table in (tell.by or goal.tool).shows:
        types = column_types(table)
        if column in types:
            return kind_of(column, types[column])
    return "money" if column.endswith("_cents") else "text"
