"""The tables of the houses. Temperatures are in degrees Celsius, power in watts, energy in watt-hours."""

import json
from datetime import date, datetime, time, timedelta
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, Numeric
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.sandbox.kit.world import Database, computed, hidden, key, via

TRIES = 3
"""Wrong codes after which none is accepted any more."""
SUN = {"sunrise": time(7, 10), "sunset": time(18, 58)}
DAYLIGHT, LAMP = 300, 4
"""Lux behind an open blind by day, and for each percent of a lamp's brightness."""
HEATING = 800
"""Watts of a thermostat that heats."""
_AROUND = """SELECT max(open), max(json_extract(hourly, :hour)) FROM devices d
    LEFT JOIN readings r ON r.device_id = d.device_id AND day = :today AND measures = 'temperature'
    WHERE room_id = :room AND kind = 'sensor'"""
_STEPS = """SELECT d.name, r.name, change FROM scene_steps JOIN devices d USING (device_id)
    JOIN rooms r USING (room_id) WHERE scene_id = :scene ORDER BY step_id"""
_OFFLINE = "SELECT device_id FROM scene_steps JOIN devices USING (device_id) WHERE scene_id = :scene AND NOT online"
_WARMEST = "SELECT max(json_extract(change, '$.target_c')) FROM scene_steps WHERE scene_id = :scene"
_CAMERA = "SELECT max(device_id) FROM devices WHERE room_id = :room AND kind = 'camera'"
_SEEN = """SELECT max(at) FROM camera_events e JOIN devices d USING (device_id)
    WHERE d.room_id = :room AND e.kind = 'person' AND e.at <= :now"""


class Base(DeclarativeBase):
    """The tables."""


class Home(Base):
    """A house, whose resident a session serves."""

    __tablename__ = "homes"
    home_id: Mapped[str] = key("ih-101")
    resident: Mapped[str]
    mode: Mapped[str]
    alarm: Mapped[str]
    present: Mapped[str]
    cents_per_kwh: Mapped[int]
    wrong_codes: Mapped[int] = hidden()
    alarm_code: Mapped[str] = hidden()
    door_code: Mapped[str] = hidden()

    @computed
    def tries_left(self, db: Database) -> int:
        """How many wrong codes may still be given."""
        return TRIES - self.wrong_codes


class Room(Base):
    """A room of a house."""

    __tablename__ = "rooms"
    __owned_by__ = "home_id"
    room_id: Mapped[str] = key("rm-301")
    home_id: Mapped[str] = mapped_column(ForeignKey("homes.home_id"), index=True, info={"hidden": True})
    name: Mapped[str]
    floor: Mapped[str]


class Device(Base):
    """A device; which columns it has depends on its kind (`STATE`)."""

    __tablename__ = "devices"
    __owned_by__ = "home_id"
    __shown__ = ("device_id", "name", "kind", "room_id", "room_name", "online")
    __brief__ = __shown__
    __table_args__ = (Index("devices_by_home", "home_id", "room_id", "device_id", "kind", "online", "name"),)
    device_id: Mapped[str] = key("dv-1001")
    home_id: Mapped[str] = mapped_column(ForeignKey("homes.home_id"), info={"hidden": True})
    room_id: Mapped[str] = mapped_column(ForeignKey("rooms.room_id"), index=True)
    name: Mapped[str]
    kind: Mapped[str]
    online: Mapped[bool]
    offline_since: Mapped[datetime | None]
    battery: Mapped[int | None]
    on: Mapped[bool | None]
    brightness: Mapped[int | None]
    colour: Mapped[str | None]
    mode: Mapped[str | None]
    target_c: Mapped[float | None] = mapped_column(Numeric(asdecimal=False))  # 18 is read as 18, not as 18.0
    percent_open: Mapped[int | None]
    locked: Mapped[bool | None]
    volume: Mapped[int | None]
    source: Mapped[str | None]
    open: Mapped[bool | None]
    measures: Mapped[str | None]
    watts: Mapped[int | None]
    activity: Mapped[str | None]
    program: Mapped[str | None]
    starts_at: Mapped[datetime | None]
    ends_at: Mapped[datetime | None]
    room_name = via("room_id", "name")

    @computed
    def value(self, db: Database) -> float | None:
        """What a sensor measures now: degrees, lux in its room, or the watts of the whole house."""
        if self.measures == "temperature":
            days = db.find(Reading, device_id=self.device_id, day=db.now.date())
            return days[0].hourly[db.now.hour] if days else None
        if self.measures == "power":
            return sum(power(row, db) for row in db.find(Device, home_id=self.home_id))
        return lux(db.find(Device, room_id=self.room_id), db) if self.measures == "light" else None

    @computed
    def heating(self, db: Database) -> bool:
        """Whether a thermostat heats now: not when it is warm enough, and not beside an open window."""
        return is_heating(self, db)

    @computed
    def camera_id(self, db: Database) -> str | None:
        """The camera that looks at a door."""
        found: str | None = db.query(_CAMERA, room=self.room_id)[0][0]
        return found

    @computed
    def person_seen_at(self, db: Database) -> datetime | None:
        """When the camera that looks at a door last saw a person there."""
        asked = {"room": self.room_id, "now": db.now.isoformat(timespec="minutes")}
        return datetime.fromisoformat(at) if (at := db.query(_SEEN, **asked)[0][0]) else None


