"""Wishes that the policy forbids, and matters for a human.

A refusal counts only when the agent says that it cannot be done and why. The accepted reasons are wide, but none of
them is in the user's own words, so that neither an apology nor an echo is enough.
"""

from __future__ import annotations

from functools import lru_cache

from domains.airline.changes import from_trips, new_traveller
from domains.airline.compensation import entitled
from domains.airline.customer_sampler import Builder, CustomerSampler, status_reads
from domains.airline.reservation_rules import (
    Record,
    always_cancellable,
    day_words,
    dropped,
    insured,
    place_words,
    shift,
    sound,
    started,
    statuses,
    upcoming,
    world,
)
from domains.airline.wording import PLANS, bags_in_words, sentence
from sandbox.kit.task import Fact, Goal
from sandbox.synthesis.goal_builder import ForbiddenGoal, GoalDraft, call, refused
from sandbox.synthesis.wording import first, lower_first, second

FLOWN = "flown|already taken off|has taken off|departed|landed|already been used|already travelled|in the past|begun"

# --- cancelling ---


def _no_ground(trip: Record) -> bool:
    return sound(trip) and not always_cancellable(trip)


def _cancel_without_ground(sampler: CustomerSampler, trip: Record) -> GoalDraft:
    """Cancel a trip that nothing allows to be cancelled: booked long ago, no business, no reason that counts."""
    sampler.take(trip)
    which, reason = sampler.refer(trip), sampler.rng.choice(PLANS)
    ways = (
        f"{{I}} want to cancel {which.words}, since {lower_first(reason)}",
        f"Please cancel {which.words} and refund it, because {lower_first(reason)}",
        f"Cancel {which.words}, please, as {lower_first(reason)} {{I}} expect a full refund.",
    )
    why = (
        "24 hours|twenty-four hours|insurance|insured|not business|business class|business cabin|business flight|"
        "cancellation policy|health or weather|not covered|covered reason"
    )
    facts = (*which.facts, Fact(name="reason", value=sentence(reason).removesuffix(".")))
    return refused(sampler.rng, ForbiddenGoal("cancel_reservation", ways, why, sampler.look_at(trip), facts))


def _cancel_in_part(sampler: CustomerSampler, trip: Record) -> GoalDraft | None:
    """Cancel for one of the passengers, or one way only."""
    people, both_ways = sampler.companions(trip), trip["flight_type"] == "round_trip"
    people = people if len(trip["passengers"]) > 1 else []
    if not people and not both_ways:
        return None
    sampler.take(trip)
    which = sampler.refer(trip)
    if people and (not both_ways or sampler.rng.random() < 0.5):
        name = f"{sampler.rng.choice(people)['first_name']}"
        ways = (
            f"{name} does not come along: please cancel {{my}} booking just for {name}; it is {which.words}.",
            f"{{I}} want a refund for {name} alone, who is one of the travellers; it is {which.words}.",
        )
    else:
        ways = (
            f"Please cancel the way back of {which.words} and keep the way out.",
            f"{{I}} do not need the return flight of {which.words}, cancel only that one.",
        )
    why = (
        "whole|entire|all passengers|all flights|all of the passengers|all of the flights|complete reservation|"
        "partial|partially|in part|number of passengers|every passenger|every flight|full reservation|as one"
    )
    return refused(sampler.rng, ForbiddenGoal("cancel_reservation", ways, why, sampler.look_at(trip), which.facts))


# --- flights and cabins ---


def _basic(trip: Record) -> bool:
    return sound(trip) and trip["cabin"] == "basic_economy"


def _move_basic(sampler: CustomerSampler, trip: Record) -> GoalDraft:
    """Move a flight in the cabin whose flights cannot be changed."""
    sampler.take(trip)
    which, day = sampler.refer(trip), shift(trip["flights"][0]["date"], sampler.rng.choice((-1, 1)))
    ways = (
        f"{{I}} want to take {which.words} on {day_words(day)} instead.",
        f"Please move {which.words} to {day_words(day)}, {{I}} pay what it costs.",
        f"Could you change the flights of {which.words} to {day_words(day)}?",
    )
    facts = (*which.facts, Fact(name="date", value=day))
    return refused(
        sampler.rng, ForbiddenGoal("update_reservation_flights", ways, "basic economy", sampler.look_at(trip), facts)
    )


