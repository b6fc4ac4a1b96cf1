"""What the car lets an agent do for its driver. It never steers."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from toolgym.domains.vehicle.schema import KM_PER_PERCENT as RATES
from toolgym.domains.vehicle.schema import Battery, Destination, Guidance, Profile, Vehicle, Window, Zone
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.reference import PageNumber, Ref, Secret
from toolgym.sandbox.kit.search import contains_text, given
from toolgym.sandbox.kit.tool import tool
from toolgym.sandbox.kit.view import Page, View

Gear = Literal["park", "neutral", "drive", "reverse"]
Mode = Literal["eco", "normal", "sport", "snow"]
Lights = Literal["off", "parking", "low", "high", "fog"]
Part = Literal["driver", "passenger", "rear"]
Pane = Literal["front_left", "front_right", "rear_left", "rear_right"]
Kind = Literal["address", "charger", "favourite", "parking"]
Temperature = Annotated[int, Field(ge=16, le=28)]
WRONG_PINS = 3


@tool("read")
def get_vehicle(db: Database) -> dict[str, View[Vehicle] | list[View[Zone]] | dict[str, int]]:
    """Get the car's power, gear, brake, doors, trunk, lights, mode, place, route, zones and open windows, and now."""
    car, zones = db.owner(Vehicle), [View(row) for row in db.mine(Zone)]
    sql = "SELECT window, percent_open FROM windows WHERE vehicle_id = :car AND percent_open > 0"
    return {"vehicle": View(car, now=db.now), "zones": zones, "open_windows": dict(db.query(sql, car=car.vehicle_id))}


@tool("read")
def get_battery(db: Database) -> dict[str, View[Battery] | dict[str, int]]:
    """Get the charge, how far it takes the car in each drive mode, and the plan for charging."""
    battery = db.mine(Battery)[0]
    return {"battery": View(battery), "range_km": {mode: battery.percent * rate for mode, rate in RATES.items()}}


@tool("read")
def list_profiles(db: Database, name: str | None = None) -> Page[Profile]:
    """List the profiles of those who drive the car: seat, temperature, mode, whether children ride along, work.

    Args:
        name: only those whose name holds this.
    """
    return Page([row for row in db.mine(Profile) if contains_text(row.name, name)])


@tool("write")
def select_profile(db: Database, profile: Ref[Profile]) -> View[Vehicle]:
    """Set the car up for a driver: seat, drive mode, and the temperature on the driver's side."""
    car = db.owner(Vehicle)
    if car.profile_id == profile.profile_id:
        raise Refusal("no_change", "This profile is selected already.")
    db.update(db.mine(Zone, zone="driver")[0], degrees=profile.degrees)
    return View(db.update(car, profile_id=profile.profile_id, seat=profile.seat, mode=profile.mode))


@tool("write")
def set_doors(db: Database, locked: bool, phone_pin: Secret | None = None) -> dict[str, bool | int]:
    """Lock or unlock the doors; unlocking needs the PIN of the driver's phone, which three wrong ones block.

    Args:
        locked: false unlocks them.
        phone_pin: to unlock, as the driver says it.
    """
    car = db.owner(Vehicle)
    if car.locked == locked:
        raise Refusal("no_change", f"The doors are {'locked' if locked else 'unlocked'} already.")
    if car.failed_pins >= WRONG_PINS and not locked:
        raise Refusal("blocked", "The PIN is blocked after three wrong ones.")
    accepted = locked or (phone_pin or "").strip() == car.phone_pin
    failed = car.failed_pins if locked else 0 if accepted else car.failed_pins + 1
    db.update(car, locked=locked if accepted else car.locked, failed_pins=failed)
    return {"accepted": accepted, "locked": locked if accepted else car.locked, "tries_left": WRONG_PINS - failed}


@tool("write")
def set_trunk(db: Database, open: bool) -> View[Vehicle]:
    """Open or shut the trunk.

    Args:
        open: false shuts it.
    """
    return View(_changed(db, trunk_open=open))


@tool("write")
def power_on(db: Database) -> View[Vehicle]:
    """Switch the car on, so that it is ready to drive."""
    return View(_changed(db, power="ready"))


@tool("write")
def power_off(db: Database) -> View[Vehicle]:
    """Switch the car off, and with it its lights, climate and seat heating."""
    car = _changed(db, power="off")
    for zone in db.mine(Zone):
        db.update(zone, climate_on=False, seat_heat=0)
    return View(db.update(car, lights="off"))


@tool("write")
def set_gear(db: Database, gear: Gear) -> View[Vehicle]:
    """Put the car into a gear.

    Args:
        gear: which one.
    """
    return View(_changed(db, gear=gear))


@tool("write")
def set_parking_brake(db: Database, on: bool) -> View[Vehicle]:
    """Set or release the parking brake.

    Args:
        on: false releases it.
    """
    return View(_changed(db, parking_brake=on))


@tool("write")
def set_drive_mode(db: Database, mode: Mode) -> View[Vehicle]:
    """Choose the drive mode, on which the range depends.

    Args:
        mode: which one.
    """
    return View(_changed(db, mode=mode))


@tool("write")
def set_climate(
    db: Database,
    zone: Part,
    on: bool,
    degrees: Temperature | None = None,
    fan: Annotated[int, Field(ge=0, le=5)] | None = None,
) -> View[Zone]:
    """Switch the climate of a zone on or off.

    Args:
        zone: which part of the car.
        on: false switches it off.
        degrees: in degrees Celsius; as it was without it.
        fan: its level; as it was without it.
    """
    if not on and (degrees, fan) != (None, None):
        raise Refusal("invalid_argument", "A climate that is switched off takes no temperature and no fan.")
    return View(_in_zone(db, zone, climate_on=on, **given(degrees=degrees, fan=fan)))


