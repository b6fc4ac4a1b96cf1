"""A wish whose facts have no kinds, told as the world's declared goal tells it: by the call that fulfils it.

What a fact is follows from its name and from the argument that it became; so proposals for the published tasks of
version 1 are compared as those of typed wishes are. Only comparing uses it: the user says their own words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from toolgym.sandbox.kit.errors import ToolgymError
from toolgym.sandbox.kit.goal import Goal, Slot
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.table import key_column, noun
from toolgym.sandbox.kit.task import Fact, Task
from toolgym.sandbox.kit.task import Goal as TaskGoal
from toolgym.sandbox.language.dialogue_acts import AgentAct
from toolgym.sandbox.language.mentions import find_mentions
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.knowledge import fact_of
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.value_words import fact_in_words
from toolgym.sandbox.users.comparison import Comparison, read_again
from toolgym.sandbox.users.lexicon import PersonLexicon
from toolgym.sandbox.users.once_a_wish import once_a_wish
from toolgym.sandbox.users.proposal_matching import LEFT_OUT, PlainVerdict
from toolgym.sandbox.users.reasons import may_be_reason
from toolgym.sandbox.users.records import leaves
from toolgym.sandbox.users.rivals import rivals
from toolgym.sandbox.users.slots import WishSlot, is_alike
from toolgym.sandbox.users.wish import Wish

_KEY = re.compile(r"#?[A-Z0-9_]+|\w+_\d+")
"""A fact that is nothing but a key."""
_NAME = re.compile(r"\b[A-ZÀ-Þ][a-zà-ÿ'-]+ [A-ZÀ-Þ][a-zà-ÿ'-]+\b")
_REPLACED = r"\b{0}'s (?:seat|place|spot|ticket)\b|\b(?:replac\w+|instead of|in place of|for) {0}\b"
_NAME_LIKE = 4
"""Letters of a text of a row by which somebody may speak of it, at least."""
_KEPT = 64
"""Persons whose rows are kept in memory."""


class TypedWish(NamedTuple):
    """A wish as its world declares it.

    Attributes:
        wish: to compare proposals with.
        facts: the facts without kinds that its slots stand for, by the slots' names.
    """

    wish: Wish
    facts: Mapping[str, Fact]


@lru_cache(maxsize=_KEPT)
def _sampler(domain: str, owner: Json, data: str) -> Sampler:
    return Sampler(get_domain(domain), owner, data=data)


@once_a_wish
def typed(task: Task, goal: TaskGoal) -> TypedWish | None:
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
    declared, facts = min(told, key=lambda each: len(each[0].slots) - len(each[1]))
    made = goal.model_copy(update={"kind": declared.name, "facts": tuple(fact for fact, _ in facts)})
    wish = Wish(task.model_copy(update={"owner": owner}), made)
    wish.person = _of_owner(task.domain, owner, wish.person)
    return TypedWish(wish, {fact.name: own for fact, own in facts})


def wish_of_step(task: Task, goal: TaskGoal, calls: Sequence[ToolCall], call: ToolCall) -> TypedWish | None:
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
    found: dict[str, tuple[Fact, Fact]] = {}
    for slot in declared.slots:
        made = _brought(sampler, declared, slot, arguments) if slot.name in arguments else None
        if made is not None:
            own = next((fact for fact in goal.facts if _slot(declared, fact) is slot), made)
            found[slot.name] = (made if own is made else _in_own_words(made, own), own)
    facts = tuple(made for made, _ in found.values())
    wish = Wish(
        task.model_copy(update={"owner": owner}),
        goal.model_copy(update={"kind": declared.name, "facts": facts, "calls": tuple(calls)}),
    )
    wish.person = _of_owner(task.domain, owner, wish.person)
    return TypedWish(wish, {name: own for name, (_, own) in found.items()})


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


def _told(
    sampler: Sampler, declared: Goal, goal: TaskGoal, call: ToolCall, seen: Mapping[str, str]
) -> tuple[Goal, list[tuple[Fact, Fact]]] | None:
    """The facts with their kinds, each beside the one without; None where the goal has no slot for one."""
    arguments = _arguments(sampler, declared, call)
    if arguments is None:
        return None
    found: list[tuple[Fact, Fact]] = []
    for fact in goal.facts:
        made = _typed(sampler, declared, fact, arguments, seen)
        if made is None:
            return None
        if all(other.name != made.name for other, _ in found):
            made = made.model_copy(update={"on_request": fact.on_request})
            found.append((made, fact if _slot(declared, fact) or made.kind != "record" else made))
    found += _spoken_of(sampler, declared, arguments, {made.name for made, _ in found})
    found += _also_said(sampler, declared, goal, {made.name for made, _ in found})
    found += _only_one(sampler, declared, goal, call, {made.name for made, _ in found})
    told, rows = {made.name for made, _ in found}, {name: arguments.get(name) for name in declared.tool.references}
    is_whole = all(name in told or row is None or row == sampler.person for name, row in rows.items())
    return (declared, found) if is_whole else None


def _spoken_of(
    sampler: Sampler, declared: Goal, arguments: Mapping[str, Any], told: set[str]
) -> Iterator[tuple[Fact, Fact]]:
    """What a wish speaks of besides and the call tells, such as that the flights are direct."""
    for slot in declared.about:
        if slot.of_call is not None and slot.name not in told:
            made = _brought(sampler, declared, slot, arguments)
            if made is not None:
                yield made, made


def _also_said(sampler: Sampler, declared: Goal, goal: TaskGoal, told: set[str]) -> Iterator[tuple[Fact, Fact]]:
    """Who is to be replaced, of whom the first words of a wish speak and no fact does."""
    missing = [slot.name for slot in declared.slots if slot.name not in told and slot.name == "old"]
    given = " ".join(leaf for call in goal.calls for leaf in leaves(call.arguments))
    names = [name for name in _NAME.findall(goal.utterance) if not set(name.split()) <= set(given.split())]
    if (
        missing
        and len(names) == 1
        and all(name not in fact_in_words(fact.value) for fact in goal.facts for name in names)
    ):
        fact = Fact(name=missing[0], value=names[0], kind="record", words=names[0])
        yield fact, fact


def _only_one(
    sampler: Sampler, declared: Goal, goal: TaskGoal, call: ToolCall, told: set[str]
) -> Iterator[tuple[Fact, Fact]]:
    """A row that a wish speaks of as the one that there is: "my line"."""
    given: Mapping[str, Any] = call.arguments if isinstance(call.arguments, dict) else {}
    for name, table in declared.tool.references.items():
        words, key = f"my {noun(table)}", given.get(declared.tool.inputs[name])
        if name not in told and isinstance(key, str) and words in goal.utterance.lower() and key != sampler.owner:
            fact = Fact(name=name, value=key, kind="reference", words=words)
            yield fact, fact


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
    words = fact.words or fact_in_words(fact.value)
    if slot is not None and slot.of is not None and isinstance(fact.value, str):
        key = fact.value if sampler.database.get(slot.of, fact.value) is not None else seen.get(slot.of.__name__)
        return Fact(name=slot.name, value=key, kind="reference", words=words) if key else None
    if slot is not None:
        return next(_plainly(slot.name, words, sampler), None)
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
    return made.model_copy(update={"words": fact.words or fact_in_words(fact.value)})


def _plainly(name: str, words: str, sampler: Sampler) -> Iterator[Fact]:
    """A day or a number that the call holds in another form, such as a sum."""
    for mention in find_mentions(words, None, sampler.now):
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


def _need_not_be_named(heard: AgentAct, typed_wish: TypedWish, told: frozenset[str]) -> frozenset[str]:
    """Slots of which a proposal may be silent: why; how it is paid, if that was said; which row, if more is told.

    It is not silent that gives another reason or names another row of the same sort.
    """
    wish, facts = typed_wish
    mentions = find_mentions(heard.plain, wish.person.lexicon, wish.now)
    more = sum("reason" not in slot.fact.name for slot in wish.needed) > 1
    given = wish.declared.tool.kinds if wish.declared else {}
    found = set()
    for slot in wish.slots:
        fact = facts[slot.fact.name]
        if slot.fact.name == "old" and _NAME.match(slot.words):  # "in Lucia's seat"
            may_be_silent = re.search(_REPLACED.format(slot.words.split()[0].casefold()), heard.text) is not None
        elif slot.kind == "record" and fact.name in told:
            may_be_silent = sum(_holds_keys(each) for each in wish.slots) > 1  # what they become is told
        elif "reason" in slot.fact.name:
            may_be_silent = may_be_reason(heard.text, f"{slot.words} {fact.value}".casefold())
        else:
            may_be_silent = fact.name in told if fact.name in LEFT_OUT else more and slot in wish.needed
            may_be_silent |= bool(slot.table) and slot.fact.name not in given  # what it is for, as a certificate
            alike = (each for each in mentions if slot.table and is_alike(slot, each))
            may_be_silent &= bool(slot.table) and all(
                slot.fits(each, wish.person) or wish.explains(each) for each in alike
            )
            may_be_silent = may_be_silent and (fact.name in LEFT_OUT or not _may_be_elsewhere(slot, wish, heard.text))
        if may_be_silent:
            found.add(slot.fact.name)
    return frozenset(found)


def _holds_keys(slot: WishSlot) -> bool:
    """Whether a slot holds lists of keys, such as the items of an exchange."""
    return isinstance(slot.fact.value, dict) and any(isinstance(each, list) for each in slot.fact.value.values())


def _may_be_elsewhere(slot: WishSlot, wish: Wish, text: str) -> bool:
    """Whether an action on something else takes the same, and the row's sort is not said: a profile's new address."""
    others = [each for each in wish.slots if each is not slot and each.kind != "reference"]
    rivalling = (action for action in rivals(wish.domain, wish.kind, others, text))
    alike = [each for each in rivalling if slot.table not in each.takes and len(each.needs) <= len(others)]
    own = (name for name in wish.held.texts if len(name) > _NAME_LIKE)
    is_said = wish.world.nouns[slot.table] in text or any(name in text for name in own)
    return bool(alike) and not is_said


def compare_typed(
    heard: AgentAct, typed_wish: TypedWish, told: frozenset[str], settled: frozenset[str] = frozenset()
) -> PlainVerdict:
    """Compare a message with the declared wish, and tell what came of it by the facts without kinds.

    Args:
        heard: the message.
        typed_wish: what is wanted.
        told: names of the facts that the user has said.
        settled: names of those that the agent has named before, which nobody has to say again.
    """
    wish, facts = typed_wish
    open_ones = _need_not_be_named(heard, typed_wish, told)
    open_ones |= {name for name, fact in facts.items() if fact.name in settled}
    found = read_again(heard, wish, Comparison(heard, wish, open_ones))
    mentions = find_mentions(heard.plain, wish.person.lexicon, wish.now)
    named = [each for each in mentions if any(slot.fits(each, wish.person) for slot in found.named)]
    return PlainVerdict(
        fit=found.fit,
        wrong=[(facts.get(slot.fact.name), words) for slot, words in found.wrong],
        missing=[facts[slot.fact.name] for slot in found.missing],
        told=[facts[slot.fact.name] for slot in found.named],
        beside=found.beside,
        named=named,
        asserts=found.asserts,
    )
