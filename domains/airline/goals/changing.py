"""Changing the flights and the cabin of a trip."""

from datetime import date, timedelta
from typing import Any

from toolgym.domains.airline.airports import spoken
from toolgym.domains.airline.goals import draws
from toolgym.domains.airline.goals.booking import CABIN_WORDS, LAST_DAY, PICKS, Offer, offers, picked
from toolgym.domains.airline.rules import insured_when_booked, one_cabin, same_destination
from toolgym.domains.airline.schema import Flight
from toolgym.domains.airline.tools import search_direct_flight, update_reservation_flights
from toolgym.sandbox.kit.goal import Draw, Goal, Slot


def _ways(draw: Draw) -> list[list[dict[str, Any]]]:
    """The flights out, and on a round trip the flights back."""
    legs, trip = draws.legs_of(draw), draw.values["reservation"]
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
    return offers(draw.database, start, end, day.isoformat(), trip.cabin, len(draws.travellers_of(draw)))


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
    ways = [[{name: leg[name] for name in ("flight_number", "date")} for leg in way] for way in _ways(draw)]
    if offer is None or back >= len(ways):  # another trip on a rule's other side, which goes one way
        return None
    ways[back] = list(offer.flights)
    return [leg for way in ways for leg in way]


def _searched(draw: Draw) -> draws.Reads:
    trip, day = draw.values["reservation"], draw.values["date"].isoformat()
    ends = (trip.origin, trip.destination)[:: -1 if draw.values["way"] == "the return flight" else 1]
    return [*draws.details_of(draw), (search_direct_flight, {"origin": ends[0], "destination": ends[1], "date": day})]


def _elsewhere(draw: Draw) -> str:
    trip = draw.values["reservation"]
    from_here = draw.database.find(Flight, origin=trip.origin)
    return draw.rng.choice(sorted({spoken(flight.destination) for flight in from_here} - {spoken(trip.destination)}))


CHANGES = (
    Goal(
        update_reservation_flights,
        name="change_flights",
        slots=(
            draws.SOUND,
            draws.PAYMENT,
            Slot("way", draw=_way, says=("I mean {}.",)),
            Slot("date", withheld=0.3, draw=_day, says=("On {}.", "{} would suit me."), reads=_searched),
        ),
        about=(Slot("pick", draw=PICKS, says=("I take {}.", "{}, please.")),),
        worked_out={"cabin": draws.STAYS["cabin"], "flights": _moved},
        asks=(draws.DIFFERENCE,),
    ),
    Goal(
        update_reservation_flights,
        name="change_cabin",
        slots=(
            draws.LIVE,
            Slot("cabin", draw=draws.other_cabin, words=CABIN_WORDS, reads=draws.fare_searches),
            draws.PAYMENT,
        ),
        worked_out={"flights": draws.flights_of},
        asks=(draws.DIFFERENCE,),
    ),
    Goal(
        update_reservation_flights,
        name="upgrade_a_part",
        against=one_cabin,
        slots=(draws.SOUND, Slot("cabin", draw=draws.other_cabin, words=CABIN_WORDS)),
        about=(Slot("part", draw=draws.part),),
        worked_out={"flights": draws.flights_of, "payment": draws.card},
    ),
    Goal(
        update_reservation_flights,
        name="reroute",
        against=same_destination,
        slots=(draws.SOUND,),
        about=(Slot("elsewhere", draw=_elsewhere),),
        worked_out=draws.STAYS,
    ),
    Goal(
        update_reservation_flights,
        name="insure",
        against=insured_when_booked,
        slots=(
            Slot(
                "reservation",
                withheld=0.4,
                where=lambda trip: draws.is_sound(trip) and trip.row.insurance == "no",
                reads=draws.details_of,
            ),
        ),
        about=(Slot("cover", draw=("travel insurance", "insurance", "insurance cover")),),
        worked_out=draws.STAYS,
    ),
)