def _other_goal(trip: Record) -> bool:
    return sound(trip) and trip["cabin"] != "basic_economy"


def _go_elsewhere(sampler: CustomerSampler, trip: Record) -> GoalDraft:
    """Change where a trip leads."""
    sampler.take(trip)
    which = sampler.refer(trip)
    goals = sorted({end for start, end in world().routes if start == trip["origin"]} - {trip["destination"]})
    goal = place_words(sampler.rng.choice(goals))
    ways = (
        f"{{I}} want to fly to {goal} with {which.words} instead.",
        f"Please change {which.words} so that it takes {{me}} to {goal}.",
        f"Could you reroute {which.words} to {goal}?",
    )
    why = "destination|origin and destination|same route|same cities|same airports|same origin|different route"
    return refused(
        sampler.rng, ForbiddenGoal("update_reservation_flights", ways, why, sampler.look_at(trip), which.facts)
    )


def _several_parts(trip: Record) -> bool:
    return sound(trip) and trip["cabin"] != "business" and (len(trip["passengers"]) > 1 or len(trip["flights"]) > 1)


def _upgrade_in_part(sampler: CustomerSampler, trip: Record) -> GoalDraft | None:
    """Have one passenger or one flight in a better cabin."""
    people = sampler.companions(trip) if len(trip["passengers"]) > 1 else []
    if not people and len(trip["flights"]) < 2:
        return None
    sampler.take(trip)
    which = sampler.refer(trip)
    if people:
        name = sampler.rng.choice(people)["first_name"]
        ways = (
            f"{{I}} want to upgrade {name}, and nobody else, to business. It is {which.words}.",
            f"Please put only {name} in business on {which.words}.",
        )
    else:
        ways = (
            f"{{I}} want business on the first flight of {which.words} and nowhere else.",
            f"Please upgrade just the last flight of {which.words} to business.",
        )
    why = (
        "same cabin|same class|all passengers|all flights|every passenger|every flight|all of the passengers|"
        "all of the flights|whole reservation|entire reservation|everyone|everybody"
    )
    return refused(
        sampler.rng, ForbiddenGoal("update_reservation_flights", ways, why, sampler.look_at(trip), which.facts)
    )


def _upgrade_too_late(sampler: CustomerSampler, trip: Record) -> GoalDraft:
    """Have another cabin on a trip of which a part has been flown."""
    sampler.take(trip)
    which = sampler.refer(trip)
    cabin = "economy" if trip["cabin"] == "business" else "business"
    ways = (
        f"{{I}} want to change {which.words} to {cabin}.",
        f"Please change the cabin of {which.words} to {cabin}.",
    )
    reads = (*sampler.look_at(trip), *status_reads(trip))
    return refused(sampler.rng, ForbiddenGoal("update_reservation_flights", ways, FLOWN, reads, which.facts))


# --- bags, insurance, passengers ---


def _has_bags(trip: Record) -> bool:
    return upcoming(trip) and trip["total_baggages"] > 0


def _remove_bags(sampler: CustomerSampler, trip: Record) -> GoalDraft:
    """Take a checked bag off."""
    sampler.take(trip)
    which, words = sampler.refer(trip), bags_in_words(1)
    ways = (
        f"{{I}} want to travel light: drop {words} from {which.words} and refund it.",
        f"Please take {words} off {which.words}.",
        f"{{I}} do not need that much luggage, so take {words} off {which.words}.",
    )
    why = "remove|removed|removing|only add|only be added|added but not|reduce|reduced|reducing"
    return refused(
        sampler.rng, ForbiddenGoal("update_reservation_baggages", ways, why, sampler.look_at(trip), which.facts)
    )


def _uninsured(trip: Record) -> bool:
    return upcoming(trip) and not insured(trip)


