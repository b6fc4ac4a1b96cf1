"""Wishes put together: one after another, with a second choice, with a change of mind, on a condition.

What is wished for is drawn by `toolgym.sandbox.synthesis.wish`; here is only how wishes combine. A later wish is drawn
in the world as the earlier ones leave it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import takewhile
from random import Random
from typing import Any

from toolgym.sandbox.kit.goal import Condition
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.reference import kind_of
from toolgym.sandbox.kit.sentence import filled
from toolgym.sandbox.kit.table import column_types, key_column
from toolgym.sandbox.kit.task import Fact, Information
from toolgym.sandbox.kit.task import Goal as Wish
from toolgym.sandbox.kit.telling import Telling
from toolgym.sandbox.synthesis.arguments import written
from toolgym.sandbox.synthesis.knowledge import looked_at
from toolgym.sandbox.synthesis.lookup import referred
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.value_words import in_words, told
from toolgym.sandbox.synthesis.wish import Drawn
from toolgym.sandbox.synthesis.wording import (
    BEGINNINGS,
    CHANGED,
    HINTS,
    HURRIED,
    LATER,
    NO,
    ONLY,
    TAKEN_BACK,
    continued,
)

TRIES = 4
"""Draws of a further wish that is about other things."""
Draw = Callable[[Sampler], Drawn | None]
"""Draws one wish of a person, in the world as it is."""


def several(sampler: Sampler, draws: Sequence[Draw], rng: Random) -> list[Drawn] | None:
    """Wishes one after the other, each about things that those before left alone; fewer, but two, where more fail."""
    wishes: list[Drawn] = []
    with ExitStack() as copies:
        for draw, later in zip(draws, rng.sample(LATER, len(draws)), strict=True):
            if any(wish.wish.outcome == "transferred" for wish in wishes):
                return None  # nobody is there for a further wish
            if wishes:
                sampler = sampler.after(wishes[-1].gold)
                copies.callback(sampler.close)
            found = (draw(sampler) for _ in range(TRIES))
            wish = next((wish for wish in found if wish and not any(_repeats(wish, other) for other in wishes)), None)
            if wish is None:
                break
            wishes.append(_said(wish, later.format(say=continued(wish.wish))) if wishes else wish)
    return wishes if len(wishes) > 1 else None


def second_choice(first: Drawn, other: Drawn, rng: Random, *, is_near: bool = False) -> Drawn | None:
    """A wish that must be refused, and what the person wants then.

    Args:
        first: what must be refused.
        other: what is wanted then.
        rng: decides the words.
        is_near: the other one was drawn to be near the first; without it, it must be about other things.
    """
    if first.broken is None or first.wish.outcome == "transferred" or not other.wish.calls:
        return None
    if not is_near and _overlaps(first, other):
        return None
    said = first.wish.utterance + rng.choice(HINTS)
    changes = {"utterance": said, "must_communicate": (), "calls": (), "fallback": other.wish}
    wish = first.wish.model_copy(update=changes)
    return Drawn(wish, other.about, _together(first, other), other.arguments)


def change_of_mind(begun: Drawn, final: Drawn, rng: Random) -> Drawn | None:
    """A wish that becomes another as soon as the agent proposes to carry it out."""
    if not begun.wish.calls or not final.wish.calls or begun.wish.utterance == final.wish.utterance:
        return None
    said = rng.choice(CHANGED).format(say=continued(final.wish))
    last = final.wish.model_copy(update={"utterance": said})
    wish = begun.wish.model_copy(update={"calls": (), "must_communicate": (), "revised_to": last})
    proposed = [call for call in begun.gold if call not in begun.wish.calls]  # looked up for the first proposal
    return Drawn(wish, final.about, _unique((*proposed, *final.gold)), final.arguments)


def taken_back(begun: Drawn | None, rng: Random) -> Drawn | None:
    """A wish that is taken back as soon as the agent proposes to carry it out: only looking is right."""
    if begun is None or not begun.wish.calls or begun.about:  # whose PIN was checked would leave a trace of that
        return None
    last = Wish(kind="ask", utterance=rng.choice(TAKEN_BACK), outcome="answered")
    wish = begun.wish.model_copy(update={"calls": (), "must_communicate": (), "revised_to": last})
    first = next(place for place, call in enumerate(begun.gold) if call in begun.wish.calls)
    return replace(begun, wish=wish, gold=begun.gold[:first], further=None, answers=())


def hurried(begun: Drawn | None, rng: Random) -> Drawn | None:
    """A wish with a yes before anything was proposed, which is a yes to nothing yet."""
    if begun is None or not begun.wish.calls or begun.wish.utterance.endswith("?"):
        return None
    said = begun.wish.utterance + rng.choice(HURRIED)
    return replace(begun, wish=begun.wish.model_copy(update={"utterance": said}))


def may_depend(sampler: Sampler) -> bool:
    """Whether a wish of this person may depend on a number: the world declares one, and the person has rows with it."""
    return any(sampler.rows(condition.table) for condition in sampler.domain.conditions)


def on_condition(sampler: Sampler, wish: Drawn, rng: Random, information: Information) -> Drawn | None:
    """A wish that depends on a number: granted when it is high enough, and left alone when it is not."""
    if wish.broken is not None or not wish.wish.calls:
        return None
    condition = rng.choice(list(sampler.domain.conditions))
    rows = sampler.rows(condition.table)
    row = rng.choice(rows) if rows else None
    value: int | None = None if row is None else getattr(sampler.view(row), condition.column)
    found = None if value is None else looked_at(sampler, row, condition.by, rng)
    if value is None or found is None:
        return None
    words, columns, calls = found
    holds = rng.random() < 0.5
    least = _threshold(value, rng, above=not holds)
    same = {str(fact.value) for fact in wish.wish.facts} & {str(getattr(row, key_column(condition.table)))}
    if least < 1 or same or condition.column in columns:
        return None  # nobody would say so
    kind = kind_of(condition.column, column_types(condition.table)[condition.column])
    said = filled(condition.says, {"it": words, "value": in_words(kind, least, rng)})
    begin = f"{wish.wish.utterance} {rng.choice(ONLY)} {said}."
    if wish.wish.utterance.startswith(BEGINNINGS) and rng.random() < 0.6:
        begin = f"{said[0].upper()}{said[1:]}, {continued(wish.wish)}"
    known = written(columns, sampler.database)
    fact = Fact(name="condition", value=said, kind="text", words=said, known_by=known)
    changes: dict[str, Any] = {"utterance": begin, "facts": (*wish.wish.facts, fact)}
    if not holds:
        changes |= {"calls": (), "outcome": "answered", "must_communicate": (told(kind, value),)}
    gold = _unique((*calls, *(wish.gold if holds else ())))
    about, further = (wish.about, wish.further) if holds else ((), None)
    return Drawn(wish.wish.model_copy(update=changes), about, gold, wish.arguments, further=further)


def on_its_condition(sampler: Sampler, wish: Drawn, rng: Random) -> Drawn | None:
    """A wish that depends on a number of what it is about, or of what that belongs to."""
    if wish.broken is not None or not wish.wish.calls:
        return None
    for condition, row, fact in _conditions(sampler, wish, rng):
        value = getattr(sampler.view(row), condition.column, None)
        found = looked_at(sampler, row, condition.by, rng, "complete")
        if not isinstance(value, int) or found is None or condition.column in found[1]:
            continue
        holds = rng.random() < 0.5
        least = _threshold(value, rng, above=not holds)
        named = {} if fact is None else fact.known_by
        if least < 1 or value in named.values() or value in found[1].values():
            continue  # who tells the number does not ask for it
        words, columns, calls = found
        if fact is not None:
            words, known = fact.words, fact.known_by
        else:
            known = written(columns, sampler.database)
        kind = kind_of(condition.column, column_types(condition.table)[condition.column])
        said = filled(condition.says, {"it": words, "value": in_words(kind, least, rng)})
        depends = Fact(name="condition", value=said, kind="text", words=said, known_by=known)
        return _depending(sampler, wish, depends, calls, None if holds else told(kind, value), rng)
    return None


def _conditions(sampler: Sampler, wish: Drawn, rng: Random) -> Iterator[tuple[Condition, Any, Fact | None]]:
    """What a wish may depend on, in a random order: a number of a row that it names, or of one that this refers to."""
    options: list[tuple[Condition, Any, Fact | None]] = []
    for condition in sampler.domain.conditions:
        for fact in wish.wish.facts:
            row = wish.arguments.get(fact.name)
            if fact.on_request or row is None or not hasattr(row, "model"):
                continue
            is_it = row.model is condition.table
            near = row if is_it else referred(sampler, row, condition.table)
            if near is not None and near in sampler.rows(condition.table):
                options.append((condition, near, fact if is_it else None))
    yield from rng.sample(options, len(options))


def _depending(
    sampler: Sampler, wish: Drawn, fact: Fact, calls: Sequence[ToolCall], instead: Telling | None, rng: Random
) -> Drawn:
    """The wish with its condition; where that does not hold, nothing is to be done but to say `instead`."""
    begin = f"{wish.wish.utterance} {rng.choice(ONLY)} {fact.words}."
    if wish.wish.utterance.startswith(BEGINNINGS) and rng.random() < 0.6:
        begin = f"{fact.words[0].upper()}{fact.words[1:]}, {continued(wish.wish)}"
    changes: dict[str, Any] = {"utterance": begin, "facts": (*wish.wish.facts, fact)}
    if instead is not None:
        changes |= {"calls": (), "outcome": "answered", "must_communicate": (instead,)}
        return Drawn(wish.wish.model_copy(update=changes), (), _unique(calls), wish.arguments, needs=wish.needs)
    reads = list(takewhile(lambda call: sampler.domain.tools[call.name].kind == "read", wish.gold))
    looked = calls[-1:] if calls and calls[0] in reads else calls
    gold = _unique((*reads, *looked, *wish.gold[len(reads) :]))
    return replace(wish, wish=wish.wish.model_copy(update=changes), gold=gold)


def without_tool(drawn: Drawn) -> Drawn:
    """A wish for which there is no tool: nothing is right but to say so."""
    changes: dict[str, Any] = {"outcome": "refused", "calls": (), "must_communicate": (NO,), "facts": ()}
    return Drawn(drawn.wish.model_copy(update=changes), (), (), drawn.arguments, needs=drawn.needs)


def _threshold(value: int, rng: Random, *, above: bool) -> int:
    """A round number a little below or above."""
    step: int = 10 ** max(len(str(abs(value))) - 2, 0)
    down = value // step * step
    return down + step * rng.randint(1, 4) if above else max(down - step * rng.randint(0, 3), 0)


def _said(drawn: Drawn, say: str) -> Drawn:
    wish = drawn.wish.model_copy(update={"utterance": say})
    return Drawn(wish, drawn.about, drawn.gold, drawn.arguments, drawn.broken, drawn.further)


def _overlaps(one: Drawn, other: Drawn) -> bool:
    """Whether two wishes are of one kind, or are about one row, so that one might undo or forbid the other."""
    return one.wish.kind == other.wish.kind or bool(_rows(one) & _rows(other))


def _repeats(one: Drawn, other: Drawn) -> bool:
    """Whether two wishes are of one kind without being about different things, or both change the same thing."""
    mine, theirs = _rows(one), _rows(other)
    alike = one.wish.kind == other.wish.kind and not (mine - theirs and theirs - mine)
    return alike or bool(one.wish.calls and other.wish.calls and _main(one) & _main(other))


def _main(drawn: Drawn) -> set[tuple[str, str]]:
    """The row that a wish is about in the first place: nobody has an order sent elsewhere and then cancelled."""
    found = [(fact.name, str(fact.value)) for fact in drawn.wish.facts if fact.kind == "reference"]
    return set(found[:1])


def _rows(drawn: Drawn) -> set[tuple[str, str]]:
    return {(fact.name, str(fact.value)) for fact in drawn.wish.facts if fact.kind == "reference"}


def _together(first: Drawn, other: Drawn) -> tuple[Any, ...]:
    return _unique((*first.gold, *other.gold))


def _unique(calls: Sequence[Any]) -> tuple[Any, ...]:
    return tuple({(call.name, call.arguments_text()): call for call in calls}.values())
