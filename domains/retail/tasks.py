"""The retail world's own tasks: any number, drawn from a seed, in families and difficulties, with their gold calls.

Facts of a task: `first_name`, `last_name`, `zip`, `email` (who the user is). Facts of a goal: `order_id`; `items` and
`new_items` (lists of {name, options, item_id, product_id}); `reason`; `payment` (in words); `address` (the six fields);
`question`.

Difficulty follows TARL's three forms of an instruction (section 4 and appendix): simple (everything is stated at once,
with order numbers), standard (numbers and some facts are told when asked), hard (orders are described and not
numbered). docs/tasks.md describes the families.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import get_args

from domains.retail import limits, wishes
from domains.retail.cases import Case, Record, world
from domains.retail.seed import fill
from domains.retail.wishes import Builder, Wish, call
from sandbox.domain import Data
from sandbox.errors import BadInput
from sandbox.message import ToolCall
from sandbox.reach import depth, structure, trace
from sandbox.session import Session
from sandbox.task import Difficulty, Fact, Goal, Task, read_tasks

SIZES = {"train": 2000, "dev": 100, "test": 115}
SHARES = {"train": (0.0, 0.72), "dev": (0.72, 0.84), "test": (0.84, 1.0)}
"""Which part of the shuffled customers a split draws from: no customer is in two splits."""

DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)

SINGLE: dict[str, Builder] = {
    "cancel": wishes.cancel,
    "return": wishes.send_back,
    "exchange": wishes.exchange,
    "modify_items": wishes.modify_items,
    "modify_payment": wishes.modify_payment,
    "modify_address": wishes.modify_address,
    "profile": wishes.move_house,
    "information": wishes.ask,
    "forbidden": limits.forbidden,
    "human": limits.human,
    "conditional": limits.if_gone,
    "change_of_mind": limits.change_of_mind,
}
FAMILIES = (*SINGLE, "several")
WEIGHTS = (8, 10, 10, 8, 5, 5, 4, 12, 12, 4, 7, 5, 14)
MOST_DRAWS = 2000
PERSONAS = ("terse", "chatty", "polite", "impatient")


def own(path: str | None = None) -> Data:
    """The world's own tasks, or those of a file that `toolgym tasks generate` wrote.

    Args:
        path: a JSONL file of tasks.
    """
    if path is not None:
        return _from_file(Path(path))
    return Data(name="own", fill=fill, tasks=_split, splits=tuple(SIZES), generate=generate)


def _from_file(path: Path) -> Data:
    tasks = read_tasks(path)
    strangers = {task.domain for task in tasks} - {"retail"}
    if strangers:
        raise BadInput(f"{path} holds tasks of {', '.join(sorted(strangers))}, not of retail.")
    named = [task.model_copy(update={"data": f"own:{path}"}) for task in tasks]
    splits = tuple(dict.fromkeys(task.split for task in tasks))
    return Data(
        name=f"own:{path}",
        fill=fill,
        tasks=lambda split: [task for task in named if task.split == split],
        splits=splits,
    )


@lru_cache(maxsize=len(SIZES))
def _split(split: str) -> tuple[Task, ...]:
    return tuple(generate(0, SIZES[split], split))


def generate(seed: int, count: int, split: str) -> list[Task]:
    """Draw `count` different tasks among a split's customers; the same ones for the same seed."""
    rng = random.Random(f"retail tasks {split} {seed}")
    users = _users(split)
    tasks: list[Task] = []
    seen: set[str] = set()
    plan = [(family, DIFFICULTIES[n % 3]) for n, family in enumerate(rng.choices(FAMILIES, WEIGHTS, k=count))]
    with Session("retail") as session:
        for number, (family, difficulty) in enumerate(plan):
            name = f"retail-{split}-{seed}-{number:04}"
            for _ in range(MOST_DRAWS):
                draw = random.Random(rng.getrandbits(64))
                case = Case(draw, draw.choice(users), difficulty, set())
                task = _draw(case, family, name, split, session)
                if task is not None and (content := f"{task.scenario} {task.gold}") not in seen:
                    seen.add(content)
                    tasks.append(task)
                    break
            else:
                raise BadInput(f"No further {family} task can be drawn among the {len(users)} customers of {split}.")
    return tasks


@lru_cache(maxsize=len(SIZES))
def _users(split: str) -> list[Record]:
    users = [user for user in world().users.values() if user["orders"]]
    random.Random("retail splits").shuffle(users)
    low, high = SHARES[split]
    return users[int(low * len(users)) : int(high * len(users))]


def _draw(case: Case, family: str, identifier: str, split: str, session: Session) -> Task | None:
    """A task of a family for this customer, or None when it cannot be drawn or its gold calls do not all succeed."""
    found = _several(case) if family == "several" else [SINGLE[family](case)]
    chosen = [wish for wish in found if wish is not None]
    if len(chosen) < len(found):
        return None
    task = _assemble(case, chosen, family, identifier, split)
    session.rollback(0)
    steps = trace(task, session)
    if not all(record.ok for record in session.log):
        return None
    return task.model_copy(update={"depth": depth(steps), "structure": structure(steps)})


def _several(case: Case) -> list[Wish | None]:
    """Two or three wishes about different orders."""
    builders = ("cancel", "return", "exchange", "modify_items", "modify_payment", "modify_address", "information")
    names = case.rng.sample(builders, case.rng.choice((2, 2, 3)))
    return [SINGLE[name](case) for name in names]


def _assemble(case: Case, chosen: Sequence[Wish], family: str, identifier: str, split: str) -> Task:
    facts, known, sign_in = _identity(case)
    goals = [wish.goal for wish in chosen]
    goals = [goals[0], *(_next(case, goal) for goal in goals[1:])]
    gold = [sign_in]
    for wish, goal in zip(chosen, goals, strict=True):
        final = _final(goal)
        if _needs_profile(case, wish, final):
            gold.append(call("get_user_details", user_id=case.user["user_id"]))
        gold += [*wish.reads, *final.calls]
    return Task(
        id=identifier,
        domain="retail",
        split=split,
        family=family,
        difficulty=case.difficulty,
        scenario=" ".join([known, *(wish.want for wish in chosen)]),
        persona=case.rng.choice(PERSONAS),
        facts=facts,
        goals=tuple(goals),
        gold=_once(gold),
        communicate=tuple(text for goal in goals for text in _final(goal).tell),
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


_OPENINGS: tuple[Callable[[str], str], ...] = (
    lambda say: f"Also, {say}" if say.startswith("I") else f"Also, {say[0].lower()}{say[1:]}",
    lambda say: f"There is something else. {say}",
    lambda say: f"Next: {say}",
)


def _next(case: Case, goal: Goal) -> Goal:
    """A later wish, introduced as one."""
    return goal.model_copy(update={"say": case.rng.choice(_OPENINGS)(goal.say)})


def _final(goal: Goal) -> Goal:
    """The goal that a correct run ends in."""
    following = goal.otherwise or goal.instead
    return _final(following) if following is not None else goal


def _needs_profile(case: Case, wish: Wish, goal: Goal) -> bool:
    """Whether the agent needs the customer's profile: to find a payment method, or the orders themselves."""
    pays = any("payment_method_id" in step.arguments for step in goal.calls)
    looks = any(step.name == "get_order_details" for step in wish.reads)
    return pays or (looks and case.vague)


def _once(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """Calls without repeated reads."""
    kept: list[ToolCall] = []
    for step in calls:
        if not step.name.startswith(("get_", "list_")) or step not in kept:
            kept.append(step)
    return tuple(kept)
