"""What Larkfield's calendar lets an agent do for an employee."""

import json
from datetime import date, datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from toolgym.domains.calendar import schema
from toolgym.domains.calendar.times import CLOSES, OPENS, Stretch, end_of, joined, later_times, working_times
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.reference import NOT_BLANK, Free, PageNumber, Ref
from toolgym.sandbox.kit.search import contains_text, given, is_within
from toolgym.sandbox.kit.tool import tool
from toolgym.sandbox.kit.view import Page, View

Minutes = Annotated[int, Field(ge=5, le=600)]

Title = Annotated[str, Field(min_length=1, max_length=200), NOT_BLANK]


class Span(TypedDict):
    """A stretch of time."""

    start: datetime
    end: datetime


class FreeBusy(TypedDict):
    """When somebody is taken on a day, and when they work."""

    email: str
    name: str
    zone: str
    shares: bool
    busy: list[Span]
    working_hours: list[Span]


_SOMEWHERE = """instr(lower(name || '|' || email || '|' || coalesce(team, '') || '|' || coalesce(department, '')
    || '|' || coalesce(office, '') || '|' || company), :text) ORDER BY name, email"""

_BUSY = """SELECT who.value, e.start, e.minutes FROM json_each(:people) who CROSS JOIN events e
    WHERE e.start >= :first AND e.start < :after AND e.state != 'cancelled' AND (e.organiser_email = who.value
        OR e.calendar_id IN (SELECT calendar_id FROM calendars WHERE email = who.value)
        OR EXISTS (SELECT 1 FROM attendees a
            WHERE a.event_id = e.event_id AND a.email = who.value AND a.answer != 'declined'))
    ORDER BY e.start"""

_PERIOD = "+start >= :first AND +start < :after AND +state != 'cancelled' AND "

"""The signs keep SQLite from going through everybody's events of the period instead of the employee's own."""

_NAMED = "(SELECT email FROM people WHERE instr(lower(name), :text))"

_ABOUT = f""" AND (:text = '' OR instr(lower(title), :text) OR organiser_email IN {_NAMED}
    OR EXISTS (SELECT 1 FROM attendees a WHERE a.event_id = events.event_id AND a.email IN {_NAMED}))
    AND (:holder = '' OR organiser_email = :holder) AND (:room = '' OR room_id = :room) ORDER BY start, event_id"""


class Booking(Span):
    """When a room is taken, and by whom."""

    by: str


class Schedule(TypedDict):
    """A room's day."""

    room_id: str
    day: date
    taken: list[Booking]


@tool("read")
def get_now(db: Database) -> View[schema.Person]:
    """Get the present moment with its weekday, and the employee: name, address, team, zone and working hours."""
    hours = f"{OPENS:%H:%M} to {CLOSES:%H:%M}"
    return View(db.owner(schema.Person), now=db.now, weekday=f"{db.now:%A}", working_hours=hours)


@tool("read")
def list_calendars(
    db: Database, name: str | None = None, holder: Ref[schema.Person] | None = None, page: PageNumber = 1
) -> Page[schema.Calendar]:
    """List the employee's calendars and those that colleagues of the team share, with what one may do with them.

    Args:
        name: only those whose name holds this.
        page: ten a page.
    """
    me = db.owner(schema.Person).email
    rows = [
        row for row in db.mine(schema.Calendar, **given(email=holder and holder.email)) if contains_text(row.name, name)
    ]
    return Page(sorted(rows, key=lambda row: row.email != me), page)


@tool("read")
def list_events(
    db: Database,
    first_day: date,
    last_day: date,
    calendar: Ref[schema.Calendar] | None = None,
    text: str | None = None,
    holder: Ref[schema.Person] | None = None,
    room: Ref[schema.Room] | None = None,
    page: PageNumber = 1,
) -> Page[schema.Event]:
    """List what the employee holds or is invited to, or what stands in one calendar, earliest first.

    Args:
        first_day: the first day to list, included.
        last_day: the last day to list, included.
        calendar: without one, all that the employee takes part in.
        text: only events whose title, organiser or guests hold this.
        page: ten a page.
    """
    period = {"first": first_day.isoformat(), "after": (last_day + timedelta(days=1)).isoformat()}
    about = {
        "text": (text or "").strip().lower(),
        "holder": "" if holder is None else holder.email,
        "room": "" if room is None else room.room_id,
    }
    if calendar is None:
        me = db.owner(schema.Person).email
        return Page(db.select(schema.Event, _PERIOD + schema.TAKES_PART + _ABOUT, owner=me, **about, **period), page)
    if schema.rights_on(calendar, db) == "busy_only":
        raise Refusal("not_allowed", "This calendar shows only when its holder is busy.")
    one = _PERIOD + "calendar_id = :calendar"
    return Page(db.select(schema.Event, one + _ABOUT, calendar=calendar.calendar_id, **about, **period), page)


