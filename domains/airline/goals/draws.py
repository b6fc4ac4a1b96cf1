"""What airline wishes are drawn from: a customer's trips by how they stand, and the look-ups that show them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from toolgym.domains.airline.goals.booking import CABIN_WORDS
from toolgym.domains.airline.schema import PaymentMethod, Reservation
from toolgym.domains.airline.tools import get_flight_status, get_reservation_details, search_direct_flight
from toolgym.domains.calculator import calculate
from toolgym.sandbox.kit.world import Ask, Draw, Slot, Tell, Tool, View

Reads = Sequence[tuple[Tool, Mapping[str, Any]]]

_FLOWN = {"flying", "landed"}


def is_live(trip: View[Reservation]) -> bool:
    """Whether it is not cancelled and not over."""
    return trip.row.status is None and trip.row.states[-1] not in _FLOWN


def is_sound(trip: View[Reservation]) -> bool:
    """Whether all its flights lie ahead as planned."""
    return trip.row.status is None and not {*trip.row.states} & {*_FLOWN, "cancelled"}


def is_dropped(trip: View[Reservation]) -> bool:
    """Whether the airline has cancelled a flight of a trip that lies ahead."""
    return trip.row.status is None and "cancelled" in trip.row.states and not {*trip.row.states} & _FLOWN


def is_late(trip: View[Reservation]) -> bool:
    """Whether a flight of it is delayed, and its passengers are compensated for that."""
    return is_sound(trip) and "delayed" in trip.row.states and trip.row.is_entitled


def is_over(trip: View[Reservation]) -> bool:
    """Whether all its flights have been flown."""
    return trip.row.status is None and {*trip.row.states} == {"landed"}


def legs_of(draw: Draw) -> list[dict[str, Any]]:
    """The flights of the trip that the wish is about, as its look-up shows them."""
    flights: list[dict[str, Any]] = draw.view(draw.values["reservation"]).flights
    return flights


def travellers_of(draw: Draw) -> list[dict[str, str]]:
    """Its passengers."""
    passengers: list[dict[str, str]] = draw.view(draw.values["reservation"]).passengers
    return passengers


def flights_of(draw: Draw) -> list[dict[str, str]]:
    """Its flights as the tools take them."""
    return [{"flight_number": leg["flight_number"], "date": leg["date"]} for leg in legs_of(draw)]


def details_of(draw: Draw) -> Reads:
    """The look-up that shows it."""
    return [(get_reservation_details, {"reservation": draw.values["reservation"]})]


def with_states(draw: Draw) -> Reads:
    """The look-ups that show how its flights stand."""
    return [*details_of(draw), *((get_flight_status, flight) for flight in flights_of(draw))]


def card(draw: Draw) -> PaymentMethod:
    """Some credit card; everybody has one."""
    return next(method for method in draw.rows(PaymentMethod) if method.source == "credit_card")


STAYS: dict[str, Callable[[Draw], Any]] = {
    "cabin": lambda draw: draw.values["reservation"].cabin,
    "flights": flights_of,
    "payment": card,
}
"""A change that leaves all as it is, for wishes that no change grants."""


def part(draw: Draw) -> str | None:
    """Somebody beside the customer, or the way back."""
    others = [person["first_name"] for person in travellers_of(draw) if person["dob"] != draw.person.dob]
    parts = [f"{name}'s seat" for name in others if name != draw.person.first_name]
    parts += ["the way back"] if draw.values["reservation"].flight_type == "round_trip" else []
    return draw.one_of(parts)


def times(rate: int, count: int) -> tuple[Tool, Mapping[str, Any]]:
    """The sum of so much for each of so many."""
    return calculate, {"expression": f"{rate} * {count}"}


def fare_searches(draw: Draw) -> Reads:
    """The searches that show today's prices of a reservation's flights."""
    searches = [{name: leg[name] for name in ("origin", "destination", "date")} for leg in legs_of(draw)]
    return [*details_of(draw), *((search_direct_flight, search) for search in searches)]


def other_cabin(draw: Draw) -> str:
    """A cabin that the trip is not booked in."""
    return draw.rng.choice([cabin for cabin in CABIN_WORDS if cabin != draw.values["reservation"].cabin])


def difference(result: Any, draw: Draw) -> int | None:
    """What the change has cost or brought."""
    before = draw.view(draw.values["reservation"]).paid
    after = sum(payment["amount"] for payment in result["payment_history"])
    return abs(after - before) or None


LIVE = Slot("reservation", withheld=0.4, where=is_live, says=("It is {}.", "I mean {}."))
SOUND = Slot("reservation", withheld=0.4, where=is_sound, says=("It is {}.", "I mean {}."))
PAYMENT = Slot("payment", withheld=0.6, says=("Please use {}.", "With {}."))
DIFFERENCE = Ask("What exactly is the price difference?", Tell("difference", "number", value=difference))
