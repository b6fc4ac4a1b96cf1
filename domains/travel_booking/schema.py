"""The tables of travel booking. Money is in integer cents; moments are local to the airport or hotel."""

from datetime import date, datetime
from typing import Any, Literal

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.sandbox.kit.world import Database, computed, hidden, key, via

OWN = "myself"
"""The label of the customer's own papers."""
State = Literal["held", "lapsed", "paid", "cancelled"]


class Base(DeclarativeBase):
    """The tables."""


class Place(Base):
    """An airport; it has a name of its own where its city has two."""

    __tablename__ = "places"
    code: Mapped[str] = key("LIS")
    city: Mapped[str]
    name: Mapped[str | None]
    country: Mapped[str]
    utc_hours: Mapped[int]


class Customer(Base):
    """Whom a session serves."""

    __tablename__ = "customers"
    customer_id: Mapped[str] = key("TC-101")
    name: Mapped[str]
    home_code: Mapped[str] = mapped_column(ForeignKey("places.code"))
    credit_cents: Mapped[int]

    @computed
    def passport_until(self, db: Database) -> date:
        """The last day of the customer's passport."""
        return db.find(Traveler, customer_id=self.customer_id, label=OWN)[0].passport_until


class Traveler(Base):
    """Somebody who travels: the customer, or a companion."""

    __tablename__ = "travelers"
    __owned_by__ = "customer_id"
    traveler_id: Mapped[str] = key("tv-330")
    customer_id: Mapped[str] = mapped_column(ForeignKey("customers.customer_id"), index=True, info={"hidden": True})
    label: Mapped[str]
    name: Mapped[str]
    birth_date: Mapped[date]
    passport_until: Mapped[date]


class Flight(Base):
    """A flight on one day."""

    __tablename__ = "flights"
    __shown__ = ("flight_id", "origin_code", "destination_code", "departs", "arrives")
    __table_args__ = (Index("flights_by_route", "origin_code", "destination_code", "departs"),)
    flight_id: Mapped[str] = key("FK482-0415")
    origin_code: Mapped[str] = mapped_column(ForeignKey("places.code"))
    destination_code: Mapped[str] = mapped_column(ForeignKey("places.code"))
    departs: Mapped[datetime]
    arrives: Mapped[datetime]
    economy_cents: Mapped[int]
    business_cents: Mapped[int]
    economy_seats: Mapped[int]
    business_seats: Mapped[int]
    abroad: Mapped[bool]
    from_city = via("origin_code", "city")
    to_city = via("destination_code", "city")

    @computed
    def seats_left(self, db: Database) -> dict[str, int]:
        """The free seats by cabin."""
        return seats_left(db, self)


class Fare(Base):
    """What a seat on a flight costs, and under which rules."""

    __tablename__ = "fares"
    __shown__ = ("fare_id", "cabin", "kind", "price_cents", "change_fee_cents", "refundable", "bags_included")
    fare_id: Mapped[str] = key("fa-10001")
    flight_id: Mapped[str] = mapped_column(ForeignKey("flights.flight_id"), index=True)
    cabin: Mapped[str]
    kind: Mapped[str]
    price_cents: Mapped[int]
    change_fee_cents: Mapped[int]
    refundable: Mapped[bool]
    bags_included: Mapped[int]
    origin_code = via("flight_id", "origin_code")
    destination_code = via("flight_id", "destination_code")
    departs = via("flight_id", "departs")
    arrives = via("flight_id", "arrives")
    abroad = via("flight_id", "abroad")

    @computed
    def seats_left(self, db: Database) -> int:
        """The seats in its cabin that nobody has."""
        return seats_left(db, db.get_one(Flight, self.flight_id))[self.cabin]


class Hotel(Base):
    """Where travellers sleep."""

    __tablename__ = "hotels"
    hotel_id: Mapped[str] = key("ho-71")
    city: Mapped[str] = mapped_column(index=True)
    name: Mapped[str]
    stars: Mapped[int]
    km_to_centre: Mapped[float]
    amenities: Mapped[str]
    from_cents: Mapped[int]


