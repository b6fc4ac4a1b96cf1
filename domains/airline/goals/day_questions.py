"""Questions about the flights of a day, which need no reservation."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from toolgym.domains.airline.airports import spoken
from toolgym.domains.airline.goals.booking import CABIN_WORDS, CODES, route
from toolgym.domains.airline.tools import list_all_airports, search_direct_flight
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


def _between(draw: Draw) -> dict[str, str]:
    origin, destination = route(draw)
    return {"from": spoken(origin), "to": spoken(destination)}


def _some_day(draw: Draw) -> date:
    return draw.now.date() + timedelta(days=draw.rng.randint(2, 18))


def _lowest(result: Any, draw: Draw) -> int | None:
    cabin = draw.values["wanted_cabin"].replace(" ", "_")
    return min((view["prices"][cabin] for view in result if view["available_seats"][cabin]), default=None)


def _left(result: Any, draw: Draw) -> int | None:
    """The free seats of the only flight."""
    cabin = draw.values["wanted_cabin"].replace(" ", "_")
    return result[0]["available_seats"][cabin] or None if len(result) == 1 else None


_DAY = Slot("date", draw=_some_day, says=("On {}.",))
_ABOUT_A_DAY = (
    Slot(
        "route",
        draw=_between,
        say=lambda route: f"from {route['from']} to {route['to']}",
        reads=lambda draw: [(list_all_airports, {})],
    ),
    Slot("wanted_cabin", draw=tuple(CABIN_WORDS.values())),
)
_ENDS = {
    "origin": lambda draw: CODES[draw.values["route"]["from"]],
    "destination": lambda draw: CODES[draw.values["route"]["to"]],
}
DAY_QUESTIONS = (
    Goal(
        search_direct_flight,
        name="ask_cheapest",
        verbs=("tell",),
        says=(
            "What does the cheapest direct flight {route} on {date} cost in {wanted_cabin}?",
            "How much is the cheapest direct flight {route} on {date} in {wanted_cabin}?",
            "I want to know the lowest {wanted_cabin} price for a direct flight {route} on {date}.",
            "On {date}, what's the least I could pay to fly direct {route} in {wanted_cabin}?",
            "Could you find me the best {wanted_cabin} fare {route} on {date}, without a stop?",
            "What would one seat {route} on {date} cost at least, direct and in {wanted_cabin}?",
            "I'm thinking of flying {route} on {date}. What's the cheapest direct flight in {wanted_cabin}?",
            "Can you check the lowest {wanted_cabin} fare {route} on {date}, direct flights only?",
            "How cheaply can I fly direct {route} on {date} in {wanted_cabin}?",
            "Please look up the cheapest {wanted_cabin} seat {route} on {date}; it has to be a direct flight.",
            "What's your lowest price {route} on {date} in {wanted_cabin}, non-stop?",
            "Before I book: what does a direct flight {route} on {date} cost at least in {wanted_cabin}?",
        ),
        slots=(_DAY,),
        about=_ABOUT_A_DAY,
        worked_out=_ENDS,
        tells=(Tell("price", "number", value=_lowest),),
    ),
    Goal(
        search_direct_flight,
        name="ask_seats_left",
        verbs=("tell",),
        says=(
            "How many {wanted_cabin} seats are left on the direct flight {route} on {date}?",
            "Are there still {wanted_cabin} seats on the direct flight {route} on {date}, and how many?",
            "I'd like to know the number of free {wanted_cabin} seats on the direct flight {route} on {date}.",
            "How full is {wanted_cabin} on the direct flight {route} on {date}? I need the number of free seats.",
            "On {date}, how many seats can I still get in {wanted_cabin} on the direct flight {route}?",
            "Please check how many {wanted_cabin} seats are free on the direct flight {route} on {date}.",
            "We might be a large group: how many {wanted_cabin} seats are available on the direct flight {route} "
            "on {date}?",
            "Can you tell me how many seats in {wanted_cabin} are still open on the direct flight {route} on {date}?",
            "Is there room in {wanted_cabin} on the direct flight {route} on {date}? How many seats exactly?",
            "What's the number of {wanted_cabin} seats left {route} on {date}, on the direct flight?",
            "How many people could still book {wanted_cabin} on the direct flight {route} on {date}?",
            "I need the count of available {wanted_cabin} seats on the direct flight {route} on {date}.",
        ),
        slots=(_DAY,),
        about=_ABOUT_A_DAY,
        worked_out=_ENDS,
        tells=(Tell("seats", "number", value=_left, near=("seat", "seats")),),
    ),
)
