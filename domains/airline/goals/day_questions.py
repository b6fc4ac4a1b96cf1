"""Questions about the flights of a day, which need no reservation."""

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
        slots=(_DAY,),
        about=_ABOUT_A_DAY,
        worked_out=_ENDS,
        tells=(Tell("price", "number", value=_lowest),),
    ),
    Goal(
        search_direct_flight,
        name="ask_seats_left",
        slots=(_DAY,),
        about=_ABOUT_A_DAY,
        worked_out=_ENDS,
        tells=(Tell("seats", "number", value=_left, near=("seat", "seats")),),
    ),
)
