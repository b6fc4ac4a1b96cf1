"""What people on the way want. Their words are in sentences.toml."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

from toolgym.domains.maps import tools
from toolgym.domains.maps.schema import Place, PlaceList, Ride, Saved, is_open
from toolgym.domains.people import FIRST_NAMES, LAST_NAMES
from toolgym.sandbox.kit.goal import Calls, Draw, Goal, Made, Slot, Tell, Thing
from toolgym.sandbox.kit.tool import Tool

MODES = {"drive": "by car", "walk": "on foot", "bicycle": "by bicycle", "transit": "by tram or bus"}
WHEELS = {"drive": "by car", "bicycle": "by bicycle"}
SORTS = {"cafe": "café", "restaurant": "restaurant", "pharmacy": "pharmacy", "shop": "shop", "museum": "museum"}
ON_THE_WAY = SORTS | {"charger": "charger", "parking": "car park", "park": "park"}
_BRINGS = ("the cake", "an umbrella", "the spare key", "the tickets", "some bread", "the map")
_REMARKS = ("quiet", "crowded at noon", "worth a detour", "good for groups", "hard to find")


def _one_place(draw: Draw) -> list[Place]:
    """A place, mostly in the town where the person is."""
    rows = [row for row in draw.rows(Place) if row.category != "stop"]
    near = [row for row in rows if row.city == tools.here_of(draw.database).city]
    return [draw.rng.choice(near if draw.rng.random() < 0.7 else rows)]


def _kept_in(draw: Draw, kept: PlaceList) -> list[tuple[Saved, Place]]:
    rows = draw.database.find(Saved, place_list_id=kept.place_list_id)
    return [(row, draw.database.get_one(Place, row.place_id)) for row in rows]


def _errands(draw: Draw) -> list[Place]:
    return [place for _, place in _kept_in(draw, draw.values["place_list"])]


def _later(draw: Draw) -> datetime:
    return draw.now.replace(minute=0) + timedelta(minutes=draw.rng.choice((60, 90, 120, 150, 180, 240, 300)))


def _email(draw: Draw) -> str:
    """An address of the family's, or another one."""
    other = f"{draw.rng.choice(FIRST_NAMES)}.{draw.rng.choice(LAST_NAMES)}@post.example".lower()
    return str(draw.rng.choice([*draw.person.family.split(), other, other]))


def _line(draw: Draw) -> str:
    return draw.rng.choice(draw.database.find(Ride, place_id=draw.values["stop"].place_id)).line


def _address(draw: Draw) -> dict[str, str]:
    (place,) = _one_place(draw)
    return {"address": place.address, "city": place.city}


def _coordinates(draw: Draw) -> dict[str, float]:
    (place,) = _one_place(draw)
    return {"latitude": place.latitude, "longitude": place.longitude}


def _as_pair(at: Mapping[str, float]) -> str:
    return f"{at['latitude']}, {at['longitude']}"


def _open_before(draw: Draw, kept: PlaceList) -> list[Place]:
    """The places in a list before the first one that has closed for good."""
    return list(takewhile(lambda place: place.state == "open", (place for _, place in _kept_in(draw, kept))))


def _closed_in(draw: Draw, kept: PlaceList) -> list[Saved]:
    return [row for row, place in _kept_in(draw, kept) if place.state != "open"]


def _closed(draw: Draw) -> Saved | None:
    return next(iter(_closed_in(draw, draw.values["place_list"])), None)


def _with_one_closed(draw: Draw) -> PlaceList | None:
    """A list in which a single place has closed for good, which is found soon."""
    rows = [row for row in draw.rows(PlaceList) if len(_closed_in(draw, row)) == 1]
    return draw.one_of([row for row in rows if len(_open_before(draw, row)) < 4])


def _saved(draw: Draw) -> Place:
    return draw.database.get_one(Place, draw.values["saved"].place_id)


