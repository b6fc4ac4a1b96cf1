"""The rows: two towns with their places, lines and incidents, and 24 travellers; both sides of every rule."""

import random
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from toolgym.domains.maps import schema, tools
from toolgym.domains.maps.schema import Incident, Place, PlaceList, Saved, Street, Traveller
from toolgym.domains.people import FIRST_NAMES, LAST_NAMES
from toolgym.domains.routing import Corner
from toolgym.domains.streets import BARRED, MILLBROOK, NORTHPORT, Addresses, Way, city_of, stretch_of, ways
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 13, 16, 20)
CLOCKS = (datetime(2026, 3, 14, 11, 5),)
"""The Saturday after: other hours, other closures."""
_SORTS = {
    "cafe": (("Café", "Coffee Room"), ("07:00-17:00", "08:00-18:30", "07:30-16:45", "06:30-16:30"), (5, 20)),
    "restaurant": (("Kitchen", "Bistro"), ("12:00-22:00", "17:30-23:00", "11:30-16:30"), (5, 20)),
    "pharmacy": (("Pharmacy", "Apothecary"), ("08:00-18:00", "08:30-16:30", "00:00-24:00", "09:00-16:35"), (5, 12)),
    "charger": (("Charging Point", "Chargers"), ("00:00-24:00",), (3, 12)),
    "parking": (("Car Park", "Garage"), ("00:00-24:00", "06:00-23:00"), (3, 12)),
    "hotel": (("Hotel", "Inn"), ("00:00-24:00",), (5, 15)),
    "museum": (("Museum", "Gallery"), ("10:00-17:00", "10:00-18:00", "11:00-16:30"), (4, 10)),
    "shop": (("Bakery", "Bookshop", "Garden Centre"), ("08:00-18:00", "09:00-16:30", "09:30-19:00"), (5, 15)),
    "park": (("Park", "Gardens"), ("00:00-24:00", "06:00-20:00"), (5, 10)),
}
"""By category: how names end, hours on weekdays, and how many stand in Millbrook and, doubled, in Northport."""
_FIRST = """Alder Amber Anchor Aspen Bluebell Bramble Clover Copper Cypress Daisy Ember Falcon Fern Garnet Heron Indigo
Ivory Jasmine Juniper Kestrel Lantern Larkspur Lavender Lotus Magnolia Marble Meadow Mulberry Nettle Olive Orchid
Pebble Pepper Poppy Quartz Rosemary Saffron Sparrow Sycamore Thistle Tulip Velvet Walnut Willow""".split()
_STOPS = {
    "Pier": "0,750", "Old Bridge": "600,750", "Market": "1200,500", "Station Bridge": "2000,750",
    "East Gate": "2400,250", "Central Station": "2000,1600", "Castle": "1200,1350", "Harbour": "600,1100",
    "Hill End": "0,1600", "Mill Gate": "21000,300", "Church Square": "21600,600", "Green": "22400,1200",
}  # fmt: skip
_LINES = {
    "Tram 1": (10, ("Pier", "Old Bridge", "Market", "Station Bridge", "Central Station"), (3, 3, 4, 4)),
    "Tram 2": (12, ("East Gate", "Market", "Harbour", "Castle", "Hill End"), (5, 4, 3, 5)),
    "Bus 5": (30, ("Central Station", "East Gate", "Mill Gate", "Church Square", "Green"), (6, 22, 4, 5)),
}
_CLOSURES = (
    ("Old Bridge", NORTHPORT, 0, "2026-03-13T15:00", "2026-03-13T19:00"),
    ("Pier Road", NORTHPORT, 0, "2026-03-12T06:00", "2026-03-20T20:00"),
    ("Mill Pond Road", MILLBROOK, 0, "2026-03-13T07:00", "2026-03-14T20:00"),
    ("Quarry Road", NORTHPORT, 0, "2026-03-14T08:00", "2026-03-14T20:00"),
    ("Station Road", NORTHPORT, 5, "2026-03-13T06:00", "2026-03-13T22:00"),
    ("Market Street", NORTHPORT, 3, "2026-03-14T06:00", "2026-03-14T15:00"),
    ("Church Street", MILLBROOK, 2, "2026-03-14T06:00", "2026-03-14T15:00"),
)
"""Which streets are closed, between which of their corners, from when and until when."""
_BEHIND = {"Pierhead": "-300,750", "Quarry": "2700,-200", "Mill Pond": "22700,0", "Gull Island": "-1900,2200"}
"""Where a single street or the ferry leads."""
_ALWAYS = "00:00-24:00"
_PRAISE = (
    ("Dirty and loud.", "Nobody answered my questions.", "Far too expensive."),
    ("Nothing special.", "We waited for a long time."),
    ("Good, but crowded at noon.", "Fine for a short visit."),
    ("Friendly people.", "We will come again."),
    ("The best in town.", "Quiet and lovely.", "Worth every step."),
)
_LABELS = ("flat", "office", "sister's house", "parents' house")
_LISTS = ("Rainy days", "With the kids", "For visitors", "Sunday walks")
_NOTES, MOST_SAVED = ("", "", "quiet", "with a terrace", "cash only"), 20