def _insure_later(sampler: CustomerSampler, trip: Record) -> GoalDraft:
    """Buy insurance after the booking."""
    sampler.take(trip)
    which = sampler.refer(trip)
    ways = (
        f"{{I}} want to add travel insurance to {which.words}.",
        f"Please insure {which.words} as well, {{I}} forgot that.",
        f"Could {{I}} still get insurance for {which.words}?",
    )
    why = (
        "initial booking|time of booking|when booking|with the booking|after booking|after the booking|later|"
        "at booking|once booked|already booked|existing reservation|original booking|during booking|afterwards"
    )
    return refused(
        sampler.rng, ForbiddenGoal("update_reservation_flights", ways, why, sampler.look_at(trip), which.facts)
    )


def _one_more(sampler: CustomerSampler, trip: Record) -> GoalDraft:
    """Change how many travel."""
    sampler.take(trip)
    which = sampler.refer(trip)
    people = sampler.companions(trip) if len(trip["passengers"]) > 1 else []
    if people and sampler.rng.random() < 0.5:
        name = sampler.rng.choice(people)["first_name"]
        ways: tuple[str, ...] = (
            f"{{I}} want to take {name} off {which.words}, the others still travel.",
            f"Please remove {name} from {which.words}; nobody takes the place.",
        )
    else:
        words = new_traveller(sampler, trip)[1]
        ways = (
            f"{{I}} want to add another person to {which.words}: {words}.",
            f"Please put one more traveller on {which.words}: {words}.",
        )
    why = (
        "number of passengers|passenger count|how many passengers|number of travellers|number of people|"
        "amount of passengers"
    )
    return refused(
        sampler.rng, ForbiddenGoal("update_reservation_passengers", ways, why, sampler.look_at(trip), which.facts)
    )


# --- somebody else, money ---


@lru_cache(maxsize=1)
def _upcoming_codes() -> list[str]:
    return [code for code, trip in world().reservations.items() if upcoming(trip)]


def strangers_trip(sampler: CustomerSampler) -> GoalDraft | None:
    """Act on somebody else's reservation."""
    code = sampler.rng.choice([code for code in _upcoming_codes() if code not in sampler.user["reservations"]])
    ways = (
        f"Please cancel reservation {code}. A friend of {{mine}} made it and asked {{me}} to do this.",
        f"{{I}} want to cancel reservation {code}, which {{my}} sister made.",
        f"Could you cancel reservation {code}? A neighbour made it and has no time to call.",
    )
    why = (
        "another customer|another customer's|other customers|someone else|someone else's|somebody else|another person|"
        "not yours|your own|your account|your profile|your reservations|different account|another account|another user|"
        "different customer|other people|account holder|different user|customer who booked|person who booked"
    )
    facts = (Fact(name="reservation_id", value=code),)
    read = call("get_reservation_details", reservation_id=code)
    return refused(sampler.rng, ForbiddenGoal("cancel_reservation", ways, why, (read,), facts))


def _compensate_nobody(sampler: CustomerSampler, trip: Record) -> GoalDraft | None:
    """Compensation for a cancelled flight, for a customer who is not entitled to any."""
    if entitled(sampler, trip):
        return None
    sampler.take(trip)
    which = sampler.refer(trip)
    ways = (
        f"You have cancelled a flight of {which.words}. {{I}} want compensation.",
        f"{{I}} demand a certificate, because a flight of {which.words} has been cancelled by you.",
    )
    why = "regular|silver|gold|insurance|membership|member|business"
    reads = (*sampler.look_at(trip), *status_reads(trip))
    return refused(sampler.rng, ForbiddenGoal("send_certificate", ways, why, reads, which.facts))


def _flown(trip: Record) -> bool:
    return started(trip) and "cancelled" not in statuses(trip) and "delayed" not in statuses(trip)


def _compensate_for_nothing(sampler: CustomerSampler, trip: Record) -> GoalDraft:
    """Compensation for something that is never compensated."""
    sampler.take(trip)
    which = sampler.refer(trip)
    matter = sampler.rng.choice(
        ("the food on board was bad", "the seat was too narrow", "the crew was rude", "there was no film to watch")
    )
    ways = (
        f"{{I}} want compensation for {which.words}: {matter}.",
        f"On {which.words} {matter}. What do {{I}} get for that?",
        f"{{I}} want a certificate because {matter}; that was on {which.words}.",
    )
    why = "cancelled flight|canceled flight|cancelled|canceled|delayed|delay|delays|only compensate|cancellations"
    facts = (*which.facts, Fact(name="complaint", value=matter))
    return refused(sampler.rng, ForbiddenGoal("send_certificate", ways, why, sampler.look_at(trip), facts))


