"""Changing the flights and the cabin of a trip."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from toolgym.domains.airline.airports import spoken
from toolgym.domains.airline.goals.booking import CABIN_WORDS, LAST_DAY, PICKS, Offer, offers, picked
from toolgym.domains.airline.goals.draws import (
    DIFFERENCE,
    LIVE,
    PAYMENT,
    SOUND,
    STAYS,
    Reads,
    card,
    details_of,
    fare_searches,
    flights_of,
    is_sound,
    legs_of,
    other_cabin,
    part,
    travellers_of,
)
from toolgym.domains.airline.rules import insured_when_booked, one_cabin, same_destination
from toolgym.domains.airline.schema import Flight
from toolgym.domains.airline.tools import search_direct_flight, update_reservation_flights
from toolgym.sandbox.kit.goal import Draw, Goal, Slot


def _ways(draw: Draw) -> list[list[dict[str, Any]]]:
    """The flights out, and on a round trip the flights back."""
    legs, trip = legs_of(draw), draw.values["reservation"]
    if trip.flight_type == "one_way":
        return [legs]
    there = next(index for index, leg in enumerate(legs) if leg["destination"] == trip.destination)
    return [legs[: there + 1], legs[there + 1 :]]


def _way(draw: Draw) -> str:
    ways = _ways(draw)
    return "the flight" if len(ways) == 1 else draw.rng.choice(("the outbound flight", "the return flight"))


def _offers(draw: Draw, day: date) -> list[Offer]:
    """The direct flights of a day that could take the place of the way that is to be moved."""
    trip = draw.values["reservation"]
    start, end = (trip.origin, trip.destination)[:: -1 if draw.values["way"] == "the return flight" else 1]
    return offers(draw.database, start, end, day.isoformat(), trip.cabin, len(travellers_of(draw)))


def _day(draw: Draw) -> date | None:
    """Another day for one way of the trip, before or after the other way, with one flight that can be singled out."""
    ways, back = _ways(draw), draw.values["way"] == "the return flight"
    own = date.fromisoformat(ways[back][0]["date"])
    earliest = (
        date.fromisoformat(ways[0][-1]["date"]) + timedelta(days=2) if back else draw.now.date() + timedelta(days=1)
    )
    latest = LAST_DAY
    if len(ways) > 1 and not back:
        latest = date.fromisoformat(ways[1][0]["date"]) - timedelta(days=2)
    days = [day for step in range(-6, 7) if step and earliest <= (day := own + timedelta(days=step)) <= latest]
    pick = draw.values["pick"]
    tried = draw.rng.sample(days, min(4, len(days)))
    return next((day for day in tried if picked(_offers(draw, day), pick)), None)


def _moved(draw: Draw) -> list[dict[str, str]] | None:
    day, back = draw.values["date"], draw.values["way"] == "the return flight"
    offer = picked(_offers(draw, day), draw.values["pick"])
    if offer is None:
        return None
    ways = [[{name: leg[name] for name in ("flight_number", "date")} for leg in way] for way in _ways(draw)]
    ways[back] = list(offer.flights)
    return [leg for way in ways for leg in way]


def _searched(draw: Draw) -> Reads:
    trip, day = draw.values["reservation"], draw.values["date"].isoformat()
    ends = (trip.origin, trip.destination)[:: -1 if draw.values["way"] == "the return flight" else 1]
    return [*details_of(draw), (search_direct_flight, {"origin": ends[0], "destination": ends[1], "date": day})]


def _elsewhere(draw: Draw) -> str:
    trip = draw.values["reservation"]
    from_here = draw.database.find(Flight, origin=trip.origin)
    return draw.rng.choice(sorted({spoken(flight.destination) for flight in from_here} - {spoken(trip.destination)}))


CHANGES = (
    Goal(
        update_reservation_flights,
        name="change_flights",
        verbs=("change", "move", "rebook", "switch", "reschedule"),
        says=(
            "I want to move {way} of {reservation} to {date}[, {pick}][; use {payment} for any difference].",
            "Please change {way} of {reservation} to {date}[, {pick}][, and settle the difference with {payment}].",
            "I'd like to take {way} of {reservation} on {date} instead[, {pick}][. Any difference goes on {payment}].",
            "Could you put {way} of {reservation} on {date}?[ I want {pick}.][ Charge or refund {payment}.]",
            "Can {way} of {reservation} be on {date}, please[, {pick}]?[ Use {payment} for it.]",
            "I'd rather fly on {date}; please rebook {way} of {reservation}[, {pick}][, using {payment}].",
            "Is it possible to change {way} of {reservation} to {date}[, {pick}]?[ You can use {payment} for the "
            "difference.]",
            "I can't fly as planned: please move {way} of {reservation} to {date}[, {pick}][, and use {payment}].",
            "I need {way} of {reservation} on {date} instead[, {pick}][; any difference is for {payment}].",
            "Would you rebook {way} of {reservation} for {date}[, {pick}]?[ Please use {payment}.]",
            "Something came up, so I want to change {way} of {reservation} to {date}[, {pick}][. Put any "
            "difference on {payment}].",
            "Please get me on {date} for {way} of {reservation}[, {pick}][; {payment} can cover the difference].",
        ),
        slots=(
            SOUND,
            PAYMENT,
            Slot("way", draw=_way, says=("I mean {}.",)),
            Slot("date", withheld=0.3, draw=_day, says=("On {}.", "{} would suit me."), reads=_searched),
        ),
        about=(Slot("pick", draw=PICKS, says=("I take {}.", "{}, please.")),),
        worked_out={"cabin": STAYS["cabin"], "flights": _moved},
        asks=(DIFFERENCE,),
    ),
    Goal(
        update_reservation_flights,
        name="change_cabin",
        verbs=("change", "upgrade", "downgrade", "switch", "move"),
        says=(
            "I want to change {reservation} to {cabin}[, and any difference goes on {payment}].",
            "Please move {reservation} to {cabin}[; use {payment} for the difference].",
            "I'd like to fly {cabin} on {reservation}, on all of its flights[, settled with {payment}].",
            "Could you change the cabin of {reservation} to {cabin}?[ The difference should go on {payment}.]",
            "Please put all of us in {cabin} on {reservation}[ and use {payment}].",
            "I'd prefer {cabin} for {reservation}; please change all its flights[ and settle it with {payment}].",
            "Can we switch {reservation} to {cabin}?[ Use {payment} for whatever the difference is.]",
            "Is it possible to have {cabin} on {reservation} instead?[ Any difference can go on {payment}.]",
            "I'd like a different cabin on {reservation}: {cabin}, please[, with {payment} for the difference].",
            "Would you change {reservation} to {cabin} for everybody?[ I'll use {payment}.]",
            "We've decided to fly {cabin}; please change {reservation}[ and put the difference on {payment}].",
            "Please rebook the whole of {reservation} in {cabin}[, using {payment}].",
        ),
        slots=(LIVE, Slot("cabin", draw=other_cabin, words=CABIN_WORDS, reads=fare_searches), PAYMENT),
        worked_out={"flights": flights_of},
        asks=(DIFFERENCE,),
    ),
    Goal(
        update_reservation_flights,
        name="upgrade_a_part",
        against=one_cabin,
        verbs=("upgrade",),
        says=(
            "I want to upgrade {part}, and nothing else, to {cabin}. It's on {reservation}.",
            "Please change only {part} on {reservation} to {cabin}.",
            "On {reservation} I'd like {part} in {cabin} and everything else as it is.",
            "Can {part} be in {cabin} on {reservation}? The rest stays.",
            "I'd like just {part} in {cabin}, please, on {reservation}.",
            "Please put {part} in {cabin} on {reservation} and leave the others where they are.",
            "Could you upgrade {part} on {reservation} to {cabin} and keep the rest?",
            "Is it possible to have only {part} in {cabin} on {reservation}?",
            "I want {part} on {reservation} in {cabin}; don't touch anything else.",
            "Would you move just {part} to {cabin}? That's on {reservation}.",
            "We'd like a treat: {part} in {cabin} on {reservation}, the rest unchanged.",
            "Only {part} should be in {cabin}, please. It's about {reservation}.",
        ),
        slots=(SOUND, Slot("cabin", draw=other_cabin, words=CABIN_WORDS)),
        about=(Slot("part", draw=part),),
        worked_out={"flights": flights_of, "payment": card},
    ),
    Goal(
        update_reservation_flights,
        name="reroute",
        against=same_destination,
        verbs=("change", "reroute"),
        says=(
            "I want to fly to {elsewhere} with {reservation} instead.",
            "Please change {reservation} so that it takes me to {elsewhere}.",
            "Could you reroute {reservation} to {elsewhere}?",
            "I'd rather go to {elsewhere}; please change {reservation}.",
            "I need {reservation} to take me to {elsewhere} now.",
            "Please make {elsewhere} the destination of {reservation}.",
            "Can I go to {elsewhere} instead? Please change {reservation}.",
            "My plans have moved to {elsewhere}. Can you change {reservation} to go there?",
            "Is it possible to change the destination of {reservation} to {elsewhere}?",
            "Would you switch {reservation} over to {elsewhere}?",
            "I no longer want to go where {reservation} goes. Please make it {elsewhere}.",
            "We'd like to end up in {elsewhere}, so please change {reservation}.",
        ),
        slots=(SOUND,),
        about=(Slot("elsewhere", draw=_elsewhere),),
        worked_out=STAYS,
    ),
    Goal(
        update_reservation_flights,
        name="insure",
        against=insured_when_booked,
        verbs=("insure", "add"),
        says=(
            "I want to add {cover} to {reservation}.",
            "Please put {cover} on {reservation} as well; I forgot that.",
            "Could I still get {cover} for {reservation}?",
            "How about {cover} for {reservation}? Please add it.",
            "I'd feel better with {cover} on {reservation}; can you add it?",
            "There's no {cover} on {reservation} yet. Please add it now.",
            "Is it too late to add {cover} to {reservation}?",
            "I'd like {cover} for {reservation} after all.",
            "Can you add {cover} to {reservation} for me?",
            "I forgot to take {cover} for {reservation}. Can we do that now?",
            "Would you please add {cover} to {reservation}?",
            "We want to be on the safe side: please add {cover} to {reservation}.",
        ),
        slots=(
            Slot(
                "reservation",
                withheld=0.4,
                where=lambda trip: is_sound(trip) and trip.row.insurance == "no",
                reads=details_of,
            ),
        ),
        about=(Slot("cover", draw=("travel insurance", "insurance", "insurance cover")),),
        worked_out=STAYS,
    ),
)