@tool("read")
def get_event(db: Database, event: Ref[schema.Event]) -> View[schema.Event]:
    """Get an event's guests with their answers, organiser, room, description, how it repeats, and the reminder."""
    return View(event)


@tool("read")
def search_people(db: Database, text: str, page: PageNumber = 1) -> Page[schema.Person]:
    """Find people at Larkfield and at its clients, by name.

    Args:
        text: part of a name, an address, a team, a department, an office or a company.
        page: ten a page.
    """
    return Page(db.select(schema.Person, _SOMEWHERE, text=text.strip().lower()), page)


@tool("read")
def get_free_busy(
    db: Database, people: Annotated[list[Ref[schema.Person]], Field(min_length=1, max_length=10)], day: date
) -> list[FreeBusy]:
    """Tell when people are busy on a day and when they work, all on the employee's own clock.

    People outside Larkfield share nothing: for them `shares` is false, and they may be busy at any time.

    Args:
        people: their addresses.
        day: the day.
    """
    after = (day + timedelta(days=1)).isoformat()
    emails = [person.email for person in people]
    spans: dict[str, list[Stretch]] = {email: [] for email in emails}
    for email, start, minutes in db.query(_BUSY, people=json.dumps(emails), first=day.isoformat(), after=after):
        begin = datetime.fromisoformat(start)
        spans[email].append((begin, end_of(begin, minutes)))
    return [_free_busy(person, spans[person.email], day) for person in people]


@tool("read")
def list_rooms(
    db: Database,
    min_seats: Annotated[int, Field(ge=1, le=40)] | None = None,
    building: str | None = None,
    has_screen: bool | None = None,
    name: str | None = None,
    page: PageNumber = 1,
) -> Page[schema.Room]:
    """List the meeting rooms, the smallest first.

    Args:
        min_seats: only rooms with at least so many seats.
        building: only rooms in this building, such as Boston.
        has_screen: only rooms with a screen, or without one.
        name: only rooms whose name holds this.
        page: ten a page.
    """
    rows = [
        room
        for room in db.find(schema.Room, **given(has_screen=has_screen))
        if is_within(room.seats, min_seats, None)
        and contains_text(room.building, building)
        and contains_text(room.name, name)
    ]
    return Page(sorted(rows, key=lambda room: (room.seats, room.room_id)), page)


@tool("read")
def get_room_schedule(db: Database, room: Ref[schema.Room], day: date) -> Schedule:
    """Tell when a room is taken on a day, and by whom.

    Args:
        day: the day.
    """
    after = day + timedelta(days=1)
    taken = [
        Booking(start=event.start, end=end_of(event.start, event.minutes), by=schema.name_of(db, event.organiser_email))
        for event in _bookings(db, room, day.isoformat(), after.isoformat())
    ]
    return {"room_id": room.room_id, "day": day, "taken": taken}


@tool("write")
def create_event(
    db: Database,
    title: Title,
    start: datetime,
    minutes: Minutes,
    calendar: Ref[schema.Calendar] | None = None,
    description: Free = "",
) -> View[schema.Event]:
    """Put an event into a calendar, without guests so far; the employee is its organiser.

    Args:
        title: as everybody sees it.
        start: when it begins.
        minutes: how long it lasts.
        calendar: without one, the employee's calendar for work.
        description: what it is about.
    """
    me = db.owner(schema.Person)
    require_time(db, start, minutes)
    chosen = calendar or next(own for own in db.find(schema.Calendar, email=me.email) if own.team_rights is not None)
    made = db.add(
        schema.Event,
        calendar=chosen,
        organiser=me,
        title=title,
        start=start,
        minutes=minutes,
        description=description,
        state="planned",
    )
    return View(made)


