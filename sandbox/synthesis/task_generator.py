"""Draws tasks of a world from a seed: families and difficulties in fixed shares, splits by customer, all proven.

The published splits were drawn once (with seed 0) and are stored as files: they stay what they are when this changes.
A world brings its customers, the families' wishes and how a task is put together; the rest is the same everywhere.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from sandbox.kit.database import Database
from sandbox.kit.domain import Dataset
from sandbox.kit.errors import BadInput
from sandbox.kit.message import ToolCall
from sandbox.kit.task import Difficulty, Fact, Goal, Task, read_tasks
from sandbox.language.text_match import mentions_all
from sandbox.runtime.session import Session
from sandbox.synthesis.goal_builder import GoalDraft
from sandbox.synthesis.proof.reachability import depth, structure, trace
from sandbox.synthesis.wording import listed
from sandbox.users.user_facts import fact_in_words

Record = dict[str, Any]
SIZES = {"train": 2000, "dev": 100, "test": 115}
SHARES = {"train": (0.0, 0.72), "dev": (0.72, 0.84), "test": (0.84, 1.0)}
"""Which part of the shuffled customers a split draws from: no customer is in two splits."""
DIFFICULTIES: tuple[Difficulty, ...] = ("simple", "standard", "hard")
PERSONAS = ("terse", "chatty", "polite", "impatient")
MAX_DRAWS = 200
"""Draws in a row without a new task after which a family counts as exhausted."""


class Drawn(Protocol):
    """One customer in one task, with the draw that decides everything about it."""

    rng: random.Random
    user: Record
    difficulty: Difficulty


C = TypeVar("C", bound=Drawn)


@dataclass(frozen=True)
class Family(Generic[C]):
    """A sort of task.

    Attributes:
        draw: the wishes of one task, None among them when this customer has nothing for it.
        shares: how many of a hundred tasks are of this family and simple, standard, hard.
    """

    draw: Callable[[C], Sequence[GoalDraft | None]]
    shares: tuple[int, int, int]


@dataclass(frozen=True)
class Identity:
    """Who the user is.

    Attributes:
        facts: what they know of themselves.
        known: the same in a scenario's words.
        sign_in: the look-up with which an agent begins.
    """

    facts: tuple[Fact, ...]
    known: str
    sign_in: ToolCall


@dataclass(frozen=True)
class UserStyle:
    """How a world's customers go about their wishes, as its scenarios say it.

    Attributes:
        thing: what wishes are about, such as `order`: the fact `order_id` is its number, `order` what it is known for.
        lost: the sentence for a customer without the number.
        withheld: what facts are called that the user tells only when asked.
    """

    thing: str
    lost: str
    withheld: Mapping[str, str]

    def sentences(self, difficulty: Difficulty, own: Sequence[Fact], goals: Sequence[Goal]) -> Iterator[str]:
        """What comes first, what only when asked, what is unknown."""
        if difficulty == "simple":
            yield "You say all of this, and who you are, in your first message."
            return
        facts = list(all_facts(goals))
        held = [self.withheld[fact.name] for fact in facts if fact.on_request and fact.name in self.withheld]
        who = ["who you are"] if any(fact.on_request for fact in own) else []
        yield f"You mention {listed(dict.fromkeys([*who, *held]))} only when you are asked."
        numbers = list(dict.fromkeys(str(fact.value) for fact in facts if fact.name == f"{self.thing}_id"))
        if len(numbers) == 1:
            yield f"The {self.thing} number is {numbers[0]}."
        elif numbers:
            yield f"The {self.thing} numbers are {listed(numbers)}, in the order of your wishes."
        elif any(fact.name == self.thing for fact in facts):
            yield self.lost
        if len(goals) > 1:
            yield "You raise your wishes one after the other, the next once the one before is settled."


def all_facts(goals: Sequence[Goal]) -> Iterator[Fact]:
    """The facts of wishes and of those that replace them."""
    return (fact for goal in goals for wish in goal.every() for fact in wish.facts)


def no_notes(goals: Sequence[Goal]) -> Iterator[str]:
    """A world that adds nothing to its scenarios."""
    return iter(())


@dataclass(frozen=True)
class TaskBuilder(Generic[C]):
    """Puts tasks together in a world whose customers sign in and raise their wishes one after the other.

    Attributes:
        domain: its name.
        identity: who a customer is.
        manner: how they go about their wishes.
        notes: what else a scenario says of these wishes.
    """

    domain: str
    identity: Callable[[C], Identity]
    manner: UserStyle
    notes: Callable[[Sequence[Goal]], Iterator[str]] = no_notes

    def task(self, sampler: C, chosen: Sequence[GoalDraft], family: str, identifier: str, split: str) -> Task:
        """The task of these wishes, but for its depth and structure."""
        who, goals = self.identity(sampler), tuple(wish.goal for wish in chosen)
        gold = [who.sign_in]
        for wish in chosen:
            gold += [*wish.reads, *wish.goal.final.calls]
        manner = (*self.notes(goals), *self.manner.sentences(sampler.difficulty, who.facts, goals))
        return Task(
            id=identifier,
            domain=self.domain,
            split=split,
            family=family,
            difficulty=sampler.difficulty,
            scenario=" ".join([who.known, *(wish.want for wish in chosen), *manner]),
            persona=sampler.rng.choice(PERSONAS),
            facts=who.facts,
            goals=goals,
            gold=once(gold),
            communicate=tuple(dict.fromkeys(text for goal in goals for text in goal.final.must_communicate)),
            seed=sampler.rng.getrandbits(31),
        )


def one(build: Callable[[C], GoalDraft | None]) -> Callable[[C], Sequence[GoalDraft | None]]:
    """The wishes of a family whose tasks have one."""
    return lambda sampler: [build(sampler)]


def once(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """Calls without repeated look-ups."""
    kept: list[ToolCall] = []
    for step in calls:
        if not step.name.startswith(("get_", "list_", "search_", "check_")) or step not in kept:
            kept.append(step)
    return tuple(kept)


@dataclass(frozen=True)
class TaskGenerator(Generic[C]):
    """What a world draws its tasks from.

    Attributes:
        domain: its name.
        fill: writes its rows.
        families: by name.
        customers: all customers that tasks may be about, in a fixed order.
        sampler: a customer with a draw, in a difficulty.
        assemble: a task of these wishes, given its family, id and split; depth and structure are added here.
        published: the folder of the published splits, a file `SPLIT.jsonl.gz` each.
        finish: adds to a task what can be said only after its gold calls, which have been made in the session.
    """

    domain: str
    fill: Callable[[Database], None]
    families: Mapping[str, Family[C]]
    customers: Callable[[], list[Record]]
    sampler: Callable[[random.Random, Record, Difficulty], C]
    assemble: Callable[[C, Sequence[GoalDraft], str, str, str], Task]
    published: Path
    finish: Callable[[Task, Session], Task] = lambda task, session: task
    _splits: dict[str, tuple[Task, ...]] = field(default_factory=dict, init=False, repr=False)
    _shuffled: list[Record] = field(default_factory=list, init=False, repr=False)

    def data(self, path: str | None = None) -> Dataset:
        """The world's own tasks."""
        return Dataset(name="own", fill=self.fill, tasks=self._split, splits=tuple(SIZES), generate=self.generate)

    def generate(self, seed: int, count: int, split: str) -> list[Task]:
        """Draw `count` different tasks among a split's customers; the same ones for the same seed.

        Raises:
            BadInput: the split's customers do not hold so many different tasks.
        """
        rng = random.Random(f"{self.domain} tasks {split} {seed}")
        seen: set[str] = set()
        tasks = []
        with Session(self.domain) as session:
            for number, (family, difficulty) in enumerate(self._plan(rng, count)):
                identifier = f"{self.domain}-{split}-{seed}-{number:04}"
                for _ in range(MAX_DRAWS):
                    draw = random.Random(rng.getrandbits(64))
                    sampler = self.sampler(draw, draw.choice(self._customers(split)), difficulty)
                    task = self._draw(sampler, family, identifier, split, session)
                    if task is not None and (content := _content(sampler, task)) not in seen:
                        seen.add(content)
                        tasks.append(task)
                        break
                else:
                    raise BadInput(
                        f"The {split} customers hold no more different {difficulty} tasks of the family {family} after "
                        f"{number} tasks; ask for fewer, or take the split train, which has the most customers."
                    )
        return tasks

    def _split(self, split: str) -> tuple[Task, ...]:
        if split not in self._splits:
            self._splits[split] = tuple(read_tasks(self.published / f"{split}.jsonl.gz"))
        return self._splits[split]

    def _customers(self, split: str) -> list[Record]:
        users = self._shuffled
        if not users:
            users += self.customers()
            random.Random(f"{self.domain} splits").shuffle(users)
        low, high = SHARES[split]
        return users[int(low * len(users)) : int(high * len(users))]

    def _plan(self, rng: random.Random, count: int) -> list[tuple[str, Difficulty]]:
        """Family and difficulty of each task: in the families' shares, as evenly as the count allows, shuffled."""
        kinds: list[tuple[str, Difficulty]] = []
        weights = []
        for name, family in self.families.items():
            for difficulty, share in zip(DIFFICULTIES, family.shares, strict=True):
                kinds += [(name, difficulty)] if share else []
                weights += [share] if share else []
        exact = [count * weight / sum(weights) for weight in weights]
        numbers = [int(share) for share in exact]
        rest = sorted(range(len(kinds)), key=lambda index: (numbers[index] - exact[index], rng.random()))
        for index in rest[: count - sum(numbers)]:
            numbers[index] += 1
        plan = [kind for kind, number in zip(kinds, numbers, strict=True) for _ in range(number)]
        rng.shuffle(plan)
        return plan

    def _draw(self, sampler: C, family: str, identifier: str, split: str, session: Session) -> Task | None:
        """A task of a family for this customer, or None when it cannot be drawn or would not be sound."""
        found = self.families[family].draw(sampler)
        chosen = [wish for wish in found if wish is not None]
        if len(chosen) < len(found):
            return None
        task = self.assemble(sampler, chosen, family, identifier, split)
        speech = "\n".join(_user_speech(task))
        if any(
            goal.final.must_communicate and mentions_all(goal.final.must_communicate, speech) for goal in task.goals
        ):
            return None  # the user happens to say the answer
        if task.setup:
            with Session(self.domain, task=task) as prepared:
                return self._proven(task, prepared)
        session.rollback(0)
        return self._proven(task, session)

    def _proven(self, task: Task, session: Session) -> Task | None:
        for call in task.gold:
            session.call(call.name, call.arguments, by=call.by)
        steps = trace(task, session.log)
        if not all(record.ok for record in session.log) or any(step.missing for step in steps):
            return None
        return self.finish(task.model_copy(update={"depth": depth(steps), "structure": structure(steps)}), session)


def _user_speech(task: Task) -> Iterator[str]:
    for goal in task.every_goal():
        yield goal.utterance
        yield from (fact_in_words(fact.value) for fact in goal.facts)


def _content(sampler: Drawn, task: Task) -> str:
    """What no two tasks of a split share: the customer and what is wished, however it is worded."""
    setup = [call.model_dump() for call in task.setup]
    return f"{sampler.user['user_id']} {[goal.model_dump(exclude={'utterance'}) for goal in task.goals]} {setup}"
