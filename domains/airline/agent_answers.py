"""What the airline rules agent answers to questions: about a trip, about flights, about the profile."""

from __future__ import annotations

import re

from domains.airline import agent_words as words
from domains.airline.agent_fares import cabin_fares
from domains.airline.agent_state import MORE, YEAR, DialogueState, Record, paid
from sandbox.agents.dialogue import Script


def inform(state: DialogueState) -> Script[None]:
    """Answer a question, or say what could not be understood."""
    text = state.text.lower()
    if re.search(r"certificates|gift cards", text):
        yield from state.dialogue.say(f"They are worth {_worth(state, text)} dollars together. {MORE}")
    elif "direct flight" in text and words.days_in(state.text, YEAR):
        yield from _about_flights(state, text)
    else:
        trip = yield from state.trip()
        if trip is not None:
            yield from _about_trip(state, trip, text)


def _worth(state: DialogueState, text: str) -> int:
    source = "certificate" if "certificates" in text else "gift_card"
    return sum(method["amount"] for method in state.user["payment_methods"].values() if method["source"] == source)


def _about_flights(state: DialogueState, text: str) -> Script[None]:
    ends, day = words.airports_in(state.airports, state.text)[:2], words.days_in(state.text, YEAR)[-1]
    cabin = words.cabin_in(state.text) or "economy"
    if len(ends) < 2:
        yield from state.refuse("I did not understand which flight you mean.")
        return
    found = yield from state.dialogue.call("search_direct_flight", origin=ends[0], destination=ends[1], date=day)
    open_seats = [offer for offer in found if offer["available_seats"][cabin]]
    if "seats" in text:
        seats = sum(offer["available_seats"][cabin] for offer in found)
        yield from state.dialogue.say(f"There are {seats} seats left. {MORE}")
    elif open_seats:
        yield from state.dialogue.say(
            f"The cheapest costs ${min(offer['prices'][cabin] for offer in open_seats)}. {MORE}"
        )
    else:
        yield from state.refuse("there is no such flight.")


def _about_trip(state: DialogueState, trip: Record, text: str) -> Script[None]:
    leg = trip["flights"][0]
    if "bags" in text or "baggage" in text:
        free = state.free_bags(trip["cabin"], len(trip["passengers"]))
        answer = f"All passengers together have {free} checked bags free."
    elif "status" in text or "how it stands" in text:
        states = yield from state.statuses(trip)
        answer = f"The status of the first flight is: {states[0]}."
    elif words.CURIOUS.search(text) and words.cabin_in(text):
        fares = yield from cabin_fares(state, trip, words.cabin_in(text) or "economy")
        before = sum(leg["price"] for leg in trip["flights"])
        price = None if fares is None else (sum(fares) - before) * len(trip["passengers"])
        answer = "There are not enough seats." if price is None else f"The price difference is ${price}."
    elif re.search(r"time|take off|depart|leave", text):
        ask = {"origin": leg["origin"], "destination": leg["destination"], "date": leg["date"]}
        found = yield from state.dialogue.call("search_direct_flight", **ask)
        times = [o["scheduled_departure_time_est"] for o in found if o["flight_number"] == leg["flight_number"]]
        answer = f"It leaves at {times[0][:5]}." if times else "I cannot see the time."
    else:
        answer = f"You have paid ${paid(trip)} in all."
    yield from state.dialogue.say(f"{answer} {MORE}")
