"""The airline's rules: its tools do not check them, the agent must. Each looks at what the read tools show."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from toolgym.domains.airline import tools
from toolgym.domains.airline.schema import PaymentMethod, Reservation, User
from toolgym.sandbox.kit.rule import Look, rule
from toolgym.sandbox.kit.world import ToolCall, View

Shown = Mapping[str, Any]
"""A reservation as its look-up shows it."""
ALLOWANCE = {
    "regular": {"basic_economy": 0, "economy": 1, "business": 2},
    "silver": {"basic_economy": 1, "economy": 2, "business": 3},
    "gold": {"basic_economy": 2, "economy": 3, "business": 4},
}
"""Free checked bags for each passenger, by the booking customer's membership and the cabin (policy.md)."""
CANCELLED, DELAYED = 100, 50
"""Dollars of compensation for each passenger."""
ILL = ("I have fallen ill", "I broke a leg", "my doctor has forbidden me to fly", "I have to go to hospital")
STORM = ("a hurricane is forecast there", "there is a snow storm", "they expect heavy storms on that day")
COVERED = (*ILL, *STORM)
"""Reasons of health and weather, for which insurance pays, as customers put them."""
_FLOWN = "flown|already taken off|has taken off|departed|landed|already been used|already travelled|in the past|begun"


def _trip(reservation: View[Reservation] | None) -> ToolCall | None:
    if reservation is None:
        return None
    return ToolCall(
        name=tools.get_reservation_details.name, arguments={"reservation_id": reservation.row.reservation_id}
    )


def _states(trip: Shown | None) -> list[ToolCall] | None:
    if trip is None:
        return None
    legs = ({"flight_number": leg["flight_number"], "date": leg["date"]} for leg in trip["flights"])
    return [ToolCall(name=tools.get_flight_status.name, arguments=leg) for leg in legs]


_LOOKS: dict[str, Look] = {"trip": _trip, "states": _states}
_READS = (tools.get_reservation_details, tools.get_flight_status)


def free_bags(membership: str, cabin: str, passengers: int) -> int:
    """How many checked bags so many passengers have free."""
    return ALLOWANCE[membership][cabin] * passengers


def is_recent(created_at: str, now: datetime) -> bool:
    """Whether something was booked within the last 24 hours, the 24th included."""
    return now - datetime.fromisoformat(created_at) <= timedelta(hours=24)


@rule(
    "Serve one customer per conversation; decline everything that concerns another customer's reservations.",
    why="That reservation belongs to another customer.|another customer|other customers|someone else|somebody else|"
    "another person|not yours|your own|your account|your profile|your reservations|different account|another account|"
    "another user|different customer|other people|account holder|different user|customer who booked|person who booked",
    on=[
        tools.cancel_reservation,
        tools.update_reservation_baggages,
        tools.update_reservation_flights,
        tools.update_reservation_passengers,
    ],
    reads=[tools.get_user_details, tools.get_reservation_details],
    by="policy",
)
def own_reservation(reservation: View[Reservation], owner: View[User]) -> bool:
    return reservation.row.user_id == owner.row.user_id


# --- cancelling ---


@rule(
    "A reservation of which a flight has been flown already is not cancelled; a human agent takes over.",
    why=f"A flight of it has been flown already.|{_FLOWN}",
    on=[tools.cancel_reservation],
    reads=_READS,
    looks=_LOOKS,
    by="policy",
)
def not_begun(reservation: View[Reservation], states: Sequence[str]) -> bool:
    return not {"flying", "landed"} & set(states)


@rule(
    "A reservation is cancelled only when at least one of these is true: it was booked within the last 24 hours; the "
    "airline has cancelled one of its flights; its cabin is business; it has insurance and the reason is health or "
    "weather. Ask for the reason.",
    why="It is not within 24 hours of the booking.|24 hours|twenty-four hours|insurance|insured|not business|"
    "business class|business cabin|business flight|cancellation policy|health or weather|not covered|covered reason",
    on=[tools.cancel_reservation],
    reads=_READS,
    looks=_LOOKS,
    by="policy",
)
def ground_to_cancel(reservation: View[Reservation], now: datetime, states: Sequence[str], reason: str = "") -> bool:
    row = reservation.row
    covered = row.insurance == "yes" and reason in COVERED
    return covered or row.cabin == "business" or is_recent(row.created_at, now) or "cancelled" in states


@rule(
    "A reservation is cancelled as a whole, all its flights and passengers together.",
    why="It can only be cancelled as a whole.|whole|entire|all passengers|all flights|all of the passengers|"
    "all of the flights|complete reservation|partial|partially|in part|number of passengers|every passenger|"
    "every flight|full reservation|as one",
    on=[tools.cancel_reservation],
    by="policy",
)
def cancelled_whole(part: str = "") -> bool:
    return not part


# --- changing ---


@rule(
    "Basic economy flights cannot be changed to others; their cabin can.",
    why="Basic economy flights cannot be changed.|basic economy",
    on=[tools.update_reservation_flights],
    reads=[tools.get_reservation_details],
    looks={"trip": _trip},
    by="policy",
)
def basic_economy(reservation: View[Reservation], flights: Sequence[tools.FlightChoice], trip: Shown) -> bool:
    stays = [(leg["flight_number"], leg["date"]) for leg in trip["flights"]]
    return trip["cabin"] != "basic_economy" or [(leg["flight_number"], leg["date"]) for leg in flights] == stays


