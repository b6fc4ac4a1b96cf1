"""What customers ask about their trips and their profile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolgym.domains.airline.goals.booking import CABIN_WORDS, offers
from toolgym.domains.airline.goals.draws import LIVE, SOUND, details_of, fare_searches, is_live, legs_of, other_cabin
from toolgym.domains.airline.rules import free_bags
from toolgym.domains.airline.schema import Reservation
from toolgym.domains.airline.tools import (
    get_flight_status,
    get_reservation_details,
    get_user_details,
    search_direct_flight,
)
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
        get_reservation_details,
        name="ask_paid",
        verbs=("tell",),
        says=(
            "How much did I pay for {reservation} in all?",
            "What was the full price of {reservation}?",
            "Could you tell me what {reservation} cost me altogether?",
            "I need the total I paid for {reservation}.",
            "What does {reservation} come to, all payments together?",
            "How many dollars did I spend on {reservation} in total?",
            "Can you look up how much I've paid for {reservation}?",
            "I'd like to know what {reservation} cost in total.",
            "For my expense report: how much was {reservation} altogether?",
            "Please tell me the total price of {reservation}.",
            "What did I end up paying for {reservation}?",
            "Would you check the total cost of {reservation}?",
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
            "What is the total free baggage allowance on {reservation}?",
            "How many bags in all can be checked for free on {reservation}?",
            "How many bags may all of us check on {reservation} without paying?",
            "I want to know how many free checked bags {reservation} comes with, all passengers counted.",
            "Up to how many bags do we pay nothing on {reservation}?",
            "Can you tell me the number of free checked bags on {reservation} for the whole party?",
            "Before we pack: how many bags can we check for free on {reservation} in total?",
            "How much luggage is included on {reservation}? I mean free checked bags for all of us.",
            "Please check how many bags are free of charge on {reservation}, everybody included.",
            "What's the most bags we can check on {reservation} at no cost, all together?",
            "I'd like to know the free checked bag allowance of {reservation}, summed up over all passengers.",
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
            "How much more would I pay for {reservation} in {cabin}? Don't change anything yet.",
            "I only want to know the price difference for {cabin} on {reservation}, nothing else.",
            "Suppose we flew {cabin} on {reservation}: what would we have to add? It's only a question.",
            "Can you work out what {cabin} would cost us extra on {reservation}? I'll decide later.",
            "What is the surcharge for {cabin} on {reservation}, for all of us? Please don't book it.",
            "I'm curious what {cabin} on {reservation} would cost on top. No changes yet, please.",
            "How much extra is {cabin} on {reservation}? I'm just asking.",
            "Could you give me the additional cost of {cabin} for {reservation}? I haven't decided anything.",
            "If I wanted {cabin} on {reservation}, what would the difference be? Just the number, please.",
            "I'm thinking about {cabin} for {reservation}. How much more would that be? Please leave it as it is "
            "for now.",
            "Would you calculate the price difference for {cabin} on {reservation}? I only need to know.",
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
            "Please look up the status of the first flight of {reservation}.",
            "Is the first flight of {reservation} going as planned? I want its status.",
            "How are things looking for the first flight of {reservation}? What's its status?",
            "Would you tell me the current status of the first flight of {reservation}?",
            "I'd like to know the status of the first flight of {reservation}.",
            "Is everything all right with the first flight of {reservation}? Please check its status.",
            "I heard there may be problems: what's the status of the first flight of {reservation}?",
            "Can you see how the first flight of {reservation} is doing? I need its status.",
            "What does your system say about the status of the first flight of {reservation}?",
            "Before I leave for the airport: what's the status of the first flight of {reservation}?",
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
            "When exactly do I take off on {reservation}? I need the time.",
            "What is the departure time of {reservation}?",
            "What time is the first departure of {reservation}?",
            "Could you tell me what time {reservation} sets off?",
            "I forgot what time the first flight of {reservation} leaves. When is it?",
            "What time does my first flight on {reservation} take off?",
            "Please look up the departure time of the first flight of {reservation}.",
            "I need to plan my morning: when does the first flight of {reservation} depart?",
            "Can you check the time when {reservation} departs?",
            "My ticket isn't here: what time does the first flight of {reservation} go?",
            "I'd like to know the scheduled departure time of {reservation}.",
        ),
        about=(ASKED,),
        worked_out={
            "origin": _first_leg("origin"),
            "destination": _first_leg("destination"),
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
            "What is the value of all the {sort} in my profile together?",
            "How many dollars do I have in {sort}?",
            "I lost track of my {sort}: what do they add up to?",
            "Please add up what is on my {sort}.",
            "What do all my {sort} come to?",
            "Could you tell me the total value of my {sort}?",
            "I'd like to know how much I have in {sort} altogether.",
            "How much could I pay with my {sort}, all of them together?",
            "Can you add up my {sort} for me?",
            "What are the {sort} in my profile worth in total?",
            "Would you check how much my {sort} amount to?",
        ),
        about=(Slot("sort", draw=("travel certificates", "gift cards")),),
        tells=(Tell("worth", "number", value=_worth),),
    ),
)
