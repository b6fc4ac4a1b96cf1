"""Events and their reminders."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from toolgym.domains.calendar.schema import Attendee, Calendar, Event, Person, Reminder, name_of
from toolgym.domains.calendar.tools.guards import require_planned, require_time
from toolgym.sandbox.kit.world import NOT_BLANK, Database, Free, Ref, Refusal, View, tool

Minutes = Annotated[int, Field(ge=5, le=600)]
Title = Annotated[str, Field(min_length=1, max_length=200), NOT_BLANK]


@tool("write")
def create_event(
    db: Database,
    title: Title,
    start: datetime,
    minutes: Minutes,
    calendar: Ref[Calendar] | None = None,
    description: Free = "",
) -> View[Event]:
    """Put an event into a calendar, without guests so far; the employee is its organiser.

    Args:
        title: as everybody sees it.
        start: when it begins.
        minutes: how long it lasts.
        calendar: without one, the employee's calendar for work.
        description: what it is about.
    """
    me = db.owner(Person)
    require_time(db, start, minutes)
    chosen = calendar or next(own for own in db.find(Calendar, email=me.email) if own.team_rights is not None)
    made = db.insert(
        Event,
        event_id=db.new_id(Event),
        calendar_id=chosen.calendar_id,
        organiser_email=me.email,
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
    event: Ref[Event],
    title: Title | None = None,
    start: datetime | None = None,
    minutes: Minutes | None = None,
    description: Free | None = None,
) -> View[Event]:
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
    guests = db.find(Attendee, event_id=event.event_id)
    for guest in guests:
        db.update(guest, answer="none", comment=None)
    return View(moved, asked_again=[name_of(db, guest.email) for guest in guests])


@tool("write")
def set_reminder(db: Database, event: Ref[Event], minutes_before: Annotated[int, Field(ge=0, le=10080)]) -> View[Event]:
    """Remind the employee before an event, in place of a reminder that there may be.

    Args:
        minutes_before: how long before it begins.
    """
    require_planned(event)
    me = db.owner(Person).email
    if event.organiser_email != me and db.get(Attendee, event.event_id, me) is None:
        raise Refusal("not_allowed", "The employee takes no part in this event.")
    known = db.get(Reminder, event.event_id, me)
    if known is None:
        db.insert(Reminder, event_id=event.event_id, email=me, minutes_before=minutes_before)
    elif known.minutes_before == minutes_before:
        raise Refusal("no_change", "The reminder is set like that already.")
    else:
        db.update(known, minutes_before=minutes_before)
    return View(event)
