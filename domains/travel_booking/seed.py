"""The rows: 24 customers with companions and trips, flights of a few days, hotels; both sides of every rule."""

import random
from collections import defaultdict
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from toolgym.domains.people import FIRST_NAMES, LAST_NAMES
from toolgym.domains.travel_booking import schema
from toolgym.domains.travel_booking.schema import OWN, Booking, Card, Customer, Fare, Flight, Hotel, Place, Rate
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 10, 9, 30)
CLOCKS = (datetime(2026, 3, 10, 21, 45), datetime(2026, 3, 11, 8, 15))
"""Other moments: in the evening and on the next morning, when more holds have lapsed."""
PLACES = (
    ("BOS", "Boston", None, "USA", -4), ("JFK", "New York", "Kennedy", "USA", -4),
    ("EWR", "New York", "Newark", "USA", -4), ("MIA", "Miami", None, "USA", -4),
    ("ORD", "Chicago", None, "USA", -5), ("LIS", "Lisbon", None, "Portugal", 1),
    ("LHR", "London", "Heathrow", "United Kingdom", 1), ("LGW", "London", "Gatwick", "United Kingdom", 1),
    ("CDG", "Paris", None, "France", 2), ("FRA", "Frankfurt", None, "Germany", 2),
    ("MAD", "Madrid", None, "Spain", 2), ("OPO", "Porto", None, "Portugal", 1),
    ("OSL", "Oslo", None, "Norway", 2), ("ATH", "Athens", None, "Greece", 3),
    ("FCO", "Rome", None, "Italy", 2), ("PRG", "Prague", None, "Czech Republic", 2),
    ("CPH", "Copenhagen", None, "Denmark", 2), ("DUB", "Dublin", None, "Ireland", 1),
    ("VIE", "Vienna", None, "Austria", 2),
)  # fmt: skip
"""With hours ahead of UTC in April."""
HOMES, CHILDREN = ("BOS", "JFK", "EWR", "MIA", "ORD"), ("daughter", "son", "nephew", "niece")
_ATLANTIC = {"BOS": "LIS LHR CDG", "JFK": "LIS LHR MAD", "EWR": "LGW FRA LIS", "MIA": "MAD CDG", "ORD": "FRA LHR"}
_ONWARD = {"LIS": "OPO", "LHR": "OSL DUB", "LGW": "CPH", "CDG": "FCO VIE OSL", "FRA": "ATH PRG CPH", "MAD": "OPO FCO"}
_NEAR = {"BOS": "JFK MIA ORD", "JFK": "MIA ORD", "EWR": "MIA ORD", "MIA": "ORD"}
FIRST_DAY, DAYS = date(2026, 4, 9), 9
"""When people want to travel."""
OVER, SOON = (date(2026, 2, 5), date(2026, 2, 9)), (("BOS", "MIA"), ("MIA", "BOS"), ("JFK", "MIA"), ("MIA", "JFK"))
_CLOCKS = ((11, 29), (11, 30), (23, 44), (23, 45), (10, 14), (10, 15))
"""Departures two hours from one of the clocks, or a minute less; on the day of the clock."""
_TRIPS = (
    "Spring break", "Family reunion", "Long weekend", "Anniversary", "Grandma's birthday", "Trade fair", "City break",
    "Wine tasting", "Jazz festival", "Marathon", "Museum tour", "Old friends", "Wedding of the year", "Sunshine week",
)  # fmt: skip
_ADULTS = ("wife", "brother", "husband", "sister", "mother", "father")
_HOUSES = "Harbour Garden Castle Station River Royal Park Market Bridge Tower".split()
_KINDS = ("House", "Palace", "Inn", "Suites", "Lodge")
_ROOMS = (("double", None, 2), ("double", 2, 2), ("family room", 3, 4), ("single", 1, 1))
_SEATS = (("2A", "business", "window", 0), ("2D", "business", "aisle", 0), ("12A", "economy", "legroom", 4500),
          ("14A", "economy", "window", 2200), ("15F", "economy", "window", 1900), ("14C", "economy", "aisle", 2400),
          ("21D", "economy", "aisle", 1500))  # fmt: skip


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
    for city in sorted({row[1] for row in PLACES}):
        names = world.rng.sample([f"{city} {house} {kind}" for house in _HOUSES for kind in _KINDS], 7)
        for name in names:
            world.hotel(name, city)
    people = world.rng.sample([f"{given} {family}" for given in FIRST_NAMES for family in LAST_NAMES], 24)
    for number, name in enumerate(people):
        world.customer(name, number, f"TC-{first + number}")


