"""What the map lets an agent do for a traveller."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Annotated, Literal

from pydantic import Field

from toolgym.domains.maps import schema
from toolgym.domains.maps.schema import Place, PlaceList, Review, Route, Saved, Traveller, is_open
from toolgym.domains.routing import Avoid, Mode, Roads, Spot
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.reference import NOT_BLANK, Free, PageNumber, Ref, Reference
from toolgym.sandbox.kit.search import equals_text
from toolgym.sandbox.kit.tool import tool
from toolgym.sandbox.kit.view import Page, View

Category = Literal["cafe", "restaurant", "pharmacy", "charger", "parking", "hotel", "museum", "shop", "park"]
Origins = Annotated[list[Annotated[Place, Reference(name="origin_ids")]], Field(min_length=1, max_length=5)]
Destinations = Annotated[list[Annotated[Place, Reference(name="destination_ids")]], Field(min_length=1, max_length=5)]
Stops = Annotated[list[Annotated[Place, Reference(name="stop_ids")]], Field(min_length=1, max_length=20)]
Email = Annotated[str, Field(pattern=r"^[^@\s]+@[^@\s]+\.[^@\s]+$", max_length=200)]
Words = Annotated[str, Field(min_length=1, max_length=100), NOT_BLANK]
Found = dict[str, list[View[Place]] | int]
Kept = dict[str, list[View[PlaceList]] | list[View[Saved]] | int]
Traffic = dict[str, list[View[schema.Incident]] | int | datetime]


@tool("read")
def get_current_location(db: Database) -> View[Traveller]:
    """Get where the user is, with whom routes may be shared, and the present moment."""
    return View(db.owner(Traveller), now=db.now)


@tool("read")
def geocode(db: Database, address: Words, city: str | None = None) -> Found:
    """Find what stands at an address; at most five, as two towns may have a street of the same name.

    Args:
        address: number and street, or the street alone.
        city: only in this town.
    """
    keys = db.query(_AT, address=address.strip(), end=f"% {address.strip()}", city=city)
    return _page(db, [(key, None) for (key,) in keys[:5]], 1)


@tool("read")
def reverse_geocode(
    db: Database, latitude: Annotated[float, Field(ge=-90, le=90)], longitude: Annotated[float, Field(ge=-180, le=180)]
) -> View[Place]:
    """Get the place that is nearest to coordinates.

    Args:
        latitude: degrees north.
        longitude: degrees east.
    """
    return View(db.get_one(Place, db.query(_NEXT_TO, latitude=latitude, longitude=longitude)[0][0]))


@tool("read")
def search_places(
    db: Database,
    text: str | None = None,
    category: Category | None = None,
    city: str | None = None,
    street: str | None = None,
    near: Ref[Place] | None = None,
    radius_m: Annotated[int, Field(ge=100, le=30000)] | None = None,
    open_at: datetime | None = None,
    min_rating: Annotated[float, Field(ge=1, le=5)] | None = None,
    page: PageNumber = 1,
) -> Found:
    """Search places, the nearest first, with the metres as the crow flies.

    Args:
        text: only those whose name holds this.
        category: only of this sort.
        city: only in this town.
        street: only in this street.
        near: from where; from the user's own location without it.
        radius_m: only those within so many metres.
        open_at: only those that are open at this moment.
        min_rating: only those with at least so many stars.
        page: ten a page.
    """
    here = near or here_of(db)
    given = {"latitude": here.latitude, "longitude": here.longitude, "text": (text or "").strip().lower()}
    given |= {"category": category, "city": city, "street": street, "rating": min_rating, "radius": radius_m}
    rows = [(key, round(square**0.5)) for key, square in db.query(_SEARCHED, here=near and near.place_id, **given)]
    if open_at is not None:
        rows = [row for row in rows if is_open(db.get_one(Place, row[0]), open_at)]
    return _page(db, rows, page)


@tool("read")
def get_place(db: Database, place: Ref[Place]) -> View[Place]:
    """Get a place in full: hours, whether it has closed for good, phone, price level, parking, metres to a stop."""
    whole = View(place).bound(db)
    return View(place, **{name: getattr(whole, name) for name in _DETAILS})


@tool("read")
def list_reviews(
    db: Database, place: Ref[Place], stars: Annotated[int, Field(ge=1, le=5)] | None = None, page: PageNumber = 1
) -> Page[Review]:
    """List reviews of a place, the newest first.

    Args:
        stars: only those with so many.
        page: ten a page.
    """
    rows = db.find(Review, place_id=place.place_id)
    return Page([row for row in rows[::-1] if stars in (None, row.stars)], page)


@tool("read")
def get_travel_times(
    db: Database,
    destinations: Destinations,
    mode: Mode,
    origins: Origins | None = None,
    avoid: list[Avoid] = [],  # noqa: B006  # never written
    departs_at: datetime | None = None,
) -> dict[str, list[dict[str, str | int | None]]]:
    """Get the minutes and metres between places, without what traffic adds; null where no way leads there.

    Args:
        destinations: where to.
        mode: how.
        origins: where from; from the user's own location without any.
        avoid: what of this to keep away from.
        departs_at: when it begins, which decides what is closed and which tram comes; now without it.
    """
    ways = roads(db, mode, avoid, departs_at or db.now)
    starts: list[tuple[str | None, Spot]] = [(row.place_id, row) for row in origins or ()]
    found: list[dict[str, str | int | None]] = []
    for key, start in starts or [(None, here_of(db))]:
        for place in destinations:
            trip = ways.trip((start, place))
            far = (trip.metres, trip.minutes) if trip else (None, None)
            found.append({"origin_id": key, "destination_id": place.place_id, "metres": far[0], "minutes": far[1]})
    return {"items": found}


@tool("neutral")
def plan_route(
    db: Database,
    stops: Stops,
    mode: Mode,
    start: Ref[Place] | None = None,
    avoid: list[Avoid] = [],  # noqa: B006  # never written
    best_order: bool = False,
    departs_at: datetime | None = None,
) -> View[Route]:
    """Plan the quickest route, without what traffic adds. It answers with the stops in the order of the route.

    Args:
        stops: where to, in this order.
        mode: how.
        start: where from; from the user's own location without it.
        avoid: what of this to keep away from.
        best_order: true to visit the stops in the quickest order instead.
        departs_at: when it begins, which decides what is closed and which tram comes; now without it.
    """
    leaves = departs_at or db.now
    if leaves < db.now:
        raise Refusal("past", "A route begins now or later.")
    if any(a == b for a, b in zip([start, *stops], stops, strict=False)):
        raise Refusal("invalid_argument", "The same place comes twice in a row.")
    ways, begin = roads(db, mode, avoid, leaves), start or here_of(db)
    order = ways.order(begin, stops) if best_order else range(len(stops))
    visited = [stops[place] for place in order or ()]
    trip = ways.trip([begin, *visited])
    if trip is None or not visited:
        raise Refusal("no_way", "There is no way there at that time.")
    key = route_key(start, visited, mode, avoid, leaves)
    old = db.get(Route, key)
    if old is not None:
        db.delete(old)
    found = {"minutes": trip.minutes, "metres": trip.metres, "toll_cents": trip.toll_cents, "departs_at": leaves}
    asked = {"stop_ids": " ".join(stop.place_id for stop in visited), "mode": mode, "avoid": " ".join(avoid)}
    arrives = leaves + timedelta(minutes=trip.minutes)
    made = db.add(Route, route_id=key, start=start, arrives_at=arrives, **asked, **found)
    return View(made, stops=[stop.name for stop in visited])


@tool("read")
def get_route_steps(db: Database, route: Ref[Route]) -> dict[str, list[dict[str, str | int]]]:
    """Get a route's directions, step by step."""
    ways, spots = _planned(db, route)
    return {"items": [{"instruction": text, "metres": far} for text, far in ways.directions(spots)]}


