"""What customers ask about their trips and their profile."""

from collections.abc import Callable
from typing import Any

from toolgym.domains.airline import tools
from toolgym.domains.airline.goals.booking import CABIN_WORDS, offers
from toolgym.domains.airline.goals.draws import LIVE, SOUND, details_of, fare_searches, is_live, legs_of, other_cabin
from toolgym.domains.airline.rules import free_bags
from toolgym.domains.airline.schema import Reservation
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


def _status(result: str, draw: Draw) -> str:
    return {"cancelled": "cancelled|canceled", "available": "available|scheduled|as planned"}.get(result, result)


def _leaves(result: Any, draw: Draw) -> str | None:
    """The time of departure in the usual spellings; the searches show no flight that cannot be booked."""
    number = legs_of(draw)[0]["flight_number"]
    found = [view["scheduled_departure_time_est"][:5] for view in result if view["flight_number"] == number]
    if not found:
        return None
    hour, minute = int(found[0][:2]), found[0][3:]
    return "|".join(dict.fromkeys((found[0], f"{hour}:{minute}", f"{(hour - 1) % 12 + 1}:{minute}")))


def _first_leg(name: str) -> Callable[[Draw], Any]:
    return lambda draw: legs_of(draw)[0][name]


def _allowance(result: Any, draw: Draw) -> int:
    return free_bags(draw.person.membership, result["cabin"], len(result["passengers"]))


def _upgrade(result: Any, draw: Draw) -> int | None:
    """What another cabin would cost more for everybody; None where it is not to be had."""
    count, cabin, total = len(result["passengers"]), draw.values["cabin"], 0
    for leg in result["flights"]:
        found = offers(draw.database, leg["origin"], leg["destination"], leg["date"], cabin, count)
        fares = [offer.price for offer in found if offer.flights[0]["flight_number"] == leg["flight_number"]]
        if not fares:
            return None
        total += fares[0] - leg["price"]
    return total * count if total > 0 else None


def _worth(result: Any, draw: Draw) -> int | None:
    source = draw.values["sort"].removesuffix("s").replace("travel ", "").replace(" ", "_")
    return sum(method["amount"] for method in result["payment_methods"].values() if method["source"] == source) or None


ASKED = Slot("reservation", of=Reservation, withheld=0.4, where=is_live, reads=details_of)

QUESTIONS = (
    Goal(
        tools.get_reservation_details,
        name="ask_paid",
        slots=(LIVE,),
        tells=(Tell("paid", "number", value=lambda result, draw: sum(p["amount"] for p in result["payment_history"])),),
    ),
    Goal(
        tools.get_reservation_details,
        name="ask_free_bags",
        slots=(LIVE,),
        tells=(Tell("free bags", "number", value=_allowance, near=("bag", "bags", "free")),),
    ),
    Goal(
        tools.get_reservation_details,
        name="ask_upgrade",
        slots=(SOUND,),
        about=(Slot("cabin", draw=other_cabin, words=CABIN_WORDS, reads=fare_searches),),
        tells=(Tell("difference", "number", value=_upgrade),),
    ),
    Goal(
        tools.get_flight_status,
        name="ask_status",
        about=(ASKED,),
        worked_out={"flight_number": _first_leg("flight_number"), "date": _first_leg("date")},
        tells=(Tell("status", "text", value=_status),),
    ),
    Goal(
        tools.search_direct_flight,
        name="ask_departure",
        about=(ASKED,),
        worked_out={
            "origin": _first_leg("origin"),
            "destination": _first_leg("destination"),
            "date": _first_leg("date"),
        },
        tells=(Tell("time", "text", value=_leaves),),
    ),
    Goal(
        tools.get_user_details,
        name="ask_worth",
        about=(Slot("sort", draw=("travel certificates", "gift cards")),),
        tells=(Tell("worth", "number", value=_worth),),
    ),
)
