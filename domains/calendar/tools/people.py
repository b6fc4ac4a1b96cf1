"""Whom an event is with, and when they have time."""

from __future__ import annotations

import json
from datetime import date, datetime, timedelta
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from toolgym.domains.calendar.schema import Person
from toolgym.domains.calendar.times import Stretch, end_of, joined, working_times
from toolgym.sandbox.kit.world import Database, Page, PageNumber, Ref, tool


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


@tool("read")
def search_people(db: Database, text: str, page: PageNumber = 1) -> Page[Person]:
    """Find people at Larkfield and at its clients, by name.

    Args:
        text: part of a name, an address, a team, a department, an office or a company.
        page: ten a page.
    """
    return Page(db.select(Person, _SOMEWHERE, text=text.strip().lower()), page)


_BUSY = """SELECT who.value, e.start, e.minutes FROM json_each(:people) who CROSS JOIN events e
    WHERE e.start >= :first AND e.start < :after AND e.state != 'cancelled' AND (e.organiser_email = who.value
        OR e.calendar_id IN (SELECT calendar_id FROM calendars WHERE email = who.value)
        OR EXISTS (SELECT 1 FROM attendees a
            WHERE a.event_id = e.event_id AND a.email = who.value AND a.answer != 'declined'))
    ORDER BY e.start"""


@tool("read")
def get_free_busy(
    db: Database, people: Annotated[list[Ref[Person]], Field(min_length=1, max_length=10)], day: date
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


def _free_busy(person: Person, busy: list[Stretch], day: date) -> FreeBusy:
    shares = person.team is not None
    return {
        "email": person.email,
        "name": person.name,
        "zone": person.zone,
        "shares": shares,
        "busy": [Span(start=start, end=end) for start, end in joined(busy)] if shares else [],
        "working_hours": [Span(start=start, end=end) for start, end in working_times(person.zone, day)],
    }