@tool("read")
def find_along_route(
    db: Database,
    route: Ref[Route],
    category: Category,
    max_detour_minutes: Annotated[int, Field(ge=1, le=30)] = 10,
) -> dict[str, list[View[Place]]]:
    """Find places for a stop on a route by car, by bicycle or on foot; at most ten, the smallest detour first.

    Args:
        category: of this sort.
        max_detour_minutes: only those that make the route longer by at most so many minutes.
    """
    if route.mode == "transit":
        raise Refusal("wrong_state", "Stops on the way are found for routes by car, by bicycle or on foot.")
    near = detours(db, *_planned(db, route), category)
    shown = [View(row, detour_seconds=more) for more, row in near if more <= max_detour_minutes * 60]
    return {"items": shown[:10]}


@tool("read")
def get_traffic(db: Database, route: Ref[Route]) -> Traffic:
    """Get what slows down a route by car as it begins, the minutes that it costs, and the arrival with them."""
    return _traffic(db, route)


@tool("read")
def list_departures(
    db: Database, stop: Ref[Place], after: datetime | None = None, line: str | None = None
) -> dict[str, list[dict[str, str]]]:
    """List the next ten trams and buses that leave a stop.

    Args:
        after: from this moment on; from now on without it.
        line: only this line, such as Tram 1.
    """
    moment = after or db.now
    minute, found = moment.hour * 60 + moment.minute, []
    for name, towards, first, last, every in db.query(_LEAVING, stop=stop.place_id, line=line and line.strip()):
        begin = max(first, first + -(-(minute - first) // every) * every)
        found += [(at, name, towards) for at in range(begin, min(last, begin + 10 * every) + 1, every)]
    shown = [(f"{at // 60:02d}:{at % 60:02d}", name, towards) for at, name, towards in sorted(found)[:10]]
    return {"items": [dict(zip(("at", "line", "towards"), each, strict=True)) for each in shown]}


@tool("read")
def list_saved_places(
    db: Database,
    list_name: str | None = None,
    label: str | None = None,
    text: str | None = None,
    page: PageNumber = 1,
) -> Kept:
    """List the user's lists and the places in them, list by list; who looks for places sees the lists that hold any.

    Args:
        list_name: only the list of this name.
        label: only the place that the user calls so, such as flat.
        text: only places whose name holds this.
        page: ten a page.
    """
    wanted = {"label": label and label.strip(), "text": (text or "").strip().lower()}
    wanted |= {"owner": db.owner(Traveller).traveller_id, "name": list_name and list_name.strip()}
    rows = db.query(_SAVED, **wanted)
    lists = [row for row in db.mine(PlaceList) if equals_text(row.list_name, list_name)]
    if label or text:
        lists = [row for row in lists if row.list_name in {name for _, name, _ in rows}]
    near = rows[page * 10 - 10 : page * 10]
    shown = [View(db.get_one(Saved, key), list_name=name, place_name=called) for key, name, called in near]
    return {"lists": [View(row) for row in lists], "items": shown, **_count(rows, page)}


@tool("write")
def save_place(db: Database, place: Ref[Place], place_list: Ref[PlaceList], note: Free = "") -> View[Saved]:
    """Keep a place in a list.

    Args:
        note: what the user wants to remember about it.
    """
    made = db.add(Saved, place=place, place_list=place_list, label=None, note=note)
    return View(made, list_name=place_list.list_name, place_name=place.name)


@tool("write")
def remove_saved_place(db: Database, saved: Ref[Saved]) -> dict[str, str]:
    """Take a place out of a list."""
    db.delete(saved)
    return {"removed": saved.saved_id}


@tool("write")
def share_route(db: Database, route: Ref[Route], email: Email, message: Free = "") -> View[schema.Shared]:
    """Send somebody a route with the arrival, the delay of traffic included.

    Args:
        email: who gets it.
        message: what the user wants to say with it.
    """
    arrives = _traffic(db, route)["arrives_at"]
    sent = {"stop_ids": route.stop_ids, "mode": route.mode, "arrives_at": arrives, "message": message}
    return View(db.add(schema.Shared, email=email.strip().lower(), **sent))


def here_of(db: Database) -> Place:
    """Where the user is."""
    return db.get_one(Place, db.owner(Traveller).place_id)


def roads(db: Database, mode: str, avoid: Sequence[str], leaves: datetime) -> Roads:
    """The streets for who sets out then; closures hold for cars and bicycles."""
    streets, turns, found = db.query(_STREETS, at=leaves.isoformat(timespec="minutes"))[0]
    closed = frozenset(found.split("|") if found and mode in ("drive", "bicycle") else ())
    rides, second = tuple(db.query(_RIDES)) if mode == "transit" else (), leaves.hour * 3600 + leaves.minute * 60
    return Roads(streets, turns, rides, closed, mode, avoid, second)


def route_key(start: Place | None, stops: Sequence[Place], mode: str, avoid: Sequence[str], leaves: datetime) -> str:
    """The number of a route: the same way at the same moment has the same one."""
    keys = [row and row.place_id for row in (start, *stops)]
    text = repr((keys, mode, sorted({*avoid}), leaves.isoformat(timespec="minutes")))
    return f"rt-{int.from_bytes(blake2b(text.encode(), digest_size=6).digest(), 'big') % 10**6:06d}"


def detours(db: Database, ways: Roads, spots: Sequence[Spot], category: str) -> list[tuple[int, Place]]:
    """The places of a category by the seconds that a stop there costs on a way, the fewest first."""
    places = [row for row in db.find(Place, category=category) if row not in spots]
    found = zip(ways.detours(spots, places), places, strict=True)
    return sorted((seconds, row) for seconds, row in found if seconds is not None)


def _planned(db: Database, route: Route) -> tuple[Roads, list[Spot]]:
    """The streets at a route's beginning, and where it goes."""
    start = db.get_one(Place, route.start_id) if route.start_id else here_of(db)
    stops = [db.get_one(Place, key) for key in route.stop_ids.split()]
    return roads(db, route.mode, route.avoid.split(), route.departs_at), [start, *stops]


def _traffic(db: Database, route: Route) -> Traffic:
    ways, spots = _planned(db, route)
    driven = ways.stretches(spots) if route.mode == "drive" else frozenset[str]()
    slow = db.query(_SLOW, at=route.departs_at.isoformat(timespec="minutes"))
    rows = [db.get_one(schema.Incident, key) for key, stretch in slow if stretch in driven]
    delay = sum(row.delay_minutes for row in rows)
    arrives = route.arrives_at + timedelta(minutes=delay)
    return {"items": [View(row) for row in rows], "delay_minutes": delay, "arrives_at": arrives}


def _count(rows: Sequence[object], page: int) -> dict[str, int]:
    return {"page": page, "pages": -(-len(rows) // 10), "total": len(rows)}


def _page(db: Database, rows: Sequence[tuple[str, int | None]], page: int) -> Found:
    near = [(db.get_one(Place, key), far) for key, far in rows[page * 10 - 10 : page * 10]]
    shown = [View(row) if far is None else View(row, metres=far) for row, far in near]
    return {"items": shown, **_count(rows, page)}


_DETAILS = (
    "address", "latitude", "longitude", "state", "weekdays", "saturday", "sunday", "open_until", "price_level", "phone",
    "parking", "entrance_metres", "stop_metres",
)  # fmt: skip
_AT = """SELECT place_id FROM places WHERE (address = :address COLLATE NOCASE OR address LIKE :end)
    AND (:city IS NULL OR city = :city COLLATE NOCASE) ORDER BY place_id"""
_NEXT_TO = """SELECT place_id FROM places ORDER BY (latitude - :latitude) * (latitude - :latitude) * 1.8
    + (longitude - :longitude) * (longitude - :longitude), place_id LIMIT 1"""
_SEARCHED = """SELECT place_id, (latitude - :latitude) * (latitude - :latitude) * 12321000000.0
    + (longitude - :longitude) * (longitude - :longitude) * 6724000000.0 AS square FROM places
    WHERE category != 'address' AND (:text = '' OR instr(lower(name), :text))
    AND (:category IS NULL OR category = :category) AND (:city IS NULL OR city = :city COLLATE NOCASE)
    AND (:street IS NULL OR street = :street COLLATE NOCASE) AND (:rating IS NULL OR rating >= :rating)
    AND (:here IS NULL OR place_id != :here) AND (:radius IS NULL OR square <= :radius * :radius)
    ORDER BY square, place_id"""
_SLOW = """SELECT incident_id, stretch FROM incidents
    WHERE kind != 'closure' AND starts <= :at AND ends > :at ORDER BY incident_id"""
_STREETS = """SELECT (SELECT group_concat(name || '|' || kind || '|' || points || '|' || one_way || '|' || toll_cents, '
') FROM streets), (SELECT group_concat(before || '|' || corner || '|' || after, '
') FROM turns), (SELECT group_concat(stretch, '|') FROM incidents
    WHERE kind = 'closure' AND starts <= :at AND ends > :at)"""
_RIDES = """SELECT line, p.point, q.point, minutes, first_minute, last_minute, every_minutes FROM rides r
    JOIN places p USING (place_id) JOIN places q ON q.place_id = r.next_place_id ORDER BY ride_id"""
_LEAVING = """SELECT line, towards, first_minute, last_minute, every_minutes FROM rides
    WHERE place_id = :stop AND (:line IS NULL OR line = :line COLLATE NOCASE)"""
_SAVED = """SELECT s.saved_id, l.list_name, CASE WHEN s.label IS NULL THEN p.name END
    FROM place_lists l JOIN saved s USING (place_list_id) JOIN places p USING (place_id) WHERE l.traveller_id = :owner
    AND (:name IS NULL OR l.list_name = :name COLLATE NOCASE) AND (:label IS NULL OR s.label = :label COLLATE NOCASE)
    AND (:text = '' OR instr(lower(p.name), :text)) ORDER BY s.place_list_id, s.saved_id"""
