"""The streets that worlds ship: two towns, Northport and Millbrook, with what lies between them.

Northport has two banks, each a grid, and a river with three bridges and a ferry to an island. Not for places, which
are each world's own.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

NORTHPORT, MILLBROOK = "Northport", "Millbrook"
_EASTINGS, _SOUTH, _NORTH = (0, 300, 600, 900, 1200, 1600, 2000, 2400), (0, 250, 500, 750), (1100, 1350, 1600, 1900)
_AVENUES = "Ash Birch Cedar Elm Fir Hazel Linden Maple".split()
_LANES = "Anchor Bell Cooper Dock Exchange Fisher Granary Hanover".split()
_ACROSS = ("South Parade", "Mill Lane", "Market Street", "Quay Street")
_UPTOWN = ("Harbour Road", "Castle Street", "Station Road", "Hill Road")
_EAST, _UP = (21000, 21300, 21600, 22000, 22400), (0, 300, 600, 900, 1200)
_BROOK_ACROSS = ("Lake Road", "Mill Lane", "Church Street", "Station Road", "Green Street")
_BROOK_UP = ("Abbey Lane", "King Street", "Queen Street", "School Lane", "Orchard Road")
_BACKWARDS = {"Birch Avenue", "Elm Avenue", "Bell Lane", "Fisher Lane", "Castle Street", "King Street"}
_FORWARDS = {"Cedar Avenue", "Mill Lane", "Cooper Lane", "Granary Lane", "Queen Street", "Church Street"}
"""One-way streets, from the last corner to the first and from the first to the last."""

BARRED = (
    ("900,750", "1200,750", "1200,1100"),  # King's Bridge is reached straight from Fir Avenue only
    ("1600,750", "1200,750", "1200,1100"),
    ("900,1100", "1200,1100", "1200,750"),
    ("300,750", "600,750", "600,1100"),
    ("2400,750", "2000,750", "2000,1100"),
    ("600,500", "900,500", "900,750"),
    ("1200,500", "1600,500", "1600,750"),
    ("1600,500", "1200,500", "1200,250"),
    ("1200,1350", "1200,1100", "1600,1100"),
    ("300,1600", "600,1600", "600,1900"),
    ("2000,1600", "1600,1600", "1600,1350"),
    ("2400,1600", "2000,1600", "2000,1350"),
    ("21300,300", "21600,300", "21600,600"),
    ("22000,900", "21600,900", "21600,1200"),
    ("22000,1200", "22000,900", "21600,900"),
    ("21000,600", "21300,600", "21300,300"),
)
"""Turns that nobody may drive: from the first corner, at the second, towards the third."""


class Way(NamedTuple):
    """A street before it is a row; `city` is empty between the towns."""

    name: str
    city: str
    kind: str
    points: str
    one_way: bool = False
    toll_cents: int = 0


def ways() -> Iterator[Way]:
    """All streets."""
    yield from _grid(NORTHPORT, _ACROSS, [f"{name} Avenue" for name in _AVENUES], _EASTINGS, _SOUTH)
    yield from _grid(NORTHPORT, _UPTOWN, [f"{name} Lane" for name in _LANES], _EASTINGS, _NORTH)
    yield from _grid(MILLBROOK, _BROOK_ACROSS, _BROOK_UP, _EAST, _UP)
    yield Way("Old Bridge", NORTHPORT, "street", "600,750 600,1100")
    yield Way("King's Bridge", NORTHPORT, "avenue", "1200,750 1200,1100", toll_cents=250)
    yield Way("Station Bridge", NORTHPORT, "street", "2000,750 2000,1100")
    yield Way("Riverside Path", NORTHPORT, "path", "300,750 900,500 1200,250")
    yield Way("Castle Path", NORTHPORT, "path", "900,1350 1200,1600 1600,1900")
    yield Way("Lake Path", MILLBROOK, "path", "21300,0 21600,300 22000,600")
    yield Way("Pier Road", NORTHPORT, "street", "0,750 -300,750")
    yield Way("Quarry Road", NORTHPORT, "street", "2400,0 2700,-200")
    yield Way("Mill Pond Road", MILLBROOK, "street", "22400,0 22700,0")
    yield Way("Gull Ferry", NORTHPORT, "ferry", "0,1100 -1500,1800")
    yield Way("Gull Road", NORTHPORT, "street", "-1500,1800 -1500,2200 -1900,2200")
    yield Way("Old Mill Road", "", "road", "2400,250 8000,600 14000,400 21000,300")
    yield Way("Coast Highway", "", "highway", "2400,1600 6000,2400 18000,2200 21000,1200", toll_cents=190)


def corner(point: str) -> tuple[int, int]:
    """A corner as numbers."""
    east, north = point.split(",")
    return int(east), int(north)


def city_of(point: str) -> str:
    """The town of a corner."""
    return NORTHPORT if corner(point)[0] < 10_000 else MILLBROOK


class Addresses:
    """Addresses in the two towns, each once.

    Args:
        rng: decides which.
    """

    def __init__(self, rng: Random) -> None:
        self._rng, self._used = rng, set[str]()
        built = [way for way in ways() if way.city and way.kind in ("street", "avenue")]
        self._streets = [way for way in built if "Bridge" not in way.name]

    def next(self, city: str, at: str = "", inside: int = 0) -> dict[str, Any]:
        """One in a street of a town, or at a corner, some metres off it: columns by name."""
        fitting = [way for way in self._streets if way.city == city and (not at or at in way.points.split())]
        street = self._rng.choice(fitting)
        point = at or self._rng.choice(street.points.split())
        numbers = (f"{self._rng.randrange(1, 120)} {street.name}" for _ in range(1000))
        address = next(text for text in numbers if f"{text}, {city}" not in self._used)
        self._used.add(f"{address}, {city}")
        east, north = corner(point)
        return {
            "address": address,
            "street": street.name,
            "city": city,
            "point": point,
            "entrance_metres": inside,
            "latitude": round(42.3 + (north + inside / 3) / 111_000, 5),
            "longitude": round(-70.9 + (east + inside / 2) / 82_000, 5),
        }


def stretch_of(a: str, b: str) -> str:
    """The name of what lies between two corners, whichever way one goes."""
    return " ".join(sorted((a, b)))


def _grid(
    city: str, across: Sequence[str], along: Sequence[str], eastings: Sequence[int], up: Sequence[int]
) -> Iterator[Way]:
    for name, north in zip(across, up, strict=True):
        yield _way(name, city, [f"{east},{north}" for east in eastings])
    for name, east in zip(along, eastings, strict=True):
        yield _way(name, city, [f"{east},{north}" for north in up])


def _way(name: str, city: str, points: list[str]) -> Way:
    kind = "avenue" if name.endswith(("Road", "Parade", "Quay Street")) else "street"
    ordered = points[::-1] if name in _BACKWARDS else points
    return Way(name, city, kind, " ".join(ordered), one_way=name in _BACKWARDS | _FORWARDS)