fill_unseen = partial(fill, seed=90118, first=201)
"""Other flights, hotels and customers, in which stored tasks of dev and test play."""


class _World:
    """The rows while they are made."""

    def __init__(self, db: Database, rng: random.Random) -> None:
        self.db, self.rng, self.number = db, rng, 100
        self.places = {code: (city, country, hours) for code, city, _, country, hours in PLACES}
        self.flights: dict[tuple[str, str, date], list[Flight]] = defaultdict(list)
        self.fares: dict[str, list[Fare]] = {}
        self.rates: dict[str, list[tuple[Hotel, Rate]]] = defaultdict(list)

    def timetable(self) -> None:
        """The flights: across the ocean, from there on, and at home; of these some are over, and some leave today."""
        days = [FIRST_DAY + timedelta(days=number) for number in range(DAYS)]
        for routes, hours, price in ((_ATLANTIC, 7, 380), (_ONWARD, 2, 90), (_NEAR, 3, 120)):
            for one, other in ((one, other) for one, others in routes.items() for other in others.split()):
                for way, turn in (((one, other), 0), ((other, one), 0), ((one, other), 1), ((other, one), 1)):
                    if hours == 7 or not turn:
                        self._line(way, turn, hours, price, days if hours == 2 else [*OVER, *days])
        for way in SOON:
            for place, clock in enumerate(_CLOCKS):
                self.number += 1
                self._flight(way, NOW.date() + timedelta(days=place // 4), clock, 175, 14000)

    def _line(self, way: tuple[str, str], turn: int, hours: int, price: int, days: list[date]) -> None:
        """A flight that leaves at one time every day, for a fare that changes; those over the ocean go by night."""
        rng, onward = self.rng, hours == 2 and way[0] in _ONWARD
        self.number += 1
        at = (
            17 + 3 * turn if hours == 7 and way[0] in HOMES else rng.randrange(8, 18),
            rng.choice((0, 10, 25, 40, 55)),
        )
        minutes = hours * 60 + rng.randrange(-25, 50, 5)
        for day in days:
            when = self._after(way, day, at) if onward else at
            self._flight(way, day, when, minutes, (price + rng.randrange(160)) * 100)

    def _after(self, way: tuple[str, str], day: date, usual: tuple[int, int]) -> tuple[int, int]:
        """A departure that just makes, or just misses, a connection from across the ocean; on some days the usual."""
        came = [row for (_, at, _), rows in self.flights.items() if at == way[0] for row in rows]
        came = [row for row in came if row.arrives.date() == day and row.arrives.hour < 20]
        if not came or self.rng.random() < 0.3:
            return usual
        leaves = self.rng.choice(came).arrives + timedelta(minutes=self.rng.choice((59, 60, 60, 75, 110, 190)))
        return leaves.hour, leaves.minute

    def _flight(self, way: tuple[str, str], day: date, at: tuple[int, int], minutes: int, price: int) -> None:
        rng, (_, one, begin), (_, other, end) = self.rng, self.places[way[0]], self.places[way[1]]
        departs, cents = datetime(day.year, day.month, day.day, *at), price * 32 // 10
        arrives = departs + timedelta(minutes=minutes, hours=end - begin)
        seats = {"economy_seats": rng.choice((1, 2, 3, 9, 24, 61)), "business_seats": rng.choice((0, 1, 4, 8))}
        route = {"origin_code": way[0], "destination_code": way[1], "abroad": one != other}
        times = {"departs": departs, "arrives": arrives, "economy_cents": price, "business_cents": cents}
        row = self.db.insert(Flight, flight_id=f"FK{self.number}-{day:%m%d}", **route, **times, **seats)
        self.flights[(*way, day)].append(row)
        self.fares[row.flight_id] = [
            self.db.add(
                Fare, flight=row, cabin=cabin, kind=kind, price_cents=cents, change_fee_cents=fee, refundable=not fee,
                bags_included=bags,
            )
            for cabin, kind, cents, fee, bags in (
                ("economy", "saver", price, 7500, 0),
                ("economy", "flex", price * 14 // 10, 0, 1),
                ("business", "flex", cents, 0, 2),
            )
        ]  # fmt: skip
        for seat, cabin, kind, cents in (each for each in _SEATS if rng.random() < 0.8):
            key, more = f"{row.flight_id}-{seat}", {"cabin": cabin, "kind": kind, "price_cents": cents}
            self.db.insert(schema.Seat, seat_id=key, flight_id=row.flight_id, seat=seat, **more)

    def hotel(self, name: str, city: str) -> None:
        """One with rooms for one, for two and for four; its cheapest double is not refunded."""
        rng, night = self.rng, self.rng.randrange(70, 260) * 100
        amenities = ", ".join(sorted(rng.sample(("pool", "gym", "parking", "breakfast"), rng.randrange(1, 4))))
        values = {"stars": rng.choice((2, 3, 3, 4, 4, 5)), "km_to_centre": rng.randrange(2, 60) / 10}
        row = self.db.add(Hotel, city=city, name=name, amenities=amenities, from_cents=night * 7 // 10, **values)
        for (room, free, guests), share in zip(_ROOMS, (9, 10, 16, 7), strict=True):
            cents = night * share // 10
            more = {"cents_per_night": cents, "refundable_until_days": free, "guests": guests}
            self.rates[city].append((row, self.db.add(Rate, hotel=row, room=room, **more)))

    def customer(self, name: str, number: int, key: str) -> None:
        """Somebody with companions, cards and trips of all kinds."""
        db, rng, home = self.db, self.rng, HOMES[number % 5]
        me = db.insert(Customer, customer_id=key, name=name, home_code=home, credit_cents=(0, 15000, 40000)[number % 3])
        labels = [OWN, *(f"my {each}" for each in (rng.choice(CHILDREN), *rng.sample(_ADULTS, 2)))]
        party = [self._traveler(me, label, number) for label in labels[: 3 + number % 2]]
        for brand in ("Visa", "Mastercard")[: 1 + number % 2]:
            digits, code = f"{rng.randrange(10_000):04}", f"{rng.randrange(1000):03}"
            card = db.add(Card, customer=me, brand=brand, last_four=digits, code=code)
        kinds = ("held", "booked", "lapsed", "travelled", "soon", "empty")
        for kind, title in zip(kinds, rng.sample(_TRIPS, len(kinds)), strict=True):
            state = {"booked": "booked", "soon": "booked", "travelled": "travelled"}.get(kind, "planning")
            trip = db.add(schema.Trip, customer=me, name=title, state=state)
            paid = {"status": "paid", "card_id": card.card_id}
            book = partial(db.add, Booking, trip=trip, **({"status": "held"} if kind in ("held", "lapsed") else paid))
            if kind == "soon":
                self._soon(book, party, number)
            elif kind != "empty":
                self._trip(book, kind, home, party, number)

    def _traveler(self, me: Customer, label: str, number: int) -> schema.Traveler:
        """Children turn 16 about when people travel, or are younger; some passports end half a year later."""
        rng, (first, family) = self.rng, me.name.split(" ", 1)
        born = date(1950 + rng.randrange(45), 1 + rng.randrange(12), 1 + rng.randrange(28))
        until = date(2028 + rng.randrange(6), 1 + rng.randrange(12), 1 + rng.randrange(28))
        if label.split()[-1] in CHILDREN:
            born = date(2010 if number % 3 else 2014, 4, 9 + rng.randrange(DAYS))
        if not rng.randrange(4):
            until = date(2026, 10, 9) + timedelta(days=rng.randrange(DAYS))
        given = first if label == OWN else rng.choice([each for each in FIRST_NAMES if each != first])
        more = {"name": f"{given} {family}", "birth_date": born, "passport_until": until}
        return self.db.add(schema.Traveler, customer=me, label=label, **more)

    def _trip(self, book: Any, kind: str, home: str, party: list[schema.Traveler], number: int) -> None:
        """Out and home again, with a room between; long ago, or when people travel."""
        rng, days, begun = self.rng, (_days(self.rng) if kind != "travelled" else OVER), self._begun(kind, number)
        to = rng.choice([to for start, to, _ in self.flights if start == home and (to, home, days[1]) in self.flights])
        who, flex = party[: 1 + (number + len(kind)) % len(party)], rng.randrange(2)
        for way, day in (((home, to), days[0]), ((to, home), days[1]))[: 1 + (kind != "lapsed")]:
            self._fly(book, rng.choice(self.flights[(*way, day)]), flex, who, begun)
        if kind != "travelled" and number % 3:
            self._sleep(book, *rng.choice(self.rates[self.places[to][0]]), days[0] + timedelta(days=1), days[1], begun)

    def _begun(self, kind: str, number: int) -> datetime:
        """When a trip's bookings were made: a day before one of the clocks, to the minute or nearly, or else."""
        day, minute = timedelta(hours=24), timedelta(minutes=1)
        if kind == "held":  # the first just stands, at the present moment or at one of the other clocks
            return (NOW - day, CLOCKS[0] - day, CLOCKS[1] - day, NOW - 25 * minute, NOW - 200 * minute)[number % 5]
        if kind == "lapsed":
            return (NOW - day - minute, NOW - 30 * timedelta(hours=1), NOW - 3 * day)[number % 3]
        if kind == "travelled":
            return datetime(2026, 1, 12, 18, 5) + timedelta(hours=number)
        return (NOW - day, NOW - day - minute, CLOCKS[0] - day, NOW - 11 * day, CLOCKS[1] - day)[number % 5]

    def _soon(self, book: Any, party: list[schema.Traveler], number: int) -> None:
        """What leaves about two hours after one of the clocks, and a room about its last free day."""
        days = [NOW.date() + timedelta(days=later) for later in (0, 1)]
        leaving = [row for way in SOON for day in days for row in self.flights[(*way, day)]]
        row, begun = leaving[number % len(leaving)], NOW - timedelta(days=6, hours=number)
        self._fly(book, row, 1 - number % 2, party[:1], begun)
        rooms = self.rates[self.places[row.destination_code][0]]
        hotel, rate = self.rng.choice([each for each in rooms if each[1].guests < 4])
        later = (rate.refundable_until_days or 0) + (0, 1, -1, 2)[number % 4]
        start = NOW.date() + timedelta(days=max(0, later))
        self._sleep(book, hotel, rate, start, start + timedelta(days=2 + number % 3), begun)

    def _fly(self, book: Any, row: Flight, flex: int, who: list[schema.Traveler], begun: datetime) -> None:
        fare, ends = (
            self.fares[row.flight_id][flex],
            [self.places[each][0] for each in (row.origin_code, row.destination_code)],
        )
        of = {"fare_id": fare.fare_id, "flight_id": row.flight_id, "cabin": fare.cabin, "fare": fare.kind}
        times = {"departs": row.departs, "arrives": row.arrives, "from_city": ends[0], "to_city": ends[1]}
        made = book(kind="flight", price_cents=fare.price_cents * len(who), **of, **times, **_when(book, begun))
        for each in who:
            bags = fare.bags_included + self.rng.choice((0, 0, 1))
            self.db.add(schema.Passenger, booking=made, traveler=each, bags=bags)

    def _sleep(self, book: Any, hotel: Hotel, rate: Rate, start: date, end: date, begun: datetime) -> None:
        of = {"rate_id": rate.rate_id, "hotel": hotel.name, "check_in": start, "check_out": end}
        book(kind="room", price_cents=rate.cents_per_night * (end - start).days, **of, **_when(book, begun))


def _days(rng: random.Random) -> tuple[date, date]:
    """A day out, and one home."""
    out = FIRST_DAY + timedelta(days=rng.randrange(4))
    return out, out + timedelta(days=rng.randrange(2, 5))


def _when(book: Any, begun: datetime) -> dict[str, Any]:
    """When a booking was made, and until when it is held."""
    held = book.keywords["status"] == "held"
    return {"booked_at": begun, "hold_until": begun + timedelta(hours=24) if held else None}
