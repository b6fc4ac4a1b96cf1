"""What a house lets an agent do for its resident."""

from datetime import date, datetime, time, timedelta
from typing import Annotated, Any, Literal

from pydantic import Field

from toolgym.domains.iot_devices import schema
from toolgym.domains.iot_devices.schema import Automation, CameraEvent, Device, GuestCode, Home, Program, Room, Scene
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.reference import NOT_BLANK, PageNumber, Ref, Reference, Secret
from toolgym.sandbox.kit.search import contains_text, given
from toolgym.sandbox.kit.tool import tool
from toolgym.sandbox.kit.view import Page, View

Kind = Literal["light", "plug", "thermostat", "blind", "lock", "sensor", "vacuum", "appliance", "speaker", "camera"]
Seen = Literal["person", "parcel", "animal", "car"]
Mode = Literal["home", "away", "night", "vacation"]
Armed = Literal["armed_home", "armed_away"]
Trigger = Literal["sunset", "sunrise", "time", "arrival", "leaving"]
Percent = Annotated[int, Field(ge=0, le=100)]
Target = Annotated[float, Field(ge=5, le=30, multiple_of=0.5)]
EMPTY, EMPTY_C, VACATION_C = ("away", "vacation"), 18, 16
"""The modes of an empty house, how warm it may be made, and what vacation lowers thermostats to."""


@tool("read")
def get_home(db: Database) -> dict[str, View[Home] | list[View[Room]] | datetime | str]:
    """Get the house's mode, alarm, who is in, its rooms, sunrise and sunset, and the present moment."""
    sun = {name: f"{at:%H:%M}" for name, at in schema.SUN.items()}
    home = db.owner(Home)
    rooms = [View(row) for row in db.find(Room, home_id=home.home_id)]
    return {"home": View(home), "rooms": rooms, "now": db.now, **sun}


