"""The rules of the map: each a sentence of the policy, the words of a refusal and a predicate."""

from datetime import datetime, timedelta
from typing import Any

from toolgym.domains.maps import tools
from toolgym.domains.maps.schema import Place, PlaceList, Saved, Traveller, is_open
from toolgym.domains.maps.seed import MOST_SAVED
from toolgym.domains.routing import Avoid, Mode
from toolgym.sandbox.kit.world import ToolCall, View, rule

MOST_STOPS, WALK_METRES, STOP_METRES = 8, 20_000, 1_000
Stops = list[View[Place]]
Start = View[Place] | None
When = datetime | None
Avoids = list[Avoid]
Legs = list[dict[str, Any]] | None


def _legs(stops: Stops, mode: Mode, start: Start, avoid: Avoids, departs_at: When) -> list[ToolCall] | None:
    """The looks at the way to each stop; where there are too many stops nobody looks at any."""
    ends = [stop.row.place_id for stop in stops]
    more: dict[str, Any] = {"avoid": list(avoid)} if avoid else {}
    more |= {"departs_at": departs_at.isoformat(timespec="minutes")} if departs_at else {}
    calls = []
    for begin, end in zip([start.row.place_id if start else None, *ends], ends, strict=False):
        origins = {"origin_ids": [begin]} if begin else {}
        given = {"destination_ids": [end], "mode": mode, **origins, **more}
        calls.append(ToolCall(name="get_travel_times", arguments=given))
    return calls if len(stops) <= MOST_STOPS else None


def _walked(stops: Stops, mode: Mode, start: Start, avoid: Avoids, departs_at: When) -> list[ToolCall] | None:
    return _legs(stops, mode, start, avoid, departs_at) if mode == "walk" else None


def _single(stops: Stops, mode: Mode, start: Start, avoid: Avoids, departs_at: When) -> list[ToolCall] | None:
    return _legs(stops, mode, start, avoid, departs_at) if len(stops) == 1 else None


def _far(legs: Legs, what: str) -> list[int | None]:
    return [leg["items"][0][what] for leg in legs or ()]


@rule(
    "A route has at most eight stops.",
    why="A route has at most eight stops.|eight stops|8 stops|at most eight|too many",
    on=[tools.plan_route],
)
def route_stops(stops: Stops) -> bool:
    return len(stops) <= MOST_STOPS


@rule(
    "No route is planned where no way leads: streets may be closed, or what is to be avoided may be all there is.",
    why="There is no way there at that time.|no way|closed|cannot be reached|not reachable|no route",
    on=[tools.plan_route],
    reads=[tools.get_travel_times],
    looks={"legs": _legs},
)
def no_way(stops: Stops, mode: Mode, start: Start, avoid: Avoids, departs_at: When, legs: Legs) -> bool:
    return None not in _far(legs, "minutes")


@rule(
    "Nobody is sent to walk more than 20 km from one stop to the next.",
    why="It is too far to walk.|too far|20 km|twenty kilometres",
    on=[tools.plan_route],
    reads=[tools.get_travel_times],
    looks={"legs": _walked},
)
def walk_far(stops: Stops, mode: Mode, start: Start, avoid: Avoids, departs_at: When, legs: Legs) -> bool:
    return all(metres is None or metres <= WALK_METRES for metres in _far(legs, "metres"))


@rule(
    "Trams and buses are used only where one of their stops is within 1,000 m, at the start and wherever one goes.",
    why="There is no stop within walking distance.|no stop|walking distance|1,000 m|1000 m|too far from",
    on=[tools.plan_route],
    reads=[tools.get_place, tools.get_current_location],
)
def no_transit(stops: Stops, mode: Mode, start: Start, owner: View[Traveller]) -> bool:
    ends = [start.row.stop_metres if start else owner.row.stop_metres, *(stop.row.stop_metres for stop in stops)]
    return mode != "transit" or max(ends) <= STOP_METRES


@rule(
    "A route to a single place is planned only if that is open on arrival; with several, hours are the user's affair.",
    why="It is closed at the time of arrival.|closed|not open|closes|shut",
    on=[tools.plan_route],
    reads=[tools.get_place, tools.get_travel_times],
    looks={"legs": _single},
    by="policy",
)
def open_on_arrival(
    stops: Stops, mode: Mode, start: Start, avoid: Avoids, departs_at: When, now: datetime, legs: Legs
) -> bool:
    minutes = next(iter(_far(legs, "minutes")), None)
    return minutes is None or is_open(stops[0].row, (departs_at or now) + timedelta(minutes=minutes))


def _kept(place: View[Place], place_list: View[PlaceList]) -> ToolCall:
    given = {"list_name": place_list.row.list_name, "text": place.row.name}
    return ToolCall(name="list_saved_places", arguments=given)


@rule(
    "A place stands once in a list.",
    why="That place is in this list already.|already|in the list|in that list",
    on=[tools.save_place],
    reads=[tools.list_saved_places],
    looks={"kept": _kept},
)
def once(place: View[Place], place_list: View[PlaceList], kept: dict[str, Any]) -> bool:
    return place.row.place_id not in {item["place_id"] for item in kept["items"]}


@rule(
    "A list holds at most 20 places.",
    why="That list is full.|full|20 places|twenty places|at most",
    on=[tools.save_place],
    reads=[tools.list_saved_places],
)
def list_full(place_list: View[PlaceList]) -> bool:
    return place_list.row.places < MOST_SAVED


@rule(
    "A list that somebody else shares with the user stays as it is.",
    why="That list belongs to somebody else.|somebody else|someone else|belongs to|shared by|not yours",
    on=[tools.save_place, tools.remove_saved_place],
    reads=[tools.list_saved_places],
)
def not_own(place_list: View[PlaceList] | None = None, saved: View[Saved] | None = None) -> bool:
    return all(row is None or row.row.shared_by is None for row in (place_list, saved))


@rule(
    "What has closed for good is not saved.",
    why="That place has closed for good.|closed for good|permanently|closed down|no longer",
    on=[tools.save_place],
    reads=[tools.get_place],
    by="policy",
)
def closed_for_good(place: View[Place]) -> bool:
    return place.row.state == "open"


@rule(
    "Who shares with the family alone sends routes only to the family's addresses.",
    why="Routes are shared only with the family.|family|not one of",
    on=[tools.share_route],
    reads=[tools.get_current_location],
    by="policy",
)
def family_only(owner: View[Traveller], email: str) -> bool:
    return owner.row.sharing != "family" or email.strip().casefold() in owner.row.family.split()
