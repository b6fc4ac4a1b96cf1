"""The retail world's own tasks: any number, drawn from a seed, in families and difficulties, with their gold calls.

Facts of a task (who the user is): `first_name`, `last_name`, and `email` or `zip`. Facts of a goal: `order_id`, or
`order` (what a customer without the number knows it by); `items` and `new_items` (lists of {name, options, item_id,
product_id}); `reason`; `payment` (in words); `address` (the six fields); `question`; `matter` (for a human).

Difficulty follows TARL's three forms of an instruction (section 4 and appendix A): simple (one wish, everything stated
at once, with the order number), standard (the number and some facts are told when asked), hard (no number is known,
orders are described; often several wishes, conditions and changes of mind). docs/tasks.md describes the families.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from domains.retail import limits, questions, twists, wishes
from domains.retail.cases import Case, Record, call, world
from domains.retail.seed import fill
from domains.retail.wishes import Wish
from domains.retail.wording import WITHHELD, listed
from sandbox.domain import Data
from sandbox.errors import BadInput
from sandbox.message import ToolCall
from sandbox.reach import depth, structure, trace
from sandbox.session import Session
from sandbox.task import Difficulty, Fact, Goal, Task, read_tasks
from sandbox.users.knowledge import spoken
from sandbox.users.telling import all_told

SIZES = {"train": 2000, "dev": 100, "test": 115}
SHARES = {"train": (0.0, 0.72), "dev": (0.72, 0.84), "test": (0.84, 1.0)}
"""Which part of the shuffled customers a split draws from: no customer is in two splits."""

PERSONAS = ("terse", "chatty", "polite", "impatient")
MAX_DRAWS = 200
"""Draws in a row without a new task after which a family counts as exhausted."""


@dataclass(frozen=True)
class Family:
    """A sort of task.

    Attributes:
        draw: the wishes of one task, None among them when this customer has nothing for it.
        shares: how many of a hundred tasks are of this family and simple, standard, hard.
    """

    draw: Callable[[Case], Sequence[Wish | None]]
    shares: tuple[int, int, int]


def _one(build: Callable[[Case], Wish | None]) -> Callable[[Case], Sequence[Wish | None]]:
    return lambda case: [build(case)]


FAMILIES: dict[str, Family] = {
    "cancel": Family(_one(wishes.cancel), (3, 2, 2)),
    "return": Family(_one(wishes.send_back), (3, 2, 3)),
    "exchange": Family(_one(wishes.exchange), (3, 3, 3)),
    "modify_items": Family(_one(wishes.modify_items), (3, 3, 3)),
    "modify_payment": Family(_one(wishes.modify_payment), (2, 2, 1)),
    "modify_address": Family(_one(wishes.modify_address), (2, 2, 1)),
    "profile": Family(_one(wishes.move_house), (1, 2, 1)),
    "information": Family(_one(questions.ask), (5, 4, 4)),
    "forbidden": Family(_one(limits.forbidden), (5, 4, 4)),
    "human": Family(_one(limits.human), (2, 1, 1)),
    "conditional": Family(_one(twists.conditional), (0, 4, 5)),
    "change_of_mind": Family(_one(twists.change_of_mind), (0, 2, 4)),
    "several": Family(twists.several, (0, 4, 5)),
}
DIFFICULTIES: tuple[Difficulty, ...] = ("simple", "standard", "hard")


# --- data ---


def own(path: str | None = None) -> Data:
    """The world's own tasks, or those of a file that `toolgym tasks generate` wrote.

    Args:
        path: a JSONL file of tasks.
    """
    if path is not None:
        return _from_file(Path(path))
    return Data(name="own", fill=fill, tasks=_split, splits=tuple(SIZES), generate=generate)


def _from_file(path: Path) -> Data:
    """The tasks stay tasks of `own`: the rows are the same, and a recorded episode does not need the file."""
    tasks = read_tasks(path)
    strangers = {f"{task.domain} ({task.data})" for task in tasks} - {"retail (own)"}
    if strangers:
        raise BadInput(f"{path} holds tasks of {', '.join(sorted(strangers))}, not of retail (own).")
    splits = tuple(dict.fromkeys(task.split for task in tasks))
    return Data(
        name=f"own:{path}",
        fill=fill,
        tasks=lambda split: [task for task in tasks if task.split == split],
        splits=splits,
    )


@lru_cache(maxsize=len(SIZES))
def _split(split: str) -> tuple[Task, ...]:
    return tuple(generate(0, SIZES[split], split))


@lru_cache(maxsize=len(SIZES))
def _users(split: str) -> list[Record]:
    users = [user for user in world().users.values() if user["orders"]]
    random.Random("retail splits").shuffle(users)
    low, high = SHARES[split]
    return users[int(low * len(users)) : int(high * len(users))]


# --- drawing ---


def generate(seed: int, count: int, split: str) -> list[Task]:
    """Draw `count` different tasks among a split's customers; the same ones for the same seed.

    Raises:
        BadInput: the split's customers do not hold so many different tasks.
    """
    rng = random.Random(f"retail tasks {split} {seed}")
    seen: set[str] = set()
    tasks = []
    with Session("retail") as session:
        for number, (family, difficulty) in enumerate(_plan(rng, count)):
            identifier = f"retail-{split}-{seed}-{number:04}"
            for _ in range(MAX_DRAWS):
                draw = random.Random(rng.getrandbits(64))
                case = Case(draw, draw.choice(_users(split)), difficulty)
                task = _draw(case, family, identifier, split, session)
                if task is not None and (content := _content(case, task)) not in seen:
                    seen.add(content)
                    tasks.append(task)
                    break
            else:
                raise BadInput(
                    f"The {split} customers hold no more different {difficulty} tasks of the family {family} after "
                    f"{number} tasks; ask for fewer, or take the split train, which has the most customers."
                )
    return tasks


def _plan(rng: random.Random, count: int) -> list[tuple[str, Difficulty]]:
    """Family and difficulty of each task: in the families' shares, as evenly as the count allows, in random order."""
    kinds: list[tuple[str, Difficulty]] = []
    weights = []
    for name, family in FAMILIES.items():
        for difficulty, share in zip(DIFFICULTIES, family.shares, strict=True):
            kinds += [(name, difficulty)] if share else []
            weights += [share] if share else []
    exact = [count * weight / sum(weights) for weight in weights]
    numbers = [int(share) for share in exact]
    rest = sorted(range(len(kinds)), key=lambda place: (numbers[place] - exact[place], rng.random()))
    for place in rest[: count - sum(numbers)]:
        numbers[place] += 1
    plan = [kind for kind, number in zip(kinds, numbers, strict=True) for _ in range(number)]
    rng.shuffle(plan)
    return plan


