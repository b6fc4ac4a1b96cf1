"""What residents want of their house. Their words are in sentences.toml."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any, get_args

from toolgym.domains.iot_devices import tools
from toolgym.domains.iot_devices.rules import LATELY
from toolgym.domains.iot_devices.schema import Automation, Device, GuestCode, Program, Room, Scene
from toolgym.domains.iot_devices.seed import COLOURS, SOURCES
from toolgym.domains.people import FIRST_NAMES
from toolgym.sandbox.kit.world import Calls, Condition, Draw, Goal, Slot, Tell, Thing, Tool, View

THINGS = (
    Thing(Room, found_by=(tools.get_home,), has_known_key=False),
    Thing(Program, found_by=(tools.list_devices, tools.get_device), has_known_key=False),
    *(Thing(table, has_known_key=False) for table in (Device, Scene)),
    Thing(GuestCode, where=lambda code: code.row.state == "valid", has_known_key=False),
)
CONDITIONS = (
    Condition(
        Device,
        "battery",
        "if the battery of {it} is at {value} percent or more",
        tools.get_device,
        value=lambda found: found["device"]["battery"],
    ),
)
I_MEAN = ("I mean {}.",)
_WHEN = {"sunset": "at sunset", "sunrise": "at sunrise", "arrival": "we come home", "leaving": "we leave"}
_FOR = {"armed_home": "with people inside", "armed_away": "with nobody inside"}
_PLAYED = {"news": "the news", "classical": "classical music", "audiobook": "my audiobook"}
_WHITES = {each: f"{each} white" for each in COLOURS[:3]}
_TIMES = [time(6, 30), time(7, 15), time(18), time(20, 30), time(23)]
BY = Slot("by", draw=(1, 2, 3), kind="number")


def _is(kind: str, **state: Any) -> Callable[[View[Device]], bool]:
    """Which devices are of this kind and, where it matters, in this state."""
    return lambda device: (
        device.row.kind == kind and all(getattr(device.row, name) == value for name, value in state.items())
    )


def _a(slot: str, **state: Any) -> Slot:
    """The device that a tool for its kind is called with."""
    return Slot(slot, says=I_MEAN, where=_is(slot, **state))


def _new(column: str, among: Any) -> Callable[[Draw], Any]:
    """One of some values that the drawn device does not have."""

    def drawn(draw: Draw) -> Any:
        device = next(row for row in draw.values.values() if getattr(row, "model", None) is Device)
        return draw.rng.choice([each for each in among if each != getattr(device, column)])

    return drawn


def _warmer(draw: Draw) -> Any:
    return draw.values["thermostat"].target_c + draw.values["by"]


def _seen(slot: str) -> Callable[[Draw], Calls]:
    return lambda draw: [(tools.get_device, {"device": draw.values[slot]})]


def _in(draw: Draw, kind: str, **state: Any) -> list[Device]:
    """The devices of the drawn room that are of this kind and in this state."""
    return draw.database.find(Device, room_id=draw.values["room"].room_id, kind=kind, **state)


def _sensor(measures: str) -> Callable[[Draw], Device | None]:
    return lambda draw: next(iter(_in(draw, "sensor", measures=measures)), None)


def _room_listed(draw: Draw) -> Calls:
    return [(tools.list_devices, {"room": draw.values["room"]})]


def _lights_seen(draw: Draw) -> Calls:
    return [*_room_listed(draw), *((tools.get_device, {"device": row}) for row in _in(draw, "light"))]


def _lit(draw: Draw) -> list[Device]:
    """The lights of the drawn room that are on, where all of its lights answer."""
    return _in(draw, "light", on=True) if all(row.online for row in _in(draw, "light")) else []


def _several_lit(draw: Draw) -> Device | None:
    return _lit(draw)[0] if len(_lit(draw)) > 1 else None


def _alone_lit(draw: Draw) -> Device | None:
    """The only light that is on in the drawn room, where a sensor tells how bright it is."""
    return _lit(draw)[0] if len(_lit(draw)) == 1 and _sensor("light")(draw) else None


def _other_lights(draw: Draw) -> Calls:
    return [(tools.set_light, {"light": row, "on": False}) for row in _lit(draw)[1:]]


def _night(draw: Draw) -> dict[str, datetime]:
    """From ten in the evening to six in the morning."""
    evening = datetime.combine(draw.now.date() - timedelta(days=draw.rng.randrange(1, 4)), time(22))
    return {"begin": evening, "until": evening + timedelta(hours=8)}


def _night_in_words(night: Mapping[str, datetime]) -> str:
    begin, until = night["begin"], night["until"]
    return f"between 10 pm on {begin:%B} {begin.day} and 6 am on {until:%B} {until.day}"


def _day(draw: Draw) -> dict[str, datetime]:
    begin = datetime.combine(draw.now.date() - timedelta(days=draw.rng.randrange(1, 4)), time())
    return {"begin": begin, "until": begin + timedelta(hours=23, minutes=59)}


def _days(draw: Draw) -> dict[str, date]:
    last = draw.now.date() - timedelta(days=draw.rng.randrange(1, 4))
    return {"first_day": last - timedelta(days=draw.rng.choice((2, 3, 6))), "last_day": last}


def _days_in_words(days: Mapping[str, date]) -> str:
    return f"from {days['first_day']:%B} {days['first_day'].day} to {days['last_day']:%B} {days['last_day'].day}"


def _begin(draw: Draw) -> datetime:
    return datetime.combine(draw.now.date() + timedelta(days=draw.rng.randrange(1, 8)), time(draw.rng.randrange(8, 12)))


def _until(draw: Draw) -> datetime:
    begin: datetime = draw.values["begin"]
    return begin + draw.rng.choice((timedelta(hours=3), timedelta(hours=4), *map(timedelta, (1, 3, 7, 13, 14, 15, 20))))


def _ground(draw: Draw) -> list[Room]:
    """One or two rooms where the drawn vacuum can go."""
    floor = draw.database.get_one(Room, draw.values["vacuum"].room_id).floor
    return draw.rng.sample([row for row in draw.rows(Room) if row.floor == floor], draw.rng.choice((1, 1, 2)))


def _runs(draw: Draw) -> Device | None:
    """The appliance of the drawn program, where it is idle."""
    row = draw.database.get_one(Device, draw.values["program"].device_id)
    return row if row.activity == "idle" else None


def _start(draw: Draw) -> datetime:
    """A moment of the next hours: at some, the drawn program would run into the night."""
    last = datetime.combine(draw.now.date(), time(22)) - timedelta(minutes=draw.values["program"].minutes)
    later = [last + timedelta(minutes=minutes) for minutes in (-45, 0, 1, 30, 600)]
    return draw.rng.choice([each for each in later if each > draw.now])


def _another_mode(draw: Draw) -> Any:
    return draw.rng.choice([mode for mode in get_args(tools.Mode) if mode != draw.person.mode])


def _automation(column: str) -> Callable[[Draw], Any]:
    """What is set of the only automation of the drawn scene, while it is on."""

    def found(draw: Draw) -> Any:
        rows = draw.database.find(Automation, scene_id=draw.values["scene"].scene_id, on=True)
        value = getattr(rows[0], column) if rows else None
        return time.fromisoformat(value) if column == "at" and value else value

    return found


def _scenes_seen(draw: Draw) -> Calls:
    return [(tools.list_scenes, {"name": draw.values["scene"].name})]


# --- what goes on with what came before ---


def _only_open(draw: Draw) -> Device | None:
    """The door that alone keeps the alarm from being armed, while the house is in use."""
    rows, home = draw.rows(Device), draw.person
    doors = [row for row in rows if row.kind == "lock" and not row.locked]
    fits = len(doors) == 1 and not any(row.open or row.activity == "cleaning" for row in rows) and doors[0].online
    return doors[0] if fits and home.alarm == "disarmed" and home.mode in ("home", "night") else None


def _left(draw: Draw) -> Calls:
    return [(tools.arm_alarm, {"state": "armed_away"}), (tools.set_home_mode, {"mode": draw.values["mode"]})]


def _stands_there(draw: Draw) -> Device | None:
    """A locked door that answers, before which somebody stands."""
    rows = [row for row in draw.rows(Device) if row.kind == "lock" and row.locked and row.online]
    seen = [(row, draw.view(row).person_seen_at) for row in rows]
    return draw.one_of(row for row, at in seen if at and draw.now - at <= LATELY)


def _let_in(draw: Draw) -> Calls:
    opened = {"lock": draw.values["lock"], "locked": False, "door_code": draw.values["door_code"]}
    return [(tools.set_lock, opened), (tools.set_home_mode, {"mode": "home"})]


def _dark(draw: Draw) -> Calls:
    return [(tools.get_device, {"device": _sensor("light")(draw)})]


def _laundry(draw: Draw, name: str) -> tuple[Device, Program] | None:
    """An idle appliance of the drawn room, with the drawn program."""
    row = next((row for row in _in(draw, "appliance", name=name, activity="idle") if row.online), None)
    found = draw.database.find(Program, device_id=row.device_id, name=draw.values[f"{name}_program"]) if row else []
    return (row, found[0]) if row and found else None


def _dried(draw: Draw) -> Calls:
    """The dryer starts when the washer is done, and the scene runs when the dryer is."""
    washer, dryer = _laundry(draw, "washer"), _laundry(draw, "dryer")
    if washer is None or dryer is None:
        return []
    washed = draw.now + timedelta(minutes=washer[1].minutes)
    done = (washed + timedelta(minutes=dryer[1].minutes)).time()
    dry = {"appliance": dryer[0], "program": dryer[1], "start_at": washed}
    return [(tools.start_appliance, dry), *_daily(draw, done)]


def _daily(draw: Draw, at: time) -> Calls:
    return [(tools.set_automation, {"scene": draw.values["scene"], "on": True, "trigger": "time", "at": at})]


def _then(draw: Draw) -> Calls:
    return _daily(draw, (draw.now + timedelta(minutes=draw.values["program"].minutes)).time())


def _laundry_seen(draw: Draw) -> Calls:
    found = [_laundry(draw, name) for name in ("washer", "dryer")]
    return [*_room_listed(draw), *((tools.get_device, {"device": each[0]}) for each in found if each)]


def _part(place: int) -> Callable[[Draw], Any]:
    def found(draw: Draw) -> Any:
        washer = _laundry(draw, "washer") if _dried(draw) else None
        return washer[place] if washer else None

    return found


def _hungriest(draw: Draw) -> Room | None:
    """The room that used most in the drawn days."""
    found = tools.get_energy.function(draw.database, by="room", **draw.values["days"])["items"]
    return draw.database.get(Room, found[0]["room_id"]) if found else None


def _hungriest_lit(draw: Draw) -> Device | None:
    room = _hungriest(draw)
    lit = [] if room is None else draw.database.find(Device, room_id=room.room_id, kind="light", on=True)
    return lit[0] if len(lit) == 1 and lit[0].online else None


def _hungriest_seen(draw: Draw) -> Calls:
    room = _hungriest(draw)
    rows = draw.database.find(Device, room_id=room.room_id, kind="light") if room else []
    used = (tools.get_energy, {**draw.values["days"], "by": "room"})
    return [used, (tools.list_devices, {"room": room}), *((tools.get_device, {"device": row}) for row in rows)]


def _some_evening(draw: Draw) -> datetime:
    return datetime.combine(draw.now.date() + timedelta(days=draw.rng.randrange(2, 13)), time(18))


def _renewed(draw: Draw) -> Calls:
    code: GuestCode = draw.values["guest_code"]
    door = draw.database.get_one(Device, code.device_id)
    times = {"begin": draw.now, "until": draw.values["until"]}
    return [(tools.create_guest_code, {"lock": door, "name": code.name, **times})]


# --- what is told ---


def _lowest(found: Mapping[str, Any]) -> float | None:
    return min((item["value"] for item in found["items"]), default=None)


def _only_time(found: Mapping[str, Any]) -> str | None:
    return found["items"][0]["at"] if found["total"] == 1 else None


def _first(name: str) -> Callable[[Mapping[str, Any]], Any]:
    """A field of the first item, where it is ahead of the second."""

    def found(result: Mapping[str, Any]) -> Any:
        items = result["items"]
        return items[0][name] if len(items) > 1 and items[0]["kwh"] > items[1]["kwh"] else None

    return found


def _guests(found: list[Mapping[str, Any]]) -> list[str] | None:
    names = [code["name"] for code in found if code["state"] == "valid"]
    return names if 0 < len(names) == len(set(names)) else None


def _goal(tool: Tool, name: str, *slots: Slot, **more: Any) -> Goal:
    return Goal(tool, name=name, slots=slots, **more)


def _withheld(name: str, draw: Any, says: str = "{}.", **more: Any) -> Slot:
    return Slot(name, withheld=0.5, draw=draw, says=(says,), **more)


ON, OFF, DAILY = {"on": True}, {"on": False}, {"on": True, "trigger": "time"}
PROGRAM, SCENE, GUEST = (Slot(name, says=I_MEAN) for name in ("program", "scene", "guest_code"))
HEATER = Slot("thermostat", says=I_MEAN, where=_is("thermostat", mode="heat"), reads=_seen("thermostat"))
BRIGHTNESS = _withheld("brightness", _new("brightness", (10, 15, 30, 50)), "{} percent.")
COLOUR = _withheld("colour", _new("colour", COLOURS), words=_WHITES)
DEGREES = _withheld("target_c", _new("target_c", (16.5, 17, 18, 18.5, 19, 20, 20.5, 21, 23)), "{} degrees.")
OPENING = _withheld("percent_open", _new("percent_open", (20, 40, 60, 80, 100)), "{} percent.")
MUSIC = (Slot("source", draw=SOURCES, words=_PLAYED), _withheld("volume", (10, 20, 29, 30, 31, 45)))
ROOMS, SCENES = Slot("rooms", given=0.6, draw=_ground), Slot("scene", says=I_MEAN, reads=_scenes_seen)
THEN, START = (Slot("scene", of=Scene),), _withheld("start_at", _start, "On {}.")
AT_SUN, AT_TIME = _withheld("trigger", ("sunset", "sunrise"), words=_WHEN), _withheld("at", _TIMES, "At {}.")
GOING = _withheld("trigger", ("arrival", "leaving"), "Every time {}.", words=_WHEN)
VISIT = (Slot("name", draw=FIRST_NAMES), Slot("begin", draw=_begin), _withheld("until", _until, "Until {}."))
ANEW = (Slot("until", draw=_some_evening, kind="moment", reads=lambda draw: [(tools.get_home, {})]),)
ALARM_CODE = _withheld("alarm_code", lambda draw: draw.person.alarm_code, "The code is {}.")
DOOR_CODE = _withheld("door_code", lambda draw: draw.person.door_code, "The code is {}.", kind="secret")
AT_THE_DOOR = (Slot("lock", of=Device, draw=_stands_there, reads=_seen("lock")), DOOR_CODE)
LIT, LISTED = Slot("room", of=Room, reads=_lights_seen), Slot("room", of=Room, reads=_room_listed)
DAYS = Slot("days", fills=("first_day", "last_day"), draw=_days, say=_days_in_words)
DAY = Slot("day", fills=("begin", "until"), draw=_day, say=lambda day: f"{day['begin']:%B} {day['begin'].day}")
NIGHT = Slot("night", fills=("begin", "until"), draw=_night, say=_night_in_words)
CHARGED = Slot("device", where=lambda device: device.row.battery is not None)
MEASURING = Slot("device", where=lambda device: device.row.value is not None)
LAUNDRY = (
    Slot("room", of=Room, reads=_laundry_seen),
    Slot("washer_program", draw=("eco", "quick", "cotton"), kind="text"),
    Slot("dryer_program", draw=("gentle", "strong"), kind="text"),
)
ITS: dict[str, Any] = {"appliance": _runs}
AS_IT_IS: dict[str, Any] = {"mode": lambda draw: draw.values["thermostat"].mode}
STOPPED = {"trigger": _automation("trigger"), "at": _automation("at")}


def _at(said: str, column: str) -> Tell:
    """A moment, by what people call it."""
    return Tell(said, kind="moment", value=lambda made: made[column])


def _read(said: str, column: str, **more: Any) -> Tell:
    """A device's number, by what people call it."""
    return Tell(said, kind="number", value=lambda seen: seen["device"][column], **more)


