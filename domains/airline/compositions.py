"""Airline conversations that turn: conditional wishes, changes of mind, and several wishes at once."""

from __future__ import annotations

from collections.abc import Callable

from domains.airline.booking import Plan, book, book_plan, draw_plan
from domains.airline.changes import (
    Maker,
    add_bags,
    bags,
    cabin,
    cancel,
    cancel_because,
    cancel_trip,
    cancellable,
    change_cabin,
    flights,
    from_trips,
    movable,
    move_flight,
    passengers,
    replace_passenger,
)
from domains.airline.customer_sampler import Builder, CustomerSampler
from domains.airline.forbidden import forbidden
from domains.airline.questions import ask
from domains.airline.reservation_rules import Record, always_cancellable, day_words, direct, shift, sound, world
from domains.airline.wording import PLANS
from sandbox.kit.task import Fact
from sandbox.synthesis.goal_builder import GoalDraft, either, later, told, turned
from sandbox.synthesis.wording import lower_first

# --- conditional ---


def conditional(sampler: CustomerSampler) -> GoalDraft | None:
    """A wish, and another for the case that it is impossible: at times it is, at times it is not."""
    return sampler.rng.choice((_cancel_or, _cancel_or, _move_or, _direct_or))(sampler)


def _cancel_or(sampler: CustomerSampler) -> GoalDraft | None:
    """Cancel for a reason that counts only at times, or else change the trip."""
    possible = sampler.rng.random() < 0.4
    make: Maker = sampler.rng.choice((change_cabin, add_bags, replace_passenger))

    def both(sampler: CustomerSampler, trip: Record) -> GoalDraft | None:
        wish = cancel_because(sampler, trip, sampler.rng.choice(PLANS))
        other = make(sampler, trip)
        return None if other is None else _or_else(sampler, wish, other, possible=possible)

    def fits(trip: Record) -> bool:
        return sound(trip) and always_cancellable(trip) == possible

    return from_trips(fits, both)(sampler)


def _move_or(sampler: CustomerSampler) -> GoalDraft | None:
    """Move a flight, or else cancel or change the trip: flights of basic economy cannot be moved."""
    possible = sampler.rng.random() < 0.4
    make: Maker = sampler.rng.choice((change_cabin, add_bags))

    def both(sampler: CustomerSampler, trip: Record) -> GoalDraft | None:
        wish = move_flight(sampler, trip if possible else trip | {"cabin": "economy"})  # worded as if it could be moved
        other = None if wish is None else make(sampler, trip)
        return None if wish is None or other is None else _or_else(sampler, wish, other, possible=possible)

    return from_trips(movable if possible else lambda trip: sound(trip) and not movable(trip), both)(sampler)


def _or_else(sampler: CustomerSampler, wish: GoalDraft, other: GoalDraft, *, possible: bool) -> GoalDraft:
    return either(sampler.rng, wish, told(other, f"Then {lower_first(other.goal.utterance)}"), possible=possible)


def _direct_or(sampler: CustomerSampler) -> GoalDraft | None:
    """Book a direct flight on a day, or else on another day."""
    count = sampler.rng.randint(1, min(2, 1 + len(sampler.user["saved_passengers"])))
    plan = draw_plan(sampler, count, stops=False)
    if plan is None or len(plan.days) > 1:
        return None
    wish = book_plan(sampler, plan, count)
    other_day = next((day for day in _days_without(plan, count)), None)
    if wish is None or other_day is None:
        return None
    goal = wish.goal
    wanted, fallback = day_words(other_day), day_words(plan.days[0])
    first_say = goal.utterance.replace(f"on {fallback}", f"on {wanted}")
    dated = tuple(Fact(name="date", value=other_day) if fact.name == "date" else fact for fact in goal.facts)
    impossible = GoalDraft(
        goal.model_copy(update={"utterance": first_say, "facts": dated}),
        wish.want.replace(f"on {fallback}", f"on {wanted}"),
        (*wish.reads[:1], wish.reads[1].model_copy(update={"arguments": {**_search(plan), "date": other_day}})),
    )
    reserve = GoalDraft(goal, f"you want the same trip on {fallback} instead.", wish.reads)
    return either(
        sampler.rng, impossible, told(reserve, f"Then on {fallback}, with all else the same."), possible=False
    )


def _search(plan: Plan) -> Record:
    return {"origin": plan.origin, "destination": plan.destination}


def _days_without(plan: Plan, count: int) -> list[str]:
    """Days near the plan's on which its direct flight cannot be had."""
    days = [shift(plan.days[0], step) for step in (1, -1, 2, -2, 3, -3)]
    known = [day for day in days if (plan.seats[0].number, day) in world().status and day > "2024-05-16"]
    return [day for day in known if not direct(plan.origin, plan.destination, day, plan.cabin, count)]


# --- changes of mind ---

_MAKERS: tuple[tuple[Callable[[Record], bool], Maker], ...] = (
    (cancellable, cancel_trip),
    (sound, change_cabin),
    (movable, move_flight),
    (sound, add_bags),
    (sound, replace_passenger),
)


def change_of_mind(sampler: CustomerSampler) -> GoalDraft | None:
    """A wish that is replaced by another for the same reservation once the agent proposes to carry it out."""
    (first_fits, first_make), (then_fits, then_make) = sampler.rng.sample(_MAKERS, 2)

    def both(sampler: CustomerSampler, trip: Record) -> GoalDraft | None:
        begun = first_make(sampler, trip)
        final = None if begun is None else then_make(sampler, trip)
        return None if begun is None or final is None else turned(sampler.rng, begun, final)

    return from_trips(lambda trip: sound(trip) and first_fits(trip) and then_fits(trip), both)(sampler)


# --- several ---

CHANGES: tuple[Builder, ...] = (cancel, cabin, flights, bags, passengers)
OTHERS: tuple[Builder, ...] = (ask, ask, forbidden, book)


def several(sampler: CustomerSampler) -> list[GoalDraft | None]:
    """Two or three wishes about different reservations, at least one of which changes something."""
    builders = [*sampler.rng.sample(CHANGES, 2), sampler.rng.choice(OTHERS)]
    if sampler.vague and sampler.rng.random() < 0.25:
        builders[0] = sampler.rng.choice((conditional, change_of_mind))
    count = 3 if sampler.vague and sampler.rng.random() < 0.5 else 2
    chosen = [builders[0], *sampler.rng.sample(builders[1:], count - 1)]
    sampler.rng.shuffle(chosen)
    chosen.sort(key=lambda build: build is not ask)  # what is asked must be true before anything changes
    return [later(sampler.rng, build(sampler), index) for index, build in enumerate(chosen)]
