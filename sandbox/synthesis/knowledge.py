"""What a person knows of a wish and how they put it: facts, descriptions that fit one row alone, the first words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from random import Random
from types import MappingProxyType
from typing import Any

from sqlalchemy.orm import DeclarativeBase

from toolgym.sandbox.kit.goal import Goal, Slot
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.reference import Kind, kind_of
from toolgym.sandbox.kit.sentence import filled, places, without_untold
from toolgym.sandbox.kit.table import column_types, key_column, noun
from toolgym.sandbox.kit.task import Fact, Information
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.synthesis.addressing import Way, addressed
from toolgym.sandbox.synthesis.arguments import Arguments, call_of, kind_in, parameters, written
from toolgym.sandbox.synthesis.lookup import lookup
from toolgym.sandbox.synthesis.right_run import asking, beside
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.value_words import coarsely, in_words
from toolgym.sandbox.synthesis.wording import listed

HELD = 0.75
"""The share of wishes of dev and test that are said as training never says them."""
LED_TO, STEPS, WAYS = 0.75, 3, 4
"""The share of described rows that are known by other rows, how many look-ups lead to them at most, and how many such
descriptions of a row are looked for.
"""
Row = dict[str, Any]
"""Columns of a row with their values."""


def slots_told(sampler: Sampler, goal: Goal, arguments: Arguments) -> list[Slot]:
    """What the person brings to a wish: slots whose value is no default, no composed text and not the person."""
    found = []
    for name, value in arguments.items():
        slot = goal.slot(name)
        is_person = value in (sampler.person, [sampler.person])
        is_composed = kind_in(goal.tool, name) == "free" or (isinstance(value, str) and value in sampler.texts)
        if slot in found or is_person or is_composed or name in goal.worked_out:
            continue
        parameter = parameters(goal.tool).get(name)
        if parameter is None and (slot not in (*goal.slots, *goal.about) or value == ""):
            continue
        if parameter is None or value != parameter.default:
            found.append(slot)
    return found


def fact_of(
    sampler: Sampler, goal: Goal, slot: Slot, arguments: Arguments, rng: Random, information: Information
) -> tuple[Fact, list[ToolCall]] | None:
    """What the person knows of one slot, and the look-ups that its description asks for."""
    value: Any = {name: arguments[name] for name in slot.fills} if slot.fills else arguments[slot.name]
    kind: Kind = slot.kind or ("reference" if slot.name in goal.tables else kind_in(goal.tool, slot.name, value))
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
    says_key = thing is None or (thing.says_key if sampler.by_name else thing.has_known_key)
    if (information == "complete" and says_key) or not whose:
        named = [key if "@" in key else f"{noun(row.model)} {key}" for row, key in zip(rows, keys, strict=True)]
        return fact.model_copy(update={"words": listed(named)}), more
    found = [looked_at(sampler, row, None, rng, information) for row in rows]
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


def looked_at(
    sampler: Sampler, row: Any, by: Tool | None, rng: Random, information: Information | None = None
) -> tuple[str, Row, list[ToolCall]] | None:
    """Words for a row, the columns that they speak of, and the look-ups that find and show it."""
    if sampler.by_name and information != "complete" and by is None and rng.random() < LED_TO:
        way = _way(sampler, row, rng.randrange(WAYS))
        if way is not None and way.deep > 1:
            return way.words, dict(way.columns), list(way.calls)
    if sampler.deep is None:
        described = describe(sampler, row, rng, information if sampler.by_name else None)
        found = None if described is None else lookup(sampler, row, described[1])
    else:
        way = addressed(sampler, row, rng, rng.choice((sampler.deep, sampler.deep, rng.randint(1, sampler.deep))))
        described = None if way is None else (way.words, dict(way.columns))
        found = None if way is None else list(way.calls)
    if described is None or found is None:
        return None
    shown = None if by is None else beside(sampler, by, by, dict.fromkeys(by.references, row))
    return *described, found if shown is None else [*found, shown]


def _way(sampler: Sampler, row: Any, number: int) -> Way | None:
    """One of the ways along which a row is known by other rows, looked for once: it costs most of a draw."""
    place = (row.model, getattr(row, key_column(row.model)), number)
    if place not in sampler.ways:
        sampler.ways[place] = addressed(sampler, row, Random(f"{place[0].__name__}:{place[1]}:{number}"), STEPS)
    way: Way | None = sampler.ways[place]
    return way


def describe(sampler: Sampler, row: Any, rng: Random, information: Information | None = None) -> tuple[str, Row] | None:
    """Words that fit this row and no other of the person's, with the columns that they speak of.

    Who tells all at once calls it by its name if that will do, and who describes it does so at length.
    """
    thing = sampler.thing(row.model)
    if thing is None:
        return None
    sentences = rng.sample(list(thing.says), len(thing.says))
    if information in ("complete", "described"):
        sentences.sort(key=lambda sentence: len(places(sentence)), reverse=information == "described")
    for sentence in sentences:
        columns = places(sentence)
        values = columns_of(sampler, row, columns)
        if any(value in (None, "") for value in values.values()):
            continue
        if every_columns(sampler, row.model, columns).count(values) == 1:
            types = column_types(row.model)
            words = {
                name: in_words(kind_of(name, types[name]), value, rng, now=sampler.now)
                for name, value in values.items()
            }
            return filled(sentence, words), values
    return None


def every_columns(sampler: Sampler, model: type[DeclarativeBase], columns: Sequence[tuple[str, str]]) -> list[Row]:
    """Columns of all the person's rows of a table; worked out once."""
    return sampler.database.worked_out(
        ("columns", model, columns), lambda: [columns_of(sampler, row, columns) for row in sampler.rows(model)]
    )


