"""The rules of the car: each a sentence of the policy, the words of a refusal and a predicate."""

from typing import Any

from toolgym.domains.vehicle import tools
from toolgym.domains.vehicle.schema import Destination, Profile, Vehicle, arrivals
from toolgym.sandbox.kit.world import ToolCall, View, rule

RESERVE, LITTLE, MILD, FULL, FAR, THIRD = 10, 15, (18, 22), 90, 300, 33
_CHARGE = {"charge": lambda: ToolCall(name="get_battery", arguments={})}
Shown = dict[str, Any]


def _route(owner: View[Vehicle]) -> ToolCall | None:
    """The look at the route that runs."""
    route = owner.row.route_id
    return None if route is None else ToolCall(name="get_guidance", arguments={"route_id": route})


@rule(
    "While the car is off, nothing but its doors, trunk, lights, routes and charging is used.",
    why="The car is switched off.|switched off|is off|not switched on|turned off|not on",
    on=[
        tools.set_gear,
        tools.set_parking_brake,
        tools.set_drive_mode,
        tools.select_profile,
        tools.set_climate,
        tools.set_seat_heating,
        tools.set_window,
    ],
    reads=[tools.get_vehicle],
)
def ready_first(owner: View[Vehicle]) -> bool:
    return owner.row.power == "ready"


@rule(
    "The car goes into drive or reverse only with trunk shut, parking brake released and charging cable out.",
    why="The trunk is open, the parking brake is set or the cable is plugged in.|trunk|brake is|plugged in|cable",
    on=[tools.set_gear],
    reads=[tools.get_vehicle],
)
def drive_ready(owner: View[Vehicle], gear: tools.Gear) -> bool:
    car = owner.row
    return gear in ("park", "neutral") or not (car.trunk_open or car.parking_brake or car.plugged_in)


@rule(
    "Doors are unlocked, the trunk opened, the parking brake set and the car switched off in park only.",
    why="The car is not in park.|not in park|park first|in drive|in reverse|in neutral",
    on=[tools.set_doors, tools.set_trunk, tools.set_parking_brake, tools.power_off],
    reads=[tools.get_vehicle],
)
def park_first(owner: View[Vehicle], locked: bool = False, open: bool = True, on: bool = True) -> bool:
    return owner.row.gear == "park" or locked or not open or not on


@rule(
    "The car is switched off only with its parking brake set and no route running.",
    why="The parking brake is not set, or a route still runs.|brake|route is|route still|still guides|guidance is",
    on=[tools.power_off],
    reads=[tools.get_vehicle],
)
def secured(owner: View[Vehicle]) -> bool:
    return owner.row.parking_brake and owner.row.route_id is None


@rule(
    "The doors are locked only when the car is off and its trunk is shut.",
    why="The car is still on, or its trunk is open.|still on|switched on|trunk is open",
    on=[tools.set_doors],
    reads=[tools.get_vehicle],
)
def shut_first(owner: View[Vehicle], locked: bool) -> bool:
    return not locked or (owner.row.power == "off" and not owner.row.trunk_open)


@rule(
    "A route reaches its destination, and each stop before, with 10 percent of charge at least.",
    why="The car would arrive with less than 10 percent.|less than 10|under 10|below 10|not reach|too far",
    on=[tools.start_guidance],
    reads=[tools.get_vehicle, tools.get_battery],
    looks=_CHARGE,
)
def reserve(owner: View[Vehicle], destination: View[Destination], via: list[View[Destination]], charge: Shown) -> bool:
    points = [(place.row.east_km, place.row.north_km, place.row.kind == "charger") for place in (*via, destination)]
    return min(arrivals(charge["battery"]["percent"], owner.row.mode, points)) >= RESERVE


@rule(
    "While a route runs, no drive mode is chosen in which it would arrive anywhere with less than 10 percent.",
    why="In that mode the route would arrive with less than 10 percent.|less than 10|under 10|below 10|not reach",
    on=[tools.set_drive_mode, tools.select_profile],
    reads=[tools.get_vehicle, tools.get_battery, tools.get_guidance, tools.list_profiles],
    looks={**_CHARGE, "route": _route},
)
def mode_reserve(
    owner: View[Vehicle],
    charge: Shown,
    route: Shown | None,
    mode: tools.Mode | None = None,
    profile: View[Profile] | None = None,
) -> bool:
    wanted = mode or (profile.row.mode if profile else owner.row.mode)
    places = [*route["stops"], route["destination"]] if route else []
    points = [(place["east_km"], place["north_km"], place["kind"] == "charger") for place in places]
    return all(percent >= RESERVE for percent in arrivals(charge["battery"]["percent"], wanted, points))


@rule(
    "A charger is a stop or a destination only while it has a free point.",
    why="That charger has no free point.|no free|none free|occupied|is full",
    on=[tools.start_guidance],
    reads=[tools.search_destinations],
    by="policy",
)
def free_point(destination: View[Destination], via: list[View[Destination]]) -> bool:
    return all(place.row.free_points != 0 for place in (*via, destination))


@rule(
    "Below 15 percent of charge, temperatures are set to 18 to 22 degrees only, and no seat is heated at level 3.",
    why="The charge is too low for that.|too low|below 15|less than 15|under 15",
    on=[tools.set_climate, tools.set_seat_heating, tools.select_profile],
    reads=[tools.get_battery, tools.list_profiles],
    looks=_CHARGE,
)
def little_charge(
    charge: Shown, degrees: int | None = None, level: int | None = None, profile: View[Profile] | None = None
) -> bool:
    degrees = degrees or (profile.row.degrees if profile else MILD[0])
    return charge["battery"]["percent"] >= LITTLE or (MILD[0] <= degrees <= MILD[1] and level != 3)


@rule(
    "The car is charged to more than 90 percent only for a trip of more than 300 kilometres.",
    why="More than 90 percent is for trips of more than 300 kilometres.|90 percent|90%|300 k|long trip|longer trip",
    on=[tools.plan_charging],
    reads=[tools.search_destinations],
    by="policy",
)
def long_charge(limit_percent: int, trip: View[Destination] | None) -> bool:
    return limit_percent <= FULL or (trip is not None and trip.row.km > FAR)


@rule(
    "Charging is planned only while the doors are locked, since the cable locks with them.",
    why="The doors are not locked.|not locked|unlocked",
    on=[tools.plan_charging],
    reads=[tools.get_vehicle],
)
def locked_cable(owner: View[Vehicle]) -> bool:
    return owner.row.locked


@rule(
    "The high beams are not switched on in park.",
    why="The car is in park.|in park|is parked",
    on=[tools.set_lights],
    reads=[tools.get_vehicle],
)
def high_beams(owner: View[Vehicle], lights: tools.Lights) -> bool:
    return lights != "high" or owner.row.gear != "park"


@rule(
    "With children aboard, as the selected profile says, rear windows are opened to 33 percent at most.",
    why="Children are aboard.|children|33 percent|33%|a third",
    on=[tools.set_window],
    reads=[tools.get_vehicle],
    by="policy",
)
def child_window(owner: View[Vehicle], window: tools.Pane, percent_open: int) -> bool:
    return percent_open <= THIRD or not owner.row.children or window.startswith("front")