TARGET = (Tell("degrees", kind="number", value=lambda made: made["target_c"], near=("degrees", "degree")),)
CODE, ENDS, NEXT = (Tell("code", kind="number"),), (_at("end time", "ends_at"),), (_at("next run", "next_at"),)
NEW_CODE, NEXT_RUN = (replace(CODE[0], by=tools.create_guest_code),), (replace(NEXT[0], by=tools.set_automation),)
LUX = (_read("lux", "value", by=tools.get_device, near=("lux",)),)
USED = (Tell("name", kind="text", value=_first("name")), Tell("energy in kWh", kind="number", value=_first("kwh")))
LOWEST = (Tell("lowest temperature", kind="number", value=_lowest, near=("lowest", "degrees", "degree")),)
BATTERY = (_read("battery charge in percent", "battery", near=("percent", "battery")),)
VALUE = (_read("reading", "value"),)
OPEN = (Tell("open", kind="text", value=lambda found: found["open"] or None),)

GOALS = (
    _goal(tools.set_light, "turn_on", _a("light", on=False), fixed=ON),
    _goal(tools.set_light, "turn_off", _a("light", on=True), fixed=OFF),
    _goal(tools.set_light, "dim", _a("light"), BRIGHTNESS, fixed=ON),
    _goal(tools.set_light, "colour", _a("light"), COLOUR, fixed=ON),
    _goal(tools.set_light, "all_off", fixed=OFF, about=(LIT,), worked_out={"light": _several_lit}, also=_other_lights),
    _goal(tools.set_light, "darker", fixed=OFF, about=(LIT,), worked_out={"light": _alone_lit}, also=_dark, tells=LUX),
    _goal(
        tools.set_light,
        "save",
        fixed=OFF,
        about=(replace(DAYS, fills=(), reads=_hungriest_seen),),
        worked_out={"light": _hungriest_lit},
        tells=(Tell("room_name", kind="text"),),
        share=1.5,
    ),
    _goal(tools.set_plug, "plug_on", _a("plug", on=False), fixed=ON),
    _goal(tools.set_plug, "plug_off", _a("plug", on=True), fixed=OFF),
    _goal(
        tools.set_thermostat,
        "warmer",
        HEATER,
        about=(BY,),
        worked_out=AS_IT_IS | {"target_c": _warmer},
        tells=TARGET,
        share=1.5,
    ),
    _goal(tools.set_thermostat, "heat_to", HEATER, DEGREES, worked_out=AS_IT_IS),
    _goal(tools.set_blind, "set_blind", _a("blind"), OPENING, share=1.5),
    _goal(tools.set_speaker, "play", _a("speaker"), *MUSIC, fixed=ON),
    _goal(tools.set_speaker, "silence", _a("speaker", on=True), fixed=OFF),
    _goal(tools.start_vacuum, "clean", _a("vacuum", activity="docked"), ROOMS, share=4.0),
    _goal(tools.dock_vacuum, "dock", _a("vacuum", activity="cleaning"), share=1.5),
    _goal(tools.start_appliance, "run", PROGRAM, worked_out=ITS, tells=ENDS),
    _goal(tools.start_appliance, "run_later", PROGRAM, START, worked_out=ITS, tells=ENDS, share=1.5),
    _goal(tools.start_appliance, "run_then", PROGRAM, about=THEN, worked_out=ITS, also=_then, tells=NEXT_RUN, share=3),
    _goal(
        tools.start_appliance,
        "wash_and_dry",
        about=(*LAUNDRY, *THEN),
        worked_out={"appliance": _part(0), "program": _part(1)},
        also=_dried,
        tells=NEXT_RUN,
        share=5.0,
    ),
    _goal(tools.run_scene, "scene", SCENE, share=1.5),
    _goal(tools.set_automation, "at_the_sun", SCENE, AT_SUN, fixed=ON, tells=NEXT),
    _goal(tools.set_automation, "on_leaving", SCENE, GOING, fixed=ON),
    _goal(tools.set_automation, "at_a_time", SCENE, AT_TIME, fixed=DAILY),
    _goal(tools.set_automation, "stop_automation", SCENES, fixed=OFF, worked_out=STOPPED),
    _goal(tools.set_lock, "lock", _a("lock", locked=False), fixed={"locked": True}, share=2.0),
    _goal(tools.set_lock, "unlock", _a("lock", locked=True), DOOR_CODE, fixed={"locked": False}, share=2.0),
    _goal(
        tools.set_lock,
        "leave",
        Slot("lock", draw=_only_open),
        fixed={"locked": True},
        about=(Slot("mode", draw=tools.EMPTY),),
        also=_left,
        share=3.0,
    ),
    _goal(tools.create_guest_code, "guest", _a("lock"), *VISIT, tells=CODE),
    _goal(tools.revoke_guest_code, "revoke", GUEST),
    _goal(tools.revoke_guest_code, "renew", GUEST, about=ANEW, also=_renewed, tells=NEW_CODE),
    _goal(tools.arm_alarm, "arm", Slot("state", words=_FOR), share=1.5),
    _goal(tools.disarm_alarm, "disarm", ALARM_CODE),
    _goal(tools.disarm_alarm, "come_home", ALARM_CODE, about=AT_THE_DOOR, also=_let_in, share=3.0),
    _goal(tools.set_home_mode, "mode", Slot("mode", draw=_another_mode), share=1.5),
    _goal(
        tools.get_readings,
        "ask_lowest",
        NIGHT,
        about=(LISTED,),
        worked_out={"device": _sensor("temperature")},
        tells=LOWEST,
    ),
    _goal(
        tools.get_camera_events,
        "ask_parcel",
        _a("camera"),
        DAY,
        fixed={"kind": "parcel"},
        tells=(Tell("time", kind="moment", value=_only_time),),
    ),
    *(_goal(tools.get_energy, f"ask_{by}", DAYS, fixed={"by": by}, tells=USED) for by in ("room", "device")),
    _goal(tools.get_alarm, "ask_open", tells=OPEN),
    _goal(tools.get_device, "ask_battery", CHARGED, tells=BATTERY),
    _goal(tools.get_device, "ask_value", MEASURING, tells=VALUE),
    _goal(tools.list_guest_codes, "ask_guests", _a("lock"), tells=(Tell("name", kind="text", value=_guests),)),
)
