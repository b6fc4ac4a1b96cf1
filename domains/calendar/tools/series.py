"""Events that repeat, and what is cancelled of them."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from toolgym.domains.calendar.schema import Attendee, Event, Series
from toolgym.domains.calendar.times import later_times
from toolgym.domains.calendar.tools.guards import require_planned
from toolgym.domains.calendar.tools.rooms import require_room
from toolgym.sandbox.kit.world import Database, Free, Ref, Refusal, View, tool


@tool("write")
def set_recurrence(
    db: Database,
    event: Ref[Event],
    every: Literal["day", "week", "month"],
    interval: Annotated[int, Field(ge=1, le=12)],
    until: date,
) -> View[Event]:
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
    series = db.insert(Series, series_id=db.new_id(Series), every=every, interval=interval, until=until)
    event = db.update(event, series_id=series.series_id)
    guests = db.find(Attendee, event_id=event.event_id)
    for start in times:
        again = db.new_id(Event)
        db.insert(Event, **{**_columns(event), "event_id": again, "start": start, "state": "planned"})
        for guest in guests:
            db.insert(Attendee, event_id=again, email=guest.email, optional=guest.optional, answer="none")
    return View(event, times=len(times) + 1, last_on=times[-1].date())


@tool("write")
def cancel_event(
    db: Database, event: Ref[Event], scope: Literal["this_time", "following", "whole_series"], message: Free = ""
) -> View[Event]:
    """Cancel an event: this time of a series alone, with all following ones, or all that are still to come.

    Args:
        scope: how much of a series; for a single event all three mean the same.
        message: what the guests read.
    """
    require_planned(event)
    series = [event] if event.series_id is None else db.find(Event, series_id=event.series_id)
    planned = [one for one in series if one.state != "cancelled" and one.start > db.now]
    first = {"this_time": event.start, "following": event.start, "whole_series": db.now}[scope]
    gone = [event] if scope == "this_time" else [one for one in planned if one.start >= first]
    for one in gone:
        db.update(one, state="cancelled", cancel_message=message)
    left = [one.start.date() for one in sorted(planned, key=lambda one: one.start) if one not in gone]
    current = db.get(Event, event.event_id) or event
    return View(current, cancelled=len(gone), left=len(left), next_on=left[0] if left else None)


def _columns(event: Event) -> dict[str, object]:
    """A row's columns by name."""
    return event._asdict()  # type: ignore[attr-defined, no-any-return]  # records are named tuples