def columns_of(sampler: Sampler, row: Any, columns: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Columns of a row with their values, of days no more than a sentence says."""
    view = sampler.view(row)
    return coarsely({column: getattr(view, column) for column, _ in columns}, columns)


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


def echoes(facts: Sequence[Fact]) -> bool:
    """Whether a description speaks of what the wish names anyway: "the lamp from the order with the lamp"."""
    return any(
        f" {value}".casefold() in f" {other.words}".casefold()
        for fact in facts
        for value in fact.known_by.values()
        for other in facts
        if isinstance(value, str) and other is not fact and not other.described
    )


def first_words(
    goal: Goal,
    facts: list[Fact],
    rng: Random,
    split: str = "",
    again: Mapping[str, str] = MappingProxyType({}),
) -> tuple[str, set[str]] | None:
    """The wish as the person says it first, without what is told only when asked; and the parameters it names.

    Every third sentence of a goal is kept from training, and most of those that dev and test hear are such. What was
    spoken of before has other words, `again`.
    """
    told = {fact.name: again.get(fact.name, fact.words) for fact in facts if not fact.on_request}
    whole = _fullest(goal, frozenset(told))
    if not whole:
        return None
    held = split != "train" and rng.random() < HELD
    fitting = [kept for kept, is_held in whole if is_held == held or not split]
    chosen = rng.choice(fitting or [kept for kept, _ in whole])
    text = filled(chosen, told)
    return _SENTENCE.sub(lambda match: match.group().upper(), text), {name for name, _ in places(chosen)}


@lru_cache(maxsize=10_000)
def _fullest(goal: Goal, told: frozenset[str]) -> list[tuple[str, bool]]:
    """The sentences that speak of the most of what is told and of nothing else, and whether they are kept back."""
    left = []
    for place, sentence in enumerate(goal.says):
        kept = without_untold(sentence, told)
        named = {name for name, _ in places(kept)}
        if named <= told:
            left.append((len(named), kept, place % 3 == 2))
    most = max((count for count, *_ in left), default=0)
    return [(kept, is_held) for count, kept, is_held in left if count == most]


_SENTENCE = re.compile(r"(?:^|(?<=[a-z\d][.?!] ))[a-z](?![\w.+-]*@)")
"""The first letter of a sentence that does not begin with an e-mail address."""
