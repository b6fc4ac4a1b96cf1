"""The tables of cars: their state, drivers, places and routes. Distances are in kilometres, charge in percent."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.sandbox.kit.world import Database, computed, hidden, key, via

KM_PER_PERCENT = {"eco": 6, "normal": 5, "snow": 4, "sport": 3}
"""How far a percent of charge takes the car in each drive mode."""
FILLED, STOP_MINUTES, SPEED = 80, 25, 60
"""To how many percent a charger on the way fills the car and in how many minutes; kilometres an hour on any road."""
Point = tuple[int, int, bool]
"""A place east and north of the car, and whether it is a charger."""


def needed(km: int, mode: str) -> int:
    """Percent of charge for so many kilometres."""
    return -(-km // KM_PER_PERCENT[mode])


def legs(points: Sequence[Point]) -> Iterator[int]:
    """Kilometres from the car to the first point, from there to the next, and so on; roads run east and north."""
    for before, after in zip([(0, 0, False), *points], points, strict=False):
        yield abs(after[0] - before[0]) + abs(after[1] - before[1])


def arrivals(percent: int, mode: str, points: Sequence[Point]) -> list[int]:
    """Percent of charge on arrival at each point, those that are chargers before they fill the car."""
    found = []
    for km, point in zip(legs(points), points, strict=True):
        percent -= needed(km, mode)
        found.append(percent)
        percent = max(percent, FILLED) if point[2] else percent
    return found


class Base(DeclarativeBase):
    """The tables."""


class Vehicle(Base):
    """The car that a session serves, and whose it is."""

    __tablename__ = "vehicles"
    vehicle_id: Mapped[str] = key("EV-201")
    name: Mapped[str]
    power: Mapped[str]
    gear: Mapped[str]
    parking_brake: Mapped[bool]
    locked: Mapped[bool]
    trunk_open: Mapped[bool]
    plugged_in: Mapped[bool]
    lights: Mapped[str]
    mode: Mapped[str]
    place: Mapped[str]
    profile_id: Mapped[str]
    seat: Mapped[int]
    tyre_kpa: Mapped[int]
    phone_pin: Mapped[str] = hidden()
    failed_pins: Mapped[int] = hidden()

    @computed
    def route_id(self, db: Database) -> str | None:
        """The route that guides the driver, if one does."""
        routes = db.find(Guidance, vehicle_id=self.vehicle_id, state="running")
        return routes[0].route_id if routes else None

    @computed
    def children(self, db: Database) -> bool:
        """Whether children ride along, by the profile that is selected."""
        return db.get_one(Profile, self.profile_id).children


class Battery(Base):
    """A car's charge, and how far and until when it is to be charged."""

    __tablename__ = "batteries"
    __owned_by__ = "vehicle_id"
    battery_id: Mapped[str] = key("bt-201")
    vehicle_id: Mapped[str] = mapped_column(ForeignKey("vehicles.vehicle_id"), index=True, info={"hidden": True})
    percent: Mapped[int]
    limit_percent: Mapped[int | None]
    ready_by: Mapped[datetime | None]


class Destination(Base):
    """A place that the car knows; chargers have power and points."""

    __tablename__ = "destinations"
    __owned_by__ = "vehicle_id"
    destination_id: Mapped[str] = key("ds-101")
    vehicle_id: Mapped[str] = mapped_column(ForeignKey("vehicles.vehicle_id"), index=True, info={"hidden": True})
    name: Mapped[str]
    kind: Mapped[str]
    street: Mapped[str]
    east_km: Mapped[int]
    north_km: Mapped[int]
    fast_kw: Mapped[int | None]
    free_points: Mapped[int | None]

    @computed
    def km(self, db: Database) -> int:
        """How far it is from the car."""
        return abs(self.east_km) + abs(self.north_km)


class Profile(Base):
    """How somebody who drives the car likes it."""

    __tablename__ = "profiles"
    __owned_by__ = "vehicle_id"
    profile_id: Mapped[str] = key("pf-301")
    vehicle_id: Mapped[str] = mapped_column(ForeignKey("vehicles.vehicle_id"), index=True, info={"hidden": True})
    name: Mapped[str]
    seat: Mapped[int]
    degrees: Mapped[int]
    mode: Mapped[str]
    children: Mapped[bool]
    work_id: Mapped[str] = mapped_column(ForeignKey("destinations.destination_id"))


class Zone(Base):
    """A part of the car with a climate of its own."""

    __tablename__ = "zones"
    __owned_by__ = "vehicle_id"
    __shown__ = ("zone", "climate_on", "degrees", "fan", "seat_heat")
    zone_id: Mapped[str] = key("zn-401")
    vehicle_id: Mapped[str] = mapped_column(ForeignKey("vehicles.vehicle_id"), index=True, info={"hidden": True})
    zone: Mapped[str]
    climate_on: Mapped[bool]
    degrees: Mapped[int]
    fan: Mapped[int]
    seat_heat: Mapped[int]


class Window(Base):
    """A window of a car, and how far it is open."""

    __tablename__ = "windows"
    __owned_by__ = "vehicle_id"
    __shown__ = ("window", "percent_open")
    window_id: Mapped[str] = key("wd-501")
    vehicle_id: Mapped[str] = mapped_column(ForeignKey("vehicles.vehicle_id"), index=True, info={"hidden": True})
    window: Mapped[str]
    percent_open: Mapped[int]


class Guidance(Base):
    """A route on which the driver is guided, or was."""

    __tablename__ = "routes"
    __owned_by__ = "vehicle_id"
    route_id: Mapped[str] = key("rt-601")
    vehicle_id: Mapped[str] = mapped_column(ForeignKey("vehicles.vehicle_id"), index=True, info={"hidden": True})
    destination_id: Mapped[str] = mapped_column(ForeignKey("destinations.destination_id"))
    stop_ids: Mapped[str]
    state: Mapped[str]
    destination_name = via("destination_id", "name")

    @computed
    def charge_on_arrival(self, db: Database) -> int:
        """With how much charge the car arrives in its present mode."""
        percent = db.find(Battery, vehicle_id=self.vehicle_id)[0].percent
        return arrivals(percent, db.get_one(Vehicle, self.vehicle_id).mode, route_points(db, self))[-1]

    @computed
    def minutes(self, db: Database) -> int:
        """How long it takes, with stops at chargers."""
        points = route_points(db, self)
        return sum(legs(points)) * 60 // SPEED + STOP_MINUTES * sum(is_charger for *_, is_charger in points[:-1])


def route_points(db: Database, route: Guidance) -> list[Point]:
    """The stops of a route and its end."""
    places = (db.get_one(Destination, name) for name in (*route.stop_ids.split(), route.destination_id))
    return [(place.east_km, place.north_km, place.kind == "charger") for place in places]
