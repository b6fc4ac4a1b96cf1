"""How the airline's rules agent books: what it has understood of the trip, its flights, its price and who pays what."""

from __future__ import annotations

from typing import Any

from domains.airline import agent_words as words
from domains.airline.agent_fares import cheapest_or_first, with_seats
from domains.airline.agent_state import YEAR, DialogueState, Record, cabin_words
from domains.airline.tools import BAG, INSURANCE
from sandbox.agents.dialogue import Script


def book(state: DialogueState) -> Script[None]:
    """Find out what is missing, look the flights up, propose and book."""
    ends, days = words.airports_in(state.airports, state.text)[:2], words.days_in(state.text, YEAR)
    round_trip = "round trip" in state.text
    cabin = words.cabin_in(state.text) or "economy"
    if len(ends) < 2 or len(days) < 1 + round_trip:
        yield from state.refuse("I did not understand where and when you want to fly.")
        return
    people = _people(state)
    legs = yield from _legs(state, ends, days[-2:] if round_trip else days[-1:], (cabin, len(people)))
    if legs is None:
        yield from state.refuse("there are no such flights with enough seats on that day.")
        return
    bags = yield from _bags(state)
    insurance = yield from _insurance(state)
    nonfree = max(0, bags - state.free_bags(cabin, len(people)))
    fare = sum(leg["prices"][cabin] for leg in legs) + (INSURANCE if insurance == "yes" else 0)
    total = fare * len(people) + BAG * nonfree
    shares = yield from _shares(state, total)
    if shares is None:
        return
    flights = [{"flight_number": leg["flight_number"], "date": leg["date"]} for leg in legs]
    arguments: dict[str, Any] = {
        "user_id": state.user["user_id"],
        "origin": ends[0],
        "destination": ends[1],
        "flight_type": "round_trip" if round_trip else "one_way",
        "cabin": cabin,
        "flights": flights,
        "passengers": people,
        "payment_methods": shares,
        "total_baggages": bags,
        "nonfree_baggages": nonfree,
        "insurance": insurance,
    }
    shown = ", ".join(f"{leg['flight_number']} on {leg['date']}" for leg in flights)
    yield from state.act(
        f"I would book {shown} in {cabin_words(cabin)} for {len(people)} with {bags} checked bags and "
        f"{'travel' if insurance == 'yes' else 'no'} insurance, ${total} in all.",
        f"Your trip has been booked for ${total}.",
        ("book_reservation", arguments),
    )


def _people(state: DialogueState) -> list[Record]:
    saved = [p for p in state.user["saved_passengers"] if f"{p['first_name']} {p['last_name']}" in state.text]
    return [state.user["name"] | {"dob": state.user["dob"]}, *saved]


def _legs(
    state: DialogueState, ends: list[str], days: list[str], seats: tuple[str, int]
) -> Script[list[Record] | None]:
    """The flights of each way, with their days; None when there are none."""
    tool = "search_onestop_flight" if "one stop" in state.text else "search_direct_flight"
    legs: list[Record] = []
    for day, (origin, destination) in zip(days, (ends, ends[::-1]), strict=False):
        found = yield from state.dialogue.call(tool, origin=origin, destination=destination, date=day)
        offer = cheapest_or_first(with_seats(found, *seats), seats[0], state.text)
        if offer is None:
            return None
        legs += offer if isinstance(offer, list) else [offer | {"date": day}]
    return legs


def _bags(state: DialogueState) -> Script[int]:
    count = words.count_in(state.text)
    if count is None:
        yield from state.ask("How many checked bags do you take?")
        count = words.count_in(state.text)
    return count or 0


def _insurance(state: DialogueState) -> Script[str]:
    wanted = words.insurance_in(state.text)
    if wanted is None:
        yield from state.ask(
            "Would you like travel insurance for 30 dollars a passenger? Please tell me about insurance."
        )
        wanted = words.insurance_in(state.text)
    return wanted or "no"


def _shares(state: DialogueState, total: int) -> Script[list[dict[str, Any]] | None]:
    """Certificates and gift cards as far as they go, a credit card for the rest, in the order they were named."""
    if not state.paying():
        yield from state.ask("How would you like to pay? Please name the payment methods.")
    rest, shares = total, []
    for method in state.paying():
        part = min(rest, method.get("amount", rest))
        shares += [{"payment_id": method["id"], "amount": part}] if part else []
        rest -= part
    if rest or not shares:
        yield from state.refuse(f"the named payment methods do not cover ${total}.")
        return None
    return shares