STATE = {
    "light": ("on", "brightness", "colour", "watts"),
    "plug": ("on", "watts"),
    "thermostat": ("mode", "target_c", "heating"),
    "blind": ("percent_open",),
    "lock": ("locked", "camera_id", "person_seen_at"),
    "sensor": ("measures", "value", "open"),
    "vacuum": ("activity", "program"),
    "appliance": ("activity", "program", "starts_at", "ends_at", "watts"),
    "speaker": ("on", "volume", "source"),
    "camera": ("on",),
}
"""What each kind of device shows."""


class Reading(Base):
    """What a sensor measured on a day, hour by hour."""

    __tablename__ = "readings"
    __owned_by__ = "device_id"
    __table_args__ = (Index("readings_by_device", "device_id", "day"),)
    reading_id: Mapped[str] = key("rd-5001")
    device_id: Mapped[str] = mapped_column(ForeignKey("devices.device_id"))
    day: Mapped[date]
    hourly: Mapped[list[float]] = mapped_column(JSON)


class Usage(Base):
    """What a device used on a day."""

    __tablename__ = "usage"
    __owned_by__ = "device_id"
    __table_args__ = (Index("usage_by_device", "device_id", "day"),)
    usage_id: Mapped[str] = key("us-20001")
    device_id: Mapped[str] = mapped_column(ForeignKey("devices.device_id"))
    day: Mapped[date]
    watt_hours: Mapped[int]


class GuestCode(Base):
    """A code with which a guest opens a door for some days."""

    __tablename__ = "guest_codes"
    __owned_by__ = "device_id"
    guest_code_id: Mapped[str] = key("gc-120")
    device_id: Mapped[str] = mapped_column(ForeignKey("devices.device_id"), index=True)
    name: Mapped[str]
    code: Mapped[str] = hidden()
    begin: Mapped[datetime]
    until: Mapped[datetime]
    revoked: Mapped[bool]
    door = via("device_id", "name")

    @computed
    def state(self, db: Database) -> str:
        """Whether it opens, now or later: valid, expired or revoked."""
        return "revoked" if self.revoked else "valid" if self.until > db.now else "expired"


class Scene(Base):
    """Settings of several devices that are made together."""

    __tablename__ = "scenes"
    __owned_by__ = "home_id"
    scene_id: Mapped[str] = key("sc-201")
    home_id: Mapped[str] = mapped_column(ForeignKey("homes.home_id"), index=True, info={"hidden": True})
    name: Mapped[str]

    @computed
    def steps(self, db: Database) -> list[dict[str, Any]]:
        """What becomes of which devices."""
        rows = db.query(_STEPS, scene=self.scene_id)
        return [{"device": device, "room": room, **json.loads(change)} for device, room, change in rows]

    @computed
    def offline(self, db: Database) -> list[str]:
        """Its devices that do not answer."""
        return [key for (key,) in db.query(_OFFLINE, scene=self.scene_id)]

    @computed
    def warmest_c(self, db: Database) -> float | None:
        """The highest temperature that it asks for."""
        warmest: float | None = db.query(_WARMEST, scene=self.scene_id)[0][0]
        return warmest


