"""Wishes that want exactly a recorded call, on tau2-bench's rows, and the same calls with one thing changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from functools import cache
from random import Random
from typing import Any

from toolgym.domains.airline.airports import PLACES, spoken
from toolgym.domains.airline.schema import PaymentMethod as AirlineMethod
from toolgym.domains.airline.schema import Reservation, SavedPassenger, as_person
from toolgym.domains.retail.schema import Order
from toolgym.domains.retail.views import view_order
from toolgym.sandbox.kit.errors import ToolgymError
from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.arguments import call_of
from toolgym.sandbox.synthesis.assembly import assembled
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.wish import worded

DATA = "tau2"
Given = dict[str, Any]


@cache
def sampler_of(world: str, owner: str) -> Sampler:
    """One customer in the world's rows as tau2-bench has them."""
    return Sampler(get_domain(world), owner, data=DATA)


@cache
def _everybody(world: str) -> Sampler:
    return Sampler(get_domain(world), data=DATA)


def owner_of(world: str, call: ToolCall) -> str | None:
    """Whose call it is: the customer that it names, or whose order or trip."""
    given, database = _given(call), _everybody(world).database
    if "user_id" in given:
        return str(given["user_id"])
    if world == "retail":
        order = database.get(Order, str(given.get("order_id")))
        return order.user_id if order else None
    trip = database.get(Reservation, str(given.get("reservation_id")))
    return trip.user_id if trip else None


def imported_wish(world: str, record: Mapping[str, Any], call: ToolCall, name: str) -> Task:
    """The recorded task itself, its prose as it is, with this call as all that is to be done."""
    actions = [{"name": call.name, "arguments": call.arguments}]
    criteria = {"actions": actions, "communicate_info": []}
    convert = get_domain(world).open_data(DATA).convert
    assert convert is not None
    return convert({**record, "id": name, "evaluation_criteria": criteria})


def wish_of(world: str, call: ToolCall, name: str) -> Task | None:
    """A task with one wish, told whole at first, that wants this call; None where no declared goal can say it.

    Args:
        world: retail or airline.
        call: what is wanted.
        name: the task's id.
    """
    owner = owner_of(world, call)
    for goal in get_domain(world).goals if owner else ():
        if goal.tool.name != call.name or goal.against is not None or goal.also is not None:
            continue
        task = _wished(sampler_of(world, str(owner)), goal, call, name)
        if task is not None:
            return task
    return None


def _wished(sampler: Sampler, goal: Goal, call: ToolCall, name: str) -> Task | None:
    try:
        arguments = _arguments(sampler, goal, _given(call))
    except (KeyError, ValueError, TypeError, AttributeError, StopIteration):
        return None  # ids that are no longer there, values of another form
    if arguments is None or call_of(goal.tool, arguments, sampler.database).arguments != _given(call):
        return None
    rng = Random(name)
    try:
        made = worded(sampler, goal, arguments, rng, "complete", None)
    except (ToolgymError, LookupError):
        return None
    if made is None or any(fact.on_request for fact in made.wish.facts):
        return None
    return assembled(sampler, [made], rng, name, "", "complete", "recorded")


def _given(call: ToolCall) -> Given:
    return call.arguments if isinstance(call.arguments, dict) else {}


def _arguments(sampler: Sampler, goal: Goal, given: Given) -> Given | None:
    """A goal's arguments for a call: rows for keys, and what the person says in place of what is worked out."""
    found: Given = {}
    for name, wire in goal.tool.inputs.items():
        value = given[wire]
        table = goal.tool.references.get(name)
        found[name] = value if table is None else sampler.database.get(table, value)
        if found[name] is None:
            return None
    own = _OWN[goal.name](sampler, found) if goal.name in _OWN else {}
    return None if own is None else found | own


# --- what the person says, by goal ---


def _trip(sampler: Sampler, found: Given) -> Any:
    return sampler.view(found["reservation"])


def _flights(legs: Any) -> list[dict[str, str]]:
    return [{"flight_number": leg["flight_number"], "date": leg["date"]} for leg in legs]


