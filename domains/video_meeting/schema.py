"""The tables of video meetings. Every moment is on New York's clock, where those whom sessions serve work."""

from datetime import date, datetime
from typing import Literal

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.domains.directory import PersonColumns
from toolgym.sandbox.kit.world import Database, computed, key, part, via

TRIES = 3
"""Wrong passcodes after which somebody is barred."""
_TAKES_PART = "(SELECT meeting_id FROM guests WHERE email = :owner)"
Role = Literal["host", "cohost", "guest"]


class Base(DeclarativeBase):
    """The tables."""


class Person(PersonColumns, Base):
    """Somebody in the directory; employees have a plan."""

    __tablename__ = "people"
    __shown__ = ("email", "name", "company", "plan", "meeting_now", "role_now")

    plan: Mapped[str | None]

    @computed
    def meeting_now(self, db: Database) -> str | None:
        """The meeting that they are in, or in whose lobby they wait."""
        place = place_of(db, self.email)
        return place.meeting_id if place else None

    @computed
    def role_now(self, db: Database) -> str | None:
        """What they are there."""
        place = place_of(db, self.email)
        return place.role if place else None


class Meeting(Base):
    """A meeting; each time of a series is one of its own."""

    __tablename__ = "meetings"
    __visible__ = f"meeting_id IN {_TAKES_PART}"
    __shown__ = ("meeting_id", "title", "host", "start", "minutes", "state", "series")

    meeting_id: Mapped[str] = key("914-207-335")
    host_email: Mapped[str] = mapped_column(ForeignKey("people.email"), index=True)
    title: Mapped[str]
    start: Mapped[datetime]
    minutes: Mapped[int]
    state: Mapped[str]
    passcode: Mapped[str] = part()
    waiting_room: Mapped[bool]
    agenda: Mapped[str]
    recording_since: Mapped[datetime | None]
    series: Mapped[str | None] = mapped_column(index=True)
    host = via("host_email", "name")
    plan = via("host_email", "plan")

    @computed
    def role(self, db: Database) -> Role:
        """What the session's owner is in it."""
        return own_place(self, db).role  # type: ignore[return-value]

    @computed
    def my_state(self, db: Database) -> str:
        """Where the session's owner is: invited, waiting, in, left or removed."""
        return own_place(self, db).state

    @computed
    def tries_left(self, db: Database) -> int:
        """How many wrong passcodes the session's owner may still give."""
        return TRIES - own_place(self, db).wrong_codes

    @computed
    def invited(self, db: Database) -> int:
        """How many take part, the host included."""
        return len(db.find(Guest, meeting_id=self.meeting_id))

    @computed
    def host_is_in(self, db: Database) -> bool:
        """Whether the host or a cohost has come."""
        return any(guest.role != "guest" for guest in db.find(Guest, meeting_id=self.meeting_id, state="in"))


class Guest(Base):
    """Somebody's place in a meeting, the host's included."""

    __tablename__ = "guests"
    __visible__ = f"meeting_id IN {_TAKES_PART}"
    __shown__ = ("guest_id", "email", "name", "company", "role", "state", "muted")
    __table_args__ = (Index("guests_by_person", "email", "state"),)

    guest_id: Mapped[str] = key("gu-50010")
    meeting_id: Mapped[str] = mapped_column(ForeignKey("meetings.meeting_id"), index=True)
    email: Mapped[str] = mapped_column(ForeignKey("people.email"))
    role: Mapped[str]
    state: Mapped[str]
    muted: Mapped[bool]
    wrong_codes: Mapped[int] = mapped_column(info={"hidden": True})
    name = via("email", "name")
    company = via("email", "company")
    title = via("meeting_id", "title")
    start = via("meeting_id", "start")


class Recording(Base):
    """What was recorded of a meeting; its host shares it."""

    __tablename__ = "recordings"
    __visible__ = """meeting_id IN (SELECT meeting_id FROM meetings WHERE host_email = :owner)
        OR recording_id IN (SELECT recording_id FROM shares WHERE email = :owner)"""

    recording_id: Mapped[str] = key("rec-2280")
    meeting_id: Mapped[str] = mapped_column(ForeignKey("meetings.meeting_id"), index=True)
    recorded_on: Mapped[date]
    minutes: Mapped[int]
    expires_on: Mapped[date]
    title = via("meeting_id", "title")
    host_email = via("meeting_id", "host_email")


class Share(Base):
    """A link to a recording that somebody was sent."""

    __tablename__ = "shares"

    share_id: Mapped[str] = key("sh-3300")
    recording_id: Mapped[str] = mapped_column(ForeignKey("recordings.recording_id"), index=True)
    email: Mapped[str] = mapped_column(ForeignKey("people.email"), index=True)
    until: Mapped[date]
    message: Mapped[str]


def own_place(meeting: Meeting, db: Database) -> Guest:
    """The place of the session's owner in a meeting that they see."""
    return db.find(Guest, meeting_id=meeting.meeting_id, email=db.owner(Person).email)[0]


def place_of(db: Database, email: str) -> Guest | None:
    """Where somebody is now: in a meeting, or in its lobby."""
    return next(iter(db.select(Guest, "email = :email AND state IN ('in', 'waiting')", email=email)), None)