def fill(db: Database, seed: int = 480215, first: int = 201) -> None:
    """Write the rows.

    Args:
        db: the empty tables.
        seed: other places, incidents and travellers on the same streets with another one.
        first: the number of the first traveller.
    """
    rng, streets = random.Random(seed), list(ways())
    rows = [db.add(Street, **{name: each for name, each in way._asdict().items() if name != "city"}) for way in streets]
    for before, at, after in BARRED:
        db.add(schema.Turn, before=before, corner=at, after=after)
    _incidents(db, rng, list(zip(streets, rows, strict=True)))
    town = _Town(db, rng)
    _lines(db, town.stops)
    places = _places(town)
    homes = [town.add("address", "", city) for city in (NORTHPORT, NORTHPORT, MILLBROOK) for _ in range(22)]
    people = rng.sample([f"{given} {family}" for given in FIRST_NAMES for family in LAST_NAMES], 24)
    for number, name in enumerate(people):
        here = town.stops[4] if number % 4 == 0 else homes[number]  # East Gate
        kin = [f"{each.lower()}.{name.lower().split()[1]}@post.example" for each in rng.sample(FIRST_NAMES, 2)]
        known = {"name": name, "sharing": "family" if number % 2 else "anyone", "family": " ".join(kin)}
        me = db.insert(Traveller, traveller_id=f"tr-{first + number}", place_id=here.place_id, **known)
        _lists(db, rng, me, number, places, [place for place in homes if place is not here])


class _Town:
    """Puts places at addresses, the stops first, and knows how far the next one is."""

    def __init__(self, db: Database, rng: random.Random) -> None:
        self.db, self.rng, self._addresses = db, rng, Addresses(rng)
        self._to_stop: dict[str, int] = {}
        self.stops: list[Place] = []
        made = [self.add("stop", name, city_of(at), at=at, entrance=0, parking="none") for name, at in _STOPS.items()]
        self.stops, self._walks = made, tools.roads(db, "walk", (), NOW)

    def add(
        self, category: str, name: str, city: str, *, at: str = "", entrance: int | None = None, **more: Any
    ) -> Place:
        """A place in some street of a town, or at a corner."""
        found = self._addresses.next(city, at, self.rng.randrange(5, 95) if entrance is None else entrance)
        far = self._stop_metres(found["point"]) + found["entrance_metres"]
        values: dict[str, Any] = dict.fromkeys(("weekdays", "saturday", "sunday"), _ALWAYS)
        values |= {"state": "open", "rating": None, "price_level": None, "phone": None, **found}
        values |= {"name": name or found["address"], "category": category, "stop_metres": far}
        return self.db.add(Place, **values | {"parking": self.rng.choice(("none", "street", "own"))} | more)

    def rated(
        self, category: str, name: str, city: str, hours: tuple[str, ...], *, at: str = "", entrance: int | None = None
    ) -> Place:
        """One with hours, and mostly with reviews."""
        rng, weekdays = self.rng, self.rng.choice(hours)
        days = [("09:00-13:00", "10:00-16:00", weekdays), ("", "10:00-14:00", weekdays)]
        saturday, sunday = (weekdays if weekdays == _ALWAYS else rng.choice(each) for each in days)
        more: dict[str, Any] = {"weekdays": weekdays, "saturday": saturday, "sunday": sunday}
        more |= {"state": "closed_for_good" if rng.random() < 0.08 and not entrance else "open"}
        more |= {"rating": rng.randrange(24, 50) / 10 if category not in ("parking", "charger") else None}
        more |= {"price_level": rng.randrange(1, 5) if category in ("cafe", "restaurant", "hotel") else None}
        phone = f"555-01{rng.randrange(100):02d}"
        place = self.add(category, name, city, at=at, entrance=entrance, phone=phone, **more)
        for stars in rng.choices((1, 2, 3, 4, 5), (3, 2, 3, 4, 5), k=rng.randrange(1, 6) if place.rating else 0):
            self.db.add(schema.Review, place=place, stars=stars, text=rng.choice(_PRAISE[stars - 1]))
        return place

    def _stop_metres(self, point: str) -> int:
        """From a corner on foot to the next stop; the stops themselves come before there are any."""
        if self.stops and point not in self._to_stop:
            trips = (self._walks.trip((stop, Corner(point))) for stop in self.stops)
            self._to_stop[point] = min(trip.metres for trip in trips if trip is not None)
        return self._to_stop.get(point, 0)


