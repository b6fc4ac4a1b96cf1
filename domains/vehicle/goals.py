"""What drivers want of their car. Their words are in sentences.toml."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from toolgym.domains.vehicle import tools
from toolgym.domains.vehicle.schema import Battery, Destination, Guidance, Profile, Window, Zone
from toolgym.sandbox.kit.goal import Calls, Draw, Goal, Made, Slot, Tell, Thing

THINGS = (
    Thing(Destination, where=lambda place: place.row.name != "Home", has_known_key=False),
    Thing(Profile, has_known_key=False),
)
ZONES = {"driver": "my side", "passenger": "the passenger's side", "rear": "the back"}
SEATS = {"driver": "my seat", "passenger": "the passenger's seat", "rear": "the back seats"}
LIGHTS = {
    "parking": "the parking lights",
    "low": "the low beams",
    "high": "the high beams",
    "fog": "the fog lights",
}
SEEN: Calls = [(tools.get_vehicle, {})]


def _route(draw: Draw) -> Guidance | None:
    """The route that runs."""
    return next(iter(draw.database.find(Guidance, vehicle_id=draw.person.vehicle_id, state="running")), None)


def _to(*kinds: str, full: bool = False) -> Callable[[Draw], Destination | None]:
    """Somewhere, where no route runs yet; a charger without a free point only where it says so."""

    def drawn(draw: Draw) -> Destination | None:
        rows = [row for row in draw.rows(Destination) if row.kind in kinds and (full or row.free_points != 0)]
        return None if _route(draw) else draw.one_of(rows)

    return drawn


def _elsewhere(draw: Draw) -> Destination | None:
    """A house or a car park, where a route leads to another place."""
    now = _route(draw)
    rows = [row for row in draw.rows(Destination) if row.kind in ("favourite", "parking")]
    return draw.one_of([row for row in rows if now and row.destination_id != now.destination_id])


def _chargers(draw: Draw) -> list[Destination] | None:
    rows = [row for row in draw.rows(Destination) if row.kind == "charger" and row != draw.values.get("destination")]
    return [draw.rng.choice(rows)]


def _home(draw: Draw) -> Destination | None:
    """Home, where no route runs and the car is elsewhere."""
    home = draw.database.find(Destination, vehicle_id=draw.person.vehicle_id, name="Home")[0]
    return None if _route(draw) or draw.person.place == "home" else home


def _nearest(draw: Draw, near: Destination, kind: str, *, free: bool = False) -> Destination:
    """The place of a kind that is the nearest one to another."""
    rows = [row for row in draw.rows(Destination) if row.kind == kind and (not free or row.free_points)]
    return min(rows, key=lambda row: (_between(row, near), row.destination_id))


def _between(one: Destination, other: Destination) -> int:
    return abs(one.east_km - other.east_km) + abs(one.north_km - other.north_km)


def _garage(draw: Draw) -> Destination | None:
    """The car park nearest to where the route leads, unless it leads there."""
    route = _route(draw)
    end = draw.database.get_one(Destination, route.destination_id) if route else None
    return _nearest(draw, end, "parking") if end and end.kind != "parking" else None


def _looked(draw: Draw) -> Calls:
    """The looks that show the car park, and the charger beside it."""
    route, garage = _route(draw), _garage(draw)
    if route is None or garage is None:
        return []
    end = draw.database.get_one(Destination, route.destination_id)
    parking = {"near": end, "kind": "parking"}
    chargers = {"near": garage, "kind": "charger", "free": True}
    return [
        *SEEN,
        (tools.get_guidance, {"route": route}),
        (tools.search_destinations, parking),
        (tools.search_destinations, chargers),
    ]


def _park_and_charge(draw: Draw) -> Calls:
    garage = _garage(draw)
    assert garage is not None
    via = [_nearest(draw, garage, "charger", free=True)]
    return _guided(garage, via)


def _guided(destination: Destination, via: list[Destination] | None = None) -> Calls:
    """A route is started and looked at."""
    started = {"destination": destination} | ({"via": via} if via else {})
    return [
        (tools.start_guidance, started),
        (tools.get_guidance, {"route": Made("route_id", by=tools.start_guidance)}),
    ]


def _rerouted(draw: Draw) -> Calls:
    return _guided(draw.values["new"])


def _set_out(draw: Draw) -> Calls:
    return [(tools.select_profile, {"profile": draw.values["who"]}), *_guided(draw.values["goal"])]


def _warmed(draw: Draw) -> Calls:
    calls: Calls = []
    for zone in ("driver", "passenger"):
        calls.append((tools.set_climate, {"zone": zone, "on": True, "degrees": draw.values["degrees"]}))
        calls.append((tools.set_seat_heating, {"zone": zone, "level": 2}))
    return calls


def _parked(draw: Draw) -> Calls:
    steps: Calls = [(tools.set_parking_brake, {"on": True}), (tools.power_off, {})]
    return [*steps, (tools.set_doors, {"locked": True})]


def _charged(draw: Draw) -> Calls:
    plan = {name: draw.values[name] for name in ("limit_percent", "ready_by")}
    return [(tools.plan_charging, plan)]


def _open_windows(draw: Draw) -> list[Window]:
    return [row for row in draw.rows(Window) if row.percent_open]


def _others_shut(draw: Draw) -> Calls:
    return [(tools.set_window, {"window": row.window, "percent_open": 0}) for row in _open_windows(draw)[1:]]


def _first_open(draw: Draw) -> str | None:
    return _open_windows(draw)[0].window if len(_open_windows(draw)) > 1 else None


def _soon(draw: Draw) -> datetime:
    tomorrow = datetime(draw.now.year, draw.now.month, draw.now.day) + timedelta(days=1)
    return tomorrow + timedelta(hours=draw.rng.choice((5, 6, 7, 8, 9)), minutes=draw.rng.choice((0, 0, 30)))


def _limit(*least: int) -> Callable[[Draw], int | None]:
    """How full it is to be, fuller than it is."""

    def drawn(draw: Draw) -> int | None:
        percent = draw.rows(Battery)[0].percent
        return draw.one_of([limit for limit in least if limit > percent])

    return drawn


def _where(column: str) -> Callable[[Draw], str | None]:
    """Where in the car something is on."""
    return lambda draw: draw.one_of([row.zone for row in draw.rows(Zone) if getattr(row, column)])


def _wider(*percents: int) -> Callable[[Draw], int | None]:
    """How far a window, or both at the back, is to be open: further than now."""

    def drawn(draw: Draw) -> int | None:
        meant = (draw.values["window"],) if "front" in draw.values["window"] else ("rear_left", "rear_right")
        now = max(row.percent_open for row in draw.rows(Window) if row.window in meant)
        return draw.one_of([percent for percent in percents if percent > now])

    return drawn


def _named(draw: Draw) -> str | None:
    """What a place is called that is the only one of its name."""
    names = [row.name for row in draw.rows(Destination)]
    return draw.one_of([name for name in names if names.count(name) == 1])


def _driver(draw: Draw) -> str | None:
    return draw.one_of([row.name for row in draw.rows(Profile)])


def _names(found: Mapping[str, Any]) -> list[str] | None:
    return [item["name"] for item in found["items"]] if 0 < found["total"] < 5 else None


def _only(column: str) -> Callable[[Mapping[str, Any]], Any]:
    return lambda found: found["items"][0][column] if found["total"] == 1 else None


def _are_open(found: Mapping[str, Any]) -> list[str] | None:
    return list(found["open_windows"]) or None


def _minutes(found: Mapping[str, Any]) -> int | None:
    """How long a route takes, unless that is the number that its charge is."""
    route = found.get("route", found)
    return route["minutes"] if route["minutes"] != route["charge_on_arrival"] else None


PLACE = Slot("destination", draw=_to("address", "charger", full=True), says=("To {}.", "I mean {}."))
PIN = Slot("phone_pin", withheld=0.7, draw=lambda draw: draw.person.phone_pin, says=("It is {}.", "{}."))
LIMIT = Slot("limit_percent", withheld=0.4, draw=_limit(70, 80, 85, 90, 91, 95, 100), says=("To {} percent.",))
READY = Slot("ready_by", withheld=0.4, draw=_soon, says=("By {}.",))
ON_ROUTE = Slot("it", draw=("route", "guidance", "navigation"), reads=lambda draw: SEEN)
DEGREES = Slot("degrees", withheld=0.4, draw=(17, 18, 19, 20, 21, 22, 23, 24), kind="number", says=("{} degrees.",))
ARRIVAL = (
    Tell("travel time", kind="duration", value=_minutes),
    Tell("charge_on_arrival", near=("percent", "charge", "arrive", "%")),
)
ROUTED = (
    Tell("travel time", kind="duration", by=tools.get_guidance, value=_minutes),
    Tell("route.charge_on_arrival", kind="number", by=tools.get_guidance, near=("percent", "charge", "arrive", "%")),
)
OWN_ROUTE = {"route": _route}


def _set(tool: Any, name: str, *slots: Slot, **fixed: Any) -> Goal:
    return Goal(tool, name=name, slots=slots, fixed=fixed, share=0.5)


CAR = (
    _set(tools.power_on, "start"),
    _set(tools.power_off, "switch_off"),
    _set(tools.set_doors, "unlock", PIN, locked=False),
    _set(tools.set_doors, "lock", locked=True),
    _set(tools.set_trunk, "open_trunk", open=True),
    _set(tools.set_trunk, "shut_trunk", open=False),
    _set(tools.set_gear, "gear", Slot("gear", withheld=0.3, says=("Into {}.",))),
    _set(tools.set_parking_brake, "brake", on=True),
    Goal(
        tools.set_parking_brake,
        name="drive_off",
        fixed={"on": False},
        also=lambda draw: [(tools.set_gear, {"gear": "drive"})],
    ),
    Goal(tools.set_gear, name="arrive", fixed={"gear": "park"}, also=_parked),
    Goal(
        tools.set_gear,
        name="arrive_and_charge",
        fixed={"gear": "park"},
        about=(
            Slot("limit_percent", draw=_limit(80, 85, 90), kind="number"),
            Slot("ready_by", draw=_soon, kind="moment"),
        ),
        also=lambda draw: [*_parked(draw), *_charged(draw)],
    ),
    _set(tools.set_drive_mode, "mode", Slot("mode", withheld=0.3, says=("{}.",))),
    Goal(
        tools.set_drive_mode,
        name="snow",
        fixed={"mode": "snow"},
        also=lambda draw: [(tools.set_lights, {"lights": "fog"})],
    ),
    _set(tools.set_lights, "lights", Slot("lights", draw=sorted(LIGHTS), words=LIGHTS, withheld=0.3, says=("{}.",))),
    _set(tools.set_lights, "lights_off", lights="off"),
)
COMFORT = (
    Goal(tools.select_profile, name="profile", slots=(Slot("profile"),), tells=(Tell("mode", kind="text"),)),
    _set(tools.set_climate, "heat", Slot("zone", words=ZONES), DEGREES, on=True),
    _set(tools.set_climate, "climate_off", Slot("zone", draw=_where("climate_on"), words=ZONES), on=False),
    Goal(
        tools.set_climate,
        name="as_liked",
        fixed={"zone": "passenger", "on": True},
        about=(Slot("rider", of=Profile),),
        worked_out={"degrees": lambda draw: draw.values["rider"].degrees},
    ),
    _set(
        tools.set_seat_heating,
        "seats",
        Slot("zone", words=SEATS),
        Slot("level", withheld=0.4, draw=(1, 2, 3), says=("Level {}.",)),
    ),
    _set(tools.set_seat_heating, "seats_off", Slot("zone", draw=_where("seat_heat"), words=SEATS), level=0),
    Goal(tools.power_on, name="warm_up", slots=(DEGREES,), also=_warmed),
    _set(
        tools.set_window,
        "window",
        Slot("window"),
        Slot("percent_open", withheld=0.3, draw=_wider(10, 25, 30, 33, 34, 40, 60, 100), says=("{} percent.",)),
    ),
    Goal(
        tools.set_window,
        name="air",
        fixed={"window": "rear_left"},
        slots=(Slot("percent_open", withheld=0.4, draw=_wider(5, 10, 15, 33, 34, 50), says=("{} percent.",)),),
        also=lambda draw: [(tools.set_window, {"window": "rear_right", "percent_open": draw.values["percent_open"]})],
    ),
    Goal(
        tools.set_window,
        name="shut_all",
        fixed={"percent_open": 0},
        about=(Slot("what", draw=("open window", "window that is open"), reads=lambda draw: SEEN),),
        worked_out={"window": _first_open},
        also=_others_shut,
    ),
)
ROUTES = (
    Goal(tools.start_guidance, name="go", slots=(PLACE,), tells=ARRIVAL, share=2.0),
    Goal(
        tools.start_guidance,
        name="go_via",
        slots=(PLACE, Slot("via", draw=_chargers, says=("At {}.",))),
        tells=ARRIVAL,
        share=2.0,
    ),
    Goal(
        tools.start_guidance,
        name="go_home",
        about=(
            Slot(
                "way",
                draw=("home", "back home"),
                reads=lambda draw: [(tools.search_destinations, {"text": "Home"})],
            ),
        ),
        worked_out={"destination": _home},
        tells=ARRIVAL,
    ),
    Goal(
        tools.stop_guidance,
        name="reroute",
        about=(Slot("new", of=Destination, draw=_elsewhere, reads=lambda draw: SEEN),),
        worked_out=OWN_ROUTE,
        also=_rerouted,
        tells=ROUTED,
        share=2.0,
    ),
    Goal(tools.stop_guidance, name="end_route", about=(ON_ROUTE,), worked_out=OWN_ROUTE),
    Goal(
        tools.stop_guidance,
        name="park_and_charge",
        about=(Slot("spot", draw=("parking place", "parking spot"), reads=_looked),),
        worked_out={"route": lambda draw: _route(draw) if _garage(draw) else None},
        also=_park_and_charge,
        tells=ROUTED,
        share=3.0,
    ),
    Goal(
        tools.power_on,
        name="set_out",
        about=(Slot("who", of=Profile), Slot("goal", of=Destination, draw=_to("address", "favourite"))),
        also=_set_out,
        tells=ROUTED,
        share=2.0,
    ),
)
CHARGING = (
    Goal(tools.plan_charging, name="charge", slots=(LIMIT, READY)),
    Goal(tools.plan_charging, name="charge_for", slots=(LIMIT, READY, Slot("trip", says=("To {}.",))), share=1.5),
    Goal(
        tools.set_doors,
        name="lock_and_charge",
        fixed={"locked": True},
        about=(
            Slot("limit_percent", draw=_limit(80, 85, 90), kind="number"),
            Slot("ready_by", draw=_soon, kind="moment"),
        ),
        also=_charged,
    ),
)
CHARGE = Tell("charge in percent", kind="number", value=lambda found: found["battery"]["percent"])
RANGE = Tell("range in kilometres", kind="number", value=lambda found: found["range_km"]["eco"])
QUESTIONS = (
    Goal(tools.get_battery, name="ask_charge", tells=(CHARGE,), share=0.5),
    Goal(tools.get_battery, name="ask_range", tells=(RANGE,), share=0.5),
    Goal(tools.get_vehicle, name="ask_windows", tells=(Tell("window", kind="text", value=_are_open),)),
    Goal(tools.get_guidance, name="ask_arrival", about=(ON_ROUTE,), worked_out=OWN_ROUTE, tells=ROUTED),
    Goal(
        tools.search_destinations,
        name="which_charger",
        fixed={"kind": "charger", "free": True},
        slots=(Slot("min_kw", draw=(50, 150, 250)), Slot("max_km", draw=(20, 40, 60, 100))),
        tells=(Tell("name", kind="text", value=_names),),
    ),
    Goal(
        tools.search_destinations,
        name="ask_far",
        slots=(Slot("text", draw=_named),),
        tells=(Tell("distance in kilometres", kind="number", value=_only("km")),),
    ),
    Goal(
        tools.list_profiles,
        name="ask_degrees",
        slots=(Slot("name", draw=_driver),),
        tells=(Tell("temperature", kind="number", value=_only("degrees")),),
    ),
)
GOALS = (*CAR, *COMFORT, *ROUTES, *CHARGING, *QUESTIONS)
