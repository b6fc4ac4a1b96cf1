"""The tables of the map: streets and the turns that are barred, places, incidents, lines, and what a traveller keeps.

Points are metres east and north of Northport's harbour, written like `1200,750`; opening hours like `08:00-18:00`.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.sandbox.kit.world import Database, computed, key, part, via


class Base(DeclarativeBase):
    """The tables."""


def _whose() -> Any:
    return mapped_column(ForeignKey("travellers.traveller_id"), index=True, info={"hidden": True})


class Street(Base):
    """A street, corner by corner; who drives or cycles goes along a one-way street as its points go."""

    __tablename__ = "streets"
    street_id: Mapped[str] = key("st-101")
    name: Mapped[str]
    kind: Mapped[str]
    points: Mapped[str] = part()
    one_way: Mapped[bool]
    toll_cents: Mapped[int]


class Turn(Base):
    """A turn that nobody may drive: come from one corner, at the next, towards a third."""

    __tablename__ = "turns"
    turn_id: Mapped[str] = key("tn-101")
    before: Mapped[str]
    corner: Mapped[str]
    after: Mapped[str]


class Incident(Base):
    """What slows down or closes a street between two corners for a while."""

    __tablename__ = "incidents"
    incident_id: Mapped[str] = key("in-301")
    street_id: Mapped[str] = mapped_column(ForeignKey("streets.street_id"))
    stretch: Mapped[str] = part()
    kind: Mapped[str]
    delay_minutes: Mapped[int]
    starts: Mapped[datetime]
    ends: Mapped[datetime]
    street = via("street_id", "name")


class Traveller(Base):
    """Whom a session serves, and where this person is now."""

    __tablename__ = "travellers"
    traveller_id: Mapped[str] = key("tr-201")
    name: Mapped[str]
    place_id: Mapped[str] = mapped_column(ForeignKey("places.place_id"))
    sharing: Mapped[str]
    family: Mapped[str]
    street, city, stop_metres = via("place_id", "street"), via("place_id", "city"), via("place_id", "stop_metres")
    latitude, longitude = via("place_id", "latitude"), via("place_id", "longitude")


class Place(Base):
    """Somewhere to go: a shop, a stop, somebody's house. Its entrance lies some metres off a corner."""

    __tablename__ = "places"
    __shown__ = ("place_id", "name", "category", "street", "city", "rating")
    place_id: Mapped[str] = key("pl-30417")
    name: Mapped[str]
    category: Mapped[str] = mapped_column(index=True)
    address: Mapped[str] = mapped_column(index=True)
    street: Mapped[str]
    city: Mapped[str]
    latitude: Mapped[float]
    longitude: Mapped[float]
    point: Mapped[str] = part()
    entrance_metres: Mapped[int]
    stop_metres: Mapped[int]
    state: Mapped[str]
    weekdays: Mapped[str]
    saturday: Mapped[str]
    sunday: Mapped[str]
    rating: Mapped[float | None]
    price_level: Mapped[int | None]
    phone: Mapped[str | None]
    parking: Mapped[str]

    @computed
    def open_until(self, db: Database) -> str | None:
        """When it closes, where it is open now."""
        return hours_at(self, db.now).split("-")[1] if is_open(self, db.now) else None


class Review(Base):
    """What somebody thinks of a place."""

    __tablename__ = "reviews"
    review_id: Mapped[str] = key("rv-5001")
    place_id: Mapped[str] = mapped_column(ForeignKey("places.place_id"), index=True)
    stars: Mapped[int]
    text: Mapped[str]


class Ride(Base):
    """A tram or bus from one stop to the next: from which to which minute of the day it leaves, and how often."""

    __tablename__ = "rides"
    ride_id: Mapped[str] = key("rd-101")
    line: Mapped[str]
    towards: Mapped[str]
    place_id: Mapped[str] = mapped_column(ForeignKey("places.place_id"), index=True)
    next_place_id: Mapped[str] = mapped_column(ForeignKey("places.place_id"))
    minutes: Mapped[int]
    first_minute: Mapped[int]
    last_minute: Mapped[int]
    every_minutes: Mapped[int]


class PlaceList(Base):
    """A list of places; one that somebody else shares with the traveller can only be looked at."""

    __tablename__ = "place_lists"
    __owned_by__ = "traveller_id"
    place_list_id: Mapped[str] = key("ls-401")
    traveller_id: Mapped[str] = mapped_column(ForeignKey("travellers.traveller_id"), index=True, info={"hidden": True})
    list_name: Mapped[str]
    shared_by: Mapped[str | None]

    @computed
    def places(self, db: Database) -> int:
        """How many places are in it."""
        sql = "SELECT count(*) FROM saved WHERE place_list_id = :key"
        return int(db.query(sql, key=self.place_list_id)[0][0])


class Saved(Base):
    """A place in a list, with what the traveller calls it or noted about it."""

    __tablename__ = "saved"
    __owned_by__ = "place_list_id"
    __shown__ = ("saved_id", "place_id", "label", "note", "place_list_id")
    saved_id: Mapped[str] = key("sv-6001")
    place_list_id: Mapped[str] = mapped_column(ForeignKey("place_lists.place_list_id"), index=True)
    place_id: Mapped[str] = mapped_column(ForeignKey("places.place_id"))
    label: Mapped[str | None]
    note: Mapped[str]
    list_name = via("place_list_id", "list_name")
    shared_by = via("place_list_id", "shared_by")

    @computed
    def place_name(self, db: Database) -> str | None:
        """What the place is called, where the traveller has no word of their own for it."""
        return None if self.label else db.get_one(Place, self.place_id).name


class Route(Base):
    """A way that was worked out in this session."""

    __tablename__ = "routes"
    __owned_by__ = "traveller_id"
    __scratch__ = True
    route_id: Mapped[str] = key("rt-480215")
    traveller_id: Mapped[str] = mapped_column(ForeignKey("travellers.traveller_id"), index=True, info={"hidden": True})
    start_id: Mapped[str | None] = mapped_column(ForeignKey("places.place_id"))
    stop_ids: Mapped[str]
    mode: Mapped[str]
    avoid: Mapped[str]
    departs_at: Mapped[datetime]
    arrives_at: Mapped[datetime]
    minutes: Mapped[int]
    metres: Mapped[int]
    toll_cents: Mapped[int]


class Shared(Base):
    """A route that was sent to somebody."""

    __tablename__ = "shared"
    __owned_by__ = "traveller_id"
    shared_id: Mapped[str] = key("sh-701")
    traveller_id: Mapped[str] = mapped_column(ForeignKey("travellers.traveller_id"), index=True, info={"hidden": True})
    email: Mapped[str]
    stop_ids: Mapped[str]
    mode: Mapped[str]
    arrives_at: Mapped[datetime]
    message: Mapped[str]


def hours_at(place: Place, moment: datetime) -> str:
    """The hours of a place on that day; empty where it stays closed, as it does for good once it has closed so."""
    if place.state != "open":
        return ""
    day = moment.weekday()
    return place.weekdays if day < 5 else place.saturday if day == 5 else place.sunday


def is_open(place: Place, moment: datetime) -> bool:
    """Whether a place is open at a moment."""
    opens, _, closes = hours_at(place, moment).partition("-")
    return bool(closes) and opens <= f"{moment:%H:%M}" < closes