def _lines(db: Database, stops: list[Place]) -> None:
    keys = {stop.name: stop.place_id for stop in stops}
    for name, (every, calls, took) in _LINES.items():
        for way, times in ((calls, took), (calls[::-1], took[::-1])):
            for place, minutes in enumerate(times):
                first = 330 + sum(times[:place])
                day = {"first_minute": first, "last_minute": first + 1080, "every_minutes": every, "minutes": minutes}
                ends = {"place_id": keys[way[place]], "next_place_id": keys[way[place + 1]]}
                db.add(schema.Ride, line=name, towards=way[-1], **ends, **day)


def _incidents(db: Database, rng: random.Random, streets: list[tuple[Way, Street]]) -> None:
    by_name = {(way.name, way.city): (way, street) for way, street in streets}
    found = [
        (*by_name[name, city], at, "closure", 0, datetime.fromisoformat(starts), datetime.fromisoformat(ends))
        for name, city, at, starts, ends in _CLOSURES
    ]
    driven = [each for each in streets if each[0].kind not in ("path", "ferry")]
    for number, (way, street) in enumerate(rng.sample(driven, 36)):
        at, kind = rng.randrange(way.points.count(" ")), rng.choice(("accident", "roadworks", "event"))
        begun = NOW - timedelta(minutes=rng.randrange(10, 200)) + timedelta(days=number % 3 == 2)
        ends_at = begun + timedelta(hours=rng.randrange(4, 30))
        found.append((way, street, at, kind, rng.randrange(2, 16), begun, ends_at))
    for way, street, at, kind, minutes, begun, ends_at in found:
        stretch, moments = stretch_of(*way.points.split()[at : at + 2]), {"starts": begun, "ends": ends_at}
        db.add(Incident, street=street, stretch=stretch, kind=kind, delay_minutes=minutes, **moments)


def _places(town: _Town) -> list[Place]:
    made = []
    for category, (ends, hours, (brook, port)) in _SORTS.items():
        names = [f"{name} {end}" for name in _FIRST for end in ends]
        town.rng.shuffle(names)
        names[brook] = names[0]  # one name stands in both towns
        for name, city in zip(names, [MILLBROOK] * brook + [NORTHPORT] * port, strict=False):
            made.append(town.rated(category, name, city, hours))
    for name, at in _BEHIND.items():
        for category in ("cafe", "shop", "museum"):
            ends, hours, _ = _SORTS[category]
            made.append(town.rated(category, f"{name} {ends[0]}", city_of(at), hours, at=at))
    edges = {"Terrace": ("restaurant", "21600,900", 185), "Corner": ("cafe", "22400,300", 100)}
    for last, (category, at, inside) in edges.items():  # 20 km on foot from East Gate, 1,000 m from Green; 1 m more
        for number in range(6):
            far, name = inside + number % 2, f"{_FIRST[number]} {last}"
            made.append(town.rated(category, name, MILLBROOK, (_ALWAYS,), at=at, entrance=far))
    return made


def _lists(
    db: Database, rng: random.Random, me: Traveller, number: int, places: list[Place], homes: list[Place]
) -> None:
    mine = db.add(PlaceList, traveller=me, list_name="Addresses", shared_by=None)
    for label, place in zip(_LABELS, rng.sample(homes, 4), strict=True):
        db.add(Saved, place_list=mine, place=place, label=label, note="")
    near = [place for place in places if place.city == db.get_one(Place, me.place_id).city]
    lunches = [place for place in places if place.category in ("cafe", "restaurant")]
    for name, count, among, shared_by in (
        ("Favourites", 7 + number % 4, places, None),
        ("Errands", (3, 4, 8, 5, 9, 4)[number % 6], near, None),
        (_LISTS[number % 4], (6, MOST_SAVED - 1, 5, MOST_SAVED)[number // 4 % 4], places, None),
        ("Office lunches", 5, lunches, rng.choice(FIRST_NAMES)),
    ):
        kept = db.add(PlaceList, traveller=me, list_name=name, shared_by=shared_by)
        for place in rng.sample(among, count):
            db.add(Saved, place_list=kept, place=place, label=None, note=rng.choice(_NOTES))


fill_unseen = partial(fill, seed=480216, first=301)
"""Other places, incidents and travellers on the same streets."""
