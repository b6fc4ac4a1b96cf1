"""The rows: 24 cars with their drivers and places, in all states, on both sides of every rule."""

import random
from datetime import datetime
from functools import partial

from toolgym.domains.people import FIRST_NAMES, LAST_NAMES, STREETS
from toolgym.domains.vehicle.schema import (
    KM_PER_PERCENT,
    Battery,
    Destination,
    Guidance,
    Profile,
    Vehicle,
    Window,
    Zone,
    needed,
)
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 13, 16, 20)
ZONES, WINDOWS = ("driver", "passenger", "rear"), ("front_left", "front_right", "rear_left", "rear_right")
OFF = {"power": "off", "gear": "park", "parking_brake": True, "lights": "off"}
READY = {"power": "ready", "gear": "park", "parking_brake": True, "lights": "low"}
DRIVING = READY | {"gear": "drive", "parking_brake": False}
STATES = (
    READY | {"parking_brake": False, "trunk_open": True, "place": "street"},
    OFF | {"trunk_open": True, "place": "street"},
    DRIVING | {"place": "street", "routed": True},
    DRIVING | {"place": "home"},
    OFF | {"locked": True, "place": "home", "plugged_in": True},
    OFF | {"place": "home"},
    READY | {"parking_brake": False, "place": "street", "routed": True},
    OFF | {"locked": True, "place": "charger"},
    READY | {"place": "charger", "plugged_in": True, "parking_brake": False},
    READY | {"parking_brake": False, "place": "home"},
    DRIVING | {"gear": "reverse", "place": "home"},
    READY | {"place": "home"},
)
"""What a car begins as; the doors are unlocked, the trunk shut and the cable out where it does not say otherwise."""
CHARGE = (62, 15, 71, 88, 14, 47, 55, 33, 14, 79, 15, 26)
PLACES = (
    "Olsen Dental,Harbour Bakery,Brightwater Offices,Flora's Garden Shop,Maple Lodge,Riverside School,Seaview Hotel,"
    "Bellini's Restaurant,Hilltop Farm,Carver Clinic,Moonlight Cinema,Fernwood Gym,Walter's Workshop,Mill Pond Theatre,"
    "Sandpiper Beach,Westgate Mall,Juniper Laboratories,Copperfield Studios,Lindqvist & Sons,Amber Nursery"
).split(",")
AFAR = ("Pine Ridge Cabin", "Lakeside Camp", "Larkfield Airport", "Gull Rock Lighthouse")
CHARGERS = "Volta Harbour,Volta Mill,Ampere Park,Ampere North,Joule Market,Joule Bridge,Ohm Plaza,Ohm Valley".split(",")
GARAGES = ("Quay Car Park", "Castle Car Park", "Opera Garage", "Market Garage")


