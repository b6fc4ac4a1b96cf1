"""Calls for the airline's differential test: random valid and invalid ones, and rare cases that are planned.

Not a test. Everything is a function of the random source and of tau2-bench's data.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from typing import Any

from tau2_original import Call, Play

from toolgym.sandbox.runtime.registry import get_domain

DOMAIN = get_domain("airline")
WRITES = {tool.name for tool in DOMAIN.tools.values() if tool.kind == "write"}
CABINS = ("basic_economy", "economy", "business")


@dataclass(frozen=True)
class Timetable:
    """What calls can name, in tau2-bench's data."""

    reservations: list[tuple[str, str, str, str]]
    legs: dict[str, list[dict[str, str]]]
    people: dict[str, list[dict[str, str]]]
    methods: dict[str, list[str]]
    flights: dict[tuple[str, str], list[str]]
    free: dict[tuple[str, str], list[int]]
    bags: dict[str, tuple[int, int]]


@cache
def timetable() -> Timetable:
    reader = DOMAIN.template("tau2").reader

    def grouped(sql: str, make: Any) -> dict[Any, list[Any]]:
        groups: dict[Any, list[Any]] = {}
        for row in reader.execute(sql):
            key, value = make(row)
            groups.setdefault(key, []).append(value)
        return groups

    person = ("first_name", "last_name", "dob")
    return Timetable(
        reservations=list(
            reader.execute("SELECT reservation_id, user_id, cabin, flight_type FROM reservations ORDER BY 1")
        ),
        legs=grouped(
            "SELECT reservation_id, flight_number, date FROM legs ORDER BY reservation_id, position",
            lambda row: (row[0], {"flight_number": row[1], "date": row[2]}),
        ),
        people=grouped(
            "SELECT reservation_id, first_name, last_name, dob FROM passengers ORDER BY reservation_id, position",
            lambda row: (row[0], dict(zip(person, row[1:], strict=True))),
        ),
        methods=grouped("SELECT user_id, payment_id FROM payment_methods ORDER BY payment_id", lambda row: row),
        flights=grouped(
            "SELECT origin, destination, flight_number FROM flights ORDER BY flight_number",
            lambda row: ((row[0], row[1]), row[2]),
        ),
        free=grouped(
            "SELECT flight_number, date, price FROM cabin_seats WHERE cabin = 'economy' AND seats > 2 ORDER BY 1, 2",
            lambda row: ((row[0], row[1]), row[2]),
        ),
        bags={
            row[0]: (row[1], row[2])
            for row in reader.execute("SELECT reservation_id, total_baggages, nonfree_baggages FROM reservations")
        },
    )


DATES = tuple(f"2024-05-{day:02}" for day in range(16, 31))


def someday(rng: random.Random) -> str:
    return rng.choice((*DATES, *DATES, "2024-05-01", "2024-06-01"))


def chosen_flights(rng: random.Random, pair: tuple[str, str]) -> list[dict[str, str]]:
    """A flight of a route, mostly one that can be booked."""
    number = rng.choice(timetable().flights[pair])
    open_days = [day for day in DATES if (number, day) in timetable().free]
    return [{"flight_number": number, "date": rng.choice(open_days) if open_days else someday(rng)}]


def sequence(rng: random.Random) -> Play:
    """Calls about one reservation and its customer, each write followed by looks at what it touched."""
    reservation = rng.choice(timetable().reservations)
    calls: list[Call] = []
    for _ in range(7):
        call = valid(rng, reservation)
        calls.append(Call(call.name, spoiled(rng, call.arguments) if rng.random() < 0.2 else call.arguments))
        if call.name in WRITES:
            calls.append(Call("get_reservation_details", {"reservation_id": reservation[0]}))
            calls.append(Call("get_user_details", {"user_id": reservation[1]}))
    return Play(calls)


def valid(rng: random.Random, reservation: tuple[str, str, str, str]) -> Call:
    """A call with arguments of the right kinds: mostly this reservation, its customer and their ways to pay."""
    reservation_id, user_id, cabin, _ = reservation
    name = rng.choice([*DOMAIN.tools, *sorted(WRITES), "book_reservation", "book_reservation"])
    if rng.random() < 0.05:
        reservation_id = rng.choice(timetable().reservations)[0]
    people = timetable().people[reservation_id]
    pair = rng.choice(list(timetable().flights))
    flights = chosen_flights(rng, pair)
    total, nonfree = timetable().bags[reservation_id]
    method = rng.choice(
        timetable().methods[user_id if rng.random() < 0.95 else rng.choice(timetable().reservations)[1]]
    )
    legs = timetable().legs[reservation_id]
    fills: dict[str, Any] = {
        "user_id": user_id,
        "reservation_id": reservation_id,
        "origin": pair[0],
        "destination": pair[1],
        "flight_type": "one_way",
        "cabin": rng.choice((cabin, *CABINS)),
        "flights": flights if name == "book_reservation" else rng.choice((legs, legs, legs[:1], flights)),
        "passengers": rng.choice((people, people, people[::-1], people[:1])),
        "payment_id": method,
        "total_baggages": max(0, total + rng.choice((0, 1, 2, -1))),
        "nonfree_baggages": max(0, nonfree + rng.choice((0, 0, 1, -1))),
        "insurance": rng.choice(("yes", "no")),
        "flight_number": flights[0]["flight_number"],
        "date": rng.choice((flights[0]["date"], someday(rng))),
        "amount": rng.choice((50, 100, 150)),
        "expression": rng.choice(("1 + 2", "0.1 * 3", "2 / 0", "(200 - 30) * 2", "abs(1)", "100 / 3")),
        "summary": "wants a refund",
        "thought": "hm",
    }
    if name == "book_reservation":
        fills |= booking(rng, fills, user_id)
    return Call(name, {argument: fills[argument] for argument in DOMAIN.tools[name].parameters["properties"]})