class SceneStep(Base):
    """What a scene makes of one device: values by column."""

    __tablename__ = "scene_steps"
    __owned_by__ = "scene_id"
    step_id: Mapped[str] = key("st-601")
    scene_id: Mapped[str] = mapped_column(ForeignKey("scenes.scene_id"), index=True)
    device_id: Mapped[str] = mapped_column(ForeignKey("devices.device_id"))
    change: Mapped[dict[str, Any]] = mapped_column(JSON)


class Automation(Base):
    """When a scene runs by itself."""

    __tablename__ = "automations"
    __owned_by__ = "scene_id"
    automation_id: Mapped[str] = key("au-301")
    scene_id: Mapped[str] = mapped_column(ForeignKey("scenes.scene_id"), index=True)
    trigger: Mapped[str]
    at: Mapped[str | None]
    on: Mapped[bool]
    scene_name = via("scene_id", "name")

    @computed
    def next_at(self, db: Database) -> datetime | None:
        """When it runs next; null where it is off, or waits for people to leave or arrive."""
        at = SUN.get(self.trigger) or (time.fromisoformat(self.at) if self.at else None)
        if at is None or not self.on:
            return None
        moment = datetime.combine(db.now.date(), at)
        return moment if moment > db.now else moment + timedelta(days=1)


class CameraEvent(Base):
    """Somebody or something that a camera saw."""

    __tablename__ = "camera_events"
    __owned_by__ = "device_id"
    __table_args__ = (Index("events_by_camera", "device_id", "at"),)
    event_id: Mapped[str] = key("ev-8001")
    device_id: Mapped[str] = mapped_column(ForeignKey("devices.device_id"))
    at: Mapped[datetime]
    kind: Mapped[str]


class Program(Base):
    """What an appliance can do."""

    __tablename__ = "programs"
    __owned_by__ = "device_id"
    program_id: Mapped[str] = key("pg-401")
    device_id: Mapped[str] = mapped_column(ForeignKey("devices.device_id"), index=True)
    name: Mapped[str]
    minutes: Mapped[int]
    appliance = via("device_id", "name")


def room_of(device: Device, db: Database) -> str:
    """The name of a device's room."""
    return db.get_one(Room, device.room_id).name


def steps_of(scene: Scene, db: Database) -> list[tuple[Device, dict[str, Any]]]:
    """The devices that a scene sets, with their new values."""
    rows = db.find(SceneStep, scene_id=scene.scene_id)
    return [(db.get_one(Device, row.device_id), row.change) for row in rows]


def lux(rows: list[Device], db: Database) -> float:
    """How bright it is among the devices of a room."""
    blinds = [row.percent_open or 0 for row in rows if row.kind == "blind"]
    by_day = SUN["sunrise"] <= db.now.time() < SUN["sunset"]
    daylight = DAYLIGHT * (sum(blinds) / len(blinds) if blinds else 100) / 100 if by_day else 0
    return round(daylight + LAMP * sum(row.brightness or 0 for row in rows if row.kind == "light" and row.on))


def power(device: Device, db: Database) -> int:
    """The watts that a device takes now."""
    if device.kind == "thermostat":
        return HEATING if is_heating(device, db) else 0
    runs = device.on or device.activity == "running"
    return (device.watts or 0) * (device.brightness or 100) // 100 if runs else 0


def is_heating(device: Device, db: Database) -> bool:
    """Whether a thermostat heats now."""
    if device.mode not in ("heat", "auto"):
        return False
    hour = {"hour": f"$[{db.now.hour}]", "today": db.now.date().isoformat()}
    is_open, degrees = db.query(_AROUND, room=device.room_id, **hour)[0]
    return not is_open and (degrees is None or degrees < (device.target_c or 0))