@tool("write")
def update_event(
    db: Database,
    event: Ref[schema.Event],
    title: Title | None = None,
    start: datetime | None = None,
    minutes: Minutes | None = None,
    description: Free | None = None,
) -> View[schema.Event]:
    """Change an event. When it begins or ends at another time, all guests have to answer again.

    Of a series, only this one time is changed.

    Args:
        title: another title.
        start: another beginning.
        minutes: another length.
        description: another description.
    """
    require_planned(event)
    given = {"title": title, "start": start, "minutes": minutes, "description": description}
    changes = {name: value for name, value in given.items() if value not in (None, getattr(event, name))}
    if not changes:
        raise Refusal("no_change", "The event is like that already.")
    if changes.keys().isdisjoint(("start", "minutes")):
        return View(db.update(event, **changes), asked_again=[])
    moved = db.update(event, **changes, state="moved")
    require_time(db, moved.start, moved.minutes)
    guests = db.find(schema.Attendee, event_id=event.event_id)
    for guest in guests:
        db.update(guest, answer="none", comment=None)
    return View(moved, asked_again=[schema.name_of(db, guest.email) for guest in guests])


@tool("write")
def invite_people(
    db: Database,
    event: Ref[schema.Event],
    people: Annotated[list[Ref[schema.Person]], Field(min_length=1, max_length=20)],
    optional: bool = False,
) -> View[schema.Event]:
    """Invite people to an event; who is invited already stays as they are.

    Args:
        people: their addresses.
        optional: whether they may stay away.
    """
    require_planned(event)
    there = {guest.email for guest in db.find(schema.Attendee, event_id=event.event_id)} | {event.organiser_email}
    new = dict.fromkeys(person.email for person in people if person.email not in there)
    if not new:
        raise Refusal("no_change", "They take part already.")
    for email in new:
        db.add(schema.Attendee, event=event, email=email, optional=optional, answer="none")
    return View(event)


@tool("write")
def remove_attendee(db: Database, event: Ref[schema.Event], person: Ref[schema.Person]) -> View[schema.Event]:
    """Take a guest off an event."""
    require_planned(event)
    guest = db.get(schema.Attendee, event.event_id, person.email)
    if guest is None:
        raise Refusal("no_change", f"{person.name} is no guest of this event.")
    db.delete(guest)
    return View(event)


@tool("write")
def book_room(db: Database, event: Ref[schema.Event], room: Ref[schema.Room]) -> View[schema.Event]:
    """Book a room for an event, in place of the one it may have."""
    require_planned(event)
    if event.room_id == room.room_id:
        raise Refusal("no_change", "The event is in this room already.")
    return View(db.update(event, room_id=room.room_id))


@tool("write")
def answer_invitation(
    db: Database, event: Ref[schema.Event], answer: Literal["accepted", "declined", "tentative"], comment: Free = ""
) -> View[schema.Event]:
    """Answer an invitation; declining frees the employee's time.

    Args:
        answer: the answer.
        comment: what the organiser reads with it.
    """
    require_planned(event)
    guest = db.get(schema.Attendee, event.event_id, db.owner(schema.Person).email)
    if guest is None:
        raise Refusal("not_allowed", "The employee is not invited to this event.")
    if (guest.answer, guest.comment or "") == (answer, comment):
        raise Refusal("no_change", f"The answer is {answer} already.")
    db.update(guest, answer=answer, comment=comment)
    return View(event)


@tool("write")
def set_recurrence(
    db: Database,
    event: Ref[schema.Event],
    every: Literal["day", "week", "month"],
    interval: Annotated[int, Field(ge=1, le=12)],
    until: date,
) -> View[schema.Event]:
    """Make a single event a series with the same guests and room; each time is an event of its own.

    Args:
        every: the unit.
        interval: every so many of them.
        until: the last day on which it may take place.
    """
    require_planned(event)
    if event.series_id is not None:
        raise Refusal("wrong_state", "This event is part of a series already.")
    times = later_times(event.start, every, interval, until)
    if not times:
        raise Refusal("invalid_argument", "The series ends before its second time; name a later day.")
    require_room(db, event, times)
    series = db.add(schema.Series, every=every, interval=interval, until=until)
    event = db.update(event, series_id=series.series_id)
    guests = db.find(schema.Attendee, event_id=event.event_id)
    for start in times:
        again = db.new_id(schema.Event)
        db.insert(schema.Event, **{**_columns(event), "event_id": again, "start": start, "state": "planned"})
        for guest in guests:
            db.insert(schema.Attendee, event_id=again, email=guest.email, optional=guest.optional, answer="none")
    return View(event, times=len(times) + 1, last_on=times[-1].date())


