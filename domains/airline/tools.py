"""What an agent can do for an airline's customers: tau-bench's tools by the same names and parameters."""

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, with_config
from sqlalchemy.orm import DeclarativeBase
from typing_extensions import TypedDict

from toolgym.domains.airline import guards, searching
from toolgym.domains.airline.schema import Airport, Leg, Passenger, PaymentMethod, Reservation, User
from toolgym.sandbox.kit.reference import FREE, Reference
from toolgym.sandbox.kit.world import Database, Refusal, View, tool

INSURANCE = 30
"""Dollars for a passenger's travel insurance."""
BAG = 50
"""Dollars for a checked bag beyond the allowance."""


class LiveReference(Reference):
    """A key of a reservation that has not been cancelled."""

    def find(self, database: Database, model: type[DeclarativeBase], given: str) -> DeclarativeBase:
        """The row; whether it is live is asked before any other argument is looked at."""
        record = super().find(database, model, given)
        if getattr(record, "status", None) == "cancelled":
            raise Refusal("reservation_cancelled", f"Reservation {given} has been cancelled already.")
        return record


Customer = Annotated[User, Reference("user_id", 'such as "sara_doe_4960".', "user_not_found", "User {key} not found.")]
_TRIP = ("reservation_id", 'such as "8JX2WO".', "reservation_not_found", "Reservation {key} not found.")
Trip = Annotated[Reservation, Reference(*_TRIP)]
LiveTrip = Annotated[Reservation, LiveReference(*_TRIP)]
Method = Annotated[PaymentMethod, Reference("payment_id", None, *guards.METHOD_NOT_FOUND)]
Date = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Cabin = Literal["basic_economy", "economy", "business"]
Count = Annotated[int, Field(ge=0)]


_SPARE = with_config(ConfigDict(extra="ignore"))
"""Agents hand back whole flights or passengers as they have read them; what is not asked for does no harm."""


@_SPARE
class FlightChoice(TypedDict):
    """A flight on a day."""

    flight_number: Annotated[str, Field(description="such as 'GYM001'")]
    date: Annotated[Date, Field(description="the day of departure, YYYY-MM-DD")]


@_SPARE
class PassengerDetails(TypedDict):
    """Who travels."""

    first_name: str
    last_name: str
    dob: Annotated[Date, Field(description="date of birth, YYYY-MM-DD")]


@_SPARE
class PaymentShare(TypedDict):
    """What one payment method pays."""

    payment_id: Annotated[str, Field(description="from the customer's profile, such as 'gift_card_0000000'")]
    amount: Annotated[int, Field(gt=0, description="in dollars")]


Flights = Annotated[list[FlightChoice], Field(min_length=1, max_length=20)]
Passengers = Annotated[list[PassengerDetails], Field(min_length=1, max_length=20)]
Payments = Annotated[list[PaymentShare], Field(max_length=20)]

# --- looking things up ---


@tool("read")
def get_user_details(db: Database, user: Customer) -> View[User]:
    """Get a customer's profile: membership, payment methods, saved passengers and reservation ids."""
    return View(user)


@tool("read")
def get_reservation_details(db: Database, reservation: Trip) -> View[Reservation]:
    """Get a reservation with its flights, passengers, payments, bags and insurance."""
    return View(reservation)


@tool("read")
def get_flight_status(db: Database, flight_number: str, date: Date) -> str:
    """Get the status of a flight on one day: available, on time, delayed, flying, landed or cancelled.

    Args:
        flight_number: such as "GYM001".
        date: the day of departure, YYYY-MM-DD.
    """
    return guards.find_flight(db, flight_number, date).status


@tool("read")
def list_all_airports(db: Database) -> list[View[Airport]]:
    """List all airports with their codes and cities."""
    return [View(airport) for airport in sorted(db.find(Airport), key=lambda airport: airport.position)]


@tool("read")
def search_direct_flight(db: Database, origin: str, destination: str, date: Date) -> list[searching.FlightView]:
    """Search the direct flights between two airports that can be booked on one day, with seats and prices.

    Args:
        origin: the airport's three-letter code, such as "JFK".
        destination: the airport's three-letter code, such as "LAX".
        date: the day of departure, YYYY-MM-DD.
    """
    guards.require_airports(db, origin, destination)
    return searching.direct(db, origin, destination, date)


@tool("read")
def search_onestop_flight(db: Database, origin: str, destination: str, date: Date) -> list[list[searching.FlightView]]:
    """Search pairs of flights that lead from one airport to another with one stop, with seats and prices.

    The second flight leaves after the first has landed: on the same day, or on the next where the first lands then.

    Args:
        origin: the airport's three-letter code, such as "JFK".
        destination: the airport's three-letter code, such as "LAX".
        date: the day on which the first flight departs, YYYY-MM-DD.
    """
    guards.require_airports(db, origin, destination)
    return searching.onestop(db, origin, destination, date)


