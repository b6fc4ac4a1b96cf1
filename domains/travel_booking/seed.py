"""The rows: 24 customers with companions and trips, flights of a fortnight, hotels; both sides of every rule."""

import random
from collections import defaultdict
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from toolgym.domains.people import FIRST_NAMES, LAST_NAMES
from toolgym.domains.travel_booking.schema import (
    Booking,
    Card,
    Customer,
    Fare,
    Flight,
    Hotel,
    Passenger,
    Place,
    Rate,
    Seat,
    Traveler,
    Trip,
)
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 10, 9, 30)
CLOCKS = (datetime(2026, 3, 10, 21, 45), datetime(2026, 3, 11, 8, 15))
"""Other moments: in the evening and on the next morning, when more holds have lapsed."""
PLACES = (
    ("BOS", "Boston", "Logan", "USA", -4), ("JFK", "New York", "Kennedy", "USA", -4),
    ("EWR", "New York", "Newark", "USA", -4), ("MIA", "Miami", "International", "USA", -4),
    ("ORD", "Chicago", "O'Hare", "USA", -5), ("LIS", "Lisbon", "Portela", "Portugal", 1),
    ("LHR", "London", "Heathrow", "United Kingdom", 1), ("LGW", "London", "Gatwick", "United Kingdom", 1),
    ("CDG", "Paris", "Charles de Gaulle", "France", 2), ("FRA", "Frankfurt", "Main", "Germany", 2),
    ("MAD", "Madrid", "Barajas", "Spain", 2), ("OPO", "Porto", "Sá Carneiro", "Portugal", 1),
    ("OSL", "Oslo", "Gardermoen", "Norway", 2), ("ATH", "Athens", "Venizelos", "Greece", 3),
    ("FCO", "Rome", "Fiumicino", "Italy", 2), ("PRG", "Prague", "Havel", "Czech Republic", 2),
    ("CPH", "Copenhagen", "Kastrup", "Denmark", 2), ("DUB", "Dublin", "Collinstown", "Ireland", 1),
    ("VIE", "Vienna", "Schwechat", "Austria", 2),
)  # fmt: skip
"""With hours ahead of UTC in April."""
HOMES = ("BOS", "JFK", "EWR", "MIA", "ORD")
_ATLANTIC = {"BOS": "LIS LHR CDG", "JFK": "LIS LHR MAD", "EWR": "LGW FRA LIS", "MIA": "MAD CDG", "ORD": "FRA LHR"}
_ONWARD = {"LIS": "OPO", "LHR": "OSL DUB", "LGW": "CPH", "CDG": "FCO VIE OSL", "FRA": "ATH PRG CPH", "MAD": "OPO FCO"}
_NEAR = {"BOS": "JFK MIA ORD", "JFK": "MIA ORD", "EWR": "MIA ORD", "MIA": "ORD"}
FIRST_DAY, DAYS = date(2026, 4, 9), 9
"""The fortnight in which people want to travel."""
EARLY = tuple(f"{hour}:{minute}" for hour, minute in ((11, 29), (11, 30), (23, 44), (23, 45), (10, 14), (10, 15)))
"""Departures two hours from one of the clocks, or a minute less; on the day of the clock."""
_TRIPS = (
    "Spring break", "Family reunion", "Long weekend", "Anniversary", "Grandma's birthday", "Trade fair", "City break",
    "Wine tasting", "Jazz festival", "Marathon", "Museum tour", "Old friends", "Wedding of the year", "Sunshine week",
)  # fmt: skip
_COMPANIONS = ("wife", "brother", "daughter", "husband", "sister", "son", "mother", "nephew", "niece", "father")
_CHILDREN = ("daughter", "son", "nephew", "niece")
_HOUSES = "Harbour Garden Castle Station River Royal Park Market Bridge Tower".split()
_KINDS = ("House", "Palace", "Inn", "Suites", "Lodge")
_ROOMS = (("double", None, 2), ("double", 2, 2), ("family room", 3, 4), ("single", 1, 1))
_SEATS = (("2A", "business", "window", 0), ("2D", "business", "aisle", 0), ("12A", "economy", "legroom", 4500),
          ("14A", "economy", "window", 2200), ("15F", "economy", "window", 1900), ("14C", "economy", "aisle", 2400),
          ("21D", "economy", "aisle", 1500))  # fmt: skip
Bookable = dict[tuple[str, str, date], list[Flight]]
"""Flights by route and day."""


