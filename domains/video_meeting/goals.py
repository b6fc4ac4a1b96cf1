"""What employees want of their video meetings. Their words are in sentences.toml."""

from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from toolgym.domains.video_meeting import tools
from toolgym.domains.video_meeting.schema import Guest, Meeting, Person, Recording
from toolgym.sandbox.kit.goal import Calls, Draw, Goal, Slot, Tell, Thing

LED = (tools.list_meetings, tools.get_meeting)
THINGS = (
    Thing(Meeting, has_known_key=False),
    Thing(Guest, where=lambda guest: guest.row.state in ("waiting", "in"), found_by=LED, has_known_key=False),
    Thing(Person, found_by=LED[:1]),
    Thing(Recording, has_known_key=False),
)
_TITLES = ("Budget draft", "Vendor call", "Office move", "Product tour", "Team lunch", "Press briefing", "Code clinic")


def _is(*states: str, series: bool | None = None) -> Callable[[Any], bool]:
    """Which meetings are in one of these states and, where it matters, in a series or not."""
    return lambda meeting: meeting.row.state in states and series in (None, meeting.row.series is not None)


def _moment(draw: Draw) -> datetime:
    day = draw.now.date() + timedelta(days=draw.rng.choice((1, 2, 3, 6, 7, 8)))
    return datetime(day.year, day.month, day.day, draw.rng.randrange(9, 17), draw.rng.choice((0, 0, 15, 30)))


def _later(draw: Draw) -> datetime:
    start: datetime = draw.values["meeting"].start
    return start + timedelta(minutes=draw.rng.choice((-30, 30, 45, 60, 120, 24 * 60)))


def _longer(draw: Draw) -> int:
    return int(draw.values["meeting"].minutes + draw.rng.choice((5, 10, 15, 20, 30)))


def _last(draw: Draw) -> date:
    days = draw.rng.choice((7, 14, 21) if draw.values["every"] == "week" else (2, 3))
    last: datetime = draw.values["start"] + timedelta(days=days)
    return last.date()


def _until(draw: Draw) -> date:
    return draw.now.date() + timedelta(days=draw.rng.choice((5, 7, 14, 21, 28, 30, 31, 40)))


def _code(draw: Draw) -> str | None:
    """The passcode, which only guests need."""
    meeting = draw.values["meeting"]
    return meeting.passcode if draw.view(meeting).role == "guest" else None


def _guests(draw: Draw, meeting_id: str | None, state: str) -> list[Guest]:
    return draw.database.find(Guest, meeting_id=meeting_id or "", state=state)


def _people(slot: str, state: str) -> Callable[[Draw], list[Person] | None]:
    """Who was in this state in the meeting of a row, the employee not among them."""

    def found(draw: Draw) -> list[Person] | None:
        rows = [draw.database.get_one(Person, row.email) for row in _guests(draw, draw.values[slot].meeting_id, state)]
        return [person for person in rows if person != draw.person] or None

    return found


def _seen(slot: str) -> Callable[[Draw], Calls]:
    return lambda draw: [(tools.get_meeting, {"meeting": draw.database.get_one(Meeting, draw.values[slot].meeting_id)})]


def _waiting(draw: Draw) -> list[Guest]:
    return _guests(draw, draw.view(draw.person).meeting_now, "waiting")


def _lobby(draw: Draw) -> Calls:
    now = draw.database.get(Meeting, draw.view(draw.person).meeting_now or "")
    return [(tools.list_meetings, {}), (tools.get_meeting, {"meeting": now})] if now else []


def _missing(result: Mapping[str, Any]) -> list[str] | None:
    return [guest["name"] for guest in result["guests"] if guest["state"] == "invited"] or None


def _length(result: Mapping[str, Any]) -> int | None:
    return result["items"][0]["minutes"] if result["total"] == 1 else None


def _title(draw: Draw) -> str | None:
    return draw.one_of([draw.view(row).title for row in draw.rows(Recording)])


MEETING = Slot("meeting", says=("I mean {}.",))
ANEW = (
    Slot("title", draw=_TITLES),
    Slot("start", withheld=0.3, draw=_moment, says=("On {}.",)),
    Slot("minutes", withheld=0.4, draw=(20, 30, 40, 45, 60, 75, 90), says=("It takes {}.",)),
)
PEOPLE = Slot("people", withheld=0.2, says=("{}.",))
SERIES = (Slot("every"), Slot("until", withheld=0.4, draw=_last, says=("Until {}.",)))
LATER = Slot("start", withheld=0.4, draw=_later, says=("To {}.",))
LONGER = Slot("minutes", withheld=0.3, draw=_longer, says=("{}.", "It takes {}."))
LINK = (Slot("until", withheld=0.4, draw=_until, says=("Until {}.",)), Slot("message", mentions=("recording.title",)))
NUMBER, DAYS = Tell("meeting_id", kind="text"), Tell("days", kind="date")