cancel_without_ground: Builder = from_trips(_no_ground, _cancel_without_ground)
cancel_in_part: Builder = from_trips(sound, _cancel_in_part)
move_basic: Builder = from_trips(_basic, _move_basic)
go_elsewhere: Builder = from_trips(_other_goal, _go_elsewhere)
upgrade_in_part: Builder = from_trips(_several_parts, _upgrade_in_part)
upgrade_too_late: Builder = from_trips(started, _upgrade_too_late)
remove_bags: Builder = from_trips(_has_bags, _remove_bags)
insure_later: Builder = from_trips(_uninsured, _insure_later)
one_more: Builder = from_trips(sound, _one_more)
compensate_nobody: Builder = from_trips(dropped, _compensate_nobody)
compensate_for_nothing: Builder = from_trips(_flown, _compensate_for_nothing)

FORBIDDEN: dict[Builder, int] = {
    cancel_without_ground: 2,
    cancel_in_part: 1,
    move_basic: 1,
    go_elsewhere: 1,
    upgrade_in_part: 1,
    upgrade_too_late: 1,
    remove_bags: 1,
    insure_later: 1,
    one_more: 1,
    strangers_trip: 1,
    compensate_nobody: 12,
    compensate_for_nothing: 2,
}
"""How often each is tried; few customers have what the last ones need."""


def forbidden(sampler: CustomerSampler) -> GoalDraft | None:
    """Any forbidden wish."""
    (build,) = sampler.rng.choices(list(FORBIDDEN), list(FORBIDDEN.values()))
    return build(sampler)


# --- for a human ---

AFTERWARDS = (
    "{my} suitcase has not arrived after {trip}",
    "{I} left {my} laptop on board on {trip}",
    "{I} got hurt by a trolley on {trip} and want to talk about damages",
    "{I} want to complain in person about a member of the crew on {trip}",
)
BEFORE = (
    "{I} need to take a dog in the cabin on {trip}",
    "{I} need a wheelchair at the airport for {trip}",
    "{I} want an invoice in the name of {my} company for {trip}",
    "{my} card statement shows a second payment for {trip}, and {I} want that investigated",
    "{I} want the e-mail address in {my} profile changed before {trip}",
)


def _begun(trip: Record) -> bool:
    return started(trip) and not {"flying", "landed", "cancelled"} & set(statuses(trip)[-1:])


def _over(trip: Record) -> bool:
    return set(statuses(trip)) == {"landed"}


def human(sampler: CustomerSampler) -> GoalDraft | None:
    """Something that only a person can handle: a matter beyond the tools, or cancelling a trip that has begun."""
    trips = sampler.trips(_begun)
    if trips and sampler.rng.random() < 0.5:
        which = sampler.refer(trips[0])
        matter = f"{{I}} want to cancel {which.words} and not fly the rest of it"
        reads = (*sampler.look_at(trips[0]), *status_reads(trips[0]))
    else:
        fits, matters = sampler.rng.choice(((_over, AFTERWARDS), (upcoming, BEFORE)))
        trips = sampler.trips(fits)
        if not trips:
            return None
        which, reads = sampler.refer(trips[0]), sampler.look_at(trips[0])
        matter = sampler.rng.choice(matters).replace("{trip}", which.words)
    sampler.take(trips[0])
    ways = (
        f"{matter}. What can you do about it?",
        f"{matter}. {{I}} need help with that.",
        f"{matter}. Please take care of it.",
    )
    say = first(sampler.rng.choice(ways))
    goal = Goal(
        kind="transfer_to_human_agents",
        utterance=say[0].upper() + say[1:],
        facts=(*which.facts, Fact(name="matter", value=first(matter))),
        outcome="transferred",
    )
    want = f"You want help with this: {second(matter)}. If the agent hands you over to a human, that is fine."
    summary = first(f"The customer says: {matter}.")
    return GoalDraft(goal, want, (*reads, call("transfer_to_human_agents", summary=summary)))
