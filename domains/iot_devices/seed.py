"""The rows: 24 houses with their rooms, devices, scenes, codes and what was measured; both sides of every rule."""

import math
import random
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from toolgym.domains.iot_devices import schema
from toolgym.domains.iot_devices.schema import Device, Home, Room, Scene
from toolgym.domains.people import FIRST_NAMES, LAST_NAMES
from toolgym.sandbox.kit.database import Database

NOW = datetime(2026, 3, 13, 16, 20)
CLOCKS = (datetime(2026, 3, 13, 21, 59), datetime(2026, 3, 13, 22, 0), datetime(2026, 3, 14, 7, 0))
"""The quiet hours begin between the first two, and have just ended at the third."""
SOURCES = ("jazz", "news", "classical", "rock", "audiobook")
COLOURS = ("warm", "neutral", "cold", "red", "green", "blue")
_ROOMS = {"kitchen": "ground", "living room": "ground", "hall": "ground", "utility room": "ground",
          "bathroom": "upper", "bedroom": "upper", "study": "upper", "nursery": "upper"}  # fmt: skip
_HEATED = ("living room", "bathroom", "bedroom", "nursery", "study")
_PROGRAMS = {
    "dishwasher": {"eco": 180, "quick": 35, "intensive": 125},
    "washer": {"eco": 170, "quick": 30, "cotton": 110},
    "dryer": {"gentle": 75, "strong": 100},
}
_STATES = (
    ("home", "disarmed"), ("home", "disarmed"), ("night", "armed_home"), ("away", "armed_away"), ("away", "disarmed"),
    ("home", "armed_away"), ("home", "ringing"), ("vacation", "armed_away"), ("home", "disarmed"),
)  # fmt: skip
_ONE_IN = 12
"""Of so many devices, one does not answer."""
_AGO = (3, 10, 11, 25)
"""Minutes since the cameras of a house have last seen a person."""
_CODES = ((-30, -26), (-2, 5), (1, 2), (-8, 1), (0, 13), (3, 9))
"""Days from now at which guest codes begin and end."""


def fill(db: Database, seed: int = 417, first: int = 101) -> None:
    """Write the rows.

    Args:
        db: the empty tables.
        seed: other houses with another one.
        first: the number of the first house.
    """
    rng = random.Random(seed)
    people = rng.sample(FIRST_NAMES, 48)
    for number in range(24):
        mode, alarm = _STATES[number % len(_STATES)]
        others = f", {people[number + 24]}" if number % 3 else ""
        home = db.insert(
            Home,
            home_id=f"ih-{first + number}",
            resident=f"{people[number]} {rng.choice(LAST_NAMES)}",
            mode=mode,
            alarm=alarm,
            present="" if mode in ("away", "vacation") or alarm == "armed_away" else f"{people[number]}{others}",
            cents_per_kwh=rng.randrange(24, 36),
            wrong_codes=3 if number % 11 == 5 else (0, 0, 1, 2)[number % 4],
            alarm_code=f"{rng.randrange(10_000):04d}",
            door_code=f"{rng.randrange(1_000_000):06d}",
        )
        _house(db, rng, home, number)


def _house(db: Database, rng: random.Random, home: Home, number: int) -> None:
    shut = home.alarm == "armed_away" or number % 9 in (0, 8)
    without = ("", "study", "nursery")[number % 3]
    rooms = {name: db.add(Room, home=home, name=name, floor=floor) for name, floor in _ROOMS.items() if name != without}
    made: list[Device] = []

    def device(room: str, kind: str, name: str, **values: Any) -> None:
        if room in rooms:
            online = rng.randrange(_ONE_IN) > 0
            since = None if online else NOW - timedelta(minutes=rng.randrange(100, 9000))
            row = {"name": name, "kind": kind, "online": online, "offline_since": since, **values}
            made.append(db.add(Device, home=home, room=rooms[room], **row))

    for room in rooms:
        device(room, "light", "ceiling light", **_light(rng))
    for room in ("living room", "bedroom", "study"):
        device(room, "light", "reading lamp", **_light(rng))
    for room in _HEATED:
        mode, target = rng.choice(("heat", "heat", "auto", "off")), rng.randrange(14, 23)
        cool = home.mode in ("away", "vacation")
        device(room, "thermostat", "thermostat", mode=mode, target_c=min(target, 18) if cool else target)
        device(room, "sensor", "temperature sensor", measures="temperature", battery=rng.randrange(5, 100))
        left = rng.random() < 0.4 and not shut
        device(room, "sensor", "window sensor", measures="contact", open=left, battery=rng.randrange(5, 100))
    for room in ("living room", "bedroom", "study"):
        device(room, "blind", "blind", percent_open=rng.choice((0, 30, 50, 80, 100)))
    for room, name in (("hall", "front door"), ("utility room", "side door")):
        locked = name == "side door" if shut else rng.random() < 0.75
        locked = locked or home.mode == "away" or home.alarm == "armed_away"
        device(room, "lock", name, locked=locked, battery=rng.randrange(10, 100))
        device(room, "camera", f"{name} camera", on=True)
    device("living room", "sensor", "light sensor", measures="light", battery=rng.randrange(5, 100))
    device("utility room", "sensor", "power meter", measures="power")
    for place, room in enumerate(("hall", "bedroom")):
        cleans, battery = number % 9 in ((1, 2, 6), (2, 6))[place], (20, 19, 64, 90, 21, 12)[(number + place) % 6]
        device(room, "vacuum", "vacuum", activity="cleaning" if cleans else "docked", battery=battery)
    for room, name in (("kitchen", "dishwasher"), ("utility room", "washer"), ("utility room", "dryer")):
        device(room, "appliance", name, **_appliance(rng, name))
    for room, name in (("kitchen", "coffee machine"), ("living room", "fan"), ("study", "printer")):
        device(room, "plug", name, on=rng.random() < 0.5, watts=rng.choice((5, 20, 40, 900)))
    for room in ("living room", "kitchen"):
        music = {"on": rng.random() < 0.4, "volume": rng.randrange(5, 40), "source": rng.choice(SOURCES)}
        device(room, "speaker", "speaker", **music)
    for row in made:
        _past(db, rng, row, number)
    _scenes(db, rng, home, made, number)


