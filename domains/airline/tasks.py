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
from pathlib import Path

from domains.airline import booking, changes, compensation, compositions, forbidden, questions
from domains.airline.customer_sampler import CustomerSampler
from domains.airline.reservation_rules import Record, day_words, world
from domains.airline.seed import fill
from domains.airline.wording import WITHHELD
from sandbox.kit.task import Fact, Goal
from sandbox.synthesis.goal_builder import call
from sandbox.synthesis.task_generator import Family, Identity, TaskBuilder, TaskGenerator, UserStyle, all_facts, one
from sandbox.synthesis.wording import listed

FAMILIES: dict[str, Family[CustomerSampler]] = {
    "cancel": Family(one(changes.cancel), (3, 3, 3)),
    "cabin": Family(one(changes.cabin), (2, 3, 3)),
    "flights": Family(one(changes.flights), (2, 3, 3)),
    "bags": Family(one(changes.bags), (2, 2, 2)),
    "passengers": Family(one(changes.passengers), (2, 2, 2)),
    "book": Family(one(booking.book), (3, 5, 5)),
    "compensation": Family(one(compensation.compensation), (2, 2, 2)),
    "information": Family(one(questions.ask), (3, 4, 4)),
    "forbidden": Family(one(forbidden.forbidden), (5, 6, 6)),
    "human": Family(one(forbidden.human), (2, 1, 1)),
    "conditional": Family(one(compositions.conditional), (0, 4, 4)),
    "change_of_mind": Family(one(compositions.change_of_mind), (0, 2, 4)),
    "several": Family(compositions.several, (0, 4, 5)),
}


def _customers() -> list[Record]:
    return [user for user in world().users.values() if user["reservations"]]


def _identity(sampler: CustomerSampler) -> Identity:
    user, late = sampler.user, sampler.difficulty != "simple"
    first, last, user_id = user["name"]["first_name"], user["name"]["last_name"], user["user_id"]
    known = {"first_name": first, "last_name": last, "user_id": user_id}
    return Identity(
        facts=tuple(Fact(name=name, value=value, on_request=late) for name, value in known.items()),
        known=f"You are {first} {last}; your user id is {user_id}.",
        sign_in=call("get_user_details", user_id=user_id),
    )


def _days(goals: Sequence[Goal]) -> Iterator[str]:
    """The days that are named in the wishes, as the tools take them."""
    days = sorted({str(fact.value) for fact in all_facts(goals) if fact.name in {"date", "return_date"}})
    if days:
        yield f"In numbers: {listed(f'{day_words(day)} is {day}' for day in days)}."


USER_STYLE = UserStyle(
    thing="reservation",
    lost="You have no reservation number at hand; the agent has to find the trip among your reservations.",
    withheld=WITHHELD,
)
BUILDER = TaskBuilder("airline", _identity, USER_STYLE, _days)
PUBLISHED = Path(__file__).with_name("splits") / "v1"
GENERATOR = TaskGenerator("airline", fill, FAMILIES, _customers, CustomerSampler, BUILDER.task, PUBLISHED)
own = GENERATOR.data