@rule(
    "The cabin changes only as long as no flight of the reservation has been flown yet.",
    why=f"A flight of it has been flown already.|{_FLOWN}",
    on=[tools.update_reservation_flights],
    reads=_READS,
    looks=_LOOKS,
    by="policy",
)
def cabin_before_departure(reservation: View[Reservation], cabin: str, trip: Shown, states: Sequence[str]) -> bool:
    return cabin == trip["cabin"] or not {"flying", "landed"} & set(states)


@rule(
    "The cabin changes for all flights and all passengers together.",
    why="All flights and all passengers fly in the same cabin.|same cabin|same class|all passengers|all flights|"
    "every passenger|every flight|all of the passengers|all of the flights|whole reservation|entire reservation|"
    "everyone|everybody",
    on=[tools.update_reservation_flights],
    by="policy",
)
def one_cabin(part: str = "") -> bool:
    return not part


@rule(
    "Origin, destination and kind of trip stay the same.",
    why="The destination cannot be changed.|destination|origin and destination|same route|same cities|same airports|"
    "same origin|different route",
    on=[tools.update_reservation_flights],
    by="policy",
)
def same_destination(elsewhere: str = "") -> bool:
    return not elsewhere


@rule(
    "Insurance can only be bought with the booking, never later.",
    why="Insurance is sold at the time of booking only.|initial booking|time of booking|when booking|with the booking|"
    "after booking|after the booking|later|at booking|once booked|already booked|existing reservation|original booking|"
    "during booking|afterwards",
    on=[tools.update_reservation_flights],
    by="policy",
)
def insured_when_booked(cover: str = "") -> bool:
    return not cover


@rule(
    "Bags can be added at any time before the last flight, but never removed.",
    why="Bags can be added but not removed.|remove|removed|removing|only add|only be added|added but not|reduce|"
    "reduced|reducing",
    on=[tools.update_reservation_baggages],
    reads=[tools.get_reservation_details],
    inside="bags_removed",
)
def bags_only_added(reservation: View[Reservation], total_baggages: int) -> bool:
    return total_baggages >= reservation.row.total_baggages


@rule(
    "Passengers can be replaced or corrected; their number cannot change.",
    why="The number of passengers cannot change.|number of passengers|passenger count|how many passengers|"
    "number of travellers|number of people|amount of passengers",
    on=[tools.update_reservation_passengers],
    reads=[tools.get_reservation_details],
    looks={"trip": _trip},
    inside="wrong_passenger_count",
)
def same_number(reservation: View[Reservation], passengers: Sequence[tools.PassengerDetails], trip: Shown) -> bool:
    return len(passengers) == len(trip["passengers"])


@rule(
    "A price difference is paid, or received, by one credit card or gift card of the customer's; never by a "
    "certificate.",
    why="A certificate cannot pay for a change.|certificates|credit card or gift card|gift card or credit card",
    on=[tools.update_reservation_flights, tools.update_reservation_baggages],
    reads=[tools.get_user_details],
    inside="certificate_not_accepted",
)
def card_settles(payment: View[PaymentMethod]) -> bool:
    return payment.row.source != "certificate"


# --- booking ---


@rule(
    "A reservation is paid by at most one certificate, one credit card and three gift cards. What is left of a "
    "certificate is lost.",
    why="Only one certificate can be used.|one certificate|single certificate|more than one|two certificates|"
    "both certificates|multiple certificates",
    on=[tools.book_reservation],
    reads=[tools.get_user_details],
    by="policy",
)
def means_of_payment(payment_methods: Sequence[tools.PaymentShare]) -> bool:
    limits = {"certificate": 1, "credit_card": 1, "gift_card": 3}
    sorts = [share["payment_id"].rpartition("_")[0] for share in payment_methods]
    return all(sorts.count(sort) <= most for sort, most in limits.items())


# --- compensation ---


@rule(
    "Compensation is for customers who are silver or gold members, or have insurance on the reservation, or fly "
    "business on it. Offer none by yourself.",
    why="Regular members get none without insurance or business.|regular|silver|gold|insurance|member|membership",
    on=[tools.send_certificate],
    reads=[tools.get_user_details, tools.get_reservation_details],
    by="policy",
)
def entitled(owner: View[User], reservation: View[Reservation] | None = None) -> bool:
    trip = None if reservation is None else reservation.row
    insured = trip is not None and (trip.insurance == "yes" or trip.cabin == "business")
    return owner.row.membership != "regular" or insured


@rule(
    "A flight of the reservation that the airline has cancelled is worth a certificate of 100 dollars for each "
    "passenger; a delayed one 50 dollars for each, once the customer has changed or cancelled the reservation because "
    "of it. There is no other compensation.",
    why="Only cancelled flights and delays are compensated.|cancelled flight|canceled flight|cancelled|canceled|delays|"
    "delay|delayed|only compensate|cancellations",
    on=[tools.send_certificate],
    reads=_READS,
    looks=_LOOKS,
    by="policy",
)
def worth_compensation(
    reservation: View[Reservation] | None = None, states: Sequence[str] | None = None, complaint: str = ""
) -> bool:
    return not complaint and (states is None or "cancelled" in states)
