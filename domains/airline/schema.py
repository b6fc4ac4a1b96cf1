"""The airline world's tables. Money is in whole dollars; every time is Eastern Standard Time."""

from datetime import date as Day
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, Index
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.domains.airline.airports import spoken
from toolgym.sandbox.kit.world import Database, computed, part, personal

CABINS = ("basic_economy", "economy", "business")
STATUSES = ("available", "on time", "delayed", "flying", "landed", "cancelled")
MEMBERSHIPS = ("regular", "silver", "gold")


def _one_of(column: str, values: tuple[str, ...]) -> CheckConstraint:
    return CheckConstraint("{} IN ({})".format(column, ", ".join(f"'{value}'" for value in values)))


def _in_order(rows: list[Any], key: str) -> list[Any]:
    """By place in the profile; what the session made has none and comes last, by id."""
    return sorted(rows, key=lambda row: (row.position is None, row.position or 0, getattr(row, key)))


def as_person(row: Any) -> dict[str, str]:
    """A traveller as the tools take and show them."""
    return {name: getattr(row, name) for name in ("first_name", "last_name", "dob")}


class Base(DeclarativeBase):
    """The airline tables."""


class Airport(Base):
    """Where flights start and end."""

    __tablename__ = "airports"

    iata: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[int] = part()
    city: Mapped[str]


class User(Base):
    """A customer with their address, payment methods, saved passengers and reservation ids."""

    __tablename__ = "users"
    __shown__ = (
        *("user_id", "name", "address", "email", "dob"),
        *("payment_methods", "saved_passengers", "membership", "reservations"),
    )
    __table_args__ = (_one_of("membership", MEMBERSHIPS),)

    user_id: Mapped[str] = mapped_column(primary_key=True)
    first_name: Mapped[str]
    last_name: Mapped[str]
    email: Mapped[str] = personal()
    dob: Mapped[str] = personal()
    membership: Mapped[str]
    address1: Mapped[str] = personal()
    address2: Mapped[str] = personal()
    city: Mapped[str] = personal()
    state: Mapped[str] = personal()
    country: Mapped[str] = personal()
    zip: Mapped[str] = personal()

    @computed
    def name(self, db: Database) -> dict[str, str]:
        """First and last name."""
        return {"first_name": self.first_name, "last_name": self.last_name}

    @computed
    def address(self, db: Database) -> dict[str, str]:
        """The postal address."""
        return {name: getattr(self, name) for name in ("address1", "address2", "city", "country", "state", "zip")}

    @computed
    def payment_methods(self, db: Database) -> dict[str, dict[str, Any]]:
        """The ways to pay, in dollars; a used certificate is gone."""
        methods = _in_order(db.find(PaymentMethod, user_id=self.user_id, used=False), "payment_id")
        return {
            method.payment_id: {"source": method.source, "id": method.payment_id}
            | {name: kept for name in ("brand", "last_four", "amount") if (kept := getattr(method, name)) is not None}
            for method in methods
        }

    @computed
    def saved_passengers(self, db: Database) -> list[dict[str, str]]:
        """Whom they have travelled with."""
        return [as_person(row) for row in db.find(SavedPassenger, user_id=self.user_id)]

    @computed
    def reservations(self, db: Database) -> list[str]:
        """Their reservations."""
        found = _in_order(db.find(Reservation, user_id=self.user_id), "reservation_id")
        return [reservation.reservation_id for reservation in found]


