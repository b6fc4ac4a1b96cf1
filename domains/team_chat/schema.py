"""The tables of a company's chat: who is in which channel decides what is seen, and who can be reached."""

from datetime import datetime, time, timedelta

from sqlalchemy import JSON, ForeignKey, Index
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.domains.directory import PersonColumns, hours_ahead
from toolgym.sandbox.kit.world import Database, computed, key, via

_MINE = "SELECT channel_id FROM memberships WHERE email = :owner"


class Base(DeclarativeBase):
    """The chat's tables."""


class Person(PersonColumns, Base):
    """A colleague."""

    __tablename__ = "people"
    __brief__ = ("email", "name", "title", "team", "office", "status", "local_time", "channels")

    @computed
    def status(self, db: Database) -> dict[str, str | bool | None] | None:
        """What the person is up to, as long as that holds."""
        found = db.get(Status, self.email)
        if found is None or (found.until is not None and found.until <= db.now):
            return None
        until = found.until.isoformat(timespec="minutes") if found.until else None
        return {"text": found.text, "until": until, "do_not_disturb": found.do_not_disturb}

    @computed
    def local_time(self, db: Database) -> time:
        """What the clock says where the person works."""
        return (db.now + timedelta(hours=hours_ahead(self.zone, db.now.date()))).time()

    @computed
    def channels(self, db: Database) -> list[str]:
        """The channels that the person is in, of those private ones that the session's owner is in as well."""
        rows = db.query(
            "SELECT channel_id FROM memberships JOIN channels USING (channel_id) WHERE email = :email AND "
            f"(NOT private OR channel_id IN ({_MINE})) ORDER BY 1",
            email=self.email,
            owner=db.owner(Person).email,
        )
        return [channel for (channel,) in rows]


class Status(Base):
    """What somebody has written about themself, until when."""

    __tablename__ = "statuses"

    email: Mapped[str] = mapped_column(ForeignKey("people.email"), primary_key=True)
    text: Mapped[str]
    until: Mapped[datetime | None]
    do_not_disturb: Mapped[bool]


class Channel(Base):
    """A place where people write; anybody sees that a private one exists, its members alone what stands there."""

    __tablename__ = "channels"
    __brief__ = ("channel_id", "name", "topic", "private", "archived", "announcements", "my_part", "members")

    channel_id: Mapped[str] = key("ch-ops")
    name: Mapped[str]
    topic: Mapped[str]
    private: Mapped[bool]
    archived: Mapped[bool]
    announcements: Mapped[bool]

    @computed
    def my_part(self, db: Database) -> str | None:
        """What the session's owner is there; null for who has not joined."""
        found = db.get(Membership, self.channel_id, db.owner(Person).email)
        return None if found is None else "admin" if found.is_admin else "member"

    @computed
    def members(self, db: Database) -> int:
        """How many people are in it."""
        return int(db.query("SELECT count(*) FROM memberships WHERE channel_id = :c", c=self.channel_id)[0][0])

    @computed
    def pins(self, db: Database) -> int:
        """How many messages are pinned there."""
        found = "SELECT count(*) FROM messages WHERE channel_id = :channel AND pinned"
        return int(db.query(found, channel=self.channel_id)[0][0])


class Membership(Base):
    """Somebody in a channel, and up to when that person has read it."""

    __tablename__ = "memberships"
    __table_args__ = (Index("memberships_by_person", "email"),)

    channel_id: Mapped[str] = mapped_column(ForeignKey("channels.channel_id"), primary_key=True)
    email: Mapped[str] = mapped_column(ForeignKey("people.email"), primary_key=True)
    is_admin: Mapped[bool]
    read_until: Mapped[datetime]


class ChatMessage(Base):
    """Something written in a channel, or in answer to that."""

    __tablename__ = "messages"
    __brief__ = (
        "message_id", "channel_id", "channel_name", "author_email", "author_name", "about", "text", "posted_at",
        "thread_of", "answers", "pinned",
    )  # fmt: skip
    __visible__ = f"channel_id IN (SELECT channel_id FROM channels WHERE NOT private UNION ALL {_MINE})"
    __table_args__ = (Index("messages_by_channel", "channel_id", "posted_at"), Index("messages_by_thread", "thread_of"))

    message_id: Mapped[str] = key("cm-40817")
    channel_id: Mapped[str] = mapped_column(ForeignKey("channels.channel_id"))
    author_email: Mapped[str] = mapped_column(ForeignKey("people.email"))
    text: Mapped[str]
    posted_at: Mapped[datetime]
    thread_of: Mapped[str | None] = mapped_column(ForeignKey("messages.message_id"))
    pinned: Mapped[bool]
    mentions: Mapped[list[str]] = mapped_column(JSON)
    author_name = via("author_email", "name")
    channel_name = via("channel_id", "name")
    channel_archived = via("channel_id", "archived")
    channel_pins = via("channel_id", "pins")
    my_part = via("channel_id", "my_part")

    @computed
    def about(self, db: Database) -> str | None:
        """What a message that begins with its subject is about."""
        subject, colon, _ = self.text.partition(": ")
        return subject if colon and len(subject) < 40 else None

    @computed
    def answers(self, db: Database) -> int:
        """How many answers its thread has."""
        return int(db.query("SELECT count(*) FROM messages WHERE thread_of = :m", m=self.message_id)[0][0])


class DirectMessage(Base):
    """Something written to colleagues outside of channels; the same people are one conversation."""

    __tablename__ = "direct_messages"
    __visible__ = "EXISTS (SELECT 1 FROM json_each(people) WHERE value = :owner)"

    direct_message_id: Mapped[str] = key("cd-5120")
    people: Mapped[list[str]] = mapped_column(JSON)
    author_email: Mapped[str] = mapped_column(ForeignKey("people.email"))
    text: Mapped[str]
    posted_at: Mapped[datetime]