def fill(db: Database, seed: int = 60115, first: int = 201) -> None:
    """Write the rows.

    Args:
        db: the empty tables.
        seed: other people and places with another one.
        first: the number of the first car.
    """
    rng = random.Random(seed)
    people = rng.sample([f"{given} {family}" for given in FIRST_NAMES for family in LAST_NAMES], 24)
    for number, name in enumerate(people):
        state = dict(STATES[(number + number // 12 * 3) % 12])
        key, routed, profile = f"EV-{first + number}", state.pop("routed", False), f"pf-{301 + 3 * number}"
        car = db.insert(
            Vehicle,
            **{"vehicle_id": key, "name": name, "locked": False, "trunk_open": False, "plugged_in": False} | state,
            mode=rng.choice(list(KM_PER_PERCENT)),
            profile_id=profile,
            seat=rng.randrange(1, 10),
            tyre_kpa=rng.randrange(230, 275, 5),
            phone_pin=f"{rng.randrange(10_000):04d}",
            failed_pins=0,
        )
        percent = CHARGE[(number + number // 12 * 5) % 12]
        percent = max(percent, 40) if routed else percent
        db.add(Battery, vehicle=car, percent=percent, limit_percent=None, ready_by=None)
        _inside(db, rng, car)
        places = _places(db, rng, car, percent, number)
        _drivers(db, rng, car, places, number)
        if routed:  # as far as the charge goes, or somewhere near
            reached = [
                place for place in places if percent >= 10 + needed(_km(place), car.mode) and place.free_points != 0
            ]
            end = max(reached, key=_km) if number % 2 else rng.choice(reached[:12])
            db.add(Guidance, vehicle=car, destination=end, stop_ids="", state="running")


def _km(place: Destination) -> int:
    return abs(place.east_km) + abs(place.north_km)


def _inside(db: Database, rng: random.Random, car: Vehicle) -> None:
    """Zones and windows."""
    is_on = car.power == "ready"
    for zone in ZONES:
        state = {"climate_on": is_on and rng.random() < 0.5, "seat_heat": rng.choice((0, 0, 1)) if is_on else 0}
        db.add(Zone, vehicle=car, zone=zone, degrees=rng.randrange(18, 23), fan=rng.randrange(1, 5), **state)
    for window in WINDOWS:
        db.add(Window, vehicle=car, window=window, percent_open=rng.choice((0, 0, 0, 20, 50)))


def _places(db: Database, rng: random.Random, car: Vehicle, percent: int, number: int) -> list[Destination]:
    """Places near the car, at the edge of its range and far away; now and then two of one name."""
    streets = iter(rng.sample(STREETS, 32))
    names = rng.sample(PLACES, 12 - number % 2)
    names += names[:1] if number % 2 else []
    edge = max(percent - 10, 2) * KM_PER_PERCENT[car.mode]
    kinds = [("address", name, rng.randrange(4, 45)) for name in names]
    kinds += [("favourite", f"{name}'s house", rng.randrange(3, 70)) for name in rng.sample(FIRST_NAMES, 3)]
    kinds += [("favourite", "Home", 0 if car.place == "home" else rng.randrange(5, 40))]
    kinds += [("parking", name, rng.randrange(2, 25)) for name in GARAGES]
    kinds += [("charger", name, rng.randrange(3, 140)) for name in CHARGERS]
    far = (300, 301, edge, edge + 1) if number % 2 else (280 + number, 310 + number, edge, edge + 1)
    kinds += [("address", name, km) for name, km in zip(AFAR, far, strict=True)]
    return [_place(db, rng, car, kind, name, km, next(streets)) for kind, name, km in kinds]


def _place(db: Database, rng: random.Random, car: Vehicle, kind: str, name: str, km: int, street: str) -> Destination:
    east = rng.randrange(km + 1) if kind == "charger" else rng.randrange(-km, km + 1)
    north = (km - abs(east)) * rng.choice((1, 1, -1))
    fast_kw, free_points = rng.choice((11, 22, 50, 150, 150, 250, 300)), rng.choice((0, 1, 2, 4))
    return db.add(
        Destination,
        vehicle=car,
        name=name,
        kind=kind,
        street=f"{rng.randrange(2, 180)} {street}",
        east_km=east,
        north_km=north,
        fast_kw=fast_kw if kind == "charger" else None,
        free_points=free_points if kind == "charger" else None,
    )


def _drivers(db: Database, rng: random.Random, car: Vehicle, places: list[Destination], number: int) -> None:
    """Three who drive it; the first one does now."""
    for name, work in zip([car.name.split()[0], *rng.sample(FIRST_NAMES, 2)], places[:3], strict=True):
        db.add(
            Profile,
            vehicle=car,
            name=name,
            seat=rng.randrange(1, 10),
            degrees=rng.randrange(17, 25),
            mode=rng.choice(list(KM_PER_PERCENT)),
            children=rng.random() < 0.5,
            work=work,
        )


fill_unseen = partial(fill, seed=60116, first=301)
"""Other people and places, in which the stored tasks of dev and test play."""
