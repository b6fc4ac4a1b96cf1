"""Two harder ways to say which row a wish is about: with a wrong detail, and by a rule that chooses between two rows.

A mistaken person says one detail that no row has; the rest fits one row alone, so that a look-up shows what is meant.
Who chooses names two rows and says which of them it is to be, so that both have to be looked at. Not for rows that are
described as they are: see `toolgym.sandbox.synthesis.knowledge`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from random import Random
from typing import Any, NamedTuple

from toolgym.sandbox.kit.goal import Slot, Thing
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.reference import kind_of
from toolgym.sandbox.kit.sentence import filled, places
from toolgym.sandbox.kit.table import column_types, key_column, noun
from toolgym.sandbox.kit.task import Fact
from toolgym.sandbox.synthesis.arguments import written
from toolgym.sandbox.synthesis.knowledge import columns_of, every_columns, looked_at
from toolgym.sandbox.synthesis.lookup import lookup
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.value_words import in_words

CENTS, DAYS = (100, 200, 300, 500, 1000, 2000), (1, 2, 3)
"""By how much people mistake an amount, and a day."""
USUAL = 0.1
"""The share of rows that have a word which is taken for another one, such as a city: it is no name of any of them."""
KEY = 0.5
"""The share of mistaken people that get a number wrong which people of their world say, such as an order's."""


class Named(NamedTuple):
    """How a row is named.

    Attributes:
        words: the person's.
        meant: what they come to.
        columns: what of them is so, by which the row is known.
        calls: the look-ups that find it.
    """

    words: str
    meant: str
    columns: dict[str, Any]
    calls: list[ToolCall]


Naming = Callable[[Sampler, Any, Random], Named | None]
"""Names a row; None where it cannot be named so."""


def named_fact(
    sampler: Sampler, slot: Slot, row: Any, naming: Naming, rng: Random
) -> tuple[Fact, list[ToolCall]] | None:
    """What a person knows of a slot whose row is named so, with the look-ups; None where that is no row of theirs."""
    is_one = hasattr(row, "model") and not slot.reads and row != sampler.person and sampler.database.is_own(row)
    named = naming(sampler, row, rng) if is_one else None
    if named is None:
        return None
    known, key = written(named.columns, sampler.database), getattr(row, key_column(row.model))
    fact = Fact(name=slot.name, value=key, kind="reference", words=named.words, described=True, known_by=known)
    return fact.model_copy(update={"meant": named.meant}), named.calls


def mistaken(sampler: Sampler, row: Any, rng: Random) -> Named | None:
    """A row with one wrong detail, without which it is still the only one that is meant.

    What is wrong is a key, an amount, a day, or a word that sorts rows at the sentence's end: "{name} at {company}".
    """
    thing = sampler.thing(row.model)
    if thing is None:
        return None
    keyed = _with_wrong_key(sampler, row, rng) if thing.says_key and rng.random() < KEY else None
    return keyed or _with_wrong_detail(sampler, row, thing, rng)


def _with_wrong_detail(sampler: Sampler, row: Any, thing: Thing, rng: Random) -> Named | None:
    types = column_types(row.model)
    for sentence in rng.sample(list(thing.says), len(thing.says)):
        columns = places(sentence)
        values, every = columns_of(sampler, row, columns), every_columns(sampler, row.model, columns)
        for name in rng.sample(list(values), len(values)) if not {None, ""} & set(values.values()) else ():
            known = {each: value for each, value in values.items() if each != name}
            fitting = [other for other in every if {each: other[each] for each in known} == known]
            kind = kind_of(name, types[name])
            is_name = kind == "text" and (name not in row.model.__table__.columns or name != columns[-1][0])
            wrong = _wrong(kind, values[name], [other[name] for other in every], rng)
            if not known or len(fitting) != 1 or is_name or wrong in (None, *values.values()):
                continue
            calls = lookup(sampler, row, known)
            if calls is not None:
                words = {
                    each: in_words(kind_of(each, types[each]), values[each], rng, now=sampler.now) for each in values
                }
                slip = in_words(kind, wrong, rng, now=sampler.now)
                return Named(filled(sentence, {**words, name: slip}), filled(sentence, words), known, calls)
    return None


def _wrong(kind: str, value: Any, every: Sequence[Any], rng: Random) -> Any:
    """What somebody takes a value for: an amount or a day that no row has, or a name that many have; None of others."""
    if kind == "money" and isinstance(value, int):
        by = rng.choice(CENTS)
        wrong = abs(value) + (by if rng.random() < 0.5 or by >= abs(value) else -by)
        return None if wrong in [abs(each) for each in every if isinstance(each, int)] else wrong
    if kind in ("date", "moment") and isinstance(value, date):
        day = value + timedelta(days=rng.choice((-1, 1)) * rng.choice(DAYS))
        return None if day in every else day
    usual = [
        each
        for each, count in Counter(each for each in every if isinstance(each, str)).items()
        if count >= max(2, USUAL * len(every))
    ]
    others = [each for each in usual if each and each != value]
    return rng.choice(others) if isinstance(value, str) and others else None


def _with_wrong_key(sampler: Sampler, row: Any, rng: Random) -> Named | None:
    """A row by a key of which two digits have changed places, and by its description."""
    key = str(getattr(row, key_column(row.model)))
    pairs = [at for at in range(len(key) - 1) if key[at : at + 2].isdigit() and key[at] != key[at + 1]]
    swapped = [key[:at] + key[at + 1] + key[at] + key[at + 2 :] for at in pairs]
    wrong = [other for other in swapped if sampler.session.database.get(row.model, other) is None]
    found = looked_at(sampler, row, None, rng, "complete") if wrong else None
    if found is None:
        return None
    said = f"{noun(row.model)} {rng.choice(wrong)} ({found[0]})"
    return Named(said, f"{noun(row.model)} {key}", found[1], found[2])


def choosing(sampler: Sampler, row: Any, rng: Random) -> Named | None:
    """A row as that one of two which has more, or less, of something that a tool shows."""
    rows = sampler.rows(row.model)
    others = [each for each in rows if each != row] if row in rows else []
    conditions = [each for each in sampler.domain.conditions if each.table is row.model and each.more]
    for condition in rng.sample(conditions, len(conditions)) if others else ():
        other = rng.choice(others)
        mine, its = (getattr(sampler.view(each), condition.column) for each in (row, other))
        one, two = (looked_at(sampler, each, condition.by, rng, "complete") for each in (row, other))
        if None in (mine, its) or mine == its or one is None or two is None:
            continue
        if condition.column in {*one[1], *two[1]}:
            continue  # who tells the numbers knows which it is
        pair = " and ".join(rng.sample((one[0], two[0]), 2))
        words = f"whichever of {pair} {condition.more if mine > its else condition.less}"
        further = [call for call in two[2] if call not in one[2]]
        return Named(words, one[0], {**one[1], "of": two[1]}, [*one[2], *further])
    return None
