"""The airline world's own tasks: any number, drawn from a seed, in families and difficulties, with their gold calls.

Facts of a task (who the user is): `user_id`, `first_name`, `last_name`. Facts of a goal: `reservation_id`, or
`reservation` (what a customer without the number knows it by); `reason`; `payment`, `bags`, `passenger`, `insurance`
and `cabin` (in words); `date` and `return_date` (YYYY-MM-DD); `complaint`; `question`; `matter` (for a human).

Difficulty follows TARL's three forms of an instruction (section 4 and appendix A): simple (one wish, everything stated
at once, with the reservation's number), standard (the number and some facts are told when asked), hard (no number is
known, trips are described; often several wishes, conditions and changes of mind).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domains.airline import booking, changes, claims, limits, questions, twists
from domains.airline.cases import Case
from domains.airline.seed import fill
from domains.airline.trips import Record, day_words, world
from domains.airline.wording import WITHHELD
from domains.drawing import Drawing, Family, once, one
from domains.wishes import Wish, call
from domains.wording import listed
from sandbox.task import Fact, Goal, Task

PERSONAS = ("terse", "chatty", "polite", "impatient")

FAMILIES: dict[str, Family[Case]] = {
    "cancel": Family(one(changes.cancel), (3, 3, 3)),
    "cabin": Family(one(changes.cabin), (2, 3, 3)),
    "flights": Family(one(changes.flights), (2, 3, 3)),
    "bags": Family(one(changes.bags), (2, 2, 2)),
    "passengers": Family(one(changes.passengers), (2, 2, 2)),
    "book": Family(one(booking.book), (3, 5, 5)),
    "compensation": Family(one(claims.compensation), (2, 2, 2)),
    "information": Family(one(questions.ask), (3, 4, 4)),
    "forbidden": Family(one(limits.forbidden), (5, 6, 6)),
    "human": Family(one(limits.human), (2, 1, 1)),
    "conditional": Family(one(twists.conditional), (0, 4, 4)),
    "change_of_mind": Family(one(twists.change_of_mind), (0, 2, 4)),
    "several": Family(twists.several, (0, 4, 5)),
}


def _customers() -> list[Record]:
    return [user for user in world().users.values() if user["reservations"]]


def _assemble(case: Case, chosen: Sequence[Wish], family: str, identifier: str, split: str) -> Task:
    user, goals = case.user, tuple(wish.goal for wish in chosen)
    first, last, late = user["name"]["first_name"], user["name"]["last_name"], case.difficulty != "simple"
    facts = (
        Fact(name="first_name", value=first, withheld=late),
        Fact(name="last_name", value=last, withheld=late),
        Fact(name="user_id", value=user["user_id"], withheld=late),
    )
    gold = [call("get_user_details", user_id=user["user_id"])]
    for wish in chosen:
        gold += [*wish.reads, *wish.goal.final.calls]
    known = f"You are {first} {last}; your user id is {user['user_id']}."
    return Task(
        id=identifier,
        domain="airline",
        split=split,
        family=family,
        difficulty=case.difficulty,
        scenario=" ".join([known, *(wish.want for wish in chosen), *_manner(case, goals)]),
        persona=case.rng.choice(PERSONAS),
        facts=facts,
        goals=goals,
        gold=once(gold),
        communicate=tuple(dict.fromkeys(text for goal in goals for text in goal.final.tell)),
        seed=case.rng.getrandbits(31),
    )


def _manner(case: Case, goals: Sequence[Goal]) -> Iterator[str]:
    """How the user goes about it, for whoever plays them: what comes first, what only when asked, what is unknown."""
    facts = list(_all_facts(goals))
    days = sorted({str(fact.value) for fact in facts if fact.name in {"date", "return_date"}})
    if days:
        yield f"In numbers: {listed(f'{day_words(day)} is {day}' for day in days)}."
    if case.difficulty == "simple":
        yield "You say all of this, and who you are, in your first message."
        return
    held = [WITHHELD[fact.name] for fact in facts if fact.withheld and fact.name in WITHHELD]
    yield f"You mention {listed(dict.fromkeys(['who you are', *held]))} only when you are asked."
    numbers = list(dict.fromkeys(str(fact.value) for fact in facts if fact.name == "reservation_id"))
    if len(numbers) == 1:
        yield f"The reservation number is {numbers[0]}."
    elif numbers:
        yield f"The reservation numbers are {listed(numbers)}, in the order of your wishes."
    elif any(fact.name == "reservation" for fact in facts):
        yield "You have no reservation number at hand; the agent has to find the trip among your reservations."
    if len(goals) > 1:
        yield "You raise your wishes one after the other, the next once the one before is settled."


def _all_facts(goals: Sequence[Goal]) -> Iterator[Fact]:
    for goal in goals:
        yield from goal.facts
        yield from _all_facts([following for following in (goal.otherwise, goal.instead) if following is not None])


DRAWING = Drawing("airline", fill, FAMILIES, _customers, Case, _assemble)
own = DRAWING.data
