"""tau2-bench's airline data and its 50 tasks in this world's tables; docs/airline.md lists what differs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from toolgym.domains import tau2_files
from toolgym.domains.airline import schema, tools
from toolgym.domains.airline.airports import PLACES
from toolgym.sandbox.kit.world import Database, Dataset, Fact, Json, Task, ToolSet

_KINDS = {tool.name: tool.kind for tool in ToolSet(tools).values()}


def tau2(path: str | None = None) -> Dataset:
    """tau2-bench's airline data from the installed package or a checkout."""
    return tau2_files.data("airline", path, task=_task, fill=_fill)


# --- rows ---


def _fill(source: Path, db: Database) -> None:
    raw = tau2_files.read_json(source / "db.json")
    for position, airport in enumerate(PLACES):
        db.insert(schema.Airport, iata=airport.iata, city=airport.city, position=position)
    for flight in raw["flights"].values():
        _flight(db, flight)
    for user in raw["users"].values():
        _user(db, user)
        for position, reservation_id in enumerate(user["reservations"]):
            _reservation(db, raw["reservations"][reservation_id], position)


def _flight(db: Database, flight: dict[str, Any]) -> None:
    number = flight["flight_number"]
    db.insert(schema.Flight, **{name: value for name, value in flight.items() if name != "dates"})
    for date, state in flight["dates"].items():
        db.insert(schema.FlightDate, flight_number=number, date=date, status=state["status"])
        for cabin, seats in state.get("available_seats", {}).items():
            price = state["prices"][cabin]
            db.insert(schema.CabinSeats, flight_number=number, date=date, cabin=cabin, seats=seats, price=price)


def _user(db: Database, user: dict[str, Any]) -> None:
    user_id = user["user_id"]
    own = {name: user[name] for name in ("user_id", "email", "dob", "membership")}
    db.insert(schema.User, **own, **user["name"], **user["address"])
    for position, person in enumerate(user["saved_passengers"]):
        db.insert(schema.SavedPassenger, user_id=user_id, position=position, **person)
    for position, method in enumerate(user["payment_methods"].values()):
        db.insert(
            schema.PaymentMethod,
            payment_id=method["id"],
            user_id=user_id,
            position=position,
            source=method["source"],
            brand=method.get("brand"),
            last_four=method.get("last_four"),
            amount=round(method["amount"]) if "amount" in method else None,
            used=False,
        )


def _reservation(db: Database, reservation: dict[str, Any], position: int) -> None:
    key = reservation["reservation_id"]
    lists = ("flights", "passengers", "payment_history")
    db.insert(
        schema.Reservation,
        position=position,
        **{name: value for name, value in reservation.items() if name not in lists},
    )
    for index, leg in enumerate(reservation["flights"]):
        number, date, price = leg["flight_number"], leg["date"], leg["price"]
        db.insert(schema.Leg, reservation_id=key, position=index, flight_number=number, date=date, price=price)
    for index, person in enumerate(reservation["passengers"]):
        db.insert(schema.Passenger, reservation_id=key, position=index, **person)
    for index, payment in enumerate(reservation["payment_history"]):
        db.insert(schema.Payment, reservation_id=key, position=index, **payment)


# --- tasks ---


def _task(raw: Mapping[str, Any], split: str, data: str) -> Task:
    criteria: Mapping[str, Any] = raw.get("evaluation_criteria") or {}
    gold = tuple(tau2_files.call(action) for action in criteria.get("actions") or ())
    communicate = tuple(criteria.get("communicate_info") or ())
    told: Json = raw["user_scenario"]["instructions"]
    told = {"reason_for_call": told} if isinstance(told, str) else told
    known = told.get("known_info")
    return Task(
        id=str(raw["id"]),
        domain="airline",
        data=data,
        split=split,
        family="tau2",
        difficulty="hard",
        scenario=tau2_files.scenario(raw),
        persona=raw["user_scenario"].get("persona") or "",
        facts=(Fact(name="known_info", value=known),) if known else (),
        goals=tau2_files.goals(told, gold, communicate, _KINDS),
        gold=gold,
        communicate=communicate,
        seed=int(raw["id"]) if str(raw["id"]).isdigit() else 0,
        metadata=tau2_files.metadata(raw),
    )
