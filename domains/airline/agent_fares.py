"""How the rules agent reads search results: fares of a cabin, the offer that was meant, the ways of a trip."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domains.airline.agent_state import DialogueState, Record
from sandbox.agents.dialogue import Script


def cabin_fares(state: DialogueState, trip: Record, cabin: str) -> Script[list[int] | None]:
    """Today's price of a seat on each flight of a trip in a cabin; None when a flight has not enough of them."""
    fares = []
    for leg in trip["flights"]:
        ask = {"origin": leg["origin"], "destination": leg["destination"], "date": leg["date"]}
        found = yield from state.dialogue.call("search_direct_flight", **ask)
        same = [offer for offer in found if offer["flight_number"] == leg["flight_number"]]
        if not same or same[0]["available_seats"][cabin] < len(trip["passengers"]):
            return None
        fares.append(int(same[0]["prices"][cabin]))
    return fares


def with_seats(found: Sequence[Any], cabin: str, count: int) -> list[Any]:
    """The flights, or pairs of them, with enough seats."""
    return [
        offer
        for offer in found
        if all(leg["available_seats"][cabin] >= count for leg in (offer if isinstance(offer, list) else [offer]))
    ]


def cheapest_or_first(offers: Sequence[Any], cabin: str, text: str) -> Any:
    """The first of the day where that was asked for, else the cheapest; None of none."""
    legs = [offer if isinstance(offer, list) else [offer] for offer in offers]
    if not legs:
        return None
    if "first of the day" in text:
        best = min(legs, key=lambda offer: str(offer[0]["scheduled_departure_time_est"]))
    else:
        best = min(legs, key=lambda offer: sum(leg["prices"][cabin] for leg in offer))
    return best if isinstance(offers[0], list) else best[0]


def pick_offer(found: Sequence[Any], trip: Record, text: str) -> Any:
    """The direct flight that a customer means, for all passengers of a trip in its cabin."""
    return cheapest_or_first(with_seats(found, trip["cabin"], len(trip["passengers"])), trip["cabin"], text)


def ways_of(trip: Record) -> list[list[Record]]:
    """The flights out, and on a round trip the flights back."""
    legs = list(trip["flights"])
    if trip["flight_type"] == "one_way":
        return [legs]
    there = next(index for index, leg in enumerate(legs) if leg["destination"] == trip["destination"])
    return [legs[: there + 1], legs[there + 1 :]]
