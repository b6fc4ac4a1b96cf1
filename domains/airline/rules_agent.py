"""What the `rules` agent does at the airline's service desk. It sees only the conversation and the tools.

An honest baseline of keyword rules: it asks for the user id, looks up, applies the policy, proposes, asks for a yes,
acts and reports. It is easily lost; what no rule knows it hands to a human.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, cast

from domains.airline import agent_words as words
from domains.airline.agent_answers import inform
from domains.airline.agent_booking import book
from domains.airline.agent_fares import cabin_fares, pick_offer, ways_of
from domains.airline.agent_state import YEAR, DialogueState, Record, cabin_words, flown, paid
from domains.airline.seed import NOW
from domains.airline.tools import BAG
from sandbox.agents.dialogue import DialogueContext, Script
from sandbox.kit.errors import Refusal


def rules_agent(dialogue: DialogueContext) -> Script[None]:
    """Serve one customer until they end the conversation."""
    wish = dialogue.last
    user = yield from _profile(dialogue)
    trips = []
    for code in user["reservations"]:
        trips.append((yield from dialogue.call("get_reservation_details", reservation_id=code)))
    airports = yield from dialogue.call("list_all_airports")
    state = DialogueState(dialogue, user, trips, airports)
    state.text = wish
    kind = words.wish_of(wish)
    while True:
        yield from _SERVICES[kind](state) if kind else _transfer(state)
        # an answer without a wish of its own corrects the last one, and so does the wish said once more
        new = words.wish_of(dialogue.last)
        again = new is None or dialogue.last[-40:] in state.text
        kind, state.text = new or kind, f"{state.text} {dialogue.last}" if again else dialogue.last


def _profile(dialogue: DialogueContext) -> Script[Mapping[str, Any]]:
    if dialogue.profile is not None:
        return cast(Mapping[str, Any], dialogue.profile)
    while True:
        for user_id in dict.fromkeys(words.USER_ID.findall(" ".join(reversed(dialogue.heard)))):
            try:
                return cast(Mapping[str, Any], (yield from dialogue.call("get_user_details", user_id=user_id)))
            except Refusal:
                continue
        yield from dialogue.say("What is your user id, please?")


# --- cancelling and compensation ---


def _cancel(state: DialogueState) -> Script[None]:
    trip = yield from state.trip()
    if trip is None:
        return
    if words.PART.search(state.text):
        yield from state.refuse("a reservation is cancelled as a whole, all passengers and all flights together.")
        return
    states = yield from state.statuses(trip)
    if flown(states):
        yield from _transfer(state)
        return
    if not words.GIVEN.search(state.text) and not words.COVERED.search(state.text):
        yield from state.ask("What is the reason for the cancellation?")
    young = NOW - datetime.fromisoformat(trip["created_at"]) <= timedelta(hours=24)
    covered = trip["insurance"] == "yes" and words.COVERED.search(state.text)
    if not (young or covered or "cancelled" in states or trip["cabin"] == "business"):
        yield from state.refuse(
            "it was booked more than 24 hours ago, it is not business class, we fly all of its flights, and no "
            "insurance covers the reason."
        )
        return
    code, refund = trip["reservation_id"], paid(trip)
    calls: list[tuple[str, dict[str, Any]]] = [("cancel_reservation", {"reservation_id": code})]
    extra = ""
    if "compensat" in state.text and "delayed" in states and state.entitled(trip):
        amount = 50 * len(trip["passengers"])
        calls.append(("send_certificate", {"user_id": state.user["user_id"], "amount": amount}))
        extra = f" and send you a certificate of ${amount} for the delay"
    yield from state.act(
        f"I would cancel reservation {code}; ${refund} go back to how you paid{extra}.",
        f"I have cancelled reservation {code}. You get ${refund} back in 5 to 7 business days.",
        *calls,
    )


def _compensate(state: DialogueState) -> Script[None]:
    trip = yield from state.trip()
    if trip is None:
        return
    states = yield from state.statuses(trip)
    if "cancelled" not in states:
        yield from state.refuse("we only compensate for cancelled flights, or for a delay when the trip is changed.")
    elif not state.entitled(trip):
        yield from state.refuse("as a regular member without insurance you are not entitled to it.")
    else:
        amount = 100 * len(trip["passengers"])
        yield from state.act(
            f"I would send you a certificate of ${amount} for the cancelled flight.",
            f"I have sent you a certificate of ${amount}; it has been issued.",
            ("send_certificate", {"user_id": state.user["user_id"], "amount": amount}),
        )


# --- changing ---


def _cabin(state: DialogueState) -> Script[None]:
    trip = yield from state.trip()
    if trip is None:
        return
    cabin = words.cabin_in(state.text)
    if cabin is None:
        yield from state.refuse("I did not understand which cabin you want.")
        return
    if words.PART.search(state.text) or " first flight" in state.text or " last flight" in state.text:
        yield from state.refuse("all passengers and all flights of a reservation are in the same cabin.")
        return
    if flown((yield from state.statuses(trip))):
        yield from state.refuse("a flight of the reservation has been flown already.")
        return
    fares = yield from cabin_fares(state, trip, cabin)
    if fares is None:
        yield from state.refuse(f"there are not enough seats in {cabin_words(cabin)}.")
        return
    yield from _rebook(state, trip, cabin, trip["flights"], sum(fares) - sum(leg["price"] for leg in trip["flights"]))


def _rebook(state: DialogueState, trip: Record, cabin: str, flights: list[Record], fare: int) -> Script[None]:
    """Propose other flights or another cabin; `fare` is the difference for one passenger."""
    method = yield from state.method()
    if method is None:
        return
    code, total = trip["reservation_id"], fare * len(trip["passengers"])
    legs = [{"flight_number": leg["flight_number"], "date": leg["date"]} for leg in flights]
    shown = ", ".join(f"{leg['flight_number']} on {leg['date']}" for leg in legs)
    money = f"The price difference is ${abs(total)}, {'to pay' if total > 0 else 'refunded'}"
    yield from state.act(
        f"I would change reservation {code} to {shown} in {cabin_words(cabin)}. {money} with your "
        f"{state.method_words(method)}.",
        f"I have changed reservation {code}. {money}.",
        (
            "update_reservation_flights",
            {"reservation_id": code, "cabin": cabin, "flights": legs, "payment_id": method["id"]},
        ),
    )


def _flights(state: DialogueState) -> Script[None]:
    trip = yield from state.trip()
    if trip is None:
        return
    ends = {trip["origin"], trip["destination"]}
    if trip["cabin"] == "basic_economy":
        yield from state.refuse("flights in basic economy cannot be changed.")
        return
    if set(words.airports_in(state.airports, state.text)) - ends:
        yield from state.refuse("the destination of a reservation stays the same.")
        return
    old = {leg["date"] for leg in trip["flights"]}
    days = [day for day in words.days_in(state.text, YEAR) if day not in old]
    if not days:
        yield from state.ask("To which date would you like to move it?")
        days = [day for day in words.days_in(state.text, YEAR) if day not in old]
    ways = ways_of(trip)
    index = len(ways) - 1 if "return flight" in state.text else 0
    offer = None
    if days:
        way = ways[index]
        ask = {"origin": way[0]["origin"], "destination": way[-1]["destination"], "date": days[-1]}
        offer = pick_offer((yield from state.dialogue.call("search_direct_flight", **ask)), trip, state.text)
    if offer is None:
        yield from state.refuse("there is no direct flight with enough seats on that day.")
        return
    new = [{"flight_number": offer["flight_number"], "date": days[-1]}]
    flights = [leg for number, way in enumerate(ways) for leg in (new if number == index else way)]
    fare = offer["prices"][trip["cabin"]] - sum(leg["price"] for leg in ways[index])
    yield from _rebook(state, trip, trip["cabin"], flights, fare)


def _bags(state: DialogueState) -> Script[None]:
    trip = yield from state.trip()
    if trip is None:
        return
    if words.LESS.search(state.text):
        yield from state.refuse("bags can only be added, not removed.")
        return
    more = words.count_in(state.text)
    if more is None:
        yield from state.ask("How many checked bags would you like to add?")
        more = words.count_in(state.text)
    if more is None:
        yield from state.refuse("I did not understand how many bags you want to add.")
        return
    method = yield from state.method()
    if method is None:
        return
    total = trip["total_baggages"] + more
    free = state.free_bags(trip["cabin"], len(trip["passengers"]))
    nonfree = max(trip["nonfree_baggages"], total - free)
    fee, code = BAG * (nonfree - trip["nonfree_baggages"]), trip["reservation_id"]
    yield from state.act(
        f"I would add {more} checked bags to reservation {code} for ${fee}, with your {state.method_words(method)}.",
        f"I have updated reservation {code}; the bags have been added for ${fee}.",
        (
            "update_reservation_baggages",
            {
                "reservation_id": code,
                "total_baggages": total,
                "nonfree_baggages": nonfree,
                "payment_id": method["id"],
            },
        ),
    )


def _passengers(state: DialogueState) -> Script[None]:
    trip = yield from state.trip()
    if trip is None:
        return
    if words.MORE_PEOPLE.search(state.text) or words.FEWER_PEOPLE.search(state.text):
        yield from state.refuse("the number of passengers of a reservation cannot change.")
        return
    saved = [person for person in state.user["saved_passengers"] if person not in trip["passengers"]]
    new = words.person_in(saved, state.text)
    if new is None:
        yield from state.ask("Who is the new passenger? I need the first name, last name and date of birth.")
        new = words.person_in(saved, state.text)
    old = _leaving(state, trip)
    if new is None or old is None:
        yield from state.refuse("I cannot tell who shall travel in whose place.")
        return
    people = [new if person is old else person for person in trip["passengers"]]
    name, code = f"{new['first_name']} {new['last_name']}", trip["reservation_id"]
    yield from state.act(
        f"I would change reservation {code}: {name} travels in place of {old['first_name']} {old['last_name']}.",
        f"I have updated reservation {code}.",
        ("update_reservation_passengers", {"reservation_id": code, "passengers": people}),
    )


def _leaving(state: DialogueState, trip: Record) -> Record | None:
    """The passenger who does not travel: somebody named, or the customer, or the only one there is."""
    people = trip["passengers"]
    named = [person for person in people if f"{person['first_name']} {person['last_name']}" in state.text]
    own = [person for person in people if person["dob"] == state.user["dob"]]
    others = [person for person in named if person not in own]
    return (others or own or people)[0] if others or own or len(people) == 1 else None


def _insure(state: DialogueState) -> Script[None]:
    yield from state.refuse("insurance can only be bought at the time of booking, not later.")


def _transfer(state: DialogueState) -> Script[None]:
    yield from state.dialogue.call("transfer_to_human_agents", summary=f"The customer says: {state.text}")


_SERVICES: dict[str, Callable[[DialogueState], Script[None]]] = {
    "book": book,
    "cancel": _cancel,
    "compensate": _compensate,
    "cabin": _cabin,
    "flights": _flights,
    "bags": _bags,
    "passengers": _passengers,
    "insure": _insure,
    "inform": inform,
    "transfer": _transfer,
}