def _draw(case: Case, family: str, identifier: str, split: str, session: Session) -> Task | None:
    """A task of a family for this customer, or None when it cannot be drawn or would not be sound."""
    found = FAMILIES[family].draw(case)
    chosen = [wish for wish in found if wish is not None]
    if len(chosen) < len(found):
        return None
    task = _assemble(case, chosen, family, identifier, split)
    speech = "\n".join(_user_speech(task.goals))
    if any(goal.final.tell and all_told(goal.final.tell, speech) for goal in task.goals):
        return None  # the user happens to say the answer
    session.rollback(0)
    steps = trace(task, session)
    if not all(record.ok for record in session.log):
        return None
    return task.model_copy(update={"depth": depth(steps), "structure": structure(steps)})


def _user_speech(goals: Sequence[Goal]) -> Iterator[str]:
    for goal in goals:
        yield goal.say
        yield from (spoken(fact.value) for fact in goal.facts)
        yield from _user_speech([following for following in (goal.otherwise, goal.instead) if following is not None])


def _content(case: Case, task: Task) -> str:
    """What no two tasks of a split share: the customer and what is wished, however it is worded."""
    return f"{case.user['user_id']} {[goal.model_dump(exclude={'say'}) for goal in task.goals]}"


# --- assembling ---


def _assemble(case: Case, chosen: Sequence[Wish], family: str, identifier: str, split: str) -> Task:
    facts, known, sign_in = _identity(case)
    goals = tuple(wish.goal for wish in chosen)
    gold = [sign_in]
    for wish in chosen:
        gold += [*wish.reads, *wish.goal.final.calls]
    return Task(
        id=identifier,
        domain="retail",
        split=split,
        family=family,
        difficulty=case.difficulty,
        scenario=" ".join([known, *(wish.want for wish in chosen), *_manner(case, facts, goals)]),
        persona=case.rng.choice(PERSONAS),
        facts=facts,
        goals=goals,
        gold=_once(gold),
        communicate=tuple(dict.fromkeys(text for goal in goals for text in goal.final.tell)),
        seed=case.rng.getrandbits(31),
    )


def _identity(case: Case) -> tuple[tuple[Fact, ...], str, ToolCall]:
    """Who the user is: known by e-mail, or by name and zip code."""
    user, late = case.user, case.difficulty != "simple"
    first, last = user["name"]["first_name"], user["name"]["last_name"]
    facts = [Fact(name="first_name", value=first, withheld=late), Fact(name="last_name", value=last, withheld=late)]
    if case.rng.random() < 0.5:
        facts.append(Fact(name="email", value=user["email"], withheld=late))
        known = f"You are {first} {last}; your e-mail address is {user['email']}."
        return tuple(facts), known, call("find_user_id_by_email", email=user["email"])
    code = user["address"]["zip"]
    facts.append(Fact(name="zip", value=code, withheld=late))
    known = f"You are {first} {last}; your zip code is {code}. You do not remember your e-mail address."
    return tuple(facts), known, call("find_user_id_by_name_zip", first_name=first, last_name=last, zip=code)


def _manner(case: Case, facts: Sequence[Fact], goals: Sequence[Goal]) -> Iterator[str]:
    """How the user goes about it, for whoever plays them: what comes first, what only when asked, what is unknown."""
    if case.difficulty == "simple":
        yield "You say all of this, and who you are, in your first message."
        return
    held = [WITHHELD[fact.name] for fact in _all_facts(goals) if fact.withheld and fact.name in WITHHELD]
    who = ["who you are"] if any(fact.withheld for fact in facts) else []
    yield f"You mention {listed(dict.fromkeys([*who, *held]))} only when you are asked."
    numbers = list(dict.fromkeys(str(fact.value) for fact in _all_facts(goals) if fact.name == "order_id"))
    if len(numbers) == 1:
        yield f"The order number is {numbers[0]}."
    elif numbers:
        yield f"The order numbers are {listed(numbers)}, in the order of your wishes."
    elif any(fact.name == "order" for fact in _all_facts(goals)):
        yield "You have no order number at hand; the agent has to find the order in your account."
    if len(goals) > 1:
        yield "You raise your wishes one after the other, the next once the one before is settled."


def _all_facts(goals: Sequence[Goal]) -> Iterator[Fact]:
    for goal in goals:
        yield from goal.facts
        yield from _all_facts([following for following in (goal.otherwise, goal.instead) if following is not None])


def _once(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """Calls without repeated reads."""
    kept: list[ToolCall] = []
    for step in calls:
        if not step.name.startswith(("get_", "list_")) or step not in kept:
            kept.append(step)
    return tuple(kept)