@tool("write")
def cancel_event(
    db: Database, event: Ref[schema.Event], scope: Literal["this_time", "following", "whole_series"], message: Free = ""
) -> View[schema.Event]:
    """Cancel an event: this time of a series alone, with all following ones, or all that are still to come.

    Args:
        scope: how much of a series; for a single event all three mean the same.
        message: what the guests read.
    """
    require_planned(event)
    series = [event] if event.series_id is None else db.find(schema.Event, series_id=event.series_id)
    planned = [one for one in series if one.state != "cancelled" and one.start > db.now]
    first = {"this_time": event.start, "following": event.start, "whole_series": db.now}[scope]
    gone = [event] if scope == "this_time" else [one for one in planned if one.start >= first]
    for one in gone:
        db.update(one, state="cancelled", cancel_message=message)
    left = [one.start.date() for one in sorted(planned, key=lambda one: one.start) if one not in gone]
    current = db.get(schema.Event, event.event_id) or event
    return View(current, cancelled=len(gone), left=len(left), next_on=left[0] if left else None)


@tool("write")
def set_reminder(
    db: Database, event: Ref[schema.Event], minutes_before: Annotated[int, Field(ge=0, le=10080)]
) -> View[schema.Event]:
    """Remind the employee before an event, in place of a reminder that there may be.

    Args:
        minutes_before: how long before it begins.
    """
    require_planned(event)
    me = db.owner(schema.Person).email
    if event.organiser_email != me and db.get(schema.Attendee, event.event_id, me) is None:
        raise Refusal("not_allowed", "The employee takes no part in this event.")
    known = db.get(schema.Reminder, event.event_id, me)
    if known is None:
        db.add(schema.Reminder, event=event, email=me, minutes_before=minutes_before)
    elif known.minutes_before == minutes_before:
        raise Refusal("no_change", "The reminder is set like that already.")
    else:
        db.update(known, minutes_before=minutes_before)
    return View(event)


def require_planned(event: schema.Event) -> None:
    """Refuse what is cancelled (code `wrong_state`)."""
    if event.state == "cancelled":
        raise Refusal("wrong_state", "This event is cancelled.")


def require_time(db: Database, start: datetime, minutes: int) -> None:
    """Refuse a time that is past or runs over midnight (code `invalid_argument`)."""
    if start <= db.now:
        raise Refusal("invalid_argument", "An event begins later than now.")
    if end_of(start, minutes) > datetime.combine(start.date() + timedelta(days=1), datetime.min.time()):
        raise Refusal("invalid_argument", "An event ends on the day on which it begins.")


def _free_busy(person: schema.Person, busy: list[Stretch], day: date) -> FreeBusy:
    shares = person.team is not None
    return {
        "email": person.email,
        "name": person.name,
        "zone": person.zone,
        "shares": shares,
        "busy": [Span(start=start, end=end) for start, end in joined(busy)] if shares else [],
        "working_hours": [Span(start=start, end=end) for start, end in working_times(person.zone, day)],
    }


def require_room(db: Database, event: schema.Event, times: list[datetime]) -> None:
    """Refuse further times of an event at which its room is taken (code `conflict`)."""
    room = None if event.room_id is None else db.get(schema.Room, event.room_id)
    if room is None:
        return
    after = (times[-1].date() + timedelta(days=1)).isoformat()
    taken = [(one.start, end_of(one.start, one.minutes)) for one in _bookings(db, room, times[0].isoformat(), after)]
    for start in times:
        if any(begin < end_of(start, event.minutes) and start < end for begin, end in taken):
            raise Refusal("conflict", f"The room is taken at that time on {start.date()}.")


def _bookings(db: Database, room: schema.Room, first: str, after: str) -> list[schema.Event]:
    condition = "room_id = :room AND start >= :first AND start < :after AND state != 'cancelled' ORDER BY start"
    return db.select(schema.Event, condition, room=room.room_id, first=first, after=after)


def _columns(event: schema.Event) -> dict[str, object]:
    """A row's columns by name."""
    return event._asdict()  # type: ignore[attr-defined, no-any-return]  # records are named tuples