def _nearest(draw: Draw) -> Place | None:
    """The nearest place of a sort to the saved one, where it is open on arrival."""
    items: Any = tools.search_places(draw.database, category=draw.values["sort"], near=_saved(draw))["items"]
    place = draw.database.get_one(Place, items[0].row.place_id)
    ways = tools.roads(draw.database, draw.values["mode"], (), draw.now)
    trip = ways.trip((tools.here_of(draw.database), place))
    return place if trip and is_open(place, draw.now + timedelta(minutes=trip.minutes)) else None


def _on_the_way(draw: Draw, to: Place | None) -> Place | None:
    """The place with the smallest detour on the way from here, where no other one has the same."""
    if to is None:
        return None
    ways = tools.roads(draw.database, draw.values["mode"], (), draw.now)
    found = tools.detours(draw.database, ways, [tools.here_of(draw.database), to], draw.values["category"])
    return found[0][1] if len(found) > 1 and found[0][0] < min(found[1][0], 600) else None


def _to_saved(draw: Draw) -> Place | None:
    return _on_the_way(draw, _saved(draw))


def _to_nearest(draw: Draw) -> Place | None:
    return _on_the_way(draw, _nearest(draw))


def _key(draw: Draw, *stops: Place) -> str:
    return tools.route_key(None, stops, draw.values["mode"], (), draw.now)


def _outing(draw: Draw) -> str | None:
    to, stop = _nearest(draw), _to_nearest(draw)
    return _key(draw, stop, to) if to and stop else None


def _plan(draw: Draw, *stops: Place) -> Calls:
    return [(tools.plan_route, {"stops": [*stops], "mode": draw.values["mode"]})]


def _straight(draw: Draw) -> Calls:
    return _plan(draw, _saved(draw))


def _look_for(draw: Draw, to: Place, stop: Place) -> Calls:
    """The looks that lead to a stop on the way, and show it in full."""
    along = {"route": _key(draw, to), "category": draw.values["category"]}
    return [*_plan(draw, to), (tools.find_along_route, along), (tools.get_place, {"place": stop})]


def _looks_to_saved(draw: Draw) -> Calls:
    stop = _to_saved(draw)
    return _look_for(draw, _saved(draw), stop) if stop else []


def _looks_of_outing(draw: Draw) -> Calls:
    to, stop = _nearest(draw), _to_nearest(draw)
    near = (tools.search_places, {"category": draw.values["sort"], "near": _saved(draw)})
    return [near, *_look_for(draw, to, stop), *_plan(draw, stop, to)] if to and stop else []


def _listed(draw: Draw) -> Calls:
    return [(tools.list_saved_places, {"list_name": draw.values["place_list"].list_name})]


def _looked_over(draw: Draw) -> Calls:
    kept = draw.values["place_list"]
    places = [place for _, place in _kept_in(draw, kept)][: len(_open_before(draw, kept)) + 1]
    return [*_listed(draw), *((tools.get_place, {"place": place}) for place in places)]


def _further(tool: Tool, *names: str) -> Callable[[Draw], Calls]:
    """A look at the route that was planned, with more of what was drawn."""
    return lambda draw: [(tool, {"route": Made("route_id"), **{name: draw.values[name] for name in names}})]


def _until(found: Mapping[str, Any]) -> str | None:
    return found["open_until"] if found["open_until"] not in (None, "24:00") else None


def _single(column: str) -> Callable[[Mapping[str, Any]], str | None]:
    return lambda found: found["items"][0][column].rstrip(".") if found["total"] == 1 else None


def _first(column: str) -> Callable[[Mapping[str, Any]], Any]:
    return lambda found: found["items"][0][column] if found["items"] else None


def _smallest(found: Mapping[str, Any]) -> str | None:
    items = found["items"]
    clear = len(items) > 1 and items[0]["detour_seconds"] < items[1]["detour_seconds"]
    return items[0]["name"] if clear else None


