"""Tasks of any world that declares goals: drawn from a seed, in cells of outcome and information, each one proven.

The same arguments give the same tasks. No person is in two splits.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from sandbox.kit.domain import Domain
from sandbox.kit.errors import BadInput
from sandbox.kit.goal import Goal
from sandbox.kit.message import Json
from sandbox.kit.rule import Rule
from sandbox.kit.table import key_column
from sandbox.kit.task import Difficulty, Fact, Information, Task
from sandbox.synthesis.proof.prove import prove
from sandbox.synthesis.proof.reachability import shaped
from sandbox.synthesis.sampler import Sampler
from sandbox.synthesis.wish import Drawn, drawn, signed_in

SHARES = {"train": (0.0, 0.72), "dev": (0.72, 0.84), "test": (0.84, 1.0)}
"""Which part of the shuffled people a split draws from."""
REFUSED = 0.3
"""The share of wishes that must be refused."""
INFORMATION: tuple[Information, ...] = ("complete", "withheld", "described")
DIFFICULTY: dict[Information, Difficulty] = {"complete": "simple", "described": "standard", "withheld": "hard"}
STYLES = ("terse", "chatty", "polite", "impatient")
TRIES = 60
"""Draws for one task before the world counts as exhausted."""


@dataclass(frozen=True)
class Cell:
    """What a task is to be: a goal, the rule it breaks, and how the person puts it."""

    goal: Goal
    breaking: Rule | None
    information: Information


class Generator:
    """Draws a world's tasks.

    Args:
        domain: the world; it declares goals.
        seed: decides which tasks.
        split: whose people: train, dev or test.

    Raises:
        BadInput: the world declares no goals, or there is no such split.
    """

    def __init__(self, domain: Domain, seed: int = 0, split: str = "train") -> None:
        if not domain.goals:
            raise BadInput(f"The world {domain.name} declares no goals, so that no tasks can be drawn.")
        if split not in SHARES:
            raise BadInput(f"There is no split {split!r} to draw from; there are {', '.join(SHARES)}.")
        self.domain, self.seed, self.split = domain, seed, split
        self._samplers: dict[tuple[Json, datetime], Sampler] = {}

    @cached_property
    def people(self) -> Sequence[Json]:
        """The keys of the persons of this split; one None at a desk for anybody."""
        identity = self.domain.identity
        table = self.domain.owner or (identity.table if identity else None)
        if table is None:
            return [None]
        column = key_column(table)
        reader = self.domain.template().reader
        keys = [row[0] for row in reader.execute(f'SELECT "{column}" FROM "{table.__tablename__}" ORDER BY 1')]
        random.Random(self.domain.name).shuffle(keys)
        low, high = SHARES[self.split]
        return keys[int(low * len(keys)) : int(high * len(keys))]

    def tasks(self, count: int) -> Iterator[Task]:
        """So many different tasks; fewer when the world has no more."""
        seen: set[str] = set()
        for index in range(count):
            for attempt in range(TRIES):
                rng = random.Random(f"{self.domain.name}:{self.split}:{self.seed}:{index}:{attempt}")
                task = self._task(rng, f"{self.domain.name}-{self.split}-{self.seed}-{index:04d}")
                if task is not None and (content := _content(task)) not in seen:
                    seen.add(content)
                    yield task
                    break
            else:
                return

    def _task(self, rng: random.Random, identifier: str) -> Task | None:
        cell = self._cell(rng)
        sampler = self._sampler(rng.choice(self.people), rng.choice((self.domain.now, *self.domain.clocks)))
        found = drawn(sampler, cell.goal, rng, cell.information, breaking=cell.breaking)
        if found is None:
            return None
        task = assembled(sampler, [found], rng, identifier, self.split, cell.information)
        return None if prove(task) else task

    def _cell(self, rng: random.Random) -> Cell:
        goal = rng.choice(list(self.domain.goals))
        rules = [rule for rule in self.domain.rules if rule.applies(goal.tool) and rule.remedy is None]
        breaking = rng.choice(rules) if rules and rng.random() < REFUSED else None
        return Cell(goal, breaking, rng.choice(INFORMATION))

    def _sampler(self, owner: Json, now: datetime) -> Sampler:
        if (owner, now) not in self._samplers:
            self._samplers[owner, now] = Sampler(self.domain, owner, now)
        return self._samplers[owner, now]


def assembled(
    sampler: Sampler, wishes: Sequence[Drawn], rng: random.Random, identifier: str, split: str, information: Information
) -> Task:
    """The task of these wishes, one after the other."""
    name = _name(sampler)
    themselves, found = signed_in(sampler, rng, asked=information != "complete")
    about = {fact.name: fact for wish in wishes for fact in wish.about}
    calls = {(call.name, call.arguments_text()): call for call in (*found, *(c for wish in wishes for c in wish.gold))}
    task = sampler.task(
        id=identifier,
        split=split,
        family="forbidden" if any(wish.broken for wish in wishes) else wishes[0].wish.kind,
        difficulty=DIFFICULTY[information],
        information=information,
        scenario=_scenario(name, wishes, [*themselves, *about.values()]),
        persona=rng.choice(STYLES),
        facts=(*themselves, *_named(name, themselves), *about.values()),
        goals=tuple(wish.wish for wish in wishes),
        gold=tuple(calls.values()),
        communicate=tuple(dict.fromkeys(text for wish in wishes for text in wish.wish.must_communicate)),
        seed=rng.randrange(2**31),
    )
    return shaped(task)


def _name(sampler: Sampler) -> str:
    row = sampler.person
    if row is None:
        return ""
    return str(getattr(row, "name", "") or f"{getattr(row, 'first_name', '')} {getattr(row, 'last_name', '')}".strip())


def _named(name: str, themselves: Sequence[Fact]) -> tuple[Fact, ...]:
    said = {fact.name for fact in themselves}
    return (Fact(name="name", value=name, on_request=True),) if name and not said & {"name", "first_name"} else ()


def _scenario(name: str, wishes: Sequence[Drawn], about: Sequence[Fact]) -> str:
    """The situation in second person, for language models and people who play the user."""
    sentences = [f"You are {name}."] if name else []
    for wish in wishes:
        sentences.append(f"You want: {second_person(wish.wish.utterance)}")
        held = [
            f"{fact.name.removesuffix('_cents').replace('_', ' ')}: {second_person(fact.words)}"
            for fact in wish.wish.facts
            if fact.on_request
        ]
        if held:
            sentences.append(f"Only when you are asked, you tell: {'; '.join(held)}.")
        if wish.broken is not None:
            sentences.append("If that is refused, you accept it.")
    for fact in about:
        asked = "; you tell it only when you are asked" if fact.on_request else ""
        sentences.append(f"Your {fact.name.replace('_', ' ')} is {fact.words or fact.value}{asked}.")
    return " ".join(sentences)


_SECOND = {
    "my": "your",
    "mine": "yours",
    "i": "you",
    "me": "you",
    "i'm": "you are",
    "i'd": "you would",
    "i've": "you have",
}


def second_person(text: str) -> str:
    """A person's words as they are told to whoever plays the person."""
    return re.sub(r"[\w']+", lambda match: _SECOND.get(match.group().lower(), match.group()), text)


def _content(task: Task) -> str:
    return task.model_copy(update={"id": "", "seed": 0, "persona": ""}).model_dump_json()
