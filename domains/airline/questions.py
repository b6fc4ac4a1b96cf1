"""Questions of an airline's customer: about a reservation, the flights or the profile; their answers must be said.

Each builder draws one for a customer, or None when the customer has nothing to ask it about.
"""

from __future__ import annotations

from domains.airline.customer_sampler import Builder, CustomerSampler, fare_reads, status_reads
from domains.airline.reservation_rules import (
    TODAY,
    Record,
    day_words,
    direct,
    paid,
    place_words,
    shift,
    sound,
    upcoming,
    world,
)
from domains.airline.wording import CABIN_WORDS
from sandbox.kit.task import Fact
from sandbox.synthesis.goal_builder import GoalDraft, call, question
from sandbox.synthesis.wording import money


def _any_trip(sampler: CustomerSampler) -> Record | None:
    return next(iter(sampler.trips(upcoming)), None)


def total_of(sampler: CustomerSampler) -> GoalDraft | None:
    """What was paid for a reservation in all."""
    trip = _any_trip(sampler)
    if trip is None:
        return None
    which = sampler.refer(trip)
    ways = (
        f"How much did {{I}} pay for {which.words} in all?",
        f"What was the full price of {which.words}?",
        f"Could you tell {{me}} what {which.words} cost {{me}} altogether?",
    )
    know = f"how much you paid for {which.words} in all"
    return question(sampler.rng, ways, know, (money(paid(trip)),), sampler.look_at(trip), which.facts)


def departure_of(sampler: CustomerSampler) -> GoalDraft | None:
    """When the first flight of a reservation leaves."""
    trip = _any_trip(sampler)
    if trip is None:
        return None
    which, leg = sampler.refer(trip), trip["flights"][0]
    leaves = world().flights[leg["flight_number"]][2][:5]
    search = call("search_direct_flight", origin=leg["origin"], destination=leg["destination"], date=leg["date"])
    if world().status[leg["flight_number"], leg["date"]] != "available":
        return None  # the searches show no other flight's times
    ways = (
        f"At what time does the first flight of {which.words} leave?",
        f"When exactly do {{I}} take off on {which.words}?",
        f"What is the departure time of {which.words}?",
    )
    hour, minute = int(leaves[:2]), leaves[3:]
    spoken = "|".join(dict.fromkeys((leaves, f"{hour}:{minute}", f"{(hour - 1) % 12 + 1}:{minute}")))
    know = f"at what time the first flight of {which.words} leaves"
    return question(sampler.rng, ways, know, (spoken,), (*sampler.look_at(trip), search), which.facts)


def status_of(sampler: CustomerSampler) -> GoalDraft | None:
    """Whether the flights of a reservation are flown as planned."""
    trip = next(iter(sampler.trips(lambda trip: upcoming(trip) and len(trip["flights"]) < 3)), None)
    if trip is None:
        return None
    which, leg = sampler.refer(trip), trip["flights"][0]
    status = world().status[leg["flight_number"], leg["date"]]
    tell = {"cancelled": "cancelled|canceled", "available": "available|scheduled|as planned"}.get(status, status)
    ways = (
        f"What is the status of the first flight of {which.words}?",
        f"Could you check the status of {{my}} first flight on {which.words}?",
        f"Please look up how it stands with the first flight of {which.words}.",
    )
    know = f"the status of the first flight of {which.words}"
    return question(sampler.rng, ways, know, (tell,), (*sampler.look_at(trip), *status_reads(trip)[:1]), which.facts)


def free_bags(sampler: CustomerSampler) -> GoalDraft | None:
    """How many bags can be checked for nothing on a reservation."""
    trip = _any_trip(sampler)
    if trip is None:
        return None
    which, count = sampler.refer(trip), len(trip["passengers"])
    free = sampler.free_bags(trip["cabin"], count)
    ways = (
        f"How many checked bags are free on {which.words}, for everybody together?",
        f"What is the total free baggage allowance of {which.words}?",
        f"How many bags in all can be checked for free on {which.words}?",
    )
    know = f"how many checked bags are free on {which.words}, for all passengers together"
    return question(sampler.rng, ways, know, (str(free),), sampler.look_at(trip), which.facts)