def _first_turn(found: Mapping[str, Any]) -> str | None:
    turns = [step["instruction"].split(" into ", 1) for step in found["items"]]
    return next((turn[1] for turn in turns if len(turn) > 1), None)


def _named(reads: Callable[[Draw], Calls] | None = None) -> Slot:
    """Something that the person has a word of their own for, with the looks that the wish asks for."""
    return Slot("saved", of=Saved, where=lambda saved: bool(saved.row.label), says=("I mean {}.",), reads=reads)


def _goal(tool: Tool, name: str, *slots: Slot, told: tuple[Tell, ...] = (), **more: Any) -> Goal:
    return Goal(tool, name=name, slots=slots, tells=told, **more)


def _route(name: str, *slots: Slot, **more: Any) -> Goal:
    return Goal(tools.plan_route, name=name, slots=slots, **{"tells": (MINUTES, ARRIVES), **more})


STOPS = Slot("stops", draw=_one_place, says=("To {}.", "I mean {}."))
MODE = Slot("mode", withheld=0.4, words=MODES, says=("I go {}.", "{}, please."))
WHEELED, ANYHOW = Slot("mode", words=WHEELS, draw=tuple(WHEELS)), Slot("mode", words=MODES, draw=tuple(MODES))
SORT = Slot("sort", words=SORTS, draw=tuple(SORTS))
CATEGORY = Slot("category", words=ON_THE_WAY, draw=tuple(ON_THE_WAY))
PLACE = Slot("place", where=lambda place: place.row.category != "stop")
LIST = Slot("place_list", withheld=0.4, says=("On {}.", "{}, please."))
EMAIL = Slot("email", withheld=0.4, draw=_email, says=("To {}.", "It is {}."))
NOTE, REMARK = Slot("note", mentions=("remark",)), Slot("remark", draw=_REMARKS)
MESSAGE, BRINGS = Slot("message", mentions=("brings",)), Slot("brings", draw=_BRINGS)
AVOID = Slot("avoid", draw=(["tolls"], ["highways"], ["ferries"]), say=lambda avoid: str(avoid[0]))
ROUND = Slot("place_list", of=PlaceList, where=lambda kept: kept.row.list_name == "Errands", reads=_listed)
HERE = Slot("category", words=SORTS, reads=lambda draw: [(tools.get_current_location, {})])
ADDRESS = Slot("where", fills=("address", "city"), draw=_address, say=lambda at: f"{at['address']} in {at['city']}")
POINT = Slot("where", fills=("latitude", "longitude"), draw=_coordinates, say=_as_pair)
TRAM_STOP = Slot("stop", where=lambda place: place.row.category == "stop")
OLD = Slot("place_list", of=PlaceList, draw=_with_one_closed, reads=_looked_over)
LENGTH = Tell("travel time", kind="duration", value=_first("minutes"))
LEAVES = Tell("departure time", kind="time", value=_first("at"))
MINUTES = Tell("travel time", kind="duration", value=lambda found: found["minutes"])
ARRIVES = Tell("arrival time", kind="moment", value=lambda found: found["arrives_at"])
FOUND, UNTIL = Tell("items.0.name", kind="text"), Tell("closing time", kind="time", value=_until)
CLOSES = Tell("closing time", kind="time", by=tools.get_place, value=_until)
COMPLAINT, ONLY = Tell("review", kind="text", value=_single("text")), Tell("place", kind="text", value=_single("name"))
STOP = Tell("stop", kind="text", value=lambda result, draw: getattr(_to_nearest(draw), "name", None))
CLOSED = Tell("place", kind="text", value=lambda result, draw: _saved(draw).name)
DELAY = Tell("delay", kind="duration", by=tools.get_traffic, value=lambda found: found["delay_minutes"] or None)
DELAYED = (DELAY, replace(ARRIVES, by=tools.get_traffic))
SMALLEST = Tell("smallest detour", kind="text", by=tools.find_along_route, value=_smallest)
TURN = Tell("first street", kind="text", by=tools.get_route_steps, value=_first_turn)
_OPEN = {"open_at": lambda draw: draw.now}
_SHOWN: Any = lambda draw: [(tools.get_place, {"place": Made("items.0.place_id")})]  # noqa: E731