def _items(sampler: Sampler, found: Given) -> Given | None:
    """Items must be known by their names, and new ones be others."""
    held = view_order(sampler.database, found["order"])["items"]
    names = [item["name"] for item in held]
    chosen = [item["name"] for item in held if item["item_id"] in found["item_ids"]]
    is_new = not set(found["item_ids"]) & set(found.get("new_item_ids", ()))
    return {} if is_new and chosen and all(names.count(each) == 1 for each in chosen) else None


def _cabin(sampler: Sampler, found: Given) -> Given | None:
    trip = _trip(sampler, found)
    same = _flights(found["flights"]) == _flights(trip.flights) and found["cabin"] != trip.row.cabin
    return {} if same else None


def _moved(sampler: Sampler, found: Given) -> Given | None:
    """One way of a trip on another day, in the same cabin."""
    trip = _trip(sampler, found)
    old, new = _flights(trip.flights), _flights(found["flights"])
    if found["cabin"] != trip.row.cabin or old == new:
        return None
    turn = len(old)
    if trip.row.flight_type == "round_trip":
        turn = next(i for i, leg in enumerate(trip.flights) if leg["destination"] == trip.row.destination) + 1
    if new[len(new) - (len(old) - turn) :] == old[turn:] and new[0]["date"] != old[0]["date"]:
        way, day = ("the flight" if turn == len(old) else "the outbound flight"), new[0]["date"]
    elif new[:turn] == old[:turn] and turn < len(new) and new[turn]["date"] != old[turn]["date"]:
        way, day = "the return flight", new[turn]["date"]
    else:
        return None
    return {"way": way, "date": date.fromisoformat(day), "pick": ""}


def _bags(sampler: Sampler, found: Given) -> Given | None:
    more = found["total_baggages"] - _trip(sampler, found).row.total_baggages
    return {"bags": more} if more > 0 else None


def _name(person: Mapping[str, str]) -> str:
    return f"{person['first_name']} {person['last_name']}"


def _passenger(sampler: Sampler, found: Given) -> Given | None:
    before, after = list(_trip(sampler, found).passengers), list(found["passengers"])
    out = [each for each in before if _name(each) not in map(_name, after)]
    new = [dict(each) for each in after if _name(each) not in map(_name, before)]
    return {"old": _name(out[0]), "new": new[0]} if len(out) == len(new) == 1 else None


def _booked(sampler: Sampler, found: Given) -> Given | None:
    cities = {place.iata: spoken(place.iata) for place in PLACES}
    names = [_name(each) for each in found["passengers"]]
    own = f"{sampler.person.first_name} {sampler.person.last_name}"
    saved = [_name(as_person(row)) for row in sampler.rows(SavedPassenger)]
    if names[0] != own or any(name not in saved for name in names[1:]):
        return None
    days = [leg["date"] for leg in found["flights"]]
    back = found["flight_type"] == "round_trip"
    methods = [sampler.database.get(AirlineMethod, share["payment_id"]) for share in found["payment_methods"]]
    means = [
        {name: kept for name in ("source", "amount", "last_four") if (kept := getattr(row, name)) is not None}
        for row in methods
    ]
    each_way = len(days) // 2 if back else len(days)
    return {
        "travellers": names,
        "trip": {
            "from": cities[found["origin"]],
            "to": cities[found["destination"]],
            "days": [days[0], days[-1]] if back else days[:1],
        },
        "payment": means,
        "which": {"stops": each_way > 1, "pick": ""},
    }


_OWN: dict[str, Callable[[Sampler, Given], Given | None]] = {
    "return_delivered_order_items": _items,
    "exchange_delivered_order_items": _items,
    "modify_pending_order_items": _items,
    "cancel_reservation": lambda sampler, found: {"reason": ""},
    "change_cabin": _cabin,
    "change_flights": _moved,
    "add_bags": _bags,
    "replace_passenger": _passenger,
    "book_reservation": _booked,
}