def fill(db: Database, seed: int = 90117, first: int = 101) -> None:
    """Write the rows.

    Args:
        db: the empty tables.
        seed: other flights, hotels, customers and trips with another one.
        first: the number of the first customer.
    """
    world = _World(db, random.Random(seed))
    for code, city, name, country, hours in PLACES:
        db.insert(Place, code=code, city=city, name=name, country=country, utc_hours=hours)
    world.timetable()
    world.hotels()
    people = world.rng.sample([f"{given} {family}" for given in FIRST_NAMES for family in LAST_NAMES], 24)
    for number, name in enumerate(people):
        world.customer(name, number, f"TC-{first + number}")


fill_unseen = partial(fill, seed=90118, first=201)
"""Other flights, hotels and customers, in which stored tasks of dev and test play."""


class _World:
    """The rows while they are made."""

    def __init__(self, db: Database, rng: random.Random) -> None:
        self.db, self.rng = db, rng
        self.places = {code: (city, country, hours) for code, city, _, country, hours in PLACES}
        self.flights: Bookable = defaultdict(list)
        self.fares: dict[str, list[Fare]] = {}
        self.rates: dict[str, list[tuple[Hotel, Rate]]] = defaultdict(list)
        self.number = 100

    def timetable(self) -> None:
        """The flights: across the ocean, from there on, and at home; of these a few long ago and today."""
        days = [FIRST_DAY + timedelta(days=number) for number in range(DAYS)]
        past = [date(2026, 2, 5), date(2026, 2, 9)]
        for routes, length, price in ((_ATLANTIC, 7, 380), (_ONWARD, 2, 90), (_NEAR, 3, 120)):
            for one, others in routes.items():
                for other in others.split():
                    for way in ((one, other), (other, one)):
                        for turn in range(2 if routes is _ATLANTIC else 1):
                            self._number(way, turn, length, price, past + days if routes is not _ONWARD else days)
        for one, other in (("BOS", "MIA"), ("MIA", "BOS"), ("JFK", "MIA"), ("MIA", "JFK")):  # all in one zone
            for place, clock in enumerate(EARLY):
                day = NOW.date() + timedelta(days=place // 4)
                self.number += 1
                self._flight((one, other), day, tuple(map(int, clock.split(":"))), 175, 14000)

    def _number(self, way: tuple[str, str], turn: int, length: int, price: int, days: list[date]) -> None:
        """A flight's number, flown at the same time every day for a fare that changes."""
        rng = self.rng
        self.number += 1
        at = (rng.randrange(8, 18), rng.choice((0, 10, 25, 40, 55)))
        if length == 7 and way[0] in HOMES:
            at = (17 + 3 * turn, rng.choice((0, 15, 35, 50)))  # over night
        minutes = length * 60 + rng.randrange(-25, 50, 5)
        for day in days:
            when = self._after(way, day, at) if length == 2 and way[1] not in self.places_of_hubs() else at
            self._flight(way, day, when, minutes, (price + rng.randrange(0, 160)) * 100)

    def places_of_hubs(self) -> set[str]:
        """Where flights across the ocean land."""
        return set(_ONWARD)

    def _after(self, way: tuple[str, str], day: date, usual: tuple[int, int]) -> tuple[int, int]:
        """A departure that just makes, or just misses, a connection from across the ocean; on some days the usual."""
        came = [row for (_, at, _), rows in self.flights.items() if at == way[0] for row in rows]
        came = [row for row in came if row.arrives.date() == day and row.arrives.hour < 20]
        if not came or self.rng.random() < 0.3:
            return usual
        leaves = self.rng.choice(came).arrives + timedelta(minutes=self.rng.choice((59, 60, 60, 75, 110, 190)))
        return leaves.hour, leaves.minute

    def _flight(self, way: tuple[str, str], day: date, at: tuple[int, ...], minutes: int, price: int) -> None:
        rng, (_, one, begin), (_, other, end) = self.rng, self.places[way[0]], self.places[way[1]]
        departs = datetime(day.year, day.month, day.day, at[0], at[1])
        row = self.db.insert(
            Flight,
            flight_id=f"FK{self.number}-{day:%m%d}",
            origin_code=way[0],
            destination_code=way[1],
            departs=departs,
            arrives=departs + timedelta(minutes=minutes, hours=end - begin),
            economy_cents=price,
            business_cents=price * 32 // 10,
            economy_seats=rng.choice((0, 1, 2, 3, 9, 24, 40, 61)),
            business_seats=rng.choice((0, 1, 4, 8)),
            abroad=one != other,
        )
        self.flights[(*way, day)].append(row)
        self.fares[row.flight_id] = [
            self.db.add(Fare, flight=row, cabin=cabin, kind=kind, price_cents=cents, **rest)
            for cabin, kind, cents, rest in (
                ("economy", "saver", price, {"change_fee_cents": 7500, "refundable": False, "bags_included": 0}),
                ("economy", "flex", price * 14 // 10, _flex(1)),
                ("business", "flex", price * 32 // 10, _flex(2)),
            )
        ]
        for seat, cabin, kind, cents in _SEATS:
            if rng.random() < 0.8:
                key, more = f"{row.flight_id}-{seat}", {"cabin": cabin, "kind": kind, "price_cents": cents}
                self.db.insert(Seat, seat_id=key, flight_id=row.flight_id, seat=seat, **more)

    def hotels(self) -> None:
        """Some in each city, with a room for one, for two and for four; the cheapest double is not refunded."""
        cities = sorted({city for city, _, _ in self.places.values()})
        for city in cities:
            names = self.rng.sample([f"{house} {kind}" for house in _HOUSES for kind in _KINDS], 7)
            for place, name in enumerate(names):
                self._hotel(f"{city} {name}", city, place)

    def _hotel(self, name: str, city: str, place: int) -> None:
        rng = self.rng
        stars, night = rng.choice((2, 3, 3, 4, 4, 5)), rng.randrange(70, 260) * 100
        amenities = ", ".join(sorted(rng.sample(("pool", "gym", "parking", "breakfast"), rng.randrange(1, 4))))
        km = rng.randrange(2, 60) / 10
        cheapest = night * 7 // 10
        values = {"stars": stars, "km_to_centre": km, "amenities": amenities, "from_cents": cheapest}
        hotel = self.db.insert(Hotel, hotel_id=self.db.new_id(Hotel), city=city, name=name, **values)
        for (room, free, guests), share in zip(_ROOMS, (9, 10, 16, 7), strict=True):
            more = {"cents_per_night": night * share // 10, "refundable_until_days": free, "guests": guests}
            self.rates[city].append((hotel, self.db.add(Rate, hotel=hotel, room=room, **more)))

    def customer(self, name: str, number: int, key: str) -> None:
        """Somebody with companions, cards and trips of all kinds."""
        db, rng, home = self.db, self.rng, HOMES[number % 5]
        me = db.insert(Customer, customer_id=key, name=name, home_code=home, credit_cents=(0, 15000, 40000)[number % 3])
        born = date(1958 + rng.randrange(42), 1 + rng.randrange(12), 1 + rng.randrange(28))
        own = db.add(Traveler, customer=me, label="me", name=name, birth_date=born, passport_until=self._passport(4))
        first = rng.sample(_CHILDREN, 1) + rng.sample([each for each in _COMPANIONS if each not in _CHILDREN], 2)
        party = [own] + [self._companion(me, label, name, number) for label in first[: 2 + number % 2]]
        cards = [
            db.add(
                Card,
                customer=me,
                brand=brand,
                last_four=f"{rng.randrange(10_000):04}",
                code=f"{rng.randrange(1000):03}",
            )
            for brand in ("Visa", "Mastercard")[: 1 + number % 2]
        ]
        names = rng.sample(_TRIPS, 6)
        for kind, title in zip(("held", "booked", "lapsed", "travelled", "soon", "empty"), names, strict=True):
            state = {"held": "planning", "lapsed": "planning", "empty": "planning", "soon": "booked"}.get(kind, kind)
            trip = db.add(Trip, customer=me, name=title, state=state)
            if kind == "soon":
                self._soon(trip, party, cards[0], number)
            elif kind != "empty":
                self._trip(trip, kind, home, party, cards[0], number)

    def _passport(self, chance: int) -> date:
        """Mostly years away; one in some ends about six months after the flights."""
        if self.rng.randrange(chance):
            return date(2028 + self.rng.randrange(6), 1 + self.rng.randrange(12), 1 + self.rng.randrange(28))
        return date(2026, 10, 9) + timedelta(days=self.rng.randrange(DAYS))

    def _companion(self, me: Customer, label: str, whose: str, number: int) -> Traveler:
        """Children turn 16 about when people travel, or are younger."""
        rng = self.rng
        family = whose.split(" ", 1)[1]
        born = date(1950 + rng.randrange(45), 1 + rng.randrange(12), 1 + rng.randrange(28))
        if label in _CHILDREN:
            born = date(2010 if number % 3 else 2014, 4, 9 + rng.randrange(DAYS))
        given = rng.choice([name for name in FIRST_NAMES if not whose.startswith(name)])
        values = {"name": f"{given} {family}", "birth_date": born, "passport_until": self._passport(3)}
        return self.db.add(Traveler, customer=me, label=f"my {label}", **values)

    def _trip(self, trip: Trip, kind: str, home: str, party: list[Traveler], card: Card, number: int) -> None:
        """Out and home again, with a room between; long ago, or when people travel."""
        rng = self.rng
        out = date(2026, 2, 5) if kind == "travelled" else FIRST_DAY + timedelta(days=rng.randrange(4))
        home_day = date(2026, 2, 9) if kind == "travelled" else out + timedelta(days=rng.randrange(2, 5))
        to = rng.choice([code for a, code, _ in self.flights if a == home and (code, home, home_day) in self.flights])
        who = party[: 1 + (number + len(kind)) % len(party)]
        status = "held" if kind in ("held", "lapsed") else "paid"
        begun = self._begun(kind, number)
        flex = rng.random() < 0.5
        for way, day in (((home, to), out), ((to, home), home_day))[: 1 + (kind != "lapsed")]:
            self._fly(trip, rng.choice(self.flights[(*way, day)]), flex, who, status, begun, card)
        if kind != "travelled" and number % 3:
            hotel, rate = rng.choice(self.rates[self.places[to][0]])
            self._sleep(trip, hotel, rate, out + timedelta(days=1), home_day, status, begun, card)

    def _begun(self, kind: str, number: int) -> datetime:
        """When a trip's bookings were made: a day before one of the clocks, to the minute or nearly, or at another
        time.
        """
        day, minute = timedelta(hours=24), timedelta(minutes=1)
        if kind == "held":  # the first just stands, at the present moment or at one of the other clocks
            return (NOW - day, CLOCKS[0] - day, CLOCKS[1] - day, NOW - 25 * minute, NOW - 200 * minute)[number % 5]
        if kind == "lapsed":
            return (NOW - day - minute, NOW - 30 * timedelta(hours=1), NOW - 3 * day)[number % 3]
        if kind == "travelled":
            return datetime(2026, 1, 12, 18, 5) + timedelta(hours=number)
        return (NOW - day, NOW - day - minute, CLOCKS[0] - day, NOW - 11 * day, CLOCKS[1] - day)[number % 5]

    def _soon(self, trip: Trip, party: list[Traveler], card: Card, number: int) -> None:
        """What begins today or tomorrow, about two hours from one of the clocks; and a room on its last free day."""
        routes = (("BOS", "MIA"), ("MIA", "BOS"), ("JFK", "MIA"), ("MIA", "JFK"))
        soon = [
            row for way in routes for back in (0, 1) for row in self.flights[(*way, NOW.date() + timedelta(days=back))]
        ]
        begun = NOW - timedelta(days=6, hours=number)
        row = soon[number % len(soon)]
        self._fly(trip, row, number % 2 == 0, party[:1], "paid", begun, card)
        hotel, rate = self.rng.choice(
            [each for each in self.rates[self.places[row.destination_code][0]] if each[1].guests < 4]
        )
        free = rate.refundable_until_days or 0
        check_in = NOW.date() + timedelta(days=free + (0, 1, -1, 2)[number % 4])
        check_in = max(check_in, NOW.date())
        self._sleep(trip, hotel, rate, check_in, check_in + timedelta(days=2 + number % 3), "paid", begun, card)

    def _fly(
        self, trip: Trip, row: Flight, flex: bool, who: list[Traveler], status: str, begun: datetime, card: Card
    ) -> None:
        fare = self.fares[row.flight_id][flex]
        made = self._booking(
            trip,
            status,
            begun,
            card,
            kind="flight",
            fare_id=fare.fare_id,
            flight_id=row.flight_id,
            price_cents=fare.price_cents * len(who),
            from_city=self.places[row.origin_code][0],
            to_city=self.places[row.destination_code][0],
            departs=row.departs,
            arrives=row.arrives,
            cabin=fare.cabin,
            fare=fare.kind,
        )
        for each in who:
            self.db.add(Passenger, booking=made, traveler=each, bags=fare.bags_included + self.rng.choice((0, 0, 1)))

    def _sleep(
        self, trip: Trip, hotel: Hotel, rate: Rate, start: date, end: date, status: str, begun: datetime, card: Card
    ) -> None:
        price = rate.cents_per_night * (end - start).days
        more = {"hotel": hotel.name, "check_in": start, "check_out": end, "price_cents": price}
        self._booking(trip, status, begun, card, kind="room", rate_id=rate.rate_id, **more)

    def _booking(self, trip: Trip, status: str, begun: datetime, card: Card, **values: Any) -> Booking:
        until = begun + timedelta(hours=24) if status == "held" else None
        key = None if status == "held" else card.card_id
        return self.db.add(Booking, trip=trip, status=status, booked_at=begun, hold_until=until, card_id=key, **values)


def _flex(bags: int) -> dict[str, Any]:
    return {"change_fee_cents": 0, "refundable": True, "bags_included": bags}
