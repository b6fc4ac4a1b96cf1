"""What the airline tools share: finding rows or refusing with a stable code, moving seats, moving money."""

from collections.abc import Iterable, Mapping, Sequence

from toolgym.domains.airline import schema
from toolgym.sandbox.kit.world import Database, Refusal

METHOD_NOT_FOUND = ("payment_method_not_found", "Payment method {key} not found in this customer's profile.")
"""Code and sentence of a refusal."""

# --- guards ---


def require_airports(db: Database, *codes: str) -> None:
    """Refuse when an airport does not exist."""
    for code in codes:
        if db.get(schema.Airport, code) is None:
            raise Refusal("airport_not_found", f"Airport {code} not found; take a code of list_all_airports.")


def find_flight(db: Database, flight_number: str, date: str) -> schema.FlightDate:
    """A flight on one day."""
    if db.get(schema.Flight, flight_number) is None:
        raise Refusal("flight_not_found", f"Flight {flight_number} not found.")
    flown = db.get(schema.FlightDate, flight_number, date)
    if flown is None:
        raise Refusal("flight_not_on_date", f"Flight {flight_number} not found on date {date}.")
    return flown


def require_own(method: schema.PaymentMethod | None, user_id: str, payment_id: str) -> schema.PaymentMethod:
    """A payment method in a customer's own profile; a used certificate is no longer there."""
    if method is None or method.user_id != user_id or method.used:
        code, message = METHOD_NOT_FOUND
        raise Refusal(code, message.replace("{key}", payment_id))
    return method


def require_settling(reservation: schema.Reservation, method: schema.PaymentMethod) -> None:
    """Refuse what is no credit card or gift card of the customer's: only those pay or receive a difference."""
    require_own(method, reservation.user_id, method.payment_id)
    if method.source == "certificate":
        raise Refusal("certificate_not_accepted", "Certificate cannot be used to update a reservation.")


def require_route(db: Database, flight_numbers: Sequence[str]) -> tuple[str, ...]:
    """The airports that flights lead through; refuses when one does not start where the one before ends."""
    airports: list[str] = []
    for number in flight_numbers:
        flight = db.get_one(schema.Flight, number)
        if airports and airports[-1] != flight.origin:
            raise Refusal("broken_route", f"Flight {number} starts at {flight.origin}, not at {airports[-1]}.")
        airports += [flight.origin] if not airports else []
        airports.append(flight.destination)
    return tuple(airports)


def require_trip(route: Sequence[str], origin: str, destination: str, flight_type: str) -> None:
    """Refuse when flights do not lead from origin to destination, and back on a round trip."""
    end = origin if flight_type == "round_trip" else destination
    if (route[0], route[-1]) != (origin, end) or destination not in route:
        raise Refusal(
            "wrong_route",
            f"The flights lead {' - '.join(route)}, which is no {flight_type} trip from {origin} to {destination}.",
        )


# --- seats ---


def take_seats(db: Database, flight_number: str, date: str, cabin: str, count: int) -> int:
    """Take seats on a flight; returns the price of one."""
    flown = find_flight(db, flight_number, date)
    inventory = db.get(schema.CabinSeats, flight_number, date, cabin)
    if inventory is None or flown.status != "available":
        raise Refusal(
            "flight_not_available", f"Flight {flight_number} is not available on date {date}; it is {flown.status}."
        )
    if inventory.seats < count:
        raise Refusal(
            "not_enough_seats", f"Not enough seats on flight {flight_number} in {cabin}: {inventory.seats} are left."
        )
    db.update(inventory, seats=inventory.seats - count)
    return inventory.price


def release_seats(db: Database, legs: Iterable[schema.Leg], cabin: str, count: int) -> None:
    """Give seats back on those flights that can still be booked."""
    for leg in legs:
        inventory = db.get(schema.CabinSeats, leg.flight_number, leg.date, cabin)
        if inventory is not None:
            db.update(inventory, seats=inventory.seats + count)


# --- money ---


def record_payment(db: Database, reservation: schema.Reservation, payment_id: str, amount: int) -> None:
    """Add a movement of money to a reservation's history; no row for nothing."""
    if amount:
        position = len(db.find(schema.Payment, reservation_id=reservation.reservation_id))
        db.add(schema.Payment, reservation=reservation, position=position, payment_id=payment_id, amount=amount)


def settle(db: Database, reservation: schema.Reservation, method: schema.PaymentMethod, amount: int) -> None:
    """Charge a price difference, or pay a negative one back; a gift card's amount follows at once."""
    if method.amount is not None:
        if method.amount < amount:
            raise Refusal("insufficient_balance", f"Gift card balance is not enough: it holds {method.amount} dollars.")
        db.update(method, amount=method.amount - amount)
    record_payment(db, reservation, method.payment_id, amount)


def pay_booking(db: Database, user_id: str, total: int, amounts: Mapping[str, int]) -> None:
    """Pay a booking by the named amounts; gift cards shrink, a certificate is used up whole."""
    methods = {key: require_own(db.get(schema.PaymentMethod, key), user_id, key) for key in amounts}
    for payment_id, method in methods.items():
        if method.amount is not None and method.amount < amounts[payment_id]:
            raise Refusal("insufficient_balance", f"Not enough balance in payment method {payment_id}.")
    paid = sum(amounts.values())
    if paid != total:
        raise Refusal("wrong_total", f"Payment amount does not add up, total price is {total}, but paid {paid}.")
    for payment_id, method in methods.items():
        if method.source == "certificate":
            db.update(method, used=True)
        elif method.amount is not None:
            db.update(method, amount=method.amount - amounts[payment_id])


def refunds(db: Database, reservation: schema.Reservation) -> dict[str, int]:
    """What goes back to each payment method when a reservation is cancelled: in all, what has been paid in all."""
    net: dict[str, int] = {}
    for payment in db.find(schema.Payment, reservation_id=reservation.reservation_id):
        net[payment.payment_id] = net.get(payment.payment_id, 0) + payment.amount
    owed = sum(net.values())
    back: dict[str, int] = {}
    for payment_id, paid in net.items():
        amount = min(paid, owed)
        if amount > 0:
            back[payment_id] = amount
            owed -= amount
    return back
