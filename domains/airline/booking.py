"""Wishes to book a trip: direct or with one stop, one way or both, for one or several, paid in one way or more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from domains.airline.changes import LAST_DAY, preferred
from domains.airline.customer_sampler import CustomerSampler
from domains.airline.reservation_rules import TODAY, Record, Seat, day_words, direct, onestop, place_words, shift, world
from domains.airline.tools import BAG, INSURANCE
from domains.airline.wording import CABIN_WORDS, bags_in_words, pick
from sandbox.kit.message import ToolCall
from sandbox.kit.task import Fact, Goal
from sandbox.synthesis.goal_builder import GoalDraft, call
from sandbox.synthesis.wording import first, listed, money, second


@dataclass(frozen=True)
class Plan:
    """A trip that can be booked.

    Attributes:
        origin: the first airport.
        destination: the trip's goal.
        days: of the way out and, on a round trip, the way back.
        cabin: of all flights.
        seats: the flights in order.
        preferences: what singles them out, in the customer's words.
        stops: whether each way has a stop.
    """

    origin: str
    destination: str
    days: tuple[str, ...]
    cabin: str
    seats: tuple[Seat, ...]
    preferences: tuple[str, ...]
    stops: bool

    @property
    def kind(self) -> str:
        """As the tools name it."""
        return "round_trip" if len(self.days) == 2 else "one_way"

    def searches(self) -> list[ToolCall]:
        """The look-ups that show its flights."""
        ends = [(self.origin, self.destination), (self.destination, self.origin)]
        name = "search_onestop_flight" if self.stops else "search_direct_flight"
        return [
            call(name, origin=start, destination=end, date=day)
            for (start, end), day in zip(ends, self.days, strict=False)
        ]


def book(sampler: CustomerSampler) -> GoalDraft | None:
    """Book a trip with everything that belongs to it."""
    count = sampler.rng.randint(1, min(3, 1 + len(sampler.user["saved_passengers"])))
    plan = draw_plan(sampler, count, stops=sampler.rng.random() < 0.3)
    return None if plan is None else book_plan(sampler, plan, count)


def draw_plan(sampler: CustomerSampler, count: int, *, stops: bool) -> Plan | None:
    """A trip that so many can book, or None when this draw leads nowhere."""
    cabin = sampler.rng.choice(list(CABIN_WORDS))
    if stops:
        origin, destination = sampler.rng.sample(sorted({origin for origin, _ in world().routes}), 2)
        if (origin, destination) in world().routes or place_words(origin)[:8] == place_words(destination)[:8]:
            return None
    else:
        origin, destination = sampler.rng.choice(sorted(world().routes))
    days = [shift(TODAY, sampler.rng.randint(2, 16))]
    if sampler.rng.random() < 0.4 and days[0] < shift(LAST_DAY, -6):
        days.append(shift(days[0], sampler.rng.randint(2, 6)))
    seats: list[Seat] = []
    preferences = []
    for day, (start, end) in zip(days, ((origin, destination), (destination, origin)), strict=False):
        chosen, words = _one_way(sampler, (start, end, day, cabin, count), stops=stops)
        if not chosen:
            return None
        seats += chosen
        preferences += [words] if words else []
    told = tuple(dict.fromkeys(preferences))
    if len(told) > 1:
        return None  # one preference must do for both ways
    return Plan(origin, destination, tuple(days), cabin, tuple(seats), told, stops)


def _one_way(
    sampler: CustomerSampler, search: tuple[str, str, str, str, int], *, stops: bool
) -> tuple[tuple[Seat, ...], str]:
    if not stops:
        seat, words = preferred(sampler, direct(*search))
        return (() if seat is None else (seat,)), words
    pairs = sorted(onestop(*search), key=lambda pair: pair[0].price + pair[1].price)
    if not pairs or (len(pairs) > 1 and _price(pairs[0]) == _price(pairs[1])):
        return (), ""
    return pairs[0], "If there are several, {I} take the cheapest."


def _price(seats: Sequence[Seat]) -> int:
    return sum(seat.price for seat in seats)


# --- paying ---


@dataclass(frozen=True)
class Bill:
    """What a booking costs and who pays what.

    Attributes:
        total: dollars.
        shares: payment methods with the dollars each pays.
        words: what the customer pays with.
        sums: the calculations behind it.
    """

    total: int
    shares: tuple[tuple[Record, int], ...]
    words: str
    sums: tuple[ToolCall, ...]


def draw_bill(sampler: CustomerSampler, total: int, expression: str) -> Bill | None:
    """A way to pay this much: a certificate and gift cards first, a credit card for the rest."""
    cards = sampler.methods("credit_card")
    if not cards:
        return None
    first_used = [
        *sampler.methods("certificate")[: sampler.rng.randint(0, 1)],
        *sampler.methods("gift_card")[: sampler.rng.randint(0, 2)],
    ]
    used = sampler.rng.choice(([], first_used, first_used))
    rest, shares, sums = total, [], [call("calculate", expression=expression)]
    for method in used:
        part = min(rest, method["amount"])
        shares += [(method, part)] if part else []
        rest -= part
    named = [f"{{my}} {sampler.words_for(method)}" for method, _ in shares]
    spent = [str(part) for _, part in shares]
    if rest and spent:
        sums.append(call("calculate", expression=" - ".join([str(total), *spent])))
    elif len(spent) > 1:
        sums.append(call("calculate", expression=" - ".join([str(total), *spent[:-1]])))
    if rest:
        shares.append((cards[0], rest))
        named.append(f"{{my}} {sampler.words_for(cards[0])}")
    words = named[0] if len(named) == 1 else f"{listed(named[:-1])} first, and {named[-1]} for the rest"
    return Bill(total, tuple(shares), words, tuple(sums))


# --- the wish ---


def book_plan(sampler: CustomerSampler, plan: Plan, count: int) -> GoalDraft | None:
    """The wish to book this trip for so many."""
    company = sampler.rng.sample(sampler.user["saved_passengers"], count - 1)
    bags = sampler.rng.choice((0, 0, 1, 1, 2, 3))
    nonfree = max(0, bags - sampler.free_bags(plan.cabin, count))
    insurance = sampler.rng.choice(("yes", "no", "no"))
    insured = INSURANCE if insurance == "yes" else 0
    fares = " + ".join(str(seat.price) for seat in plan.seats)
    bill = draw_bill(
        sampler,
        (_price(plan.seats) + insured) * count + BAG * nonfree,
        f"({fares} + {insured}) * {count} + {BAG} * {nonfree}",
    )
    if bill is None:
        return None
    passengers = [sampler.user["name"] | {"dob": sampler.user["dob"]}, *company]
    booked = call(
        "book_reservation",
        user_id=sampler.user["user_id"],
        origin=plan.origin,
        destination=plan.destination,
        flight_type=plan.kind,
        cabin=plan.cabin,
        flights=[{"flight_number": seat.number, "date": seat.date} for seat in plan.seats],
        passengers=passengers,
        payment_methods=[{"payment_id": method["id"], "amount": part} for method, part in bill.shares],
        total_baggages=bags,
        nonfree_baggages=nonfree,
        insurance=insurance,
    )
    bag_sum = f"{bags} - {bags - nonfree}" if nonfree else f"{BAG} * 0"
    reads = (call("list_all_airports"), *plan.searches(), call("calculate", expression=bag_sum), *bill.sums)
    return _worded(sampler, plan, (company, bags, insurance, bill), booked, reads)


def _worded(
    sampler: CustomerSampler,
    plan: Plan,
    details: tuple[Sequence[Record], int, str, Bill],
    booked: ToolCall,
    reads: tuple[ToolCall, ...],
) -> GoalDraft:
    company, bags, insurance, bill = details
    simple = sampler.difficulty == "simple"
    spell = (lambda code: f"{place_words(code).split(' (')[0]} ({code})") if simple else place_words
    names = [f"{person['first_name']} {person['last_name']}" for person in company]
    who = f"{{me}} and {listed(names)}, saved in {{my}} profile" if names else "{me} alone"
    days = f"on {day_words(plan.days[0])}" + (f" and back on {day_words(plan.days[1])}" if len(plan.days) > 1 else "")
    stop = "with one stop" if plan.stops else "direct"
    bag_words = bags_in_words(bags) if bags else "no checked bags"
    cover = "travel insurance" if insurance == "yes" else "no travel insurance"
    held = {name: sampler.asks_for(share=0.6) for name in ("payment", "bags", "insurance")}
    said = {"bags": f"I take {bag_words}.", "insurance": f"I want {cover}."}
    said["payment"] = first(f"I pay with {bill.words}.")
    asks = not simple and sampler.rng.random() < 0.3
    opening = pick(
        sampler.rng,
        "book",
        journey="a round trip" if plan.kind == "round_trip" else "a one-way trip",
        origin=spell(plan.origin),
        destination=spell(plan.destination),
    )
    trip = f"I fly {days}, {stop}, in {CABIN_WORDS[plan.cabin]}, for {first(who)}."
    told = [opening, trip, *map(first, plan.preferences), *(said[name] for name in said if not held[name])]
    told += ["What does it cost in all?"] if asks else []
    facts = [Fact(name="date", value=plan.days[0])]
    facts += [Fact(name="return_date", value=plan.days[1])] if len(plan.days) > 1 else []
    facts += [
        Fact(name="cabin", value=CABIN_WORDS[plan.cabin]),
        Fact(name="passenger", value=first(who)),
        Fact(name="bags", value=bag_words, on_request=held["bags"]),
        Fact(name="insurance", value=cover, on_request=held["insurance"]),
        Fact(name="payment", value=first(bill.words), on_request=held["payment"]),
    ]
    goal = Goal(
        kind="book_reservation",
        utterance=" ".join(told),
        facts=tuple(facts),
        calls=(booked,),
        must_communicate=(money(bill.total),) if asks else (),
    )
    return GoalDraft(goal, _wanted(plan, who, bag_words, cover, bill, days, stop, asks=asks), reads)


def _wanted(plan: Plan, who: str, bags: str, cover: str, bill: Bill, days: str, stop: str, *, asks: bool) -> str:
    kind = "a round trip" if plan.kind == "round_trip" else "a one-way trip"
    ends = f"from {place_words(plan.origin)} to {place_words(plan.destination)}"
    wish = f"You want to book {kind} {ends} {days}, {stop}, in {CABIN_WORDS[plan.cabin]}, for {who}."
    wish += "".join(f" {preference}" for preference in plan.preferences)
    wish += f" You want {bags} and {cover}. You want to pay with {bill.words}."
    wish += " You also want to know what it costs in all." if asks else ""
    return second(wish)