def booking(rng: random.Random, fills: dict[str, Any], user_id: str) -> dict[str, Any]:
    """A booking in economy that mostly is paid as it must be."""
    flight = fills["flights"][0]
    prices = timetable().free.get((flight["flight_number"], flight["date"]), [100])
    people = fills["passengers"][:2]
    nonfree = rng.choice((0, 0, 1))
    price = (prices[0] + (30 if fills["insurance"] == "yes" else 0)) * len(people) + 50 * nonfree
    price += rng.choice((0, 0, 0, 0, 10))
    ways = timetable().methods[user_id]
    first = rng.choice(ways)
    shares = [{"payment_id": first, "amount": price}]
    if len(ways) > 1 and rng.random() < 0.3:
        second = rng.choice([way for way in ways if way != first])
        shares = [{"payment_id": first, "amount": price - 40}, {"payment_id": second, "amount": 40}]
    return {
        "cabin": "economy",
        "passengers": people,
        "total_baggages": nonfree + rng.choice((0, 1)),
        "nonfree_baggages": nonfree,
        "payment_methods": shares,
    }


def spoiled(rng: random.Random, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with one thing wrong."""
    if not arguments:
        return {"name": "SFO"}
    changed, name = dict(arguments), rng.choice(list(arguments))
    value = changed[name]
    how = rng.randrange(6)
    if how == 0:
        del changed[name]
    elif how == 1:
        changed["note"] = "please"
    elif how == 2:
        changed[name] = rng.choice((None, 5, 2.5, True, ["1"], {"a": 1}, [], "", [5], -1))
    elif isinstance(value, str):
        changed[name] = rng.choice((value[1:], f"{value}0"))
    elif isinstance(value, list) and isinstance(value[0], dict):
        key = rng.choice(list(value[0]))
        changed[name] = rng.choice((value * 2, [{**value[0], key: "X"}, *value[1:]], [{**value[0], "note": 1}]))
    else:
        changed[name] = rng.choice((-1, 10_000, 0))
    return changed


# --- rare cases ---


def planned() -> list[Play]:
    """Rare cases: more new ids than theirs have, legs in the wrong order, a share named twice, a refund in parts."""
    user_id = next(row[1] for row in timetable().reservations if timetable().methods[row[1]][0].startswith("credit"))
    card = timetable().methods[user_id][0]
    (number, date), prices = next(iter(timetable().free.items()))
    origin, destination = next(pair for pair, numbers in timetable().flights.items() if number in numbers)
    person = {"first_name": "Ada", "last_name": "Ray", "dob": "1990-01-02"}
    book = {
        "user_id": user_id,
        "origin": origin,
        "destination": destination,
        "flight_type": "one_way",
        "cabin": "economy",
        "flights": [{"flight_number": number, "date": date}],
        "passengers": [person],
        "payment_methods": [{"payment_id": card, "amount": prices[0]}],
        "total_baggages": 0,
        "nonfree_baggages": 0,
        "insurance": "no",
    }
    twice = [{"payment_id": card, "amount": 10}, {"payment_id": card, "amount": prices[0] - 10}]
    unknown = [{"flight_number": number, "date": "2024-07-01"}]
    bookings = [Call("book_reservation", book | change) for change in ({}, {"payment_methods": twice})]
    bookings.append(Call("book_reservation", book | {"flights": unknown}))
    airports = sorted({airport for pair in timetable().flights for airport in pair})
    every = [(one, other) for one in airports for other in airports if one != other]
    certificate = Call("send_certificate", {"user_id": user_id, "amount": 100})
    return [
        Play([Call("book_reservation", book)] * 3 + [Call("book_reservation", book)]),
        Play([certificate] * 4),
        *(Play([call]) for call in bookings),
        *(turned(key, owner, cabin) for key, owner, cabin, _ in timetable().reservations[:40]),
        *(turned(key, owner, cabin, twice=True) for key, owner, cabin, _ in timetable().reservations[:20]),
        *(bought_and_cancelled(key, owner) for key, owner, *_ in timetable().reservations[:40]),
        Play(
            [Call("search_onestop_flight", {"origin": one, "destination": other, "date": date}) for one, other in every]
        ),
    ]


def turned(reservation_id: str, user_id: str, cabin: str, *, twice: bool = False) -> Play:
    """The reservation's own flights in the wrong order, or the round trip made twice."""
    legs = timetable().legs[reservation_id]
    legs = legs * 2 if twice else legs[::-1]
    method = timetable().methods[user_id][0]
    arguments = {"reservation_id": reservation_id, "cabin": cabin, "flights": legs, "payment_id": method}
    return Play([Call("update_reservation_flights", arguments)])


def bought_and_cancelled(reservation_id: str, user_id: str) -> Play:
    """A bag bought, all cancelled, and cancelled again."""
    total, nonfree = timetable().bags[reservation_id]
    bags = {"total_baggages": total + 1, "nonfree_baggages": nonfree + 1}
    method = timetable().methods[user_id][0]
    bag = Call("update_reservation_baggages", {"reservation_id": reservation_id, **bags, "payment_id": method})
    return Play([bag, *[Call("cancel_reservation", {"reservation_id": reservation_id})] * 2])
