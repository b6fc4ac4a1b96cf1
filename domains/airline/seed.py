"""The airline world's rows: 500 customers, 300 flights over 30 days, 2,000 reservations, from one seeded generator."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date as Day
from datetime import datetime, timedelta
from functools import partial

from toolgym.domains import people
from toolgym.domains.airline import schema
from toolgym.domains.airline.airports import HUBS, PLACES, Place, minutes
from toolgym.domains.airline.rules import ALLOWANCE
from toolgym.domains.airline.tools import BAG, INSURANCE
from toolgym.sandbox.kit.database import Database

NOW = datetime(2024, 5, 15, 15, 0)
FIRST_DAY = Day(2024, 5, 6)
DAYS = 30
"""The month ends among them."""
USERS = 500
ROUTES = 110
FLIGHTS = 300
RESERVATIONS = 2000

_BASE_FARE = {"basic_economy": 45, "economy": 80, "business": 220}
_FARE_PER_HOUR = {"basic_economy": 9, "economy": 22, "business": 70}
_OTHER_SOURCES = ("gift_card", "gift_card", "certificate", "certificate", "credit_card")
_BRANDS = ("visa", "mastercard", "amex")
_PROPOSED_TIMES = range(5 * 60 + 30, 22 * 60 + 30, 5)
Person = tuple[str, str, str]


@dataclass
class _Plan:
    """The timetable while reservations are drawn from it.

    Attributes:
        flights: by route, the flight numbers with minutes of departure and of landing since midnight.
        stops: by route without a direct flight, the airports to change at.
        status: of each flight on each day.
    """

    flights: dict[tuple[str, str], list[tuple[str, int, int]]] = field(default_factory=dict)
    stops: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    status: dict[tuple[str, str], str] = field(default_factory=dict)


def fill(db: Database, seed: int = 20240515) -> None:
    """Write all rows, the same ones for the same seed."""
    rng = random.Random(seed)
    for position, airport in enumerate(PLACES):
        db.insert(schema.Airport, iata=airport.iata, city=airport.city, position=position)
    plan = _timetable(db, rng)
    _days(db, rng, plan)
    customers = _customers(db, rng)
    _reservations(db, rng, plan, customers)


def _digits(rng: random.Random, length: int, taken: set[str], prefix: str = "") -> str:
    while True:
        text = prefix + str(rng.randrange(10 ** (length - 1), 10**length))
        if text not in taken:
            taken.add(text)
            return text


def clock(minute: int) -> str:
    """Minutes since midnight as the tools show them; the next day's end in `+1`."""
    later, rest = divmod(minute, 24 * 60)
    return f"{rest // 60:02}:{rest % 60:02}:00" + (f"+{later}" if later else "")


# --- flights ---


