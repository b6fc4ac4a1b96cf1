"""What customers ask about their trips and their profile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domains.airline.booking import CABIN_WORDS, offers
from domains.airline.draws import LIVE, SOUND, details_of, fare_searches, is_live, legs_of, other_cabin
from domains.airline.rules import free_bags
from domains.airline.schema import Flight, Reservation
from domains.airline.tools import get_flight_status, get_reservation_details, get_user_details, search_direct_flight
from sandbox.kit.goal import Draw, Goal, Slot, Tell


def _status(result: str, draw: Draw) -> str:
    return {"cancelled": "cancelled|canceled", "available": "available|scheduled|as planned"}.get(result, result)


def _leaves(result: Any, draw: Draw) -> str | None:
    """The time of departure in the usual spellings; the searches show no flight that cannot be booked."""
    number = legs_of(draw)[0].flight_number
    found = [view["scheduled_departure_time_est"][:5] for view in result if view["flight_number"] == number]
    if not found:
        return None
    hour, minute = int(found[0][:2]), found[0][3:]
    return "|".join(dict.fromkeys((found[0], f"{hour}:{minute}", f"{(hour - 1) % 12 + 1}:{minute}")))


def _first_leg(name: str) -> Callable[[Draw], Any]:
    return lambda draw: getattr(legs_of(draw)[0], name)


def _first_end(name: str) -> Callable[[Draw], Any]:
    return lambda draw: getattr(draw.database.get(Flight, legs_of(draw)[0].flight_number), name)


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
        get_reservation_details,
        name="ask_paid",
        verbs=("tell",),
        says=(
            "How much did I pay for {reservation} in all?",
            "What was the full price of {reservation}?",
            "Could you tell me what {reservation} cost me altogether?",
            "I need the total that I paid for {reservation}.",
            "What does {reservation} come to, all payments together?",
            "How many dollars went into {reservation} in total?",
        ),
        slots=(LIVE,),
        tells=(Tell("paid", "number", value=lambda result, draw: sum(p["amount"] for p in result["payment_history"])),),
    ),
    Goal(
        get_reservation_details,
        name="ask_free_bags",
        verbs=("tell",),
        says=(
            "How many checked bags are free on {reservation}, for everybody together?",
            "What is the total free baggage allowance of {reservation}?",
            "How many bags in all can be checked for free on {reservation}?",
            "How much luggage may all of us check on {reservation} without paying, in bags?",
            "I want to know how many free checked bags {reservation} comes with, all passengers counted.",
            "Up to how many bags do we pay nothing on {reservation}?",
        ),
        slots=(LIVE,),
        tells=(Tell("free bags", "number", value=_allowance, near=("bag", "bags", "free")),),
    ),
    Goal(
        get_reservation_details,
        name="ask_upgrade",
        verbs=("tell",),
        says=(
            "What would it cost to change {reservation} to {cabin}? I just want to know for now.",
            "How much more would I pay for {reservation} in {cabin}? Do not change anything yet.",
            "I only want to know the price difference for {cabin} on {reservation}, nothing else.",
            "Suppose we took {cabin} on {reservation}: what would we have to add? It is only a question.",
            "Can you work out what {cabin} would cost us extra on {reservation}? I will decide later.",
            "What is the surcharge for {cabin} on {reservation}, for all of us? Please do not book it.",
        ),
        slots=(SOUND,),
        about=(Slot("cabin", draw=other_cabin, words=CABIN_WORDS, reads=fare_searches),),
        tells=(Tell("difference", "number", value=_upgrade),),
    ),
    Goal(
        get_flight_status,
        name="ask_status",
        verbs=("tell",),
        says=(
            "What is the status of the first flight of {reservation}?",
            "Could you check the status of my first flight on {reservation}?",
            "Please look up how it stands with the first flight of {reservation}.",
            "Is the first flight of {reservation} going as it should? I want its status.",
            "How does it look for the first flight of {reservation}?",
            "Look at the first flight of {reservation}, please: what is its status?",
        ),
        about=(ASKED,),
        worked_out={"flight_number": _first_leg("flight_number"), "date": _first_leg("date")},
        tells=(Tell("status", "text", value=_status),),
    ),
    Goal(
        search_direct_flight,
        name="ask_departure",
        verbs=("tell",),
        says=(
            "At what time does the first flight of {reservation} leave?",
            "When exactly do I take off on {reservation}?",
            "What is the departure time of {reservation}?",
            "What time is the first departure of {reservation}?",
            "Tell me, please, at which hour {reservation} sets off.",
            "I forgot when the first plane of {reservation} goes; at what time?",
        ),
        about=(ASKED,),
        worked_out={
            "origin": _first_end("origin"),
            "destination": _first_end("destination"),
            "date": _first_leg("date"),
        },
        tells=(Tell("time", "text", value=_leaves),),
    ),
    Goal(
        get_user_details,
        name="ask_worth",
        verbs=("tell",),
        says=(
            "How much are my {sort} worth in all?",
            "What is the value of all {sort} in my profile together?",
            "How many dollars do I have in {sort}?",
            "I lost track of my {sort}: what do they add up to?",
            "Please add up what is on my {sort}.",
            "What do all my {sort} come to?",
        ),
        about=(Slot("sort", draw=("travel certificates", "gift cards")),),
        tells=(Tell("worth", "number", value=_worth),),
    ),
)
