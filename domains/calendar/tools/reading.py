"""What stands in calendars."""

from __future__ import annotations

from datetime import date, timedelta

from toolgym.domains.calendar.schema import TAKES_PART, Calendar, Event, Person, Room, rights_on
from toolgym.domains.calendar.times import CLOSES, OPENS
from toolgym.sandbox.kit.world import Database, Page, PageNumber, Ref, Refusal, View, contains_text, given, tool


@tool("read")
def get_now(db: Database) -> View[Person]:
    """Get the present moment with its weekday, and the employee: name, address, team, zone and working hours."""
    hours = f"{OPENS:%H:%M} to {CLOSES:%H:%M}"
    return View(db.owner(Person), now=db.now, weekday=f"{db.now:%A}", working_hours=hours)


@tool("read")
def list_calendars(
    db: Database, name: str | None = None, holder: Ref[Person] | None = None, page: PageNumber = 1
) -> Page[Calendar]:
    """List the employee's calendars and those that colleagues of the team share, with what one may do with them.

    Args:
        name: only those whose name holds this.
        page: ten a page.
    """
    me = db.owner(Person).email
    rows = [row for row in db.mine(Calendar, **given(email=holder and holder.email)) if contains_text(row.name, name)]
    return Page(sorted(rows, key=lambda row: row.email != me), page)


_PERIOD = "+start >= :first AND +start < :after AND +state != 'cancelled' AND "
"""The signs keep SQLite from going through everybody's events of the period instead of the employee's own."""
_NAMED = "(SELECT email FROM people WHERE instr(lower(name), :text))"
_ABOUT = f""" AND (:text = '' OR instr(lower(title), :text) OR organiser_email IN {_NAMED}
    OR EXISTS (SELECT 1 FROM attendees a WHERE a.event_id = events.event_id AND a.email IN {_NAMED}))
    AND (:holder = '' OR organiser_email = :holder) AND (:room = '' OR room_id = :room) ORDER BY start, event_id"""


@tool("read")
def list_events(
    db: Database,
    first_day: date,
    last_day: date,
    calendar: Ref[Calendar] | None = None,
    text: str | None = None,
    holder: Ref[Person] | None = None,
    room: Ref[Room] | None = None,
    page: PageNumber = 1,
) -> Page[Event]:
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
        me = db.owner(Person).email
        return Page(db.select(Event, _PERIOD + TAKES_PART + _ABOUT, owner=me, **about, **period), page)
    if rights_on(calendar, db) == "busy_only":
        raise Refusal("not_allowed", "This calendar shows only when its holder is busy.")
    one = _PERIOD + "calendar_id = :calendar"
    return Page(db.select(Event, one + _ABOUT, calendar=calendar.calendar_id, **about, **period), page)


@tool("read")
def get_event(db: Database, event: Ref[Event]) -> View[Event]:
    """Get an event's guests with their answers, organiser, room, description, how it repeats, and the reminder."""
    return View(event)
