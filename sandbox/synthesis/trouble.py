"""Tasks about what does not work: faults composed behind a complaint, brought about, repaired by both sides and proven.

From `Trouble` declarations and a person's live rows; nothing here knows a world.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from toolgym.sandbox.kit.goal import Slot
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.sentence import filled
from toolgym.sandbox.kit.task import Assertion, Fact
from toolgym.sandbox.kit.task import Goal as Wish
from toolgym.sandbox.kit.tool import Tool
from toolgym.sandbox.kit.trouble import Fault, Step, Trouble, difficulty_of
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.arguments import call_of
from toolgym.sandbox.synthesis.lookup import lookup
from toolgym.sandbox.synthesis.prepared import Prepared
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.search import Drawing
from toolgym.sandbox.synthesis.value_words import varied
from toolgym.sandbox.synthesis.wish import Drawn

Values = dict[str, Any]
TROUBLED = 0.65
"""The share of tasks about something that does not work, in a world where things break."""
TRIES = 200
"""Draws of faults, and of wordings, until one is of the split."""
FAULTS = ((1, 1), (2, 3), (4, 99))
"""The least and the most faults of simple, standard and hard tasks, which are equally frequent."""


def troubled(sampler: Sampler, rng: Random, mine: Callable[[str], bool]) -> list[Drawn] | None:
    """A complaint with faults behind it; None when this person cannot have it.

    Args:
        sampler: the person's world.
        rng: decides everything.
        mine: whether a set of faults, and whether a wording, may be drawn here; splits share neither.
    """
    troubles = sampler.domain.troubles
    trouble = rng.choices(troubles, [each.weight for each in troubles])[0]
    low, high = rng.choice([each for each in FAULTS if each[0] <= trouble.most])
    faults = next(filter(lambda found: _is_mine(trouble, found, mine), _compositions(trouble, rng, low, high)), None)
    says = next(filter(mine, (varied(rng.choice(list(trouble.says)), rng) for _ in range(TRIES))), None)
    values = None if faults is None else _values(sampler, trouble, faults, rng)
    if faults is None or says is None or values is None:
        return None
    setup = _calls(sampler, values, [*trouble.setup, *(step for fault in faults for step in fault.setup)])
    after = dict.fromkeys(step for fault in faults for step in fault.after)
    steps = [step for fault in faults for step in (*fault.looks, *fault.fixes)]
    looked_up = [call for row in _rows(sampler, values) for call in lookup(sampler, row, {}) or ()]
    gold = (*looked_up, *_calls(sampler, values, [*steps, *after, *trouble.check]))
    handed = any(sampler.domain.tools[call.name].ends_episode for call in gold if call.by == "agent")
    facts = _facts(trouble, values)
    words = {fact.name: fact.words for fact in facts}
    utterance = " ".join([says[0].upper() + says[1:], *(fault.says for fault in faults if fault.says)])
    wish = Wish(kind="repair", utterance=utterance, facts=facts, outcome="transferred" if handed else "done")
    prepared = Prepared(
        name=trouble.name,
        setup=setup,
        assertions=_assertions(sampler, trouble, values, setup, gold),
        faults=tuple(fault.name for fault in faults),
        difficulty=difficulty_of(len(faults)),
        situation=filled(trouble.situation, words),
        ticket=filled(trouble.ticket, words),
    )
    return [Drawn(wish, (), gold, values, prepared=prepared)]


def is_among(low: float, high: float, text: str) -> bool:
    """Whether a wording, or a set of faults, is in this part of all of them; each is in one place."""
    return low <= Random(text).random() < high


def _compositions(trouble: Trouble, rng: Random, low: int, high: int) -> Iterator[list[Fault]]:
    for _ in range(TRIES):
        yield composed(trouble, rng, rng.randint(low, min(high, trouble.most)))


def _is_mine(trouble: Trouble, faults: Sequence[Fault], mine: Callable[[str], bool]) -> bool:
    """Whether a set of faults may be drawn here; where there is one at a time, every split has them all."""
    return trouble.most == 1 or mine(" ".join(sorted(fault.name for fault in faults)))


def composed(trouble: Trouble, rng: Random, count: int) -> list[Fault]:
    """So many faults of different groups, at least one of the trouble's own, in the order of repair."""
    first = rng.choice(list(trouble.own))
    chosen = {first.group: first}
    groups = sorted({fault.group for fault in trouble.faults})
    for group in rng.sample(groups, len(groups)):
        if len(chosen) < count and group not in chosen:
            chosen[group] = rng.choice([fault for fault in trouble.faults if fault.group == group])
    return sorted(chosen.values(), key=trouble.faults.index)


def _values(sampler: Sampler, trouble: Trouble, faults: Sequence[Fault], rng: Random) -> Values | None:
    person = sampler.person
    drawing = Drawing(rng, sampler, {"faults": faults, person.model.__name__.lower(): person})
    for slot in trouble.slots:
        value = _value(sampler, slot, drawing)
        if value is None:
            return None
        drawing.values[slot.name] = value
    return drawing.values


def _value(sampler: Sampler, slot: Slot, drawing: Drawing) -> Any:
    if callable(slot.draw):
        return slot.draw(drawing)
    options = slot.draw if slot.draw is not None else sampler.rows(slot.of) if slot.of else ()
    return drawing.rng.choice(list(options)) if options else None


def _facts(trouble: Trouble, values: Values) -> tuple[Fact, ...]:
    """What the person can tell when asked; without kinds, as it is no detail of a call that they are asked to allow."""
    told = [(slot.name, slot.say(values[slot.name])) for slot in trouble.slots if slot.say is not None]
    return tuple(Fact(name=name, value=words, words=words, on_request=True) for name, words in told)


def _rows(sampler: Sampler, values: Values) -> Iterable[Any]:
    """What was drawn and people speak of."""
    rows = (value for value in values.values() if hasattr(value, "model"))
    return [row for row in rows if row != sampler.person and sampler.thing(row.model) is not None]


def _calls(sampler: Sampler, values: Values, steps: Iterable[Step]) -> tuple[ToolCall, ...]:
    return tuple(_call(sampler, values, *(step if isinstance(step, tuple) else (step, {}))) for step in steps)


def _call(sampler: Sampler, values: Values, tool: Tool, given: Mapping[str, Any]) -> ToolCall:
    """The call with what is given and what was drawn by the names of its parameters."""
    known = {name: value(values) if callable(value) else value for name, value in given.items()}
    arguments = {name: value for name, value in (values | known).items() if name in tool.inputs}
    call = call_of(tool, arguments, sampler.database)
    return call.model_copy(update={"by": "user"}) if tool.name in sampler.domain.user_tools else call


def _assertions(
    sampler: Sampler, trouble: Trouble, values: Values, setup: tuple[ToolCall, ...], gold: tuple[ToolCall, ...]
) -> tuple[Assertion, ...]:
    """What must hold in the end, some of it as the right run leaves the world."""
    steps = list(trouble.holds)
    if trouble.ends is not None:
        with Session(sampler.domain, task=sampler.task(setup=setup), now=sampler.now) as session:
            for call in gold:
                if sampler.domain.tools_of(call.by)[call.name].kind != "read":
                    session.call(call.name, call.arguments, by=call.by)
            steps += trouble.ends(session.database, values)
    calls = _calls(sampler, values, steps)
    return tuple(Assertion.model_validate(call.model_dump(include={"name", "arguments"})) for call in calls)
