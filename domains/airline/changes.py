"""Wishes that cancel or change a reservation: each builder draws one for a customer, or None when nothing fits.

A `Maker` builds the wish for one reservation, so that conditions and changes of mind can put two about it together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from domains import people
from domains.airline.customer_sampler import CustomerSampler, Reference, fare_reads, status_reads
from domains.airline.reservation_rules import (
    TODAY,
    Record,
    Seat,
    always_cancellable,
    choice_of,
    day_words,
    direct,
    insured,
    journeys,
    paid,
    shift,
    sound,
    statuses,
    upcoming,
    world,
)
from domains.airline.seed import DAYS, FIRST_DAY
from domains.airline.tools import BAG
from domains.airline.wording import (
    CABIN_WORDS,
    CHARGE,
    DIFFERENCE,
    DROPPED,
    ILL,
    PLANS,
    STORM,
    bags_in_words,
    person_in_words,
    pick,
    sentence,
)
from sandbox.kit.message import ToolCall
from sandbox.kit.task import Fact, Goal
from sandbox.synthesis.goal_builder import GoalDraft, call
from sandbox.synthesis.wording import first, lower_first, money, second

Maker = Callable[[CustomerSampler, Record], GoalDraft | None]
LAST_DAY = shift(FIRST_DAY.isoformat(), DAYS - 1)


def from_trips(fits: Callable[[Record], bool], make: Maker) -> Callable[[CustomerSampler], GoalDraft | None]:
    """A builder that takes the customer's first reservation that fits and for which the wish can be made."""

    def build(sampler: CustomerSampler) -> GoalDraft | None:
        made = (make(sampler, trip) for trip in sampler.trips(fits))
        return next((wish for wish in made if wish is not None), None)

    return build


# --- cancel ---


def cancellable(trip: Record) -> bool:
    """Whether there is a reason for which it can be cancelled."""
    return always_cancellable(trip) or (upcoming(trip) and insured(trip))


def cancel_trip(sampler: CustomerSampler, trip: Record) -> GoalDraft:
    """The wish to cancel, for a reason that is accepted where one is needed."""
    if "cancelled" in statuses(trip):
        reason = DROPPED
    elif always_cancellable(trip):
        reason = sampler.rng.choice(PLANS)
    else:
        reason = sampler.rng.choice(ILL + STORM)
    return cancel_because(sampler, trip, reason)


def cancel_because(sampler: CustomerSampler, trip: Record, reason: str) -> GoalDraft:
    """The wish to cancel for this reason."""
    sampler.take(trip)
    which, asked = sampler.refer(trip), sampler.asks_for(share=0.7)
    because = "" if asked else f" {sentence(reason)}"
    asks = sampler.difficulty != "simple" and sampler.rng.random() < 0.3
    goal = Goal(
        kind="cancel_reservation",
        utterance=pick(sampler.rng, "cancel", trip=which.words)
        + because
        + (" How much do I get back?" if asks else ""),
        facts=(*which.facts, Fact(name="reason", value=sentence(reason).removesuffix("."), on_request=asked)),
        calls=(call("cancel_reservation", reservation_id=trip["reservation_id"]),),
        must_communicate=(money(paid(trip)),) if asks else (),
    )
    want = second(f"You want to cancel {which.words}. Your reason: {lower_first(reason)}")
    want += " You also want to know how much you get back." if asks else ""
    reads = status_reads(trip) if "cancelled" in statuses(trip) else ()
    return GoalDraft(goal, want, (*sampler.look_at(trip), *reads))


# --- cabin and flights ---


def change_cabin(sampler: CustomerSampler, trip: Record) -> GoalDraft | None:
    """The wish to fly in another cabin that has seats on all flights."""
    cabins = [cabin for cabin in CABIN_WORDS if cabin != trip["cabin"]]
    sampler.rng.shuffle(cabins)
    for cabin in cabins:
        fares = _fares(trip, cabin)
        if fares is not None:
            return _rebooked_cabin(sampler, trip, cabin, fares)
    return None


def _fares(trip: Record, cabin: str) -> list[int] | None:
    """Today's price of a seat on each flight in a cabin, or None when a flight has not enough of them."""
    fares = []
    for leg in trip["flights"]:
        seats, price = world().cabins.get((leg["flight_number"], leg["date"], cabin), (0, 0))
        if seats < len(trip["passengers"]):
            return None
        fares.append(price)
    return fares


def _rebooked_cabin(sampler: CustomerSampler, trip: Record, cabin: str, fares: Sequence[int]) -> GoalDraft | None:
    count = len(trip["passengers"])
    before = [leg["price"] for leg in trip["flights"]]
    difference = (sum(fares) - sum(before)) * count
    method = sampler.payer(difference)
    if method is None:
        return None
    sampler.take(trip)
    which = sampler.refer(trip)
    opening = pick(sampler.rng, "cabin", trip=which.words, cabin=CABIN_WORDS[cabin])
    arguments = {"cabin": cabin, "flights": choice_of(trip["flights"])}
    want = f"You want all flights of {which.words} in {CABIN_WORDS[cabin]}."
    facts = (Fact(name="cabin", value=CABIN_WORDS[cabin]),)
    reads = (*sampler.look_at(trip), *fare_reads(trip), _difference(fares, before, count))
    return _settled(sampler, trip, which, (opening, want, facts, reads), arguments, (method, difference))