class Rate(Base):
    """A room at a price; without free days it is not refundable."""

    __tablename__ = "rates"
    rate_id: Mapped[str] = key("ra-5001")
    hotel_id: Mapped[str] = mapped_column(ForeignKey("hotels.hotel_id"), index=True)
    room: Mapped[str]
    cents_per_night: Mapped[int]
    refundable_until_days: Mapped[int | None]
    guests: Mapped[int]


class Card(Base):
    """A customer's card."""

    __tablename__ = "cards"
    __owned_by__ = "customer_id"
    card_id: Mapped[str] = key("pc-300")
    customer_id: Mapped[str] = mapped_column(ForeignKey("customers.customer_id"), index=True, info={"hidden": True})
    brand: Mapped[str]
    last_four: Mapped[str]
    code: Mapped[str] = hidden()


class Trip(Base):
    """What belongs together: flights and rooms under one name."""

    __tablename__ = "trips"
    __owned_by__ = "customer_id"
    __shown__ = ("trip_id", "name", "state")
    trip_id: Mapped[str] = key("TR-2208")
    customer_id: Mapped[str] = mapped_column(ForeignKey("customers.customer_id"), index=True, info={"hidden": True})
    name: Mapped[str]
    state: Mapped[str]

    @computed
    def due_cents(self, db: Database) -> int:
        """What its holds come to, without those that have lapsed."""
        return sum(row.price_cents for row in db.find(Booking, trip_id=self.trip_id) if state_of(db, row) == "held")


class Booking(Base):
    """A flight, a connection or a room in a trip; its price includes seats and bags."""

    __tablename__ = "bookings"
    __owned_by__ = "trip_id"
    __omits_null__ = True
    __shown__ = (
        *("booking_id", "kind", "state", "price_cents", "booked_at", "hold_until", "flights", "from_city", "to_city"),
        *("departs", "arrives", "cabin", "fare", "hotel", "rate_id", "check_in", "check_out", "travelers"),
    )
    booking_id: Mapped[str] = key("BK-90117")
    trip_id: Mapped[str] = mapped_column(ForeignKey("trips.trip_id"), index=True)
    fare_id: Mapped[str | None] = mapped_column(ForeignKey("fares.fare_id"), info={"hidden": True})
    onward_fare_id: Mapped[str | None] = mapped_column(ForeignKey("fares.fare_id"), info={"hidden": True})
    flight_id: Mapped[str | None] = mapped_column(ForeignKey("flights.flight_id"), index=True, info={"hidden": True})
    onward_id: Mapped[str | None] = mapped_column(ForeignKey("flights.flight_id"), index=True, info={"hidden": True})
    rate_id: Mapped[str | None] = mapped_column(ForeignKey("rates.rate_id"))
    card_id: Mapped[str | None] = mapped_column(ForeignKey("cards.card_id"), info={"hidden": True})
    kind: Mapped[str]
    status: Mapped[str] = mapped_column(info={"part": True})
    price_cents: Mapped[int]
    booked_at: Mapped[datetime]
    hold_until: Mapped[datetime | None]
    from_city: Mapped[str | None]
    to_city: Mapped[str | None]
    departs: Mapped[datetime | None]
    arrives: Mapped[datetime | None]
    cabin: Mapped[str | None]
    fare: Mapped[str | None]
    hotel: Mapped[str | None]
    check_in: Mapped[date | None]
    check_out: Mapped[date | None]

    @computed
    def state(self, db: Database) -> State:
        """How it stands; a hold lapses once its time is over."""
        return state_of(db, self)

    @computed
    def flights(self, db: Database) -> list[str] | None:
        """Its flights in order."""
        return [each for each in (self.flight_id, self.onward_id) if each] or None

    @computed
    def travelers(self, db: Database) -> list[dict[str, Any]] | None:
        """Who flies, with bags and seats."""
        rows = db.query(_WHO, booking=self.booking_id) if self.flight_id else ()
        return [
            {"traveler_id": who, "label": label, "bags": bags, "seats": seats.split() if seats else []}
            for who, label, bags, seats in rows
        ] or None

    @computed
    def papers(self, db: Database) -> list[list[str]]:
        """Birth date and last day of the passport of all who fly."""
        return [list(row) for row in db.query(_PAPERS, booking=self.booking_id)]

    @computed
    def refundable(self, db: Database) -> bool:
        """Whether its fares give the money back whenever it is cancelled."""
        return all(db.get_one(Fare, each).refundable for each in (self.fare_id, self.onward_fare_id) if each)

    @computed
    def free_until(self, db: Database) -> date | None:
        """The last day on which a room is cancelled free of charge."""
        days = None if self.rate_id is None else db.get_one(Rate, self.rate_id).refundable_until_days
        return None if days is None or self.check_in is None else date.fromordinal(self.check_in.toordinal() - days)