class SavedPassenger(Base):
    """Somebody a customer has travelled with."""

    __tablename__ = "saved_passengers"
    __owned_by__ = "user_id"

    user_id: Mapped[str] = mapped_column(ForeignKey("users.user_id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    first_name: Mapped[str]
    last_name: Mapped[str]
    dob: Mapped[str]


class PaymentMethod(Base):
    """A way a customer pays: only gift cards and certificates hold an amount; a certificate is used once, as a whole.

    `position` is the place in the profile; certificates sent in a session have none and come last.
    """

    __tablename__ = "payment_methods"
    __owned_by__ = "user_id"
    __table_args__ = (
        _one_of("source", ("credit_card", "gift_card", "certificate")),
        CheckConstraint("(source = 'credit_card') = (amount IS NULL)"),
        CheckConstraint("amount IS NULL OR amount >= 0"),
        CheckConstraint("source = 'certificate' OR NOT used"),
    )

    payment_id: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.user_id"), index=True)
    position: Mapped[int | None]
    source: Mapped[str]
    brand: Mapped[str | None]
    last_four: Mapped[str | None]
    amount: Mapped[int | None]
    used: Mapped[bool]

    @computed
    def sort(self, db: Database) -> str:
        """What its owner calls it."""
        return self.source.replace("_", " ")


class Flight(Base):
    """A daily connection; an arrival on the next day ends in `+1`."""

    __tablename__ = "flights"
    __table_args__ = (Index("flights_by_route", "origin", "destination"),)

    flight_number: Mapped[str] = mapped_column(primary_key=True)
    origin: Mapped[str] = mapped_column(ForeignKey("airports.iata"))
    destination: Mapped[str] = mapped_column(ForeignKey("airports.iata"))
    scheduled_departure_time_est: Mapped[str]
    scheduled_arrival_time_est: Mapped[str]


class FlightDate(Base):
    """A flight on one day; only an available one can be booked."""

    __tablename__ = "flight_dates"
    __table_args__ = (_one_of("status", STATUSES),)

    flight_number: Mapped[str] = mapped_column(ForeignKey("flights.flight_number"), primary_key=True)
    date: Mapped[str] = mapped_column(primary_key=True)
    status: Mapped[str]


class CabinSeats(Base):
    """Free seats and the price of one in a cabin of a flight on one day; rows exist for available flights only."""

    __tablename__ = "cabin_seats"
    __table_args__ = (
        ForeignKeyConstraint(["flight_number", "date"], ["flight_dates.flight_number", "flight_dates.date"]),
        _one_of("cabin", CABINS),
        CheckConstraint("seats >= 0"),
        CheckConstraint("price > 0"),
    )

    flight_number: Mapped[str] = mapped_column(primary_key=True)
    date: Mapped[str] = mapped_column(primary_key=True)
    cabin: Mapped[str] = mapped_column(primary_key=True)
    seats: Mapped[int]
    price: Mapped[int]


class Reservation(Base):
    """A trip of one to several passengers; `position` is its place in the profile, new ones have none and come last."""

    __tablename__ = "reservations"
    __owned_by__ = "user_id"
    __omits_null__ = True
    __shown__ = (
        *("reservation_id", "user_id", "origin", "destination", "flight_type", "cabin", "flights", "passengers"),
        *("payment_history", "created_at", "total_baggages", "nonfree_baggages", "insurance", "status"),
    )
    __table_args__ = (
        _one_of("flight_type", ("one_way", "round_trip")),
        _one_of("cabin", CABINS),
        _one_of("insurance", ("yes", "no")),
        CheckConstraint("status IS NULL OR status = 'cancelled'"),
        CheckConstraint("0 <= nonfree_baggages AND nonfree_baggages <= total_baggages"),
    )

    reservation_id: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.user_id"), index=True)
    position: Mapped[int | None]
    origin: Mapped[str] = mapped_column(ForeignKey("airports.iata"))
    destination: Mapped[str] = mapped_column(ForeignKey("airports.iata"))
    flight_type: Mapped[str]
    cabin: Mapped[str]
    created_at: Mapped[str]
    total_baggages: Mapped[int]
    nonfree_baggages: Mapped[int]
    insurance: Mapped[str]
    status: Mapped[str | None]

    @computed
    def flights(self, db: Database) -> list[dict[str, Any]]:
        """Its flights in the order of travel, each with the price of one seat in dollars, as booked."""
        legs = [
            (db.get_one(Flight, leg.flight_number), leg) for leg in db.find(Leg, reservation_id=self.reservation_id)
        ]
        return [
            {"origin": flight.origin, "destination": flight.destination, "flight_number": leg.flight_number}
            | {"date": leg.date, "price": leg.price}
            for flight, leg in legs
        ]

    @computed
    def passengers(self, db: Database) -> list[dict[str, str]]:
        """Who travels."""
        return [as_person(row) for row in db.find(Passenger, reservation_id=self.reservation_id)]

    @computed
    def payment_history(self, db: Database) -> list[dict[str, Any]]:
        """The movements of money in dollars; a refund is negative."""
        found = db.find(Payment, reservation_id=self.reservation_id)
        return [{"payment_id": payment.payment_id, "amount": payment.amount} for payment in found]

    @computed
    def start(self, db: Database) -> str:
        """Where the trip starts, as people say it."""
        return spoken(self.origin)

    @computed
    def goal(self, db: Database) -> str:
        """Where the trip leads, as people say it."""
        return spoken(self.destination)

    @computed
    def departs(self, db: Database) -> Day:
        """The day of the first flight."""
        return Day.fromisoformat(db.find(Leg, reservation_id=self.reservation_id)[0].date)

    @computed
    def states(self, db: Database) -> list[str]:
        """How it stands with each flight, in the order of travel."""
        rows = db.query(
            "SELECT status FROM legs JOIN flight_dates USING (flight_number, date) WHERE reservation_id = :key "
            "ORDER BY position",
            key=self.reservation_id,
        )
        return [row[0] for row in rows]

    @computed
    def is_entitled(self, db: Database) -> bool:
        """Whether its customer is compensated for cancelled and late flights."""
        user = db.get(User, self.user_id)
        return (
            self.insurance == "yes" or self.cabin == "business" or (user is not None and user.membership != "regular")
        )

    @computed
    def paid(self, db: Database) -> int:
        """Dollars paid in all."""
        return sum(payment.amount for payment in db.find(Payment, reservation_id=self.reservation_id))


class Leg(Base):
    """One flight of a reservation, at the price of one seat as booked."""

    __tablename__ = "legs"
    __owned_by__ = "reservation_id"
    __table_args__ = (
        ForeignKeyConstraint(["flight_number", "date"], ["flight_dates.flight_number", "flight_dates.date"]),
    )

    reservation_id: Mapped[str] = mapped_column(ForeignKey("reservations.reservation_id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    flight_number: Mapped[str]
    date: Mapped[str]
    price: Mapped[int]


class Passenger(Base):
    """Somebody who travels on a reservation."""

    __tablename__ = "passengers"
    __owned_by__ = "reservation_id"

    reservation_id: Mapped[str] = mapped_column(ForeignKey("reservations.reservation_id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    first_name: Mapped[str]
    last_name: Mapped[str]
    dob: Mapped[str]


class Payment(Base):
    """One movement of money for a reservation; a refund is negative."""

    __tablename__ = "payments"
    __owned_by__ = "reservation_id"

    reservation_id: Mapped[str] = mapped_column(ForeignKey("reservations.reservation_id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    payment_id: Mapped[str] = mapped_column(ForeignKey("payment_methods.payment_id"))
    amount: Mapped[int]