def _timetable(db: Database, rng: random.Random) -> _Plan:
    """Routes flown both ways, every airport tied to a hub, the busy ones twice a day."""
    pairs = [(one, two) for index, one in enumerate(PLACES) for two in PLACES[index + 1 :]]
    near = [(one, two) for one, two in pairs if {one.city, two.city} == {"New York"}]
    to_hubs = [pair for pair in pairs if pair not in near and {pair[0].iata, pair[1].iata} & set(HUBS)]
    others = [pair for pair in pairs if pair not in near and pair not in to_hubs]
    routes = to_hubs + rng.sample(others, ROUTES - len(to_hubs))
    daily = routes + rng.sample(routes, FLIGHTS // 2 - len(routes))
    ways = [way for one, two in daily for way in ((one, two), (two, one))]
    rng.shuffle(ways)
    plan = _Plan()
    for number, (origin, destination) in enumerate(ways, start=1):
        _connection(db, rng, plan, f"GYM{number:03}", origin, destination)
    for one in PLACES:
        for two in PLACES:
            route = (one.iata, two.iata)
            via = [hub for hub in HUBS if (one.iata, hub) in plan.flights and (hub, two.iata) in plan.flights]
            if one != two and route not in plan.flights and via and one.city != two.city:
                plan.stops[route] = via
    return plan


def _connection(db: Database, rng: random.Random, plan: _Plan, number: str, origin: Place, destination: Place) -> None:
    leaves = rng.choice(_PROPOSED_TIMES)
    lands = leaves + minutes(origin, destination)
    plan.flights.setdefault((origin.iata, destination.iata), []).append((number, leaves, lands))
    db.insert(
        schema.Flight,
        flight_number=number,
        origin=origin.iata,
        destination=destination.iata,
        scheduled_departure_time_est=clock(leaves),
        scheduled_arrival_time_est=clock(lands),
    )


def _days(db: Database, rng: random.Random, plan: _Plan) -> None:
    for flights in plan.flights.values():
        for number, leaves, lands in flights:
            for offset in range(DAYS):
                day = FIRST_DAY + timedelta(days=offset)
                status = _status(rng, datetime(day.year, day.month, day.day), leaves, lands)
                plan.status[number, day.isoformat()] = status
                db.insert(schema.FlightDate, flight_number=number, date=day.isoformat(), status=status)
                if status == "available":
                    _cabins(db, rng, number, day.isoformat(), lands - leaves)


def _status(rng: random.Random, midnight: datetime, leaves: int, lands: int) -> str:
    departure, arrival = midnight + timedelta(minutes=leaves), midnight + timedelta(minutes=lands)
    chance = rng.random()
    if arrival <= NOW:
        return "cancelled" if chance < 0.08 else "landed"
    if departure <= NOW:
        return "cancelled" if chance < 0.08 else "flying"
    if midnight.date() == NOW.date():
        return "cancelled" if chance < 0.1 else "delayed" if chance < 0.5 else "on time"
    if (midnight - NOW) < timedelta(days=2) and chance < 0.2:
        return "delayed"
    return "cancelled" if chance > 0.94 else "available"


def _cabins(db: Database, rng: random.Random, number: str, date: str, length: int) -> None:
    for cabin in schema.CABINS:
        seats = 0 if rng.random() < 0.08 else rng.randrange(1, 13 if cabin == "business" else 21)
        db.insert(
            schema.CabinSeats,
            flight_number=number,
            date=date,
            cabin=cabin,
            seats=seats,
            price=_fare(rng, cabin, length),
        )


def _fare(rng: random.Random, cabin: str, length: int) -> int:
    """Dollars for a flight of `length` minutes; prices move by a third from day to day."""
    return (_BASE_FARE[cabin] + _FARE_PER_HOUR[cabin] * length // 60) * rng.randrange(80, 134) // 100


# --- customers ---


@dataclass(frozen=True)
class _Customer:
    user_id: str
    membership: str
    company: tuple[Person, ...]
    methods: tuple[schema.PaymentMethod, ...]


def _birthday(rng: random.Random) -> str:
    return (Day(1950, 1, 1) + timedelta(days=rng.randrange(365 * 55))).isoformat()


def _person(rng: random.Random, first: str, last: str) -> Person:
    """Somebody who shares no name with a customer, so that both can be spoken of."""
    given = rng.choice([name for name in people.FIRST_NAMES if name != first])
    return given, rng.choice([name for name in people.LAST_NAMES if name != last]), _birthday(rng)


def _customers(db: Database, rng: random.Random) -> list[_Customer]:
    taken: set[str] = set()
    pairs = [(first, last) for first in people.FIRST_NAMES for last in people.LAST_NAMES]
    return [_customer(db, rng, taken, first, last) for first, last in rng.sample(pairs, USERS)]


def _customer(db: Database, rng: random.Random, taken: set[str], first: str, last: str) -> _Customer:
    user_id = _digits(rng, 4, taken, f"{first}_{last}_".lower())
    dob, membership = _birthday(rng), rng.choice(schema.MEMBERSHIPS)
    city, state, prefix = rng.choice(people.CITIES)
    db.insert(
        schema.User,
        user_id=user_id,
        first_name=first,
        last_name=last,
        email=f"{first}.{last}{rng.randrange(10, 9999)}@{rng.choice(people.MAIL_DOMAINS)}".lower(),
        dob=dob,
        membership=membership,
        address1=f"{rng.randrange(10, 990)} {rng.choice(people.STREETS)}",
        address2=rng.choice(("", f"Apt {rng.randrange(1, 60)}", f"Suite {rng.randrange(100, 999)}")),
        city=city,
        state=state,
        country="USA",
        zip=f"{prefix}{rng.randrange(100):02}",
    )
    company = [_person(rng, first, last) for _ in range(rng.choice((1, 2, 2, 3)))]
    for position, (given, family, born) in enumerate(company):
        person = {"first_name": given, "last_name": family, "dob": born}
        db.insert(schema.SavedPassenger, user_id=user_id, position=position, **person)
    sources = ["credit_card", *rng.sample(_OTHER_SOURCES, rng.randint(1, 3))]
    rng.shuffle(sources)
    methods = [_method(db, rng, taken, user_id, index, source) for index, source in enumerate(sources)]
    return _Customer(user_id, membership, ((first, last, dob), *company), tuple(methods))


def _method(
    db: Database, rng: random.Random, taken: set[str], user_id: str, position: int, source: str
) -> schema.PaymentMethod:
    card = source == "credit_card"
    amount = {"gift_card": rng.randrange(20, 400), "certificate": rng.choice((100, 150, 200, 250, 500))}.get(source)
    return db.insert(
        schema.PaymentMethod,
        payment_id=_digits(rng, 7, taken, f"{source}_"),
        user_id=user_id,
        position=position,
        source=source,
        brand=rng.choice(_BRANDS) if card else None,
        last_four=f"{rng.randrange(10000):04}" if card else None,
        amount=amount,
        used=False,
    )


# --- reservations ---


def _reservations(db: Database, rng: random.Random, plan: _Plan, customers: Sequence[_Customer]) -> None:
    taken: set[str] = set()
    placed = dict.fromkeys((customer.user_id for customer in customers), 0)
    routes = sorted(plan.flights) * 2 + sorted(plan.stops)
    for _ in range(RESERVATIONS):
        customer = rng.choice(customers)
        trip = None
        while trip is None:
            trip = _trip(rng, plan, rng.choice(routes))
        reservation_id = _code(rng, taken)
        _reservation(db, rng, customer, reservation_id, placed[customer.user_id], trip)
        placed[customer.user_id] += 1


def _code(rng: random.Random, taken: set[str]) -> str:
    """Six letters and digits with a digit among them, so that a code never reads like a word."""
    while True:
        code = "".join(rng.choices("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", k=6))
        if any(sign.isdigit() for sign in code) and code not in taken:
            taken.add(code)
            return code


@dataclass(frozen=True)
class _Trip:
    origin: str
    destination: str
    flight_type: str
    legs: tuple[tuple[str, str, int], ...]
    """Flight number, day, minutes in the air."""


def _trip(rng: random.Random, plan: _Plan, route: tuple[str, str]) -> _Trip | None:
    """A trip on a route, or None when its flights do not fit together."""
    there = FIRST_DAY + timedelta(days=rng.choices(range(DAYS - 2), weights=[1] * 8 + [3] * (DAYS - 10))[0])
    out = _journey(rng, plan, route, there)
    if rng.random() < 0.5:
        return _Trip(*route, "one_way", out) if out else None
    back = there + timedelta(days=rng.randint(1, 9))
    home = _journey(rng, plan, (route[1], route[0]), back)
    return _Trip(*route, "round_trip", (*out, *home)) if out and home else None


def _journey(rng: random.Random, plan: _Plan, route: tuple[str, str], day: Day) -> tuple[tuple[str, str, int], ...]:
    """One way of a trip: a direct flight, or two with a stop; empty when there is none on that day."""
    hops = [(route[0], route[1])]
    if route in plan.stops:
        stop = rng.choice(plan.stops[route])
        hops = [(route[0], stop), (stop, route[1])]
    ready, legs = 0, []
    for hop in hops:
        fitting = [flight for flight in plan.flights.get(hop, ()) if flight[1] >= ready]
        if not fitting:
            return ()
        number, leaves, lands = rng.choice(fitting)
        if (number, day.isoformat()) not in plan.status:
            return ()
        legs.append((number, day.isoformat(), lands - leaves))
        ready = lands
    return tuple(legs)


def _reservation(
    db: Database, rng: random.Random, customer: _Customer, reservation_id: str, position: int, trip: _Trip
) -> None:
    cabin = rng.choices(schema.CABINS, (3, 4, 3))[0]
    insurance = rng.choices(("yes", "no"), (4, 6))[0]
    travellers = _travellers(rng, customer)
    free = ALLOWANCE[customer.membership][cabin] * len(travellers)
    bags = rng.choice((0, 0, 1, 1, 2, 3)) if free < 4 else rng.randrange(4)
    nonfree = max(0, bags - free)
    fares = [_fare(rng, cabin, length) for _, _, length in trip.legs]
    total = (sum(fares) + (INSURANCE if insurance == "yes" else 0)) * len(travellers) + BAG * nonfree
    db.add(
        schema.Reservation,
        reservation_id=reservation_id,
        user=customer,
        position=position,
        origin=trip.origin,
        destination=trip.destination,
        flight_type=trip.flight_type,
        cabin=cabin,
        created_at=_booked_at(rng, trip.legs[0][1]),
        total_baggages=bags,
        nonfree_baggages=nonfree,
        insurance=insurance,
    )
    for index, ((number, date, _), fare) in enumerate(zip(trip.legs, fares, strict=True)):
        db.insert(
            schema.Leg, reservation_id=reservation_id, position=index, flight_number=number, date=date, price=fare
        )
    for index, (first, last, dob) in enumerate(travellers):
        person = {"first_name": first, "last_name": last, "dob": dob}
        db.insert(schema.Passenger, reservation_id=reservation_id, position=index, **person)
    for index, (payment_id, amount) in enumerate(_shares(rng, customer, total).items()):
        db.insert(schema.Payment, reservation_id=reservation_id, position=index, payment_id=payment_id, amount=amount)


def _travellers(rng: random.Random, customer: _Customer) -> list[Person]:
    """Mostly the customer, alone or with people they know; in the order in which the tools keep new ones."""
    count = min(rng.choices((1, 2, 3), (5, 3, 2))[0], len(customer.company))
    company = [customer.company[0], *rng.sample(customer.company[1:], len(customer.company) - 1)]
    chosen = company[:count] if rng.random() < 0.85 else company[-count:]
    return sorted(chosen, key=lambda person: (person[1], person[0], person[2]))


def _booked_at(rng: random.Random, first_day: str) -> str:
    """When it was booked: in the last day for one in eight trips to come, else up to three weeks before."""
    departure = datetime.fromisoformat(first_day)
    latest = min(NOW, departure)
    if latest == NOW and rng.random() < 0.125:
        return (NOW - timedelta(seconds=rng.randrange(600, 23 * 3600))).isoformat()
    return (latest - timedelta(seconds=rng.randrange(26 * 3600, 21 * 86400))).isoformat()


def _shares(rng: random.Random, customer: _Customer, total: int) -> Mapping[str, int]:
    """Who pays what: one card, or at times a gift card and the rest by credit card."""
    cards = [method for method in customer.methods if method.source == "credit_card"]
    gifts = [method for method in customer.methods if method.source == "gift_card"]
    card = rng.choice(cards).payment_id
    if gifts and rng.random() < 0.3:
        gift = rng.choice(gifts).payment_id
        part = total if rng.random() < 0.6 else total // rng.randint(2, 4)
        return dict(sorted({gift: part, card: total - part}.items())) if part < total else {gift: total}
    return {card: total}


fill_unseen = partial(fill, seed=20240516)
"""Other people and things, in which the stored tasks of dev and test play."""