def _difference(fares: Sequence[int], before: Sequence[int], count: int) -> ToolCall:
    new, old = " + ".join(map(str, fares)), " + ".join(map(str, before))
    return call("calculate", expression=f"{count} * (({new}) - ({old}))")


def _settled(
    sampler: CustomerSampler,
    trip: Record,
    which: Reference,
    words: tuple[str, str, tuple[Fact, ...], tuple[ToolCall, ...]],
    arguments: Record,
    payment: tuple[Record, int],
) -> GoalDraft:
    """A wish that books flights anew and settles the difference.

    Args:
        sampler: the customer.
        trip: the reservation.
        which: how it is spoken of.
        words: the opening, the scenario's sentence, further facts, the reads.
        arguments: cabin and flights of the call.
        payment: the method, and the dollars it pays (or receives, when negative).
    """
    opening, want, facts, reads = words
    method, difference = payment
    pays_later = sampler.asks_for(share=0.6)
    how = "" if pays_later else sampler.rng.choice(DIFFERENCE).format(method="{my} " + sampler.words_for(method))
    pay = f" {first(how)}" if how else ""
    asks = difference != 0 and sampler.difficulty != "simple" and sampler.rng.random() < 0.4
    goal = Goal(
        kind="update_reservation_flights",
        utterance=f"{opening}{pay}{' What is the exact price difference?' if asks else ''}",
        facts=(*which.facts, *facts, sampler.payment_fact(method, asked=pays_later)),
        calls=(
            call(
                "update_reservation_flights",
                reservation_id=trip["reservation_id"],
                **arguments,
                payment_id=method["id"],
            ),
        ),
        must_communicate=(money(abs(difference)),) if asks else (),
    )
    want += f" The price difference goes on {{my}} {sampler.words_for(method)}."
    want += " You also want to know the exact price difference." if asks else ""
    return GoalDraft(goal, second(want), reads)


def movable(trip: Record) -> bool:
    """Whether its flights can be changed."""
    return sound(trip) and trip["cabin"] != "basic_economy"


def move_flight(sampler: CustomerSampler, trip: Record) -> GoalDraft | None:
    """The wish to fly one way of a trip on another day, by a direct flight."""
    ways = journeys(trip)
    index = sampler.rng.randrange(len(ways))
    days = _possible_days(ways, index)
    if not days:
        return None
    day = sampler.rng.choice(days)
    legs, count = ways[index], len(trip["passengers"])
    options = direct(legs[0]["origin"], legs[-1]["destination"], day, trip["cabin"], count)
    seat, preference = preferred(sampler, options)
    if seat is None:
        return None
    difference = (seat.price - sum(leg["price"] for leg in legs)) * count
    method = sampler.payer(difference)
    if method is None:
        return None
    sampler.take(trip)
    which = sampler.refer(trip)
    name = "the flight" if len(ways) == 1 else ("the outbound flight", "the return flight")[index]
    opening = pick(sampler.rng, "flights", which=name, trip=which.words, day=day_words(day))
    opening += " It should be a direct flight." if len(legs) > 1 else ""
    opening += f" {first(preference)}" if preference else ""
    flights = [
        leg for way in (*ways[:index], [{"flight_number": seat.number, "date": day}], *ways[index + 1 :]) for leg in way
    ]
    want = f"You want {name} of {which.words} on {day_words(day)} instead, direct. {preference}".strip()
    search = call("search_direct_flight", origin=legs[0]["origin"], destination=legs[-1]["destination"], date=day)
    facts = (Fact(name="date", value=day),)
    reads = (*sampler.look_at(trip), search, _difference([seat.price], [leg["price"] for leg in legs], count))
    arguments = {"cabin": trip["cabin"], "flights": choice_of(flights)}
    return _settled(sampler, trip, which, (opening, want, facts, reads), arguments, (method, difference))


def _possible_days(ways: Sequence[Sequence[Record]], index: int) -> list[str]:
    """Days on which one way of a trip can be flown instead, before or after the other way."""
    own = ways[index][0]["date"]
    earliest = shift(ways[0][-1]["date"], 2) if index else shift(TODAY, 1)
    latest = shift(ways[1][0]["date"], -2) if len(ways) > 1 and not index else LAST_DAY
    days = [shift(own, step) for step in range(-6, 7) if step]
    return [day for day in days if earliest <= day <= latest]