def _light(rng: random.Random) -> dict[str, Any]:
    brightness = rng.choice((20, 40, 60, 80, 100))
    return {"on": rng.random() < 0.45, "brightness": brightness, "colour": rng.choice(COLOURS[:3]), "watts": 10}


def _appliance(rng: random.Random, name: str) -> dict[str, Any]:
    program, minutes = rng.choice(list(_PROGRAMS[name].items()))
    ago = rng.choice((-60, 20, 5000, 5000, 5000, 5000))
    starts = NOW - timedelta(minutes=ago)
    activity = "planned" if ago < 0 else "running" if ago < minutes else "idle"
    when = {} if activity == "idle" else {"starts_at": starts, "ends_at": starts + timedelta(minutes=minutes)}
    return {"activity": activity, "program": None if activity == "idle" else program, "watts": 1200, **when}


def _past(db: Database, rng: random.Random, row: Device, number: int) -> None:
    """What a device measured, used, saw, and whom it lets in."""
    today = NOW.date()
    if row.measures in ("temperature", "power"):
        level = rng.uniform(16.5, 21) if row.measures == "temperature" else rng.uniform(300, 900)
        for back in range(-1, 7):
            swing = [level * (1 + 0.08 * math.sin((hour - 9) / 24 * math.tau)) + rng.random() for hour in range(24)]
            hourly = [round(each, 1) for each in swing]
            db.add(schema.Reading, device=row, day=today - timedelta(days=back), hourly=hourly)
    if row.watts:
        for back in range(14):
            used = rng.randrange(row.watts // 4, row.watts + 10)
            db.add(schema.Usage, device=row, day=today - timedelta(days=back), watt_hours=used)
    if row.kind == "camera":
        near = enumerate((NOW, *CLOCKS))
        seen = [(clock - timedelta(minutes=_AGO[(number + place) % 4]), "person") for place, clock in near]
        kinds = ("person", "person", "parcel", "animal", "car")
        seen += [(NOW - timedelta(minutes=rng.randrange(30, 4 * 1440)), rng.choice(kinds)) for _ in range(14)]
        for at, kind in sorted(seen):
            db.add(schema.CameraEvent, device=row, at=at, kind=kind)
    for name, minutes in _PROGRAMS.get(row.name, {}).items():
        db.add(schema.Program, device=row, name=name, minutes=minutes)
    if row.kind == "lock":
        for days in range(6 if number % 5 == 0 else number % 4):
            begin, until = (NOW.replace(hour=9, minute=0) + timedelta(days=each) for each in _CODES[days])
            code, name = f"{rng.randrange(1_000, 10_000)}", rng.choice(FIRST_NAMES)
            period = {"begin": begin, "until": until, "revoked": days == 3 and number == 3}
            db.add(schema.GuestCode, device=row, name=name, code=code, **period)


def _scenes(db: Database, rng: random.Random, home: Home, devices: list[Device], number: int) -> None:
    by_kind = {
        kind: [row for row in devices if row.kind == kind] for kind in ("light", "blind", "thermostat", "speaker")
    }
    off, dim = {"on": False}, {"on": True, "brightness": 20, "colour": "warm"}
    wanted: dict[str, list[tuple[str, dict[str, Any]]]] = {
        "film": [("light", dim), ("light", off), ("blind", {"percent_open": 0})],
        "morning": [
            ("blind", {"percent_open": 100}),
            ("light", dim | {"brightness": 80}),
            ("speaker", {"on": True, "volume": 15}),
        ],
        "cosy": [("thermostat", {"mode": "heat", "target_c": 22}), ("light", dim | {"brightness": 40})],
        "good night": [("light", off), ("light", off), ("blind", {"percent_open": 0}), ("speaker", off)],
        "frost guard": [("thermostat", {"mode": "heat", "target_c": 12}), ("light", off)],
    }
    for place, (name, steps) in enumerate(wanted.items()):
        scene, left = db.add(Scene, home=home, name=name), {kind: list(rows) for kind, rows in by_kind.items()}
        for kind, change in steps:
            row = left[kind].pop(rng.randrange(len(left[kind])))
            db.add(schema.SceneStep, scene=scene, device=row, change=change)
        trigger = (None, "time", "arrival", "sunset", "leaving")[place] if number % 4 != place % 4 else None
        if trigger:
            at = "06:45" if trigger == "time" else None
            db.add(schema.Automation, scene=scene, trigger=trigger, at=at, on=rng.random() < 0.75)


fill_unseen = partial(fill, seed=418, first=201)
"""Other houses, in which the stored tasks of dev and test play."""
