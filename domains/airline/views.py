"""What airline tools show: the JSON shapes of tau-bench's airline tools, read from the tables."""

from typing import NotRequired

from typing_extensions import TypedDict

from domains.airline.schema import (
    Flight,
    Leg,
    Passenger,
    Payment,
    PaymentMethod,
    Reservation,
    SavedPassenger,
    User,
)
from sandbox.kit.database import Database


class AirportView(TypedDict):
    """An airport."""

    iata: str
    city: str


class NameView(TypedDict):
    """A person's name."""

    first_name: str
    last_name: str


class AddressView(TypedDict):
    """A postal address."""

    address1: str
    address2: str
    city: str
    country: str
    state: str
    zip: str


class PersonView(TypedDict):
    """A passenger; `dob` is the date of birth, YYYY-MM-DD."""

    first_name: str
    last_name: str
    dob: str


class PaymentMethodView(TypedDict):
    """A way to pay; `amount` in dollars, on gift cards and certificates."""

    source: str
    id: str
    brand: NotRequired[str]
    last_four: NotRequired[str]
    amount: NotRequired[int]


class UserView(TypedDict):
    """A customer with their payment methods, saved passengers and reservation ids."""

    user_id: str
    name: NameView
    address: AddressView
    email: str
    dob: str
    payment_methods: dict[str, PaymentMethodView]
    saved_passengers: list[PersonView]
    membership: str
    reservations: list[str]


class LegView(TypedDict):
    """A flight of a reservation; `price` in dollars for one passenger, as booked."""

    origin: str
    destination: str
    flight_number: str
    date: str
    price: int


class PaymentView(TypedDict):
    """A movement of money in dollars; a refund is negative."""

    payment_id: str
    amount: int


class ReservationView(TypedDict):
    """A reservation; `status` appears once it is cancelled."""

    reservation_id: str
    user_id: str
    origin: str
    destination: str
    flight_type: str
    cabin: str
    flights: list[LegView]
    passengers: list[PersonView]
    payment_history: list[PaymentView]
    created_at: str
    total_baggages: int
    nonfree_baggages: int
    insurance: str
    status: NotRequired[str]


class FlightView(TypedDict):
    """A flight that can be booked; seats and prices of one seat (dollars) by cabin; `date` in one-stop results."""

    flight_number: str
    origin: str
    destination: str
    status: str
    scheduled_departure_time_est: str
    scheduled_arrival_time_est: str
    date: NotRequired[str]
    available_seats: dict[str, int]
    prices: dict[str, int]


def _last_when_new(position: int | None, key: str) -> tuple[bool, int, str]:
    """Sorts by place in the profile; what the session made has none and comes last, by id."""
    return position is None, position or 0, key


def view_person(person: Passenger | SavedPassenger) -> PersonView:
    """A passenger."""
    return {"first_name": person.first_name, "last_name": person.last_name, "dob": person.dob}


def view_payment_method(method: PaymentMethod) -> PaymentMethodView:
    """A payment method."""
    view: PaymentMethodView = {"source": method.source, "id": method.payment_id}
    if method.brand is not None and method.last_four is not None:
        view |= {"brand": method.brand, "last_four": method.last_four}
    if method.amount is not None:
        view["amount"] = method.amount
    return view


def view_user(db: Database, user: User) -> UserView:
    """A customer's profile; used certificates are gone from it."""
    methods = [method for method in db.find(PaymentMethod, user_id=user.user_id) if not method.used]
    methods.sort(key=lambda method: _last_when_new(method.position, method.payment_id))
    reservations = db.find(Reservation, user_id=user.user_id)
    reservations.sort(key=lambda reservation: _last_when_new(reservation.position, reservation.reservation_id))
    return {
        "user_id": user.user_id,
        "name": {"first_name": user.first_name, "last_name": user.last_name},
        "address": {
            "address1": user.address1,
            "address2": user.address2,
            "city": user.city,
            "country": user.country,
            "state": user.state,
            "zip": user.zip,
        },
        "email": user.email,
        "dob": user.dob,
        "payment_methods": {method.payment_id: view_payment_method(method) for method in methods},
        "saved_passengers": [view_person(person) for person in db.find(SavedPassenger, user_id=user.user_id)],
        "membership": user.membership,
        "reservations": [reservation.reservation_id for reservation in reservations],
    }


def _view_leg(db: Database, leg: Leg) -> LegView:
    flight = db.get_one(Flight, leg.flight_number)
    return {
        "origin": flight.origin,
        "destination": flight.destination,
        "flight_number": leg.flight_number,
        "date": leg.date,
        "price": leg.price,
    }


def view_reservation(db: Database, reservation: Reservation) -> ReservationView:
    """A reservation with its flights, passengers and payments."""
    key = reservation.reservation_id
    view: ReservationView = {
        "reservation_id": key,
        "user_id": reservation.user_id,
        "origin": reservation.origin,
        "destination": reservation.destination,
        "flight_type": reservation.flight_type,
        "cabin": reservation.cabin,
        "flights": [_view_leg(db, leg) for leg in db.find(Leg, reservation_id=key)],
        "passengers": [view_person(person) for person in db.find(Passenger, reservation_id=key)],
        "payment_history": [
            {"payment_id": payment.payment_id, "amount": payment.amount}
            for payment in db.find(Payment, reservation_id=key)
        ],
        "created_at": reservation.created_at,
        "total_baggages": reservation.total_baggages,
        "nonfree_baggages": reservation.nonfree_baggages,
        "insurance": reservation.insurance,
    }
    if reservation.status is not None:
        view["status"] = reservation.status
    return view
