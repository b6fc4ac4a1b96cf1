"""The meeting rooms."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from toolgym.domains.calendar.schema import Event, Room, name_of
from toolgym.domains.calendar.times import end_of
from toolgym.domains.calendar.tools.guards import require_planned
from toolgym.domains.calendar.tools.people import Span
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.reference import PageNumber, Ref
from toolgym.sandbox.kit.search import contains_text, given, is_within
from toolgym.sandbox.kit.tool import tool
from toolgym.sandbox.kit.view import Page, View


class Booking(Span):
    """When a room is taken, and by whom."""

    by: str


class Schedule(TypedDict):
    """A room's day."""

    room_id: str
    day: date
    taken: list[Booking]


@tool("read")
def list_rooms(
    db: Database,
    min_seats: Annotated[int, Field(ge=1, le=40)] | None = None,
    building: str | None = None,
    has_screen: bool | None = None,
    name: str | None = None,
    page: PageNumber = 1,
) -> Page[Room]:
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
        for room in db.find(Room, **given(has_screen=has_screen))
        if is_within(room.seats, min_seats, None)
        and contains_text(room.building, building)
        and contains_text(room.name, name)
    ]
    return Page(sorted(rows, key=lambda room: (room.seats, room.room_id)), page)


@tool("read")
def get_room_schedule(db: Database, room: Ref[Room], day: date) -> Schedule:
    """Tell when a room is taken on a day, and by whom.

    Args:
        day: the day.
    """
    after = day + timedelta(days=1)
    taken = [
        Booking(start=event.start, end=end_of(event.start, event.minutes), by=name_of(db, event.organiser_email))
        for event in _bookings(db, room, day.isoformat(), after.isoformat())
    ]
    return {"room_id": room.room_id, "day": day, "taken": taken}


@tool("write")
def book_room(db: Database, event: Ref[Event], room: Ref[Room]) -> View[Event]:
    """Book a room for an event, in place of the one it may have."""
    require_planned(event)
    if event.room_id == room.room_id:
        raise Refusal("no_change", "The event is in this room already.")
    return View(db.update(event, room_id=room.room_id))


def require_room(db: Database, event: Event, times: list[datetime]) -> None:
    """Refuse further times of an event at which its room is taken (code `conflict`)."""
    room = None if event.room_id is None else db.get(Room, event.room_id)
    if room is None:
        return
    after = (times[-1].date() + timedelta(days=1)).isoformat()
    taken = [(one.start, end_of(one.start, one.minutes)) for one in _bookings(db, room, times[0].isoformat(), after)]
    for start in times:
        if any(begin < end_of(start, event.minutes) and start < end for begin, end in taken):
            raise Refusal("conflict", f"The room is taken at that time on {start.date()}.")


def _bookings(db: Database, room: Room, first: str, after: str) -> list[Event]:
    condition = "room_id = :room AND start >= :first AND start < :after AND state != 'cancelled' ORDER BY start"
    return db.select(Event, condition, room=room.room_id, first=first, after=after)
