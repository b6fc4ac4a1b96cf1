"""The quickest way through the streets: a search over the graph of all corners (Dijkstra, 1959).

For drivers a state is a corner with the one before it, as that decides which turns are allowed; by tram and bus, a
corner with the line on which one comes. What a ride costs depends on when one is at the stop. Worlds give what their
rows hold; a search is remembered by what it was given, since equal rows lead to equal ways.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache
from heapq import heappop, heappush
from itertools import groupby, pairwise
from typing import Literal, NamedTuple, Protocol

from toolgym.domains.streets import corner, stretch_of

Mode = Literal["drive", "walk", "bicycle", "transit"]
Avoid = Literal["tolls", "highways", "ferries"]
Point = tuple[int, int]
State = tuple[Point | str, Point]
RideRow = tuple[str, str, str, int, int, int, int]
SPEEDS = {"highway": 100, "road": 70, "avenue": 50, "street": 30}
"""Of cars, in km/h; who walks does 80 metres a minute, and who cycles 16 km/h."""
WALK, BICYCLE, DRIVEWAY, FERRY, BOARDING, CORNER, CHANGE = 0.75, 0.225, 0.12, 0.24, 300, 15, 60
"""Seconds a metre on foot, by bicycle, up to an entrance by car, and on a ferry; seconds to board that, those that a
car waits at a corner, and those before a tram leaves at which one has to be there.
"""
_HEADINGS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
_PACE = {"drive": DRIVEWAY, "walk": WALK, "bicycle": BICYCLE, "transit": WALK}


class Spot(Protocol):
    """Where a way begins or ends."""

    @property
    def point(self) -> str:
        """Its corner."""

    @property
    def entrance_metres(self) -> int:
        """How far it is from there."""


class Corner(NamedTuple):
    """A spot right at a corner."""

    point: str
    entrance_metres: int = 0


class Edge(NamedTuple):
    """A stretch of a street, or a ride from one stop to the next, in one direction.

    Attributes:
        name: of the street or line.
        begin: where it begins.
        end: where it ends.
        metres: how long it is.
        seconds: by mode; none where that is not allowed.
        toll_cents: what driving it costs.
        avoidable: what of `Avoid` it is.
        stretch: the same in both directions.
        times: of a ride, the first and last second at which it begins, and the seconds between two.
    """

    name: str
    begin: Point
    end: Point
    metres: int
    seconds: dict[str, int]
    toll_cents: int = 0
    avoidable: frozenset[str] = frozenset()
    stretch: str = ""
    times: tuple[int, int, int] | None = None


class Network:
    """The graph: edges by the corner where they begin and by the one where they end, and the turns that are barred."""

    def __init__(self, edges: Sequence[Edge], barred: frozenset[tuple[Point, ...]]) -> None:
        self.exits: defaultdict[Point, list[Edge]] = defaultdict(list)
        self.entries: defaultdict[Point, list[Edge]] = defaultdict(list)
        self.barred = barred
        for edge in edges:
            self.exits[edge.begin].append(edge)
            self.entries[edge.end].append(edge)


class Trip(NamedTuple):
    """A way over one or several stops: its edges, and what it comes to."""

    edges: tuple[Edge, ...]
    metres: int
    seconds: int
    toll_cents: int

    @property
    def minutes(self) -> int:
        """How long it takes, every begun minute counted."""
        return -(-self.seconds // 60)


class Found(NamedTuple):
    """All quickest ways from one corner: when each other one is reached, in which state, and over which edge."""

    at: dict[Point, int]
    state: dict[Point, State]
    led: dict[State, tuple[State, Edge]]

    def way(self, to: Point) -> list[Edge]:
        """The edges that lead to a corner."""
        edges, state = [], self.state[to]
        while state in self.led:
            state, edge = self.led[state]
            edges.append(edge)
        return edges[::-1]


class Roads:
    """The streets as somebody finds them at a moment.

    Args:
        streets: a line each: name, kind, corners, whether it is one-way (1 or 0), and toll, with | between.
        turns: those that are barred, a line each: three corners with | between.
        rides: line, the two corners, minutes, and the first, last and every how many minutes of the day it leaves.
        closed: what nobody passes, as `stretch_of` names it.
        mode: how one moves.
        avoid: what of `Avoid` to keep away from.
        second: of the day, at which one sets out; it matters where there are rides.
    """

    def __init__(
        self,
        streets: str,
        turns: str,
        rides: tuple[RideRow, ...],
        closed: frozenset[str],
        mode: str,
        avoid: Sequence[str],
        second: int,
    ) -> None:
        self._network, self._closed = _network(streets, turns, rides), closed
        self._mode, self._avoid, self._second = mode, frozenset(avoid), second if rides else 0

    def trip(self, spots: Sequence[Spot]) -> Trip | None:
        """The quickest way from the first spot over the next ones to the last; None where there is none."""
        edges: list[Edge] = []
        metres = seconds = 0
        for here, there in pairwise(spots):
            if here == there:
                continue
            leaves = seconds + self._entrance(here)
            found = self._from(here, leaves)
            reached = found.at.get(corner(there.point))
            if reached is None:
                return None
            leg = found.way(corner(there.point))
            edges += leg
            metres += here.entrance_metres + sum(edge.metres for edge in leg) + there.entrance_metres
            seconds = leaves + reached + self._entrance(there)
        toll = sum(edge.toll_cents for edge in edges) if self._mode == "drive" else 0
        return Trip(tuple(edges), metres, seconds, toll)

    def directions(self, spots: Sequence[Spot]) -> list[tuple[str, int]]:
        """What to do on the quickest way, street by street, each with its metres."""
        trip = self.trip(spots)
        steps: list[tuple[str, int]] = []
        before: Edge | None = None
        for name, group in groupby(trip.edges if trip else (), key=lambda edge: edge.name):
            edges = list(group)
            steps.append((f"{_move(before, edges[0])} {name}", sum(edge.metres for edge in edges)))
            before = edges[-1]
        return steps

    def stretches(self, spots: Sequence[Spot]) -> frozenset[str]:
        """What the quickest way passes, as `stretch_of` names it."""
        trip = self.trip(spots)
        return frozenset(edge.stretch for edge in (trip.edges if trip else ()))

    def order(self, start: Spot, stops: Sequence[Spot]) -> list[int] | None:
        """The quickest order of stops, as their positions; None where there is no way (Held and Karp, 1962)."""
        spots = [*stops, start]
        took = {(a, b): self.trip((spots[a], spots[b])) for a in range(len(spots)) for b in range(len(stops)) if a != b}

        @cache
        def best(at: int, left: frozenset[int]) -> tuple[float, tuple[int, ...]]:
            ways = []
            for there in sorted(left):
                leg = took[at, there]
                rest, order = best(there, left - {there})
                ways.append((rest + (leg.seconds if leg else math.inf), (there, *order)))
            return min(ways, default=(0.0, ()))

        seconds, order = best(len(stops), frozenset(range(len(stops))))
        return None if seconds == math.inf else list(order)

    def detours(self, spots: Sequence[Spot], places: Sequence[Spot]) -> list[int | None]:
        """By how many seconds a stop at each place makes a way longer, where it costs least; None for out of reach."""
        legs = [(self._from(here), self._from(there, backwards=True), there) for here, there in pairwise(spots)]
        found: list[int | None] = []
        for place in places:
            at, inside = corner(place.point), 2 * self._entrance(place)
            more = [
                forth.at[at] + back.at[at] + inside - forth.at[corner(there.point)]
                for forth, back, there in legs
                if at in forth.at and at in back.at
            ]
            found.append(min(more, default=None))
        return found

    def _entrance(self, spot: Spot) -> int:
        return round(spot.entrance_metres * _PACE[self._mode])

    def _from(self, spot: Spot, leaves: int = 0, *, backwards: bool = False) -> Found:
        second, start = self._second + leaves if self._second else 0, corner(spot.point)
        return _search(self._network, start, self._mode, self._avoid, self._closed, second, backwards=backwards)


def _move(before: Edge | None, edge: Edge) -> str:
    if edge.times is not None:
        return "Take"
    if before is None or before.times is not None:
        return f"Go {_HEADINGS[round(_angle(edge) / 45) % 8]} on"
    by = (_angle(edge) - _angle(before) + 180) % 360 - 180
    return "Go on along" if abs(by) < 30 else f"Turn {'right' if by > 0 else 'left'} into"


def _angle(edge: Edge) -> float:
    return math.degrees(math.atan2(edge.end[0] - edge.begin[0], edge.end[1] - edge.begin[1]))


@lru_cache(maxsize=256)
def _search(
    network: Network,
    start: Point,
    mode: str,
    avoid: frozenset[str],
    closed: frozenset[str],
    second: int,
    *,
    backwards: bool,
) -> Found:
    """All quickest ways from a corner, or with `backwards` to it."""
    begun: State = ("", start)
    best, queue, found = {begun: 0}, [(0, begun)], Found({}, {}, {})
    edges = network.entries if backwards else network.exits
    while queue:
        at, state = heappop(queue)
        if at > best[state]:
            continue
        before, here = state
        if here not in found.at:
            found.at[here], found.state[here] = at, state
        for edge in edges[here]:
            there = edge.begin if backwards else edge.end
            took = _took(edge, mode, second + at, stays=before == edge.name)
            if took is None or edge.stretch in closed or avoid & edge.avoidable:
                continue
            then: State = (edge.name if edge.times else "", there)
            if mode == "drive":
                turn = (there, here, before) if backwards else (before, here, there)
                if there == before or turn in network.barred:
                    continue
                then = (here, there)
            if at + took < best.get(then, math.inf):
                best[then] = at + took
                found.led[then] = (state, edge)
                heappush(queue, (at + took, then))
    return found


def _took(edge: Edge, mode: str, second: int, *, stays: bool) -> int | None:
    """How long an edge takes from a second of the day on, with the wait for a ride; who stays on a line waits less."""
    took = edge.seconds.get(mode)
    if took is None or edge.times is None:
        return took
    first, last, every = edge.times
    ready = second if stays else second + CHANGE
    leaves = max(first, first + -(-(ready - first) // every) * every)
    return None if leaves > last else leaves - second + took


@lru_cache(maxsize=4)
def _network(streets: str, turns: str, rides: tuple[RideRow, ...]) -> Network:
    edges: list[Edge] = []
    for line in streets.splitlines():
        name, kind, points, one_way, toll = line.split("|")
        toll_cents = int(toll)
        for one, other in pairwise(points.split()):
            a, b, stretch = corner(one), corner(other), stretch_of(one, other)
            metres = round(math.dist(a, b))
            kinds = {"tolls": toll_cents > 0, "highways": kind == "highway", "ferries": kind == "ferry"}
            avoidable = frozenset(name for name, holds in kinds.items() if holds)
            for begin, end in ((a, b), (b, a)):
                seconds = _seconds(kind, metres, against=one_way == "1" and begin == b)
                edges.append(Edge(name, begin, end, metres, seconds, toll_cents, avoidable, stretch))
    for name, begins, ends, took, first, last, every in rides:
        a, b = corner(begins), corner(ends)
        times = (first * 60, last * 60, every * 60)
        edges.append(Edge(name, a, b, round(math.dist(a, b)), {"transit": took * 60}, times=times))
    barred = frozenset(tuple(map(corner, line.split("|"))) for line in turns.splitlines())
    return Network(edges, barred)


def _seconds(kind: str, metres: int, *, against: bool) -> dict[str, int]:
    """How long a stretch takes by each mode that is allowed on it."""
    if kind == "ferry":
        return dict.fromkeys(("drive", "walk", "bicycle", "transit"), round(metres * FERRY) + BOARDING)
    found = {} if kind == "highway" else {"walk": round(metres * WALK), "transit": round(metres * WALK)}
    if not against and kind != "highway":
        found["bicycle"] = round(metres * BICYCLE)
    if not against and kind in SPEEDS:
        found["drive"] = round(metres * 3.6 / SPEEDS[kind]) + CORNER
    return found
