"""The house's rules: each a sentence of the policy, the words of a refusal and a predicate."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Any

from toolgym.domains.iot_devices import tools
from toolgym.domains.iot_devices.schema import Device, Home, Program, Scene
from toolgym.sandbox.kit.world import ToolCall, View, rule

QUIET, LOUD = (time(22), time(7)), 30
LONGEST, CODES = timedelta(days=14), 5
LEAST_BATTERY, LATELY = 20, timedelta(minutes=10)
_ALARM = {"alarm": lambda: ToolCall(name="get_alarm", arguments={})}
_KNOWN = (tools.list_devices, tools.get_device)


@rule(
    "A device that is offline takes no command, and a scene with one does not run.",
    why="A device does not answer.|not answer|offline|not online|unreachable|cannot be reached",
    on=[
        *(tools.set_light, tools.set_plug, tools.set_thermostat, tools.set_blind, tools.set_lock, tools.start_vacuum),
        *(tools.dock_vacuum, tools.start_appliance, tools.set_speaker, tools.run_scene),
    ],
    reads=[*_KNOWN, tools.list_scenes],
)
def offline(
    light: View[Device] | None = None,
    plug: View[Device] | None = None,
    thermostat: View[Device] | None = None,
    blind: View[Device] | None = None,
    lock: View[Device] | None = None,
    vacuum: View[Device] | None = None,
    appliance: View[Device] | None = None,
    speaker: View[Device] | None = None,
    scene: View[Scene] | None = None,
) -> bool:
    device = light or plug or thermostat or blind or lock or vacuum or appliance or speaker
    return bool(device.row.online if device else scene and not scene.row.offline)


@rule(
    "In away and vacation mode, neither a call nor a scene sets a thermostat above 18 degrees.",
    why="Nobody is at home, so it stays at 18 degrees at most.|18 degrees|at most 18|above 18|away|vacation|nobody",
    on=[tools.set_thermostat, tools.run_scene],
    reads=[tools.get_home, tools.list_scenes],
)
def heat_range(owner: View[Home], target_c: float | None = None, scene: View[Scene] | None = None) -> bool:
    warmth = target_c if scene is None else scene.row.warmest_c
    return owner.row.mode not in tools.EMPTY or warmth is None or warmth <= tools.EMPTY_C


@rule(
    "The alarm is armed as `armed_away` only once all doors are locked and all windows shut; windows are shut by hand.",
    why="A door or a window stands open.|open|unlocked|not locked|not shut|window|door",
    on=[tools.arm_alarm],
    reads=[tools.get_alarm],
    looks=_ALARM,
)
def doors_shut(state: tools.Armed, alarm: dict[str, Any]) -> bool:
    return state != "armed_away" or not alarm["open"]


@rule(
    "The alarm is armed only while all vacuums are docked.",
    why="A vacuum is at work.|vacuum|cleaning|docked|dock",
    on=[tools.arm_alarm],
    reads=[tools.get_alarm],
    looks=_ALARM,
)
def vacuums_docked(alarm: dict[str, Any]) -> bool:
    return not alarm["cleaning"]


@rule(
    "While the alarm is armed or rings, no door is unlocked and the house is not set to home.",
    why="The alarm has to be disarmed first.|disarm|alarm is|armed|alarm rings|ringing",
    on=[tools.set_lock, tools.set_home_mode],
    reads=[tools.get_home],
)
def disarmed(owner: View[Home], locked: bool = True, mode: tools.Mode = "night") -> bool:
    return owner.row.alarm == "disarmed" or (locked and mode != "home")


@rule(
    "The house is set to away or vacation only once the alarm is armed as `armed_away`.",
    why="The alarm has to be armed first.|arm the|armed first|alarm is|not armed|armed_away|armed away",
    on=[tools.set_home_mode],
    reads=[tools.get_home],
)
def armed_away(owner: View[Home], mode: tools.Mode) -> bool:
    return mode not in tools.EMPTY or owner.row.alarm == "armed_away"


@rule(
    "After three wrong codes in a row, no code is accepted any more.",
    why="Codes are barred after three wrong ones.|barred|three wrong|too many|wrong codes",
    on=[tools.set_lock, tools.disarm_alarm],
    reads=[tools.get_home],
)
def codes_wrong(owner: View[Home], locked: bool = False) -> bool:
    return locked or owner.row.tries_left > 0


@rule(
    "While nobody is at home, a door is unlocked only if its camera has seen a person in the last ten minutes.",
    why="The camera has seen nobody at that door.|seen nobody|nobody at|no person|ten minutes|10 minutes|nobody is",
    on=[tools.set_lock],
    reads=[tools.get_home, tools.get_device],
    by="policy",
)
def seen_at_door(owner: View[Home], lock: View[Device], locked: bool, now: datetime) -> bool:
    seen = lock.row.person_seen_at
    return locked or bool(owner.row.present) or (seen is not None and now - seen <= LATELY)


@rule(
    "A guest's code is valid for 14 days at most.",
    why="A guest's code is valid for 14 days at most.|14 days|two weeks|too long",
    on=[tools.create_guest_code],
)
def guest_span(begin: datetime, until: datetime) -> bool:
    return until - begin <= LONGEST


@rule(
    "A door has at most five guests' codes that are valid now or later.",
    why="This door has five guests' codes already.|five|5 codes|at most|too many",
    on=[tools.create_guest_code],
    reads=[tools.list_guest_codes],
    looks={"codes": lambda lock: ToolCall(name="list_guest_codes", arguments={"lock_id": lock.row.device_id})},
)
def guest_five(lock: View[Device], codes: Sequence[dict[str, Any]]) -> bool:
    return [code["state"] for code in codes].count("valid") < CODES


@rule(
    "A vacuum starts only with 20 percent of battery or more.",
    why="The vacuum must charge first.|charge|battery|20 percent|20%|20 %",
    on=[tools.start_vacuum],
    reads=_KNOWN,
)
def battery(vacuum: View[Device]) -> bool:
    return (vacuum.row.battery or 0) >= LEAST_BATTERY


@rule(
    "From 22:00 to 7:00 no vacuum starts, no appliance runs and no speaker is set louder than 30.",
    why="That would break the quiet hours.|quiet hours|22:00|10 pm|7:00|7 am|night",
    on=[tools.start_vacuum, tools.start_appliance, tools.set_speaker],
    reads=[tools.get_device],
    by="policy",
)
def quiet_hours(
    now: datetime,
    program: View[Program] | None = None,
    start_at: datetime | None = None,
    volume: int | None = None,
    vacuum: View[Device] | None = None,
) -> bool:
    if program is not None:
        starts = start_at or now
        return not _is_quiet(starts, starts + timedelta(minutes=program.row.minutes))
    return not _is_quiet(now, now) or (vacuum is None and (volume or 0) <= LOUD)


def _is_quiet(begin: datetime, end: datetime) -> bool:
    """Whether any of this is at night."""
    morning, evening = (datetime.combine(begin.date(), each) for each in (QUIET[1], QUIET[0]))
    return begin < morning or end > evening or begin >= evening
