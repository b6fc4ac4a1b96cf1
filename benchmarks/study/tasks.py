"""The study's tasks: compact goals of two worlds, split by what tasks are made of and by the rows that they are about.

A composition is what a task is made of: its wish, and how it has to be met (the calls of a right run, and what must
be asked for). No composition of dev or test is ever trained, though each of its parts is: the wish occurs in other
compositions, and so does the way. No person and no row of a task of dev or test occurs in a training task.
"""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.task import Interaction, Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.generator import Cell, Generator

Split = Literal["train", "dev", "test"]
Composition = tuple[str, str]
"""The wish, and the way to meet it."""
HELD_OUT: Mapping[Split, float] = {"dev": 0.1, "test": 0.15}
"""Which share of the compositions each held-out split gets, as far as their parts remain in training."""
MOST_CALLS = 4
"""Calls of a right run, at most: longer programs do not fit into the model's turn. People are not looked for either: a
model of this size does not learn to spell names that it never saw."""


def composition(task: Task) -> Composition:
    """What a task is made of."""
    asked = sorted(fact.name for goal in task.goals for fact in goal.facts if fact.on_request)
    way = [*(call.name for call in task.gold), *(f"asks {name}" for name in asked)]
    return task.goals[0].kind, ", ".join(way)


def rows(task: Task) -> set[str]:
    """The rows that a task is about, by what its gold calls and its facts name them; rooms are everybody's."""
    named = {str(fact.value) for goal in task.goals for fact in goal.facts if fact.kind == "reference"}
    return named | {str(value) for call in task.gold for value in _values(call.arguments) if _is_key(value)}


def _values(arguments: Mapping[str, object]) -> Iterator[object]:
    for name, value in arguments.items():
        if name != "room_id":
            yield from value if isinstance(value, list) else (value,)


def _is_key(value: object) -> bool:
    """Whether a text is a row's key (K-176, ev-20664), and no plain word."""
    return isinstance(value, str) and "-" in value and value[-1].isdigit() and not value[0].isdigit()


def drawn(world: str, goals: Sequence[str], interaction: Interaction, split: Split, count: int) -> list[Task]:
    """Tasks of a world about the goals named, with people of a split; those that are too long are left out."""
    domain = get_domain(world)
    domain = dataclasses.replace(domain, goals=tuple(goal for goal in domain.goals if goal.name in goals))
    tasks = Generator(domain, seed=1, split=split, cell=Cell(interaction=interaction)).tasks(count)
    return [task for task in tasks if task.family == "granted" and _fits(task)]


def _fits(task: Task) -> bool:
    return len(task.gold) <= MOST_CALLS and all(call.name != "search_people" for call in task.gold)


def split_compositions(counts: Mapping[Composition, int], seed: int) -> dict[Composition, Split]:
    """Which split each composition belongs to; those of dev and test are never the only ones with one of their parts.

    Args:
        counts: how many tasks of each composition were drawn for training.
        seed: draws.
    """
    every = sorted(counts)
    chosen: dict[Composition, Split] = dict.fromkeys(every, "train")
    random.Random(seed).shuffle(every)
    frequent = [each for each in every if counts[each] >= RARE]
    for split, share in HELD_OUT.items():
        wanted = max(1, round(share * len(frequent)))
        for candidate in frequent:
            left = [other for other, where in chosen.items() if where == "train" and other != candidate]
            if wanted and chosen[candidate] == "train" and _parts_remain(candidate, left):
                chosen[candidate], wanted = split, wanted - 1
    return chosen


RARE = 4
"""Tasks that must have been drawn of a composition, so that it is held out."""


def _parts_remain(candidate: Composition, left: Iterable[Composition]) -> bool:
    wishes, ways = {wish for wish, _ in left}, {way for _, way in left}
    return candidate[0] in wishes and candidate[1] in ways


def study_tasks(
    world: str,
    goals: Sequence[str],
    interaction: Interaction,
    *,
    draws: Mapping[Split, int],
    sizes: Mapping[Split, int],
    seed: int,
) -> list[Task]:
    """The tasks of all splits of a world: of each at most so many, its compositions as evenly mixed as can be.

    Args:
        world: whose tasks.
        goals: by name.
        interaction: dialogue or program.
        draws: how many are drawn of each split; those of other compositions, families and rows are left out.
        sizes: how many are kept.
        seed: decides which compositions are held out.

    Raises:
        BadInput: a split would be empty.
    """
    train = drawn(world, goals, interaction, "train", draws["train"])
    chosen = split_compositions(Counter(map(composition, train)), seed)
    found: list[Task] = []
    taken: set[str] = set()
    for split in ORDER:
        held = {wish for (wish, _), where in chosen.items() if where == split}
        if split == "train":
            pool = train
        else:
            pool = drawn(world, sorted(held), interaction, split, draws[split]) if held else []
        fitting = [task for task in pool if chosen.get(composition(task)) == split and not rows(task) & taken]
        kept = _evenly(fitting, sizes[split])
        if not kept:
            raise BadInput(f"No {interaction} task of {world} is left for the split {split}; draw more of them.")
        found += kept
        taken |= {row for task in kept for row in rows(task)}
    return found


ORDER: tuple[Split, ...] = ("test", "dev", "train")
"""Who chooses first: the rows that it takes nobody else has."""


def _evenly(tasks: Sequence[Task], count: int) -> list[Task]:
    """At most so many, in turn from each composition."""
    groups: dict[Composition, list[Task]] = {}
    for task in tasks:
        groups.setdefault(composition(task), []).append(task)
    turns = [(place, number, task) for number, group in enumerate(groups.values()) for place, task in enumerate(group)]
    return [task for _, _, task in sorted(turns, key=lambda turn: turn[:2])[:count]]
