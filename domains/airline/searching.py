"""Searches for flights that can be booked: direct ones, and pairs with one stop."""

from datetime import date as Day
from datetime import timedelta
from typing import NotRequired

from typing_extensions import TypedDict

from toolgym.sandbox.kit.database import Database, Row

_DIRECT = (
    "SELECT flight_number, origin, destination, scheduled_departure_time_est, scheduled_arrival_time_est, cabin, "
    "seats, price FROM flights JOIN cabin_seats USING (flight_number) JOIN flight_dates USING (flight_number, date) "
    "WHERE origin = :origin AND destination = :destination AND date = :date AND status = 'available' "
    "ORDER BY flight_number, cabin"
)
_STOPS = (
    "SELECT DISTINCT first.destination FROM flights first JOIN flights second ON second.origin = first.destination "
    "WHERE first.origin = :origin AND second.destination = :destination ORDER BY first.destination"
)


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


def direct(db: Database, origin: str, destination: str, date: str) -> list[FlightView]:
    """The flights of one route and day that can be booked, by flight number."""
    return _views(db.query(_DIRECT, origin=origin, destination=destination, date=date))


def onestop(db: Database, origin: str, destination: str, date: str) -> list[list[FlightView]]:
    """Pairs of flights with one stop, by the numbers of the first and second flight."""
    pairs: list[list[FlightView]] = []
    for (stop,) in db.query(_STOPS, origin=origin, destination=destination):
        seconds: dict[str, list[FlightView]] = {}
        for first in direct(db, origin, stop, date):
            landed, following = landing(first["scheduled_arrival_time_est"], date)
            if following not in seconds:
                seconds[following] = direct(db, stop, destination, following)
            for second in seconds[following]:
                if second["scheduled_departure_time_est"] >= landed:
                    pairs.append([{**first, "date": date}, {**second, "date": following}])
    return sorted(pairs, key=lambda pair: (pair[0]["flight_number"], pair[1]["flight_number"]))


def landing(arrival: str, date: str) -> tuple[str, str]:
    """Clock time and day of an arrival such as `01:30:00+1`; a day that does not exist stays as it is."""
    clock, _, later = arrival.partition("+")
    if not later:
        return clock, date
    try:
        return clock, (Day.fromisoformat(date) + timedelta(days=int(later))).isoformat()
    except (ValueError, OverflowError):
        return clock, date


def _views(rows: list[Row]) -> list[FlightView]:
    flights: dict[str, FlightView] = {}
    for number, origin, destination, departure, arrival, cabin, seats, price in rows:
        view = flights.setdefault(
            number,
            {
                "flight_number": number,
                "origin": origin,
                "destination": destination,
                "status": "available",
                "scheduled_departure_time_est": departure,
                "scheduled_arrival_time_est": arrival,
                "available_seats": {},
                "prices": {},
            },
        )
        view["available_seats"][cabin] = seats
        view["prices"][cabin] = price
    return list(flights.values())