class Passenger(Base):
    """Somebody who flies on a booking, with all bags."""

    __tablename__ = "passengers"
    __owned_by__ = "booking_id"
    passenger_id: Mapped[str] = key("ps-7001")
    booking_id: Mapped[str] = mapped_column(ForeignKey("bookings.booking_id"), index=True)
    traveler_id: Mapped[str] = mapped_column(ForeignKey("travelers.traveler_id"))
    bags: Mapped[int]


class Seat(Base):
    """A seat that can be chosen on a flight."""

    __tablename__ = "seats"
    __shown__ = ("seat_id", "seat", "cabin", "kind", "price_cents")
    seat_id: Mapped[str] = key("FK482-0415-14C")
    flight_id: Mapped[str] = mapped_column(ForeignKey("flights.flight_id"), index=True)
    seat: Mapped[str]
    cabin: Mapped[str]
    kind: Mapped[str]
    price_cents: Mapped[int]
    passenger_id: Mapped[str | None] = mapped_column(
        ForeignKey("passengers.passenger_id"), index=True, info={"hidden": True}
    )


_WHO = """SELECT p.traveler_id, t.label, p.bags, group_concat(s.seat, ' ') FROM passengers p
    JOIN travelers t USING (traveler_id) LEFT JOIN seats s USING (passenger_id)
    WHERE p.booking_id = :booking GROUP BY p.passenger_id ORDER BY p.passenger_id"""
_PAPERS = """SELECT t.birth_date, t.passport_until FROM passengers p JOIN travelers t USING (traveler_id)
    WHERE p.booking_id = :booking ORDER BY p.passenger_id"""
_TAKEN = """SELECT b.cabin, count(*) FROM bookings b JOIN passengers p USING (booking_id)
    WHERE (b.flight_id = :flight OR b.onward_id = :flight)
    AND (b.status = 'paid' OR b.status = 'held' AND b.hold_until >= :now) GROUP BY b.cabin"""


def seats_left(db: Database, flight: Flight) -> dict[str, int]:
    """The free seats of a flight by cabin; those of holds that have lapsed are free again."""
    rows = db.query(_TAKEN, flight=flight.flight_id, now=f"{db.now:%Y-%m-%dT%H:%M}")
    taken: dict[str, int] = {str(cabin): int(count) for cabin, count in rows}
    seats = {"economy": flight.economy_seats, "business": flight.business_seats}
    return {cabin: count - taken.get(cabin, 0) for cabin, count in seats.items()}


def state_of(db: Database, booking: Booking) -> State:
    """How a booking stands."""
    is_over = booking.status == "held" and booking.hold_until is not None and booking.hold_until < db.now
    return "lapsed" if is_over else booking.status  # type: ignore[return-value]  # what is stored is one of the others
