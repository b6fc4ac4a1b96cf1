"""Twenty airports: IATA code, city, and a place on a coarse map from which flight times follow. Not a route planner."""

from math import isqrt
from typing import NamedTuple


class Place(NamedTuple):
    """An airport; `east` and `north` in units of 10 km from the south-western corner of the map."""

    iata: str
    city: str
    east: int
    north: int


PLACES = (
    Place("SFO", "San Francisco", 10, 150),
    Place("JFK", "New York", 424, 185),
    Place("LAX", "Los Angeles", 50, 110),
    Place("ORD", "Chicago", 310, 190),
    Place("DFW", "Dallas", 235, 90),
    Place("DEN", "Denver", 155, 165),
    Place("SEA", "Seattle", 20, 250),
    Place("ATL", "Atlanta", 345, 95),
    Place("MIA", "Miami", 405, 5),
    Place("BOS", "Boston", 450, 205),
    Place("PHX", "Phoenix", 105, 100),
    Place("IAH", "Houston", 250, 55),
    Place("LAS", "Las Vegas", 80, 130),
    Place("MCO", "Orlando", 385, 40),
    Place("EWR", "Newark", 421, 185),
    Place("CLT", "Charlotte", 375, 115),
    Place("MSP", "Minneapolis", 260, 215),
    Place("DTW", "Detroit", 345, 195),
    Place("PHL", "Philadelphia", 412, 175),
    Place("LGA", "New York", 423, 186),
)
CITIES = {place.iata: place.city for place in PLACES}
HUBS = ("ORD", "DFW", "ATL", "DEN")


def minutes(origin: Place, destination: Place) -> int:
    """How long a flight takes, in minutes, to the next five: 13 km a minute and 40 minutes on the ground and climbing.

    Whole numbers only, so that every machine finds the same.
    """
    tens = isqrt((origin.east - destination.east) ** 2 + (origin.north - destination.north) ** 2)
    return -(-(40 + tens * 10 // 13) // 5) * 5


def spoken(code: str) -> str:
    """A city as customers say it, with the airport's code where the city has more than one."""
    city = CITIES[code]
    return f"{city} ({code})" if list(CITIES.values()).count(city) > 1 else city
