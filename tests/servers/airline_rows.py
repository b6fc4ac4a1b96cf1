"""The airline's flights and reservations, read once per process: what tests hold its tasks and tools against.

A second reading, apart from the world's own rules and goals on purpose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from toolgym.domains.airline.airports import PLACES
from toolgym.domains.airline.searching import landing
from toolgym.domains.airline.seed import NOW
from toolgym.sandbox.runtime.session import Session

Record = dict[str, Any]
TODAY = NOW.date().isoformat()
CITIES = {airport.iata: airport.city for airport in PLACES}


@dataclass(frozen=True)
class Seat:
    """A flight on a day in one cabin, as the search shows it; `price` of one seat in dollars."""

    number: str
    date: str
    departure: str
    arrival: str
    price: int


@dataclass(frozen=True)
class World:
    """Everything tasks are made from.

    Attributes:
        users: profiles by user id.
        reservations: by reservation id.
        flights: origin, destination, departure, arrival by flight number.
        routes: flight numbers by origin and destination.
        status: of each flight on each day.
        cabins: free seats and price by flight number, day and cabin.
    """

    users: Mapping[str, Record]
    reservations: Mapping[str, Record]
    flights: Mapping[str, tuple[str, str, str, str]]
    routes: Mapping[tuple[str, str], list[str]]
    status: Mapping[tuple[str, str], str]
    cabins: Mapping[tuple[str, str, str], tuple[int, int]]


@lru_cache(maxsize=1)
def world() -> World:
    """The seed data as the tools show it."""
    with Session("airline") as session:
        reader = session.domain.template().reader

        def look(name: str, **arguments: str) -> Record:
            value: Record = session.call(name, arguments).value
            return value

        ids = [row[0] for row in reader.execute("SELECT user_id FROM users ORDER BY user_id")]
        users = {user_id: look("get_user_details", user_id=user_id) for user_id in ids}
        codes = [code for user in users.values() for code in user["reservations"]]
        reservations = {code: look("get_reservation_details", reservation_id=code) for code in codes}
        flights = {row[0]: row[1:] for row in reader.execute("SELECT * FROM flights ORDER BY flight_number")}
        status = {row[:2]: row[2] for row in reader.execute("SELECT flight_number, date, status FROM flight_dates")}
        cabins = {row[:3]: row[3:] for row in reader.execute("SELECT * FROM cabin_seats")}
    routes: dict[tuple[str, str], list[str]] = {}
    for number, (origin, destination, *_) in flights.items():
        routes.setdefault((origin, destination), []).append(number)
    return World(users, reservations, flights, routes, status, cabins)


# --- flights ---


def place_words(code: str) -> str:
    """A city as customers say it, with the airport's code where the city has two."""
    city = CITIES[code]
    return f"{city} ({code})" if list(CITIES.values()).count(city) > 1 else city


def day_words(date: str) -> str:
    """A day as customers say it: `May 20`."""
    return f"{datetime.fromisoformat(date):%B} {int(date[-2:])}"


def shift(date: str, days: int) -> str:
    """A day some days later."""
    return (datetime.fromisoformat(date) + timedelta(days=days)).date().isoformat()


def direct(origin: str, destination: str, date: str, cabin: str, count: int) -> list[Seat]:
    """The direct flights of a day with enough seats, by flight number."""
    found = []
    for number in world().routes.get((origin, destination), ()):
        seats, price = world().cabins.get((number, date, cabin), (0, 0))
        if seats >= count and world().status[number, date] == "available":
            found.append(Seat(number, date, *world().flights[number][2:], price))
    return found


def onestop(origin: str, destination: str, date: str, cabin: str, count: int) -> list[tuple[Seat, Seat]]:
    """The pairs of flights with one stop that have enough seats."""
    pairs = []
    for first_origin, stop in sorted(world().routes):
        if first_origin != origin or (stop, destination) not in world().routes:
            continue
        for first in direct(origin, stop, date, cabin, count):
            landed, day = landing(first.arrival, date)
            seconds = direct(stop, destination, day, cabin, count)
            pairs += [(first, second) for second in seconds if second.departure >= landed]
    return pairs


# --- reservations, as the policy sees them ---


def statuses(reservation: Record) -> list[str]:
    """The status of each flight of a reservation."""
    return [world().status[leg["flight_number"], leg["date"]] for leg in reservation["flights"]]


def started(reservation: Record) -> bool:
    """Whether any flight has been flown."""
    return bool({"flying", "landed"} & set(statuses(reservation)))


def sound(reservation: Record) -> bool:
    """Whether all flights lie ahead and none has been cancelled by the airline."""
    ahead = not started(reservation) and all(leg["date"] >= TODAY for leg in reservation["flights"])
    return ahead and "cancelled" not in statuses(reservation)


def journeys(reservation: Record) -> list[list[Record]]:
    """The flights out, and on a round trip the flights back."""
    legs = reservation["flights"]
    if reservation["flight_type"] == "one_way":
        return [legs]
    there = next(index for index, leg in enumerate(legs) if leg["destination"] == reservation["destination"])
    return [legs[: there + 1], legs[there + 1 :]]


def choice_of(legs: Sequence[Record]) -> list[Record]:
    """Flights as the tools take them."""
    return [{"flight_number": leg["flight_number"], "date": leg["date"]} for leg in legs]
