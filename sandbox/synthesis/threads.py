"""Wishes that follow from one another: a later one is about a row of an earlier one's, or uses what was told then.

Which wishes hang together is read off the declarations: two goals that take rows of one table, and a goal that asks
for a value of the sort that another one is answered with. How wishes of their own combine is for
`toolgym.sandbox.synthesis.composition`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

from toolgym.sandbox.kit.goal import Goal, Slot
from toolgym.sandbox.kit.table import noun
from toolgym.sandbox.kit.task import Fact, Information
from toolgym.sandbox.synthesis.arguments import kind_in, parameters, takes_several
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.wish import Drawn, Mentioned, worded
from toolgym.sandbox.synthesis.wording import led_in

TRIES = 12
"""Ways on from what was said that are tried for the next wish."""
AGAIN = 0.7
"""The share of rows spoken of before that are "that account" from there on; the others are named once more."""


SAME_AMOUNT, THAT_AMOUNT = "the same amount", "that amount"
"""One that the person named before, and one that they were told."""
REFUSED = 0.25
"""The share of threads whose last wish breaks a rule."""
CARRIED, ASKED_LATER = 1.5, 0.3
"""How much likelier than the same row an amount is to lead on, which few goals are answered with; and a question about
what was just changed.
"""


class Link(NamedTuple):
    """A way on: a goal, and what of it an earlier wish decides."""

    goal: Goal
    slot: str
    mentioned: Mentioned


def thread(
    sampler: Sampler,
    first: Callable[[Sampler], Drawn | None],
    goals: Sequence[Goal],
    count: int,
    rng: Random,
    information: Information,
) -> list[Drawn] | None:
    """Wishes of which each is about something that one before it was about; two at least.

    Args:
        sampler: the person's world.
        first: draws the first of them.
        goals: what may follow.
        count: how many, where there is a way on from each.
        rng: decides everything.
        information: how the person puts what is new.
    """
    begun, at_first = first(sampler), sampler
    refused_at = count - 1 if rng.random() < REFUSED else count
    wishes = [] if begun is None else [begun]
    with ExitStack() as copies:
        while wishes and len(wishes) < count and wishes[-1].wish.outcome in ("done", "answered"):
            sampler = sampler.after(wishes[-1].gold)
            copies.callback(sampler.close)
            is_refused = len(wishes) == refused_at
            found = following(sampler, wishes, goals, rng, information, is_refused=is_refused)
            if found is None or _is_told(found, wishes) or any(_ends(at_first, found, wish) for wish in wishes):
                break
            wishes.append(replace(found, wish=found.wish.model_copy(update={"utterance": led_in(found.wish, rng)})))
    return wishes if len(wishes) > 1 else None


def following(
    sampler: Sampler,
    wishes: Sequence[Drawn],
    goals: Sequence[Goal],
    rng: Random,
    information: Information,
    *,
    is_refused: bool = False,
    is_instead: bool = False,
) -> Drawn | None:
    """A wish that follows from those before, without the words that lead to it; None where nothing does.

    Args:
        sampler: the person's world.
        wishes: those before.
        goals: what may follow.
        rng: decides everything.
        information: how the person puts what is new.
        is_refused: it breaks a rule.
        is_instead: it takes the place of the last, and is about the same row.
    """
    kinds = {wish.wish.kind for wish in wishes}
    goals = [goal for goal in goals if goal.name not in kinds]
    links = [] if is_instead else [*_same_values(wishes[-1], goals)]
    links += [link for wish in wishes for link in _same_rows(sampler, wish, goals, rng, is_last=wish is wishes[-1])]
    is_act = bool(wishes[-1].wish.calls)
    weights = [link.goal.share * _weight(link, is_act=is_act) for link in links]
    for link in rng.choices(links, weights, k=TRIES) if links else ():
        given, known = {link.slot: link.mentioned.value}, {link.slot: link.mentioned}
        rules = [rule for rule in sampler.rules if rule.applies(link.goal.tool) and rule.remedy is None]
        if is_refused and not rules:
            continue
        broken = rng.choice(rules) if is_refused else None
        if broken is None:
            arguments = sampler.allowed_with(link.goal, rng, given)
        else:
            arguments = sampler.forbidden_with(link.goal, broken, rng, given)
        if arguments is None:
            continue
        found = worded(sampler, link.goal, arguments, rng, information, broken, known)
        if found is None or any(_undoes(sampler, found, wish) for wish in wishes):
            continue
        return found
    return None


def _weight(link: Link, *, is_act: bool) -> float:
    """How likely a way on is: an amount leads on more often than a row, and to look comes before to act."""
    if link.mentioned.fact.kind == "money":
        return CARRIED
    return ASKED_LATER if is_act and link.goal.tool.kind == "read" else 1.0


def _same_rows(sampler: Sampler, wish: Drawn, goals: Sequence[Goal], rng: Random, *, is_last: bool) -> Iterator[Link]:
    """Goals that may be about a row of a wish's."""
    rows = [(fact, wish.arguments.get(fact.name)) for fact in wish.wish.facts if fact.kind == "reference"]
    tables = [getattr(row, "model", None) for _, row in rows]
    for fact, row in rows:
        if row is None or not hasattr(row, "model"):
            continue
        key = fact.value
        for goal in goals:
            for name, table in goal.tables.items():
                if table is not row.model or not _is_open(goal, name) or callable(goal.slot(name).draw):
                    continue
                again = sampler.database.get(table, key)
                if again is None or again == sampler.person or again not in sampler.rows(table, goal.slot(name).where):
                    continue
                if any(_shown(sampler, row, column) != _shown(sampler, again, column) for column in fact.known_by):
                    continue  # it is called otherwise by now
                is_plain = is_last and tables.count(table) == 1 and list(goal.tables.values()).count(table) == 1
                fact = fact.model_copy(update={"words": fact.meant or fact.words, "meant": ""})  # as it is known by now
                said = _again(fact, row, rng) if is_plain else fact.words
                known = fact.model_copy(update={"name": goal.slot(name).name, "on_request": False})
                yield Link(goal, name, Mentioned(again, known, said))