# --- booking and cancelling ---


@tool("write")
def book_reservation(
    db: Database,
    user: Customer,
    origin: str,
    destination: str,
    flight_type: Literal["one_way", "round_trip"],
    cabin: Cabin,
    flights: Flights,
    passengers: Passengers,
    payment_methods: Payments,
    total_baggages: Count,
    nonfree_baggages: Count,
    insurance: Literal["yes", "no"],
) -> View[Reservation]:
    """Book a reservation and pay for it.

    Explain all details and obtain the customer's explicit yes first. The price is the fares of all passengers, 30
    dollars for each passenger with insurance, and 50 dollars for each bag that is not free.

    Args:
        user: who books, such as "sara_doe_4960".
        origin: the trip's first airport, such as "SFO".
        destination: the trip's goal, such as "JFK"; on a round trip the flights lead back to the origin.
        flight_type: "one_way" or "round_trip".
        cabin: the cabin of all flights.
        flights: every flight of the trip, in the order of travel.
        passengers: who travels.
        payment_methods: what each payment method pays; together the price. A certificate is used up whole.
        total_baggages: all checked bags.
        nonfree_baggages: those of them beyond the free allowance.
        insurance: "yes" or "no".
    """
    guards.require_airports(db, origin, destination)
    _require_bags(total_baggages, nonfree_baggages)
    amounts = {share["payment_id"]: share["amount"] for share in payment_methods}
    if len(amounts) < len(payment_methods):
        raise Refusal("repeated_payment_method", "Name each payment method once, with all that it pays.")
    for flight in flights:
        guards.find_flight(db, flight["flight_number"], flight["date"])
    route = guards.require_route(db, [flight["flight_number"] for flight in flights])
    guards.require_trip(route, origin, destination, flight_type)
    fares = [
        guards.take_seats(db, flight["flight_number"], flight["date"], cabin, len(passengers)) for flight in flights
    ]
    insured = INSURANCE if insurance == "yes" else 0
    guards.pay_booking(db, user.user_id, (sum(fares) + insured) * len(passengers) + BAG * nonfree_baggages, amounts)
    reservation = db.add(
        Reservation,
        reservation_id=db.new_id(Reservation, length=6, alphabet="ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
        user=user,
        origin=origin,
        destination=destination,
        flight_type=flight_type,
        cabin=cabin,
        created_at=db.now.isoformat(timespec="seconds"),
        total_baggages=total_baggages,
        nonfree_baggages=nonfree_baggages,
        insurance=insurance,
    )
    legs = [(flight["flight_number"], flight["date"], fare) for flight, fare in zip(flights, fares, strict=True)]
    _set_legs(db, reservation, legs)
    _set_passengers(db, reservation, passengers)
    for payment_id, amount in sorted(amounts.items()):  # in which order they were named does not matter
        guards.record_payment(db, reservation, payment_id, amount)
    return View(reservation)


@tool("write")
def cancel_reservation(db: Database, reservation: LiveTrip) -> View[Reservation]:
    """Cancel a whole reservation: its seats are free again, and what was paid goes back in 5 to 7 business days.

    Check that the policy allows it, explain the consequences and obtain the customer's explicit yes first.
    """
    guards.release_seats(db, _legs(db, reservation), reservation.cabin, len(_people(db, reservation)))
    for payment_id, amount in guards.refunds(db, reservation).items():
        guards.record_payment(db, reservation, payment_id, -amount)
    return View(db.update(reservation, status="cancelled"))


# --- changing ---


@tool("write")
def update_reservation_flights(
    db: Database, reservation: LiveTrip, cabin: Cabin, flights: Flights, payment: Method
) -> View[Reservation]:
    """Change the flights or the cabin of a reservation; the price difference is settled at once.

    Check that the policy allows it, explain the price difference and obtain the customer's explicit yes first. A
    flight that stays in the same cabin keeps its price; all others are booked anew at today's price.

    Args:
        cabin: the cabin of all flights.
        flights: every flight of the changed reservation, also those that stay, in the order of travel.
        payment: the credit card or gift card that pays or receives the difference.
    """
    guards.require_settling(reservation, payment)
    for flight in flights:
        guards.find_flight(db, flight["flight_number"], flight["date"])
    guards.require_route(db, [flight["flight_number"] for flight in flights])
    before, count = _legs(db, reservation), len(_people(db, reservation))
    staying = {(leg.flight_number, leg.date): leg for leg in before} if cabin == reservation.cabin else {}
    kept = [staying.pop((flight["flight_number"], flight["date"]), None) for flight in flights]
    guards.release_seats(db, [leg for leg in before if leg not in kept], reservation.cabin, count)
    legs = []
    for flight, leg in zip(flights, kept, strict=True):
        fare = leg.price if leg else guards.take_seats(db, flight["flight_number"], flight["date"], cabin, count)
        legs.append((flight["flight_number"], flight["date"], fare))
    guards.settle(
        db, reservation, payment, (sum(fare for _, _, fare in legs) - sum(leg.price for leg in before)) * count
    )
    for leg in before:
        db.delete(leg)
    _set_legs(db, reservation, legs)
    return View(db.update(reservation, cabin=cabin))


@tool("write")
def update_reservation_baggages(
    db: Database, reservation: LiveTrip, total_baggages: Count, nonfree_baggages: Count, payment: Method
) -> View[Reservation]:
    """Add checked bags to a reservation; bags cannot be taken off, and those paid for stay paid.

    Explain the price (50 dollars for each additional bag that is not free) and obtain the customer's explicit yes
    first.

    Args:
        total_baggages: all checked bags after the change.
        nonfree_baggages: those of them beyond the free allowance, after the change.
        payment: the credit card or gift card that pays.
    """
    guards.require_settling(reservation, payment)
    _require_bags(total_baggages, nonfree_baggages)
    if total_baggages < reservation.total_baggages or nonfree_baggages < reservation.nonfree_baggages:
        raise Refusal(
            "bags_removed",
            f"Bags can be added but not removed; the reservation has {reservation.total_baggages}, of which "
            f"{reservation.nonfree_baggages} are paid for.",
        )
    guards.settle(db, reservation, payment, BAG * (nonfree_baggages - reservation.nonfree_baggages))
    changed = db.update(reservation, total_baggages=total_baggages, nonfree_baggages=nonfree_baggages)
    return View(changed)


@tool("write")
def update_reservation_passengers(db: Database, reservation: LiveTrip, passengers: Passengers) -> View[Reservation]:
    """Change who travels on a reservation; the number of passengers stays the same.

    Explain the change and obtain the customer's explicit yes first.

    Args:
        passengers: all passengers after the change, also those who stay.
    """
    before = _people(db, reservation)
    if len(passengers) != len(before):
        raise Refusal(
            "wrong_passenger_count", f"Number of passengers does not match: the reservation has {len(before)}."
        )
    for passenger in before:
        db.delete(passenger)
    _set_passengers(db, reservation, passengers)
    return View(reservation)


# --- the rest ---


@tool("write")
def send_certificate(db: Database, user: Customer, amount: Annotated[int, Field(gt=0, le=10_000)]) -> str:
    """Send a customer a travel certificate as compensation; check first that the policy allows it.

    Args:
        amount: in dollars.
    """
    payment_id = db.new_id(PaymentMethod, length=7, prefix="certificate_")
    db.add(PaymentMethod, payment_id=payment_id, user=user, source="certificate", amount=amount, used=False)
    return f"Certificate {payment_id} added to user {user.user_id} with amount {amount}."


@tool("neutral")
def think(db: Database, thought: str) -> str:
    """Think in writing; nothing is looked up or changed.

    Args:
        thought: what to keep in mind.
    """
    return ""


@tool("neutral", ends_episode=True)
def transfer_to_human_agents(db: Database, summary: Annotated[str, FREE]) -> str:
    """Hand the customer over to a human agent.

    Only when a request can be handled neither with the tools nor declined under the policy.

    Args:
        summary: the customer's problem in a few words.
    """
    return "Transfer successful"


def _require_bags(total: int, nonfree: int) -> None:
    if nonfree > total:
        raise Refusal("wrong_bag_count", f"Of {total} bags, {nonfree} cannot be paid ones.")


def _legs(db: Database, reservation: Reservation) -> list[Leg]:
    return db.find(Leg, reservation_id=reservation.reservation_id)


def _people(db: Database, reservation: Reservation) -> list[Passenger]:
    return db.find(Passenger, reservation_id=reservation.reservation_id)


def _set_legs(db: Database, reservation: Reservation, legs: Iterable[tuple[str, str, int]]) -> None:
    """Write the flights (number, date, price of a seat) of a reservation that has none."""
    key = reservation.reservation_id
    for position, (number, date, price) in enumerate(legs):
        db.insert(Leg, reservation_id=key, position=position, flight_number=number, date=date, price=price)


def _set_passengers(db: Database, reservation: Reservation, passengers: Iterable[PassengerDetails]) -> None:
    """Write the passengers of a reservation that has none, by name: the order they were named in does not matter."""
    ordered = sorted(passengers, key=lambda person: (person["last_name"], person["first_name"], person["dob"]))
    for position, person in enumerate(ordered):
        details = {name: person[name] for name in ("first_name", "last_name", "dob")}
        db.add(Passenger, reservation=reservation, position=position, **details)