@tool("read")
def list_devices(
    db: Database,
    room: Ref[Room] | None = None,
    kind: Kind | None = None,
    online: bool | None = None,
    text: str | None = None,
    page: PageNumber = 1,
) -> dict[str, list[View[Device]] | int]:
    """List the devices of the house by room; `get_device` has their state.

    Args:
        room: only those in this room.
        kind: only those of this kind.
        online: only those that answer, or only those that do not.
        text: only those whose name holds this.
        page: ten a page.
    """
    wanted = {"room": room and room.room_id, "kind": kind, "online": online, "text": (text or "").strip().lower()}
    keys = db.query(_LISTED, home=db.owner(Home).home_id, **wanted)
    shown = [View(db.get_one(Device, key)) for (key,) in keys[page * 10 - 10 : page * 10]]
    return {"items": shown, "page": page, "pages": -(-len(keys) // 10), "total": len(keys)}


@tool("read")
def get_device(db: Database, device: Ref[Device]) -> dict[str, View[Device] | list[View[Program]]]:
    """Get a device's state, battery in percent, and the programs of an appliance."""
    programs = db.find(Program, device_id=device.device_id) if device.kind == "appliance" else []
    return {"device": _state(db, device), "programs": [View(row) for row in programs]}


@tool("read")
def get_readings(
    db: Database, device: Ref[Device], begin: datetime, until: datetime
) -> dict[str, list[dict[str, str | float]] | str]:
    """Get what a temperature sensor or the power meter measured at each full hour of the last seven days.

    Args:
        begin: the first moment, included, such as 2026-03-12T22:00.
        until: the last moment, included, such as 2026-03-13T06:00.
    """
    days = {"device": device.device_id, "first": begin.date().isoformat(), "last": until.date().isoformat()}
    last = min(until, db.now)
    moments = [
        (datetime.combine(row.day, time(hour)), value)
        for row in db.select(
            schema.Reading, "device_id = :device AND day BETWEEN :first AND :last ORDER BY day", **days
        )
        for hour, value in enumerate(row.hourly)
    ]
    items: list[dict[str, str | float]] = [
        {"at": _written(at), "value": value} for at, value in moments if begin <= at <= last
    ]
    return {"unit": "W" if device.measures == "power" else "C", "items": items}


@tool("read")
def get_energy(
    db: Database, first_day: date, last_day: date, by: Literal["device", "room", "day"]
) -> dict[str, list[dict[str, str | float | int]]]:
    """Get what lights, plugs and appliances used on past days, the largest user first.

    Args:
        first_day: the first day, included, such as 2026-03-06.
        last_day: the last day, included, such as 2026-03-12.
        by: what is summed up.
    """
    me, yesterday = db.owner(Home), db.now.date() - timedelta(days=1)
    period = {"first": first_day.isoformat(), "last": min(last_day, yesterday).isoformat()}
    rows = db.query(_ENERGY[by], home=me.home_id, **period)
    return {"items": [_used(by, key, name, used, me.cents_per_kwh) for key, name, used in rows]}


@tool("read")
def get_camera_events(
    db: Database, camera: Ref[Device], begin: datetime, until: datetime, kind: Seen | None = None, page: PageNumber = 1
) -> Page[CameraEvent]:
    """List what a camera saw, the latest first.

    Args:
        begin: the first moment, included, such as 2026-03-12T22:00.
        until: the last moment, included, such as 2026-03-13T06:00.
        kind: only persons, parcels, animals or cars.
        page: ten a page.
    """
    moments = {"begin": _written(begin), "until": _written(min(until, db.now))}
    return Page(db.select(CameraEvent, _SEEN, camera=camera.device_id, kind=kind, **moments), page)


@tool("read")
def get_alarm(db: Database) -> dict[str, str | list[str] | list[View[CameraEvent]]]:
    """Get the alarm's state, the doors and windows that stand open, the vacuums at work, and who was seen last."""
    open_ones, moving = _insecure(db)
    home = db.owner(Home)
    events = db.select(CameraEvent, _LAST, home=home.home_id, now=_written(db.now))
    return {"alarm": home.alarm, "open": open_ones, "cleaning": moving, "last_events": [View(row) for row in events]}


@tool("write")
def set_light(
    db: Database,
    light: Ref[Device],
    on: bool,
    brightness: Annotated[int, Field(ge=1, le=100)] | None = None,
    colour: Literal["warm", "neutral", "cold", "red", "green", "blue"] | None = None,
) -> View[Device]:
    """Turn a light on or off, dim or colour it.

    Args:
        on: whether it is lit.
        brightness: in percent; as it was without it.
        colour: as it was without it.
    """
    if not on and (brightness or colour):
        raise Refusal("invalid_argument", "A light that is turned off takes neither brightness nor colour.")
    return _set(db, light, "light", {"on": on} | given(brightness=brightness, colour=colour))


@tool("write")
def set_plug(db: Database, plug: Ref[Device], on: bool) -> View[Device]:
    """Turn a plug on or off.

    Args:
        on: whether what is plugged in gets power.
    """
    return _set(db, plug, "plug", {"on": on})


@tool("write")
def set_thermostat(
    db: Database, thermostat: Ref[Device], mode: Literal["off", "heat", "cool", "auto"], target_c: Target | None = None
) -> View[Device]:
    """Set a thermostat.

    Args:
        mode: what it does.
        target_c: the temperature to reach, in steps of 0.5; as it was without it.
    """
    whole = target_c and (int(target_c) if target_c.is_integer() else target_c)
    return _set(db, thermostat, "thermostat", {"mode": mode} | given(target_c=whole))


@tool("write")
def set_blind(db: Database, blind: Ref[Device], percent_open: Percent) -> View[Device]:
    """Open or close a blind.

    Args:
        percent_open: 0 closes it, 100 opens it fully.
    """
    return _set(db, blind, "blind", {"percent_open": percent_open})


@tool("write")
def set_lock(db: Database, lock: Ref[Device], locked: bool, door_code: Secret | None = None) -> View[Device]:
    """Lock a door, or unlock it with the door code; the result says whether the code was accepted.

    Args:
        locked: false unlocks it.
        door_code: as the resident says it; locking needs none.
    """
    if not locked and door_code is None:
        raise Refusal("invalid_argument", "Unlocking needs the door code.")
    if lock.kind == "lock" and lock.locked != locked and not (locked or _accepted(db, "door_code", door_code)):
        return _state(db, lock, accepted=False, tries_left=schema.TRIES - db.owner(Home).wrong_codes)
    return _set(db, lock, "lock", {"locked": locked})


@tool("write")
def create_guest_code(
    db: Database,
    lock: Ref[Device],
    name: Annotated[str, Field(min_length=1, max_length=60), NOT_BLANK],
    begin: datetime,
    until: datetime,
) -> View[GuestCode]:
    """Make a code with which a guest unlocks a door; the result holds it.

    Args:
        name: whose code it is.
        begin: the first moment at which it opens, such as 2026-03-16T09:00.
        until: the last one, such as 2026-03-16T12:00.
    """
    if lock.kind != "lock":
        raise Refusal("invalid_argument", f"The {lock.name} is no door.")
    if not db.now <= until or not begin < until:
        raise Refusal("invalid_argument", "A code ends after it begins, and not in the past.")
    key = db.new_id(GuestCode)
    code = f"{int(key.removeprefix('gc-')) * 7919 % 9_000 + 1_000}"
    values = {"name": name, "code": code, "begin": begin, "until": until, "revoked": False}
    return View(db.add(GuestCode, guest_code_id=key, device=lock, **values), code=int(code))


@tool("read")
def list_guest_codes(db: Database, lock: Ref[Device] | None = None, name: str | None = None) -> list[View[GuestCode]]:
    """List the guests' codes with names and times, without the codes themselves.

    Args:
        lock: only those for this door.
        name: only those of guests whose name holds this.
    """
    rows = db.mine(GuestCode) if lock is None else db.find(GuestCode, device_id=lock.device_id)
    return [View(row) for row in rows if contains_text(row.name, name)]


@tool("write")
def revoke_guest_code(db: Database, guest_code: Ref[GuestCode]) -> View[GuestCode]:
    """Revoke a guest's code, so that it opens no more."""
    if guest_code.revoked or guest_code.until <= db.now:
        raise Refusal("no_change", "This code does not open any more.")
    return View(db.update(guest_code, revoked=True))


@tool("write")
def arm_alarm(db: Database, state: Armed) -> View[Home]:
    """Arm the alarm.

    Args:
        state: `armed_home` while people are in, `armed_away` for an empty house.
    """
    home = db.owner(Home)
    if home.alarm != "disarmed":
        raise Refusal("wrong_state", f"The alarm is {home.alarm}; it is armed while it is disarmed.")
    return View(db.update(home, alarm=state))


@tool("write")
def disarm_alarm(db: Database, alarm_code: Secret) -> View[Home]:
    """Disarm the alarm, also while it rings; the result says whether the code was accepted.

    Args:
        alarm_code: as the resident says it.
    """
    if db.owner(Home).alarm == "disarmed":
        raise Refusal("no_change", "The alarm is disarmed.")
    accepted = _accepted(db, "alarm_code", alarm_code)
    home = db.owner(Home)
    return View(db.update(home, alarm="disarmed") if accepted else home, accepted=accepted)


@tool("write")
def start_vacuum(
    db: Database,
    vacuum: Ref[Device],
    rooms: Annotated[list[Ref[Room]], Field(max_length=8)] = [],  # noqa: B006  # never written
) -> View[Device]:
    """Let a vacuum clean.

    Args:
        rooms: where; its whole floor without any.
    """
    floor = db.get_one(Room, vacuum.room_id).floor
    if any(room.floor != floor for room in rooms):
        raise Refusal("invalid_argument", f"The vacuum cleans rooms of its own floor, the {floor} one.")
    names = [room.name for room in dict.fromkeys(rooms)] or ["whole floor"]
    return _set(db, vacuum, "vacuum", {"activity": "cleaning", "program": ", ".join(names)})


@tool("write")
def dock_vacuum(db: Database, vacuum: Ref[Device]) -> View[Device]:
    """Send a vacuum back to its dock."""
    return _set(db, vacuum, "vacuum", {"activity": "docked", "program": None})


@tool("write")
def start_appliance(
    db: Database,
    appliance: Ref[Device],
    program: Annotated[Program, Reference(of="appliance")],
    start_at: datetime | None = None,
) -> View[Device]:
    """Start a program of an appliance, now or later.

    Args:
        program: one of the programs that `get_device` shows.
        start_at: when it starts, at most 24 hours ahead; now without it.
    """
    starts = start_at or db.now
    if not timedelta() <= starts - db.now <= timedelta(days=1):
        raise Refusal("invalid_argument", "A program starts now or within 24 hours.")
    if appliance.activity != "idle":
        raise Refusal(
            "wrong_state", f"The {appliance.name} is {appliance.activity} until {_written(appliance.ends_at)}."
        )
    activity = "planned" if starts > db.now else "running"
    ends = starts + timedelta(minutes=program.minutes)
    values = {"activity": activity, "program": program.name, "starts_at": starts, "ends_at": ends}
    return _set(db, appliance, "appliance", values, done_at=f"{ends:%H:%M}")


@tool("write")
def set_speaker(
    db: Database,
    speaker: Ref[Device],
    on: bool,
    source: Literal["jazz", "news", "classical", "rock", "audiobook"] | None = None,
    volume: Percent | None = None,
) -> View[Device]:
    """Let a speaker play or be silent.

    Args:
        on: whether it plays.
        source: what it plays; as it was without it.
        volume: in percent; as it was without it.
    """
    return _set(db, speaker, "speaker", {"on": on} | given(source=source, volume=volume))


@tool("read")
def list_scenes(db: Database, name: str | None = None) -> dict[str, list[View[Scene]] | list[View[Automation]]]:
    """List the scenes with their steps, and the automations that run them.

    Args:
        name: only scenes whose name holds this.
    """
    wanted = {"home": db.owner(Home).home_id, "name": (name or "").strip().lower()}
    scenes = db.select(Scene, "home_id = :home AND instr(name, :name)", **wanted)
    automations = [row for scene in scenes for row in db.find(Automation, scene_id=scene.scene_id)]
    return {"items": [View(row) for row in scenes], "automations": [View(row) for row in automations]}


@tool("write")
def run_scene(db: Database, scene: Ref[Scene]) -> View[Scene]:
    """Run a scene now: all of its steps, or none."""
    if not _run(db, scene):
        raise Refusal("no_change", "Everything is like that already.")
    return View(scene)


@tool("write")
def set_automation(
    db: Database, scene: Ref[Scene], on: bool, trigger: Trigger, at: time | None = None
) -> View[Automation]:
    """Let a scene run by itself, or stop that; a scene has one automation, which is changed where there is one.

    Args:
        on: false keeps it, but it does not run.
        trigger: when it runs; `arrival` and `leaving` are changes of the house's mode.
        at: at what time each day, where the trigger is `time`.
    """
    if (trigger == "time") != (at is not None):
        raise Refusal("invalid_argument", "A time goes with the trigger `time`, and with no other.")
    values = {"trigger": trigger, "at": at and f"{at:%H:%M}", "on": on}
    known = db.find(Automation, scene_id=scene.scene_id)
    if not known:
        return View(db.add(Automation, scene=scene, **values))
    if all(getattr(known[0], name) == value for name, value in values.items()):
        raise Refusal("no_change", "The automation is like that already.")
    return View(db.update(known[0], **values))


@tool("write")
def set_home_mode(db: Database, mode: Mode) -> View[Home]:
    """Set the house's mode; vacation lowers all thermostats to 16 degrees, and scenes run that wait for it.

    Args:
        mode: `away` and `vacation` are for an empty house.
    """
    home = db.owner(Home)
    if home.mode == mode:
        raise Refusal("no_change", "The house is in that mode already.")
    changed = db.update(home, mode=mode)
    if mode == "vacation":
        for row in db.mine(Device, kind="thermostat"):
            if row.online and (row.target_c or 0) > VACATION_C:
                db.update(row, target_c=VACATION_C)
    trigger = None if (home.mode in EMPTY) == (mode in EMPTY) else "leaving" if mode in EMPTY else "arrival"
    ran, skipped = _triggered(db, trigger, mode)
    return View(changed, scenes_run=ran, scenes_skipped=skipped)


_LISTED = """SELECT device_id FROM devices WHERE home_id = :home AND instr(name, :text)
    AND room_id = ifnull(:room, room_id) AND kind = ifnull(:kind, kind) AND online = ifnull(:online, online)
    ORDER BY room_id, device_id"""
_ENERGY = {
    by: f"""SELECT {key}, {name}, sum(watt_hours) FROM devices d JOIN rooms r USING (room_id)
    JOIN usage u USING (device_id) WHERE d.home_id = :home AND u.day BETWEEN :first AND :last
    GROUP BY 1 ORDER BY 3 DESC, 1"""
    for by, key, name in (
        ("device", "d.device_id", "d.name"), ("room", "r.room_id", "r.name"), ("day", "u.day", "u.day")
    )
}  # fmt: skip
_SEEN = """device_id = :camera AND at BETWEEN :begin AND :until AND (:kind IS NULL OR kind = :kind)
    ORDER BY at DESC, event_id"""
_LAST = """device_id IN (SELECT device_id FROM devices WHERE home_id = :home AND kind = 'camera') AND at <= :now
    ORDER BY at DESC, event_id LIMIT 3"""


def _written(moment: datetime | None) -> str:
    return "" if moment is None else moment.isoformat(timespec="minutes")


def _used(by: str, key: str, name: str, used: int, cents: int) -> dict[str, str | float | int]:
    which = {"day": key} if by == "day" else {f"{by}_id": key, "name": name}
    return {**which, "kwh": round(used / 1000, 1), "cost_cents": used * cents // 1000}


def _insecure(db: Database) -> tuple[list[str], list[str]]:
    """What keeps the alarm from being armed: doors and windows that stand open, and vacuums at work."""
    doors = [row for row in db.mine(Device, kind="lock") if not row.locked]
    windows = [row for row in db.mine(Device, kind="sensor") if row.open]
    names = [row.name for row in doors] + [f"{schema.room_of(row, db)} window" for row in windows]
    return names, [row.name for row in db.mine(Device, kind="vacuum") if row.activity == "cleaning"]


def _accepted(db: Database, which: str, code: str | None) -> bool:
    """Whether a code is the right one; wrong ones in a row are counted."""
    home = db.owner(Home)
    right: bool = (code or "").strip() == getattr(home, which)
    db.update(home, wrong_codes=0 if right else home.wrong_codes + 1)
    return right


def _run(db: Database, scene: Scene) -> bool:
    """Take a scene's steps; whether anything has changed."""
    changed = False
    for device, change in schema.steps_of(scene, db):
        if any(getattr(device, name) != value for name, value in change.items()):
            db.update(device, **change)
            changed = True
    return changed


def _triggered(db: Database, trigger: str | None, mode: str) -> tuple[list[str], list[str]]:
    """Run the scenes that wait for people to leave or arrive; those that cannot run are skipped."""
    ran: list[str] = []
    skipped: list[str] = []
    for automation in db.mine(Automation, trigger=trigger, on=True) if trigger else ():
        scene = db.get_one(Scene, automation.scene_id)
        seen = View(scene).bound(db).row
        too_warm = mode in EMPTY and (seen.warmest_c or 0) > EMPTY_C
        (skipped if seen.offline or too_warm else ran).append(scene.name)
        if scene.name in ran:
            _run(db, scene)
    return ran, skipped


def _state(db: Database, device: Device, **more: Any) -> View[Device]:
    """A device with what its kind shows."""
    seen = View(device).bound(db)
    names = (*schema.STATE[device.kind], "battery", "offline_since")
    state = {name: getattr(seen, name) for name in names}
    return View(device, **state, **more)


def _set(db: Database, device: Device, kind: Kind, values: dict[str, Any], **more: Any) -> View[Device]:
    """Change a device of this kind."""
    if device.kind != kind:
        raise Refusal("invalid_argument", f"The {device.name} is a {device.kind}, not a {kind}.")
    if all(getattr(device, name) == value for name, value in values.items()):
        raise Refusal("no_change", f"The {device.name} is like that already.")
    return _state(db, db.update(device, **values), **more)
