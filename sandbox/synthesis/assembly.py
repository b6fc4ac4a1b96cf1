"""A task put together from its wishes: gold calls, facts, the situation and the ticket in words, its depth."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from toolgym.sandbox.kit.task import Difficulty, Fact, Information, Interaction, Task
from toolgym.sandbox.kit.task import Goal as Wish
from toolgym.sandbox.synthesis.expected_answer import answer_of
from toolgym.sandbox.synthesis.gold import composed_columns, once, said_first
from toolgym.sandbox.synthesis.knowledge import signed_in
from toolgym.sandbox.synthesis.person import second_person
from toolgym.sandbox.synthesis.proof.reachability import shaped
from toolgym.sandbox.synthesis.proof.replay import gold_of
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.wish import Drawn

DIFFICULTY: dict[Information, Difficulty] = {"complete": "simple", "described": "standard", "withheld": "hard"}
STYLES = ("terse", "chatty", "polite", "impatient")


def assembled(
    sampler: Sampler,
    wishes: Sequence[Drawn],
    rng: random.Random,
    identifier: str,
    split: str,
    information: Information,
    family: str,
    interaction: Interaction = "dialogue",
) -> Task:
    """The task of these wishes, one after the other."""
    name = _name(sampler)
    themselves, found = signed_in(sampler, rng, asked=information != "complete")
    if not any(wish.gold for wish in wishes):
        found = ()  # where no tool fits, nobody has to be looked up either
    about = {fact.name: fact for wish in wishes for fact in wish.about}
    goals = tuple(goal for wish in wishes for goal in (wish.wish, wish.further) if goal is not None)
    themselves = said_first(themselves, goals)
    gold = once(sampler.domain, (*found, *(call for wish in wishes for call in wish.gold)))
    told, texts, prepared = [*themselves, *about.values()], composed_columns(sampler, gold), wishes[0].prepared
    task = sampler.task(
        id=identifier,
        split=split,
        family=prepared.name if prepared else family,
        difficulty=prepared.difficulty if prepared else DIFFICULTY[information],
        information=information,
        interaction=interaction,
        ticket=_ticket(name, wishes, goals, told) if interaction != "dialogue" else None,
        scenario=_scenario(name, wishes, told),
        persona=rng.choice(STYLES),
        facts=(*themselves, *_named(sampler.person, name, themselves), *about.values()),
        goals=goals,
        setup=prepared.setup if prepared else (),
        gold=gold,
        assertions=prepared.assertions if prepared else (),
        metadata={"faults": list(prepared.faults)} if prepared else {},
        free=tuple(texts),
        mentions={column: parts for column, parts in texts.items() if parts},
        communicate=tuple(dict.fromkeys(text for goal in goals for text in goal.final.must_communicate)),
        seed=rng.randrange(2**31),
    )
    if prepared is None:
        gold_of(task, tuple(sampler.begun(gold)))  # remembered for the shape and the proof
    made = shaped(task)
    return made if interaction != "program" else made.model_copy(update={"answer": answer_of(made)})


def _name(sampler: Sampler) -> str:
    row = sampler.person
    if row is None:
        return ""
    whole = getattr(row, "name", "") or getattr(row, "full_name", "")
    return str(whole or f"{getattr(row, 'first_name', '')} {getattr(row, 'last_name', '')}".strip())


def _named(person: Any, name: str, themselves: Sequence[Fact]) -> Iterator[Fact]:
    """The name, by the columns that hold it, where the person is not known by it anyway."""
    said = {fact.name for fact in themselves}
    if name and not said & {"name", "first_name"}:
        columns = [column for column in ("first_name", "last_name") if hasattr(person, column)] or ["name"]
        yield from (Fact(name=column, value=getattr(person, column, name), on_request=True) for column in columns)


def _scenario(name: str, wishes: Sequence[Drawn], about: Sequence[Fact]) -> str:
    """The situation in second person, for language models and people who play the user."""
    sentences = [f"You are {name}."] if name else []
    for drawn_wish in wishes:
        wish, prepared = drawn_wish.wish, drawn_wish.prepared
        sentences += (
            [f'You say: "{wish.utterance}"', *_held(wish), prepared.situation] if prepared else _situation(wish)
        )
        if drawn_wish.further is not None:
            sentences.append(f'Once that is settled, you ask: "{drawn_wish.further.utterance}"')
    for fact in about:
        asked = "; you tell it only when you are asked" if fact.on_request else ""
        sentences.append(f"Your {fact.name.replace('_', ' ')} is {fact.words or fact.value}{asked}.")
    return " ".join(sentences)


def _ticket(name: str, wishes: Sequence[Drawn], goals: Sequence[Wish], about: Sequence[Fact]) -> str:
    """The whole problem in words, for an agent that works without a user."""
    sentences = [f"Customer: {name}."] if name else []
    sentences += [f"{_called(fact).capitalize()}: {fact.words or fact.value}." for fact in about]
    for goal in (goal for wish in goals for goal in (wish.revised_to or wish, wish.fallback) if goal is not None):
        sentences.append(f"{'Request' if goal in goals else 'If that is refused'}: {goal.utterance}")
        sentences += [f"{_called(fact).capitalize()}: {fact.words}." for fact in goal.facts if fact.on_request]
    sentences += [wish.prepared.ticket for wish in wishes if wish.prepared]
    return " ".join(sentences)


def _situation(wish: Wish) -> Iterator[str]:
    yield f'What you want, in your own words: "{wish.utterance}"'
    yield from _held(wish)
    if wish.revised_to is not None:
        yield "As soon as the agent asks you to confirm exactly that, you change your mind."
        yield from _situation(wish.revised_to)
    elif wish.fallback is not None:
        is_same = wish.fallback.outcome == "refused" and wish.fallback.kind == wish.kind
        yield "If that is refused, you ask again." if is_same else "If that is refused, you want something else."
        yield from _situation(wish.fallback)
    elif wish.outcome == "refused":
        yield "If that is refused, you accept it and want nothing in its place."


def _held(wish: Wish) -> Iterator[str]:
    held = [fact for fact in wish.facts if fact.on_request]
    if held:
        told = "; ".join(f"{_called(fact)}: {second_person(fact.words)}" for fact in held)
        yield f"Only when you are asked, you tell: {told}."
    for fact in wish.facts:
        if fact.meant and fact.words in wish.utterance:
            yield f"What you mean is {second_person(fact.meant)}, as you see once you are told what is on record."


def _called(fact: Fact) -> str:
    return fact.name.removesuffix("_cents").replace("_", " ")
