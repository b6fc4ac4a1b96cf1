"""What the video meetings of Larkfield let an agent do for an employee."""

from datetime import date, datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import Field

from toolgym.domains.video_meeting import schema
from toolgym.domains.video_meeting.schema import Guest, Meeting, Person, Recording, Share
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.reference import NOT_BLANK, Free, PageNumber, Ref, Secret
from toolgym.sandbox.kit.search import contains_text, given, is_within
from toolgym.sandbox.kit.tool import tool
from toolgym.sandbox.kit.view import Page, View

Minutes = Annotated[int, Field(ge=10, le=480)]
People = Annotated[list[Ref[Person]], Field(max_length=100)]
KEPT = {"basic": timedelta(days=30), "pro": timedelta(days=180)}
"""How long recordings are kept, by the host's plan."""
_SETTINGS = "role agenda waiting_room recording_since plan invited host_is_in my_state tries_left".split()
_CHANGES: dict[str, dict[str, Any]] = {
    "admit": {"state": "in"}, "remove": {"state": "removed"}, "mute": {"muted": True},
    "make_cohost": {"role": "cohost"},
}  # fmt: skip
STEPS = {"day": timedelta(days=1), "week": timedelta(weeks=1)}


@tool("read")
def list_meetings(
    db: Database,
    first_day: date | None = None,
    last_day: date | None = None,
    text: str | None = None,
    role: schema.Role | None = None,
    page: PageNumber = 1,
) -> dict[str, View[Person] | list[View[Meeting]] | int]:
    """List the meetings that the employee holds or is invited to, earliest first.

    With them come the employee's plan and current meeting, and the present moment.

    Args:
        first_day: the first day to list, included.
        last_day: the last day to list, included.
        text: only meetings whose title or a guest's name holds this, or with a guest of this address.
        role: only those in which the employee is this.
        page: ten a page.
    """
    me = db.owner(Person)
    begin = "" if first_day is None else first_day.isoformat()
    after = ((last_day or date(2199, 12, 30)) + timedelta(days=1)).isoformat()
    period = {"begin": begin, "after": after, "text": (text or "").strip().lower()}
    rows = db.query(_LISTED, owner=me.email, role=role, **period)
    shown = [View(db.get_one(Meeting, key), role=part) for key, part in rows[page * 10 - 10 : page * 10]]
    return {"me": View(me, now=db.now), "items": shown, "page": page, "pages": -(-len(rows) // 10), "total": len(rows)}


@tool("read")
def get_meeting(db: Database, meeting: Ref[Meeting]) -> dict[str, View[Meeting] | list[View[Guest]]]:
    """Get a meeting's guests with address and state, its settings and agenda; for its hosts the passcode as well."""
    shown = View(meeting).bound(db)
    more = {name: getattr(shown, name) for name in _SETTINGS}
    code = {} if shown.row.role == "guest" else {"passcode": meeting.passcode}
    return {"meeting": View(meeting, **more, **code), "guests": [View(row) for row in _guests(db, meeting)]}


@tool("write")
def schedule_meeting(
    db: Database,
    title: Annotated[str, Field(max_length=120), NOT_BLANK],
    start: datetime,
    minutes: Minutes,
    people: People,
    waiting_room: bool = True,
    every: Literal["day", "week"] | None = None,
    until: date | None = None,
    agenda: Free = "",
) -> View[Meeting]:
    """Schedule a meeting, or a series of which each time is a meeting of its own, and invite people.

    Args:
        title: as everybody sees it.
        start: when it begins, the first time.
        minutes: how long it lasts.
        people: their addresses.
        waiting_room: whether guests wait in a lobby until they are admitted.
        every: how often a series repeats.
        until: the last day on which a series may take place.
        agenda: what it is about.
    """
    _require_ahead(db, start)
    times = _times(start, every, until)
    me = db.owner(Person)
    made: list[Meeting] = []
    for time in times:
        number = db.new_id(Meeting)
        series = None if every is None else made[0].series if made else f"ser-{number}"
        values: dict[str, Any] = {
            "title": title,
            "start": time,
            "minutes": minutes,
            "agenda": agenda,
            "waiting_room": waiting_room,
        }
        values |= {"host": me, "state": "scheduled", "passcode": number[-3:], "series": series}
        made.append(db.add(Meeting, meeting_id=number, **values))
        _invite(db, made[-1], [me, *people])
    return View(made[0], times=len(times), last_on=times[-1].date())


@tool("write")
def change_meeting(
    db: Database,
    meeting: Ref[Meeting],
    start: datetime | None = None,
    minutes: Minutes | None = None,
    add: People = [],  # noqa: B006  # never written
    cancelled: bool = False,
    following: bool = False,
) -> View[Meeting]:
    """Move, lengthen or cancel a meeting, or invite further people; a live one is only lengthened, or gets more guests.

    Args:
        start: when it begins instead.
        minutes: how long it lasts instead.
        add: addresses of further guests.
        cancelled: true to cancel it.
        following: of a series, to change all later times as well, each by as much.
    """
    if meeting.state not in ("scheduled", "live") or (meeting.state == "live" and (cancelled or start)):
        raise Refusal("wrong_state", f"This meeting is {meeting.state}.")
    if start is not None:
        _require_ahead(db, start)
    rows = [meeting]
    if following:
        rows = [
            row
            for row in db.find(Meeting, series=meeting.series or "", state="scheduled")
            if row.start >= meeting.start
        ]
        if not rows:
            raise Refusal("wrong_state", "This meeting is not one of a series that goes on.")
    by = timedelta() if start is None else start - meeting.start
    there = {guest.email for guest in _guests(db, meeting)}
    new = [person for person in dict.fromkeys(add) if person.email not in there]
    if not (cancelled or by or new or minutes not in (None, meeting.minutes)):
        raise Refusal("no_change", "The meeting is like that already.")
    for row in rows:
        state = "cancelled" if cancelled else row.state
        db.update(row, start=row.start + by, minutes=minutes or row.minutes, state=state)
        _invite(db, row, new)
    changed = db.get_one(Meeting, meeting.meeting_id)
    end = changed.start + timedelta(minutes=changed.minutes)
    return View(changed, end=end, days=[(row.start + by).date() for row in rows])


@tool("write")
def join_meeting(db: Database, meeting: Ref[Meeting], passcode: Secret | None = None) -> dict[str, bool | str | int]:
    """Join a meeting: a host opens it, a guest needs the passcode and waits in the lobby where there is one.

    Args:
        passcode: as the employee says it; hosts need none.
    """
    if meeting.state not in ("scheduled", "live"):
        raise Refusal("wrong_state", f"This meeting is {meeting.state}.")
    place = schema.own_place(meeting, db)
    if place.role == "guest" and passcode is None:
        raise Refusal("invalid_argument", "Guests need the passcode.")
    accepted = place.role != "guest" or (passcode or "").strip() == meeting.passcode
    wrong = place.wrong_codes + (not accepted)
    waits = place.role == "guest" and meeting.waiting_room
    state = place.state if not accepted else "waiting" if waits else "in"
    db.update(place, state=state, wrong_codes=wrong, muted=place.role == "guest")
    if accepted and place.role == "host":
        db.update(meeting, state="live")
    return {"accepted": accepted, "state": state, "tries_left": schema.TRIES - wrong}


@tool("write")
def leave_meeting(db: Database, end_for_all: bool = False) -> View[Meeting]:
    """Leave the current meeting, or its lobby.

    Args:
        end_for_all: whether the meeting ends for everybody; what was recorded is then stored.
    """
    place = _place(db, "waiting", "in")
    meeting = db.get_one(Meeting, place.meeting_id)
    recording = None
    db.update(place, state="left" if place.state == "in" else "invited")
    if end_for_all:
        recording = _store(db, meeting)
        for guest in _guests(db, meeting):
            if guest.state in ("in", "waiting"):
                db.update(guest, state="left" if guest.state == "in" else "invited")
        meeting = db.update(meeting, state="ended", recording_since=None)
    return View(meeting, recording_id=recording)


@tool("write")
def manage_guest(
    db: Database, guest: Ref[Guest], action: Literal["admit", "mute", "remove", "make_cohost"]
) -> View[Guest]:
    """Let in, mute, remove or promote a guest of the employee's current meeting.

    Args:
        action: who waits is admitted; who is in is muted or made a cohost; either is removed.
    """
    if guest.meeting_id != _place(db, "in").meeting_id:
        raise Refusal("wrong_state", "That is a guest of another meeting than the current one.")
    states = ("waiting",) if action == "admit" else ("waiting", "in") if action == "remove" else ("in",)
    if guest.state not in states or guest.role == "host":
        raise Refusal(
            "wrong_state",
            f"This guest is {guest.state} as {guest.role}; only who is {' or '.join(states)} can be that.",
        )
    changes = _CHANGES[action]
    if all(getattr(guest, name) == value for name, value in changes.items()):
        raise Refusal("no_change", "The guest is that already.")
    return View(db.update(guest, **changes))


@tool("write")
def set_recording(db: Database, on: bool) -> View[Meeting]:
    """Begin or stop recording the current meeting; what was recorded is stored when it stops.

    Args:
        on: whether it is to be recorded.
    """
    meeting = db.get_one(Meeting, _place(db, "in").meeting_id)
    if (meeting.recording_since is not None) == on:
        raise Refusal("no_change", f"The meeting is {'' if on else 'not '}being recorded.")
    stored = _store(db, meeting)
    return View(db.update(meeting, recording_since=db.now if on else None), recording_id=stored)


@tool("read")
def list_recordings(
    db: Database,
    text: str | None = None,
    meeting: Ref[Meeting] | None = None,
    first_day: date | None = None,
    last_day: date | None = None,
    page: PageNumber = 1,
) -> Page[Recording]:
    """List the recordings of the employee's own meetings, and those that the employee was sent, newest first.

    Args:
        text: only those whose title holds this.
        first_day: only those recorded on this day or later.
        last_day: only those recorded on this day or before.
        page: ten a page.
    """
    rows = [
        row
        for row in db.mine(Recording, **given(meeting_id=meeting and meeting.meeting_id))
        if is_within(row.recorded_on, first_day, last_day)
        and row.expires_on >= db.now.date()
        and contains_text(db.get_one(Meeting, row.meeting_id).title, text)
    ]
    return Page(sorted(rows, key=lambda row: (row.recorded_on, row.recording_id), reverse=True), page)


@tool("write")
def share_recording(
    db: Database,
    recording: Ref[Recording],
    people: Annotated[list[Ref[Person]], Field(min_length=1, max_length=20)],
    until: date,
    message: Free = "",
) -> View[Recording]:
    """Send people a link to a recording.

    Args:
        people: their addresses.
        until: the last day on which the link opens.
        message: what they read with it.
    """
    if until < db.now.date():
        raise Refusal("invalid_argument", "The last day has passed.")
    for person in dict.fromkeys(people):
        db.add(Share, recording=recording, email=person.email, until=until, message=message)
    link = f"https://meet.larkfield.example/{recording.recording_id}"
    return View(recording, link=link, sent_to=[person.name for person in dict.fromkeys(people)])


_LISTED = """SELECT m.meeting_id, g.role FROM guests g JOIN meetings m USING (meeting_id)
    WHERE g.email = :owner AND (:role IS NULL OR g.role = :role) AND m.start >= :begin AND m.start < :after
    AND (:text = '' OR instr(lower(m.title), :text) OR m.meeting_id IN (SELECT meeting_id FROM guests WHERE email IN
        (SELECT email FROM people WHERE instr(lower(name), :text) OR email = :text)))
    ORDER BY m.start, m.meeting_id"""


def _guests(db: Database, meeting: Meeting) -> list[Guest]:
    return db.find(Guest, meeting_id=meeting.meeting_id)


def _invite(db: Database, meeting: Meeting, people: list[Person]) -> None:
    for person in dict.fromkeys(people):
        role = "host" if person.email == meeting.host_email else "guest"
        db.add(Guest, meeting=meeting, email=person.email, role=role, state="invited", muted=False, wrong_codes=0)


def _times(start: datetime, every: str | None, until: date | None) -> list[datetime]:
    """When a meeting takes place: once, or day by day or week by week until a last day."""
    if (every is None) != (until is None):
        raise Refusal("invalid_argument", "A series needs both, how often it repeats and until when.")
    times = [start]
    while every is not None and until is not None and (times[-1] + STEPS[every]).date() <= until and len(times) < 60:
        times.append(times[-1] + STEPS[every])
    if every is not None and len(times) in (1, 60):
        raise Refusal("invalid_argument", "A series has at least two times, and less than sixty.")
    return times


def _require_ahead(db: Database, start: datetime) -> None:
    if start <= db.now:
        raise Refusal("invalid_argument", "A meeting begins later than now.")


def _place(db: Database, *states: str) -> Guest:
    """Where the employee is.

    Raises:
        Refusal: in no meeting, or only in a lobby.
    """
    place = schema.place_of(db, db.owner(Person).email)
    if place is None or place.state not in states:
        raise Refusal(
            "wrong_state", "The employee is in no meeting." if place is None else "The employee waits in the lobby."
        )
    return place


def _store(db: Database, meeting: Meeting) -> str | None:
    """Keep what was recorded so far, where something was."""
    if meeting.recording_since is None:
        return None
    minutes = max(1, int((db.now - meeting.recording_since).total_seconds()) // 60)
    today = db.now.date()
    kept = KEPT[db.get_one(Person, meeting.host_email).plan or "basic"]
    made = db.add(Recording, meeting=meeting, recorded_on=today, minutes=minutes, expires_on=today + kept)
    return made.recording_id
