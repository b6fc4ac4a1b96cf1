"""The tables of an office calendar. Every moment is on New York's clock, where those whom sessions serve work."""

from datetime import date, datetime
from typing import Literal

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.domains.directory import PersonColumns
from toolgym.sandbox.kit.world import Database, computed, hidden, key

SERIES_DAYS = 365
TAKES_PART = """event_id IN (SELECT event_id FROM attendees WHERE email = :owner
    UNION ALL SELECT event_id FROM events WHERE organiser_email = :owner UNION ALL SELECT event_id FROM events
    WHERE calendar_id IN (SELECT calendar_id FROM calendars WHERE email = :owner))"""
"""The events that somebody holds or is invited to."""
_TEAM = "(SELECT p.email FROM people p JOIN people me USING (team) WHERE me.email = :owner)"
_SHARED = f"SELECT calendar_id FROM calendars WHERE team_rights IN ('view', 'edit') AND email IN {_TEAM}"
Rights = Literal["own", "edit", "view", "busy_only"]


class Base(DeclarativeBase):
    """The calendar's tables."""


class Person(PersonColumns, Base):
    """Somebody in the directory."""

    __tablename__ = "people"
    __brief__ = ("email", "name", "team", "company", "zone")


class Calendar(Base):
    """A person's calendar."""

    __tablename__ = "calendars"
    __visible__ = f"email = :owner OR team_rights IS NOT NULL AND email IN {_TEAM}"

    calendar_id: Mapped[str] = key("cal-mira-tan-work")
    email: Mapped[str] = mapped_column(ForeignKey("people.email"), index=True)
    name: Mapped[str]
    team_rights: Mapped[str | None] = hidden()

    @computed
    def rights(self, db: Database) -> Rights:
        """What the session's owner may do with it."""
        return rights_on(self, db)


class Room(Base):
    """A meeting room."""

    __tablename__ = "rooms"

    room_id: Mapped[str] = key("R-BOS-4")
    name: Mapped[str]
    building: Mapped[str]
    seats: Mapped[int]
    has_screen: Mapped[bool]


class Series(Base):
    """How an event repeats."""

    __tablename__ = "series"

    series_id: Mapped[str] = key("ser-301")
    every: Mapped[str]
    interval: Mapped[int]
    until: Mapped[date]


class Event(Base):
    """Something in a calendar; each time of a series is an event of its own."""

    __tablename__ = "events"
    __brief__ = ("event_id", "title", "start", "minutes")
    __visible__ = f"{TAKES_PART} OR calendar_id IN ({_SHARED})"
    __table_args__ = (Index("events_by_start", "start"), Index("events_by_room", "room_id", "start"))

    event_id: Mapped[str] = key("ev-20931")
    calendar_id: Mapped[str] = mapped_column(ForeignKey("calendars.calendar_id"), index=True)
    organiser_email: Mapped[str] = mapped_column(ForeignKey("people.email"), index=True)
    title: Mapped[str]
    start: Mapped[datetime]
    minutes: Mapped[int]
    description: Mapped[str]
    state: Mapped[str]
    series_id: Mapped[str | None] = mapped_column(ForeignKey("series.series_id"), index=True)
    room_id: Mapped[str | None] = mapped_column(ForeignKey("rooms.room_id"))
    cancel_message: Mapped[str | None]

    @computed
    def organiser(self, db: Database) -> str:
        """Who holds it."""
        return name_of(db, self.organiser_email)

    @computed
    def has_begun(self, db: Database) -> bool:
        """Whether it is too late to move or cancel it."""
        return self.start <= db.now

    @computed
    def part(self, db: Database) -> Literal["organiser", "guest", "none"]:
        """What the session's owner has to do with it."""
        me = db.owner(Person).email
        if self.organiser_email == me:
            return "organiser"
        return "guest" if db.get(Attendee, self.event_id, me) else "none"

    @computed
    def my_answer(self, db: Database) -> str | None:
        """What the session's owner has answered."""
        found = db.get(Attendee, self.event_id, db.owner(Person).email)
        return found.answer if found else None

    @computed
    def attendees(self, db: Database) -> list[dict[str, str | bool | None]]:
        """The guests with their answers."""
        return [
            {
                "email": guest.email,
                "name": name_of(db, guest.email),
                "optional": guest.optional,
                "answer": guest.answer,
                "comment": guest.comment,
            }
            for guest in db.find(Attendee, event_id=self.event_id)
        ]

    @computed
    def room(self, db: Database) -> str | None:
        """The room's name."""
        found = None if self.room_id is None else db.get(Room, self.room_id)
        return found.name if found else None

    @computed
    def room_seats(self, db: Database) -> int | None:
        """How many the room seats."""
        found = None if self.room_id is None else db.get(Room, self.room_id)
        return found.seats if found else None

    @computed
    def repeats(self, db: Database) -> dict[str, str | int] | None:
        """How it repeats and until when."""
        found = None if self.series_id is None else db.get(Series, self.series_id)
        if found is None:
            return None
        return {"every": found.every, "interval": found.interval, "until": found.until.isoformat()}

    @computed
    def reminder_minutes(self, db: Database) -> int | None:
        """How long before it the session's owner is reminded."""
        found = db.get(Reminder, self.event_id, db.owner(Person).email)
        return found.minutes_before if found else None


class Attendee(Base):
    """A guest of an event."""

    __tablename__ = "attendees"
    __table_args__ = (Index("attendees_by_person", "email"),)

    event_id: Mapped[str] = mapped_column(ForeignKey("events.event_id"), primary_key=True)
    email: Mapped[str] = mapped_column(ForeignKey("people.email"), primary_key=True)
    optional: Mapped[bool]
    answer: Mapped[str]
    comment: Mapped[str | None]


class Reminder(Base):
    """How long before an event a person is reminded."""

    __tablename__ = "reminders"

    event_id: Mapped[str] = mapped_column(ForeignKey("events.event_id"), primary_key=True)
    email: Mapped[str] = mapped_column(ForeignKey("people.email"), primary_key=True)
    minutes_before: Mapped[int]


def rights_on(calendar: Calendar, db: Database) -> Rights:
    """What the session's owner may do with a calendar that they see."""
    if calendar.email == db.owner(Person).email:
        return "own"
    return {"edit": "edit", "view": "view"}.get(calendar.team_rights or "", "busy_only")  # type: ignore[return-value]


def name_of(db: Database, email: str) -> str:
    """A person's name by address."""
    person = db.get(Person, email)
    return person.name if person else email