def preferred(sampler: CustomerSampler, options: Sequence[Seat]) -> tuple[Seat | None, str]:
    """The one flight that a customer means, with the words that single it out; None when none is singled out."""
    if len(options) < 2:
        return (options[0] if options else None), ""
    by_price = sorted(options, key=lambda seat: seat.price)
    by_time = sorted(options, key=lambda seat: seat.departure)
    choices = []
    if by_price[0].price != by_price[1].price:
        choices.append((by_price[0], "If there are several, {I} take the cheapest."))
    if by_time[0].departure != by_time[1].departure:
        choices.append((by_time[0], "If there are several, {I} take the first of the day."))
    return sampler.rng.choice(choices) if choices else (None, "")


# --- bags and passengers ---


def add_bags(sampler: CustomerSampler, trip: Record) -> GoalDraft | None:
    """The wish to check more bags, free ones or paid ones."""
    more, count = sampler.rng.randint(1, 3), len(trip["passengers"])
    free = sampler.free_bags(trip["cabin"], count)
    total = trip["total_baggages"] + more
    nonfree = max(trip["nonfree_baggages"], total - free)
    fee = BAG * (nonfree - trip["nonfree_baggages"])
    method = sampler.payer(fee)
    if method is None:
        return None
    sampler.take(trip)
    which, asked = sampler.refer(trip), sampler.asks_for(share=0.6)
    words = f"{{my}} {sampler.words_for(method)}"
    charge = sampler.rng.choice(CHARGE).format(method=words, Method=words.replace("{my}", "My"))
    asks = fee > 0 and sampler.difficulty != "simple" and sampler.rng.random() < 0.3
    opening = pick(sampler.rng, "bags", trip=which.words, bags=bags_in_words(more))
    goal = Goal(
        kind="update_reservation_baggages",
        utterance=f"{opening}{'' if asked else ' ' + first(charge)}{' What does that cost?' if asks else ''}",
        facts=(
            *which.facts,
            Fact(name="bags", value=f"{bags_in_words(more)} more"),
            sampler.payment_fact(method, asked=asked),
        ),
        calls=(
            call(
                "update_reservation_baggages",
                reservation_id=trip["reservation_id"],
                total_baggages=total,
                nonfree_baggages=nonfree,
                payment_id=method["id"],
            ),
        ),
        must_communicate=(money(fee),) if asks else (),
    )
    want = f"You want to add {bags_in_words(more)} to {which.words}. If it costs anything, it goes on {words}."
    want += " You also want to know what it costs." if asks else ""
    sums = [call("calculate", expression=f"{trip['total_baggages']} + {more}")]
    if nonfree:
        sums.append(call("calculate", expression=f"{total} - {free}"))
    return GoalDraft(goal, second(want), (*sampler.look_at(trip), *sums))


def new_traveller(sampler: CustomerSampler, trip: Record) -> tuple[Record, str]:
    """Somebody who is not on a trip, and how the customer speaks of them: saved in the profile, or unknown so far."""
    on_board = [(person["first_name"], person["last_name"]) for person in trip["passengers"]]
    saved = [p for p in sampler.user["saved_passengers"] if (p["first_name"], p["last_name"]) not in on_board]
    if saved and sampler.rng.random() < 0.5:
        person = sampler.rng.choice(saved)
        return person, f"{person['first_name']} {person['last_name']}, who is saved in {{my}} profile"
    own = sampler.user["name"]
    person = {
        "first_name": sampler.rng.choice([name for name in people.FIRST_NAMES if name != own["first_name"]]),
        "last_name": sampler.rng.choice([name for name in people.LAST_NAMES if name != own["last_name"]]),
        "dob": "{}-{:02}-{:02}".format(*(sampler.rng.randrange(*span) for span in ((1950, 2006), (1, 13), (1, 29)))),
    }
    return person, person_in_words(person)


def replace_passenger(sampler: CustomerSampler, trip: Record) -> GoalDraft:
    """The wish that somebody else travels in a passenger's place."""
    sampler.take(trip)
    which, asked = sampler.refer(trip), sampler.asks_for(share=0.5)
    old = sampler.rng.choice(trip["passengers"])
    new, words = new_traveller(sampler, trip)
    name = f"{old['first_name']} {old['last_name']}"
    name = "{me}" if old["dob"] == sampler.user["dob"] or old not in sampler.companions(trip) else name
    parts = {"old": name, "trip": which.words, "new": words.replace(", ", " (", 1) + ")"}
    after = [new if person is old else person for person in trip["passengers"]]
    goal = Goal(
        kind="update_reservation_passengers",
        utterance=pick(sampler.rng, "passenger_to_be_asked" if asked else "passenger", **parts),
        facts=(*which.facts, Fact(name="passenger", value=first(words), on_request=asked)),
        calls=(call("update_reservation_passengers", reservation_id=trip["reservation_id"], passengers=list(after)),),
    )
    want = second(f"You want {words}, to travel on {which.words} in place of {name}.")
    return GoalDraft(goal, want, sampler.look_at(trip))


cancel = from_trips(cancellable, cancel_trip)
cabin = from_trips(sound, change_cabin)
flights = from_trips(movable, move_flight)
bags = from_trips(sound, add_bags)
passengers = from_trips(sound, replace_passenger)
