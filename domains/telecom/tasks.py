"""The telecom world's own tasks: faults composed on a customer's phone and line, and wishes about the account.

Fact names: name, phone_number and date_of_birth (identity), location, data_amount (what data the user would buy),
reason. The end state decides: repairs by assertions (the phone works, the account is as a right run leaves it), all
others by the changed rows. `metadata.faults` names a repair's faults: their number is the depth of the diagnosis.
"""

from __future__ import annotations

import random
from functools import lru_cache
from pathlib import Path

from domains.telecom.cases import FAMILIES, Case, once, victim_of
from domains.telecom.faults import Victim, agent_call
from domains.telecom.seed import Person, fill, people
from domains.telecom.world import summary
from sandbox.domain import Data
from sandbox.errors import BadInput
from sandbox.message import Json
from sandbox.reach import depth, structure, trace
from sandbox.session import Session
from sandbox.task import Assertion, Difficulty, Fact, Task, read_tasks

SIZES = {"train": 2000, "dev": 100, "test": 115}
SHARES = {"train": (0.0, 0.7), "dev": (0.7, 0.8), "test": (0.8, 1.0)}
"""The part of the customers that each split's tasks are about."""
MAX_DRAWS = 100
"""Draws in a row without a new task after which the customers count as exhausted."""
DIFFICULTIES: tuple[Difficulty, ...] = ("simple", "standard", "hard")
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
    strangers = {f"{task.domain} ({task.data})" for task in tasks} - {"telecom (own)"}
    if strangers:
        raise BadInput(f"{path} holds tasks of {', '.join(sorted(strangers))}, not of telecom (own).")
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
def _customers(split: str) -> list[Person]:
    everybody = list(people())
    random.Random("telecom splits").shuffle(everybody)
    low, high = SHARES[split]
    return everybody[int(low * len(everybody)) : int(high * len(everybody))]


# --- drawing ---


def generate(seed: int, count: int, split: str) -> list[Task]:
    """Draw `count` different tasks among a split's customers; the same ones for the same seed.

    Raises:
        BadInput: the split's customers do not hold so many different tasks.
    """
    rng = random.Random(f"telecom tasks {split} {seed}")
    kinds = [
        (family, difficulty, share)
        for family, sort in FAMILIES.items()
        for difficulty, share in zip(DIFFICULTIES, sort.shares, strict=True)
    ]
    seen: set[str] = set()
    tasks: list[Task] = []
    for number in range(count):
        family, difficulty, _ = rng.choices(kinds, [share for *_, share in kinds])[0]
        for _ in range(MAX_DRAWS):
            draw = random.Random(rng.getrandbits(64))
            victim = victim_of(draw, draw.choice(_customers(split)))
            case = FAMILIES[family].draw(draw, victim, difficulty)
            if (content := _content(victim, case)) not in seen:
                seen.add(content)
                identifier = f"telecom-{split}-{seed}-{number:04}"
                tasks.append(_task(draw, victim, case, family, difficulty, identifier, split))
                break
        else:
            raise BadInput(
                f"The {split} customers hold no more different {difficulty} tasks of the family {family} after "
                f"{number} tasks; ask for fewer, or take the split train, which has the most customers."
            )
    return tasks


def _content(victim: Victim, case: Case) -> str:
    """What no two tasks of a split share: the line, the wish and the faults, however they are worded."""
    return f"{victim.line.line_id} {case.goal.model_dump(exclude={'say'})} {case.goal.tell} {sorted(case.faults)}"


def _task(
    rng: random.Random, victim: Victim, case: Case, family: str, difficulty: Difficulty, identifier: str, split: str
) -> Task:
    person, line = victim.person, victim.line
    late = difficulty != "simple"
    user: dict[str, Json] = {"name": person.full_name, "phone_number": line.phone_number}
    facts = (
        Fact(name="name", value=person.full_name, withheld=late),
        Fact(name="phone_number", value=line.phone_number, withheld=late),
        Fact(name="date_of_birth", value=person.date_of_birth, withheld=True),
    )
    lookups = (
        agent_call("get_customer_by_phone", phone_number=line.phone_number),
        agent_call("get_details_by_id", id=line.line_id),
    )
    task = Task(
        id=identifier,
        domain="telecom",
        split=split,
        family=family,
        difficulty=difficulty,
        scenario=case.scenario + (" You say who you are only when you are asked." if late else ""),
        persona=rng.choice(PERSONAS),
        facts=(*facts, *case.facts),
        goals=(case.goal,),
        setup=(agent_call("set_user_info", **user), *case.setup),
        gold=tuple(once((*lookups, *case.gold))),
        communicate=case.goal.final.tell,
        assertions=case.assertions,
        ticket=case.ticket,
        seed=rng.getrandbits(31),
        metadata={"faults": list(case.faults)} if case.faults else {},
    )
    return _proved(task, person.customer_id)


def _proved(task: Task, customer_id: str) -> Task:
    """The task with the shape of its gold calls and, for a repair, the account as they leave it."""
    with Session("telecom", task=task) as session:
        steps = trace(task, session)
        account = _account(session, customer_id) if task.assertions else {}
    whole = Assertion(name="assert_account", arguments={"customer_id": customer_id, "expected": account})
    return task.model_copy(
        update={
            "depth": depth(steps),
            "structure": structure(steps),
            "assertions": (*task.assertions, whole) if task.assertions else (),
        }
    )


def _account(session: Session, customer_id: str) -> Json:
    """The customer's lines and bills as they are now."""

    def details(identifier: str) -> Json:
        return session.call("get_details_by_id", {"id": identifier}).value

    customer = details(customer_id)
    return summary([details(key) for key in customer["line_ids"]], [details(key) for key in customer["bill_ids"]])