def upgrade_price(sampler: CustomerSampler) -> GoalDraft | None:
    """What another cabin would cost, without changing anything."""
    for trip in sampler.trips(sound):
        for cabin in ("business", "economy"):
            fares = [world().cabins.get((leg["flight_number"], leg["date"], cabin), (0, 0)) for leg in trip["flights"]]
            count = len(trip["passengers"])
            difference = (sum(price for _, price in fares) - sum(leg["price"] for leg in trip["flights"])) * count
            if cabin == trip["cabin"] or min(seats for seats, _ in fares) < count or difference <= 0:
                continue
            which, words = sampler.refer(trip), CABIN_WORDS[cabin]
            ways = (
                f"What would it cost to change {which.words} to {words}? {{I}} just want to know for now.",
                f"How much more would {{I}} pay for {which.words} in {words}? Do not change anything yet.",
                f"{{I}} only want to know the price difference for {words} on {which.words}, nothing else.",
            )
            know = f"how much more {which.words} would cost in {words} for all passengers; you do not want to change it"
            reads = (*sampler.look_at(trip), *fare_reads(trip))
            return question(sampler.rng, ways, know, (money(difference),), reads, which.facts)
    return None


def cheapest_fare(sampler: CustomerSampler) -> GoalDraft | None:
    """The cheapest direct flight of a day."""
    origin, destination = sampler.rng.choice(sorted(world().routes))
    day, cabin = shift(TODAY, sampler.rng.randint(2, 18)), sampler.rng.choice(list(CABIN_WORDS))
    found = direct(origin, destination, day, cabin, 1)
    if not found:
        return None
    where = f"from {place_words(origin)} to {place_words(destination)} on {day_words(day)}"
    words = CABIN_WORDS[cabin]
    ways = (
        f"What does the cheapest direct flight {where} cost in {words}?",
        f"How much is a direct flight {where} in {words}, the cheapest one?",
        f"{{I}} want to know the lowest {words} price of a direct flight {where}.",
    )
    reads = (
        call("list_all_airports"),
        call("search_direct_flight", origin=origin, destination=destination, date=day),
    )
    know = f"the price of the cheapest direct flight {where} in {words}"
    wish = question(sampler.rng, ways, know, (money(min(seat.price for seat in found)),), reads)
    return _dated(wish, day)


def seats_left(sampler: CustomerSampler) -> GoalDraft | None:
    """How many seats are left on the only direct flight of a day."""
    origin, destination = sampler.rng.choice(sorted(world().routes))
    day, cabin = shift(TODAY, sampler.rng.randint(2, 18)), sampler.rng.choice(list(CABIN_WORDS))
    found = direct(origin, destination, day, cabin, 1)
    if len(found) != 1 or len(world().routes[origin, destination]) > 1:
        return None
    seats = world().cabins[found[0].number, day, cabin][0]
    where = f"from {place_words(origin)} to {place_words(destination)} on {day_words(day)}"
    words = CABIN_WORDS[cabin]
    ways = (
        f"How many {words} seats are left on the direct flight {where}?",
        f"Are there still seats in {words} on the direct flight {where}, and how many?",
        f"{{I}} would like to know the number of free {words} seats on the direct flight {where}.",
    )
    reads = (
        call("list_all_airports"),
        call("search_direct_flight", origin=origin, destination=destination, date=day),
    )
    know = f"how many {words} seats are left on the direct flight {where}"
    return _dated(question(sampler.rng, ways, know, (str(seats),), reads), day)


def _dated(wish: GoalDraft, day: str) -> GoalDraft:
    """The question with the day's date as a fact."""
    facts = (Fact(name="date", value=day), *wish.goal.facts)
    return GoalDraft(wish.goal.model_copy(update={"facts": facts}), wish.want, wish.reads)


def worth_of(sampler: CustomerSampler) -> GoalDraft | None:
    """What the customer's certificates or gift cards are worth together."""
    source, words = sampler.rng.choice((("certificate", "travel certificates"), ("gift_card", "gift cards")))
    amounts = [method["amount"] for method in sampler.user["payment_methods"].values() if method["source"] == source]
    if not amounts:
        return None
    ways = (
        f"How much are {{my}} {words} worth in all?",
        f"What is the value of all {words} in {{my}} profile together?",
        f"How many dollars do {{I}} have in {words}?",
    )
    know = f"how much all {words} in your profile are worth together"
    return question(sampler.rng, ways, know, (money(sum(amounts)),), ())


TRIP: tuple[Builder, ...] = (total_of, departure_of, status_of, free_bags, upgrade_price)
OTHER: tuple[Builder, ...] = (cheapest_fare, seats_left, worth_of)


def ask(sampler: CustomerSampler) -> GoalDraft | None:
    """Any question; where nothing is stated plainly, mostly one about a reservation."""
    return sampler.rng.choice(TRIP if sampler.rng.random() < (0.8 if sampler.vague else 0.6) else OTHER)(sampler)