def _again(fact: Fact, row: Any, rng: Random) -> str:
    """How a row is spoken of once more: "that account", where its words call it so."""
    called = noun(row.model).rsplit(" ", 1)[-1]
    return f"that {called}" if called in fact.words.split() and rng.random() < AGAIN else fact.words


def _same_values(wish: Drawn, goals: Sequence[Goal]) -> Iterator[Link]:
    """Goals that ask for the amount of a wish, or for the one that it is answered with: the refund of one pays the
    other.
    """
    own = [fact for fact in wish.wish.facts if fact.kind == "money"]
    told = [value for kind, value in wish.answers if kind == "money" and isinstance(value, int) and value > 0]
    times = any(fact.kind == "number" for fact in wish.wish.facts)
    if len(own) > 1 or (own and times) or (not own and len(set(told)) != 1):
        return  # nobody would know which of several is meant, or whether so many times that
    fact = own[0] if own else Fact(name="", value=told[0], kind="money", words=THAT_AMOUNT, described=True)
    amount, said = fact.value, SAME_AMOUNT if own else THAT_AMOUNT
    if not isinstance(amount, int):
        return
    for goal in goals:
        for slot in goal.slots:
            if (
                not _is_open(goal, slot.name)
                or slot.fills
                or slot.name in goal.tables
                or slot.name not in goal.tool.kinds
            ):
                continue
            if kind_in(goal.tool, slot.name) == "money" and _is_usual(slot, amount):
                known = fact.model_copy(update={"name": slot.name, "on_request": False})
                yield Link(goal, slot.name, Mentioned(amount, known, said))


def _is_usual(slot: Slot, amount: int) -> bool:
    """Whether an amount is of the size of those that are drawn."""
    return callable(slot.draw) or not slot.draw or min(slot.draw) <= amount <= max(slot.draw)


def _is_open(goal: Goal, name: str) -> bool:
    """Whether a wish of this goal says a slot, as one thing."""
    parameter = parameters(goal.tool).get(name)
    is_said = goal.slot(name) in (*goal.slots, *goal.about) or (
        parameter is not None and parameter.default is parameter.empty
    )
    several = parameter is not None and takes_several(goal.tool, name)
    return is_said and not several and name not in goal.fixed and name not in goal.worked_out


def _shown(sampler: Sampler, row: Any, column: str) -> Any:
    return getattr(sampler.view(row), column, None)


def _ends(sampler: Sampler, last: Drawn, before: Drawn) -> bool:
    """Whether a wish could not be granted any more once a later one was: nobody changes what they then cancel."""
    if not last.wish.calls or not before.wish.calls:
        return False
    with sampler.session.fork() as session:
        played = [session.call(call.name, call.arguments).ok for call in (*last.wish.calls, *before.wish.calls)]
    return all(played[: len(last.wish.calls)]) and not all(played)


def _is_told(last: Drawn, before: Sequence[Drawn]) -> bool:
    """Whether the answer to a question was told before it is asked."""
    told = {text for wish in before for text in wish.wish.must_communicate}
    return last.wish.outcome == "answered" and set(last.wish.must_communicate) <= told


def _undoes(sampler: Sampler, one: Drawn, other: Drawn) -> bool:
    """Whether two wishes change the same thing in the first place: nobody has it done and undone."""
    return bool(one.wish.calls and other.wish.calls and _changed(sampler, one) & _changed(sampler, other))


def _changed(sampler: Sampler, drawn: Drawn) -> set[tuple[str, str]]:
    """The rows that a wish's call shows once it has changed them."""
    shown = sampler.domain.tools[drawn.needs].shows
    rows = [(drawn.arguments.get(fact.name), fact) for fact in drawn.wish.facts if fact.kind == "reference"]
    tables = [(getattr(row, "model", None), fact) for row, fact in rows]
    return {(table.__name__, str(fact.value)) for table, fact in tables if table in shown}