# fmt: off
GOALS = (
    _goal(tools.search_places, "nearest", HERE, worked_out=_OPEN, also=_SHOWN, told=(FOUND, CLOSES)),
    _goal(tools.get_travel_times, "how_long", Slot("destinations", draw=_one_place), MODE, told=(LENGTH,)),
    _goal(tools.get_place, "ask_hours", Slot("place", where=lambda place: place.row.category in SORTS), told=(UNTIL,)),
    _goal(tools.list_reviews, "ask_complaints", PLACE, fixed={"stars": 1}, told=(COMPLAINT,)),
    _goal(tools.list_departures, "next_tram", TRAM_STOP, Slot("line", draw=_line), told=(LEAVES,)),
    _goal(tools.geocode, "ask_address", ADDRESS, told=(ONLY,)),
    _goal(tools.reverse_geocode, "ask_coordinates", POINT, told=(Tell("name", kind="text"),), share=0.7),
    _route("route", STOPS, MODE, share=2.0),
    _route("leave_later", STOPS, MODE, Slot("departs_at", draw=_later), share=1.5),
    _route("avoid", STOPS, AVOID, fixed={"mode": "drive"}, share=1.5),
    _route("to_saved", MODE, about=(_named(),), worked_out={"stops": lambda draw: [_saved(draw)]}),
    _route("errands", WHEELED, fixed={"best_order": True}, about=(ROUND,), worked_out={"stops": _errands},
           tells=(Tell("first stop", kind="text", value=lambda found: found["stops"][0]), MINUTES), share=1.5),
    _route("delay", STOPS, fixed={"mode": "drive"}, also=_further(tools.get_traffic), tells=DELAYED),
    _route("on_the_way", STOPS, WHEELED, about=(CATEGORY,), also=_further(tools.find_along_route, "category"),
           tells=(SMALLEST,)),
    _route("directions", STOPS, MODE, also=_further(tools.get_route_steps), tells=(TURN,)),
    _goal(tools.save_place, "save", PLACE, LIST, NOTE, about=(REMARK,), share=3.0),
    _goal(tools.save_place, "save_on_the_way", Slot("place_list"), about=(_named(_looks_to_saved), WHEELED, CATEGORY),
          worked_out={"place": _to_saved}, told=(Tell("place", kind="text", value=lambda kept: kept["place_name"]),)),
    _goal(tools.remove_saved_place, "forget", Slot("saved", where=lambda saved: not saved.row.label)),
    _goal(tools.remove_saved_place, "tidy", about=(OLD,), worked_out={"saved": _closed}, told=(CLOSED,), share=1.5),
    _goal(tools.share_route, "share", EMAIL, MESSAGE, about=(_named(_straight), ANYHOW, BRINGS),
          worked_out={"route": lambda draw: _key(draw, _saved(draw))}, told=(ARRIVES,), share=2.0),
    _goal(tools.share_route, "outing", Slot("email", draw=_email), worked_out={"route": _outing}, told=(STOP, ARRIVES),
          about=(_named(_looks_of_outing), SORT, WHEELED, CATEGORY), where=lambda sort, category: sort != category,
          share=2.0),
)
# fmt: on
THINGS = (
    Thing(Place, where=lambda place: place.row.category != "address", has_known_key=False),
    Thing(Saved, found_by=(tools.list_saved_places,), has_known_key=False),
    Thing(
        PlaceList,
        where=lambda kept: kept.row.list_name != "Addresses",  # of what is in it they speak by their own words
        found_by=(tools.list_saved_places,),
        has_known_key=False,
    ),
)