def _schedule(name: str, *more: Slot, tell: Tell = NUMBER, **what: Any) -> Goal:
    return Goal(tools.schedule_meeting, name=name, slots=(*ANEW, *more), tells=(tell,), **what)


def _change(name: str, where: Any, *more: Slot, tells: tuple[Tell, ...] = (), **fixed: bool) -> Goal:
    return Goal(tools.change_meeting, name=name, slots=(MEETING, *more), fixed=fixed, tells=tells, where=where)


def _manage(action: str, state: str) -> Goal:
    guest = Slot("guest", says=("I mean {}.",), where=lambda guest: guest.row.state == state)
    return Goal(
        tools.manage_guest,
        name=action,
        fixed={"action": action},
        slots=(guest,),
        where=lambda guest: guest.row.role == "guest" and not (action == "mute" and guest.row.muted),
    )


GOALS = (
    Goal(
        tools.get_meeting,
        name="ask_missed",
        slots=(Slot("meeting", where=_is("ended")),),
        tells=(Tell("name", value=_missing),),
    ),
    Goal(
        tools.list_recordings,
        name="ask_length",
        slots=(Slot("text", draw=_title),),
        tells=(Tell("length", kind="duration", value=_length),),
    ),
    _schedule("schedule", PEOPLE),
    _schedule(
        "follow_up",
        about=(Slot("earlier", of=Meeting, where=_is("ended"), reads=_seen("earlier")),),
        worked_out={"people": _people("earlier", "left")},
    ),
    _schedule(
        "schedule_series", PEOPLE, *SERIES, tell=Tell("times", kind="number", near=("time", "times", "meetings"))
    ),
    _change("move", _is("scheduled", series=False), LATER),
    _change("move_series", _is("scheduled", series=True), LATER, tells=(DAYS,), following=True),
    _change("extend", _is("scheduled", "live"), LONGER),
    _change("invite", _is("scheduled", "live"), Slot("add", withheld=0.3, says=("{}.",))),
    _change("cancel", _is("scheduled", series=False), cancelled=True),
    _change("cancel_one", _is("scheduled", series=True), cancelled=True),
    _change("cancel_rest", _is("scheduled", series=True), tells=(DAYS,), cancelled=True, following=True),
    Goal(
        tools.join_meeting,
        name="join",
        slots=(MEETING, Slot("passcode", draw=_code, withheld=0.6, says=("The code is {}.",))),
        tells=(Tell("state", kind="text"),),
        where=_is("scheduled", "live"),
    ),
    Goal(
        tools.join_meeting,
        name="open",
        slots=(MEETING,),
        where=lambda meeting: _is("scheduled")(meeting) and meeting.row.role == "host",
    ),
    Goal(tools.leave_meeting, name="leave"),
    Goal(tools.leave_meeting, name="end", fixed={"end_for_all": True}),
    *(_manage(action, state) for action, state in (("admit", "waiting"), ("mute", "in"), ("remove", "in"))),
    _manage("make_cohost", "in"),
    Goal(
        tools.manage_guest,
        name="admit_all",
        fixed={"action": "admit"},
        about=(Slot("place", draw=("lobby", "waiting room"), reads=_lobby),),
        worked_out={"guest": lambda draw: _waiting(draw)[0] if len(_waiting(draw)) > 1 else None},
        also=lambda draw: [(tools.manage_guest, {"guest": row, "action": "admit"}) for row in _waiting(draw)[1:]],
    ),
    Goal(tools.set_recording, name="record", fixed={"on": True}),
    Goal(tools.set_recording, name="stop_recording", fixed={"on": False}, tells=(Tell("recording_id", kind="text"),)),
    Goal(
        tools.share_recording,
        name="share",
        slots=(Slot("recording"), PEOPLE, *LINK),
        tells=(Tell("link", kind="text"),),
    ),
    Goal(
        tools.share_recording,
        name="share_missed",
        slots=(Slot("recording", reads=_seen("recording")), *LINK),
        worked_out={"people": _people("recording", "invited")},
        tells=(Tell("link", kind="text"),),
    ),
)