@tool("write")
def set_seat_heating(db: Database, zone: Part, level: Annotated[int, Field(ge=0, le=3)]) -> View[Zone]:
    """Set how warm the seats of a zone are.

    Args:
        zone: which part of the car.
        level: 0 switches the heating off.
    """
    return View(_in_zone(db, zone, seat_heat=level))


@tool("write")
def set_window(db: Database, window: Pane, percent_open: Annotated[int, Field(ge=0, le=100)]) -> View[Window]:
    """Open or shut a window.

    Args:
        window: which one.
        percent_open: 0 shuts it.
    """
    row = db.mine(Window, window=window)[0]
    if row.percent_open == percent_open:
        raise Refusal("no_change", "The window is open that far already.")
    return View(db.update(row, percent_open=percent_open))


@tool("write")
def set_lights(db: Database, lights: Lights) -> View[Vehicle]:
    """Choose the lights.

    Args:
        lights: low and high are the beams for driving.
    """
    return View(_changed(db, lights=lights))


@tool("read")
def search_destinations(
    db: Database,
    text: str | None = None,
    kind: Kind | None = None,
    near: Ref[Destination] | None = None,
    max_km: Annotated[int, Field(ge=1, le=500)] | None = None,
    min_kw: Annotated[int, Field(ge=10, le=350)] | None = None,
    free: bool | None = None,
    page: PageNumber = 1,
) -> Page[Destination]:
    """Search the places that the car knows, the nearest ones first.

    Args:
        text: only those whose name or street holds this.
        kind: only those of this kind.
        near: from where distances count; from the car without it.
        max_km: only those within so many kilometres.
        min_kw: only chargers with at least this power.
        free: only chargers with a free point, or only those without.
        page: ten a page.
    """
    east, north = (0, 0) if near is None else (near.east_km, near.north_km)
    found = [
        (km, row.destination_id, row)
        for row in db.mine(Destination, **given(kind=kind))
        if row != near
        and (contains_text(row.name, text) or contains_text(row.street, text))
        and (km := abs(row.east_km - east) + abs(row.north_km - north)) <= (max_km or km)
        and (row.fast_kw or 0) >= (min_kw or 0)
        and (free is None or (row.free_points is not None and (row.free_points > 0) == free))
    ]
    return Page([row for *_, row in sorted(found)], page)


@tool("write")
def start_guidance(
    db: Database,
    destination: Ref[Destination],
    via: Annotated[list[Ref[Destination]], Field(max_length=3)] = [],  # noqa: B006  # never written
) -> View[Guidance]:
    """Guide the driver to a place while no other route runs; answers the minutes and the charge on arrival.

    Args:
        via: stops on the way, in their order; at chargers the car is filled to 80 percent.
    """
    if db.mine(Guidance, state="running"):
        raise Refusal("wrong_state", "Another route runs; it has to be stopped first.")
    if destination in via or len({row.destination_id for row in via}) < len(via):
        raise Refusal("invalid_argument", "A place is on a route once.")
    stops = " ".join(row.destination_id for row in via)
    return View(db.add(Guidance, destination=destination, stop_ids=stops, state="running"))


@tool("read")
def get_guidance(
    db: Database, route: Ref[Guidance]
) -> dict[str, View[Guidance] | View[Destination] | list[View[Destination]]]:
    """Get a route's destination and stops, its minutes, and the charge on arrival in the car's present mode."""
    stops = [View(db.get_one(Destination, name)) for name in route.stop_ids.split()]
    return {"route": View(route), "destination": View(db.get_one(Destination, route.destination_id)), "stops": stops}


@tool("write")
def stop_guidance(db: Database, route: Ref[Guidance]) -> View[Guidance]:
    """End a route."""
    if route.state != "running":
        raise Refusal("no_change", "This route has ended already.")
    return View(db.update(route, state="ended"))


@tool("write")
def plan_charging(
    db: Database,
    limit_percent: Annotated[int, Field(ge=50, le=100)],
    ready_by: datetime,
    trip: Ref[Destination] | None = None,
) -> View[Battery]:
    """Plan how far the car is charged where it stands, at home or at a charger.

    Args:
        limit_percent: how full it is to be.
        ready_by: by when; later than now.
        trip: where the driver goes next, if that was said.
    """
    battery = db.mine(Battery)[0]
    if db.owner(Vehicle).place == "street":
        raise Refusal("wrong_state", "The car stands neither at home nor at a charger.")
    if ready_by <= db.now:
        raise Refusal("invalid_argument", "It can be ready later than now only.")
    if limit_percent <= battery.percent:
        raise Refusal("no_change", f"The car holds {battery.percent} percent already.")
    return View(db.update(battery, limit_percent=limit_percent, ready_by=ready_by))


def _changed(db: Database, **state: str | bool) -> Vehicle:
    """The car in another state.

    Raises:
        Refusal: it is in that state already.
    """
    car = db.owner(Vehicle)
    if all(getattr(car, name) == value for name, value in state.items()):
        raise Refusal("no_change", "That is so already.")
    return db.update(car, **state)


def _in_zone(db: Database, part: Part, **state: int | bool) -> Zone:
    """A zone in another state.

    Raises:
        Refusal: it is in that state already.
    """
    zone = db.mine(Zone, zone=part)[0]
    if all(getattr(zone, name) == value for name, value in state.items()):
        raise Refusal("no_change", "That is so already.")
    return db.update(zone, **state)
