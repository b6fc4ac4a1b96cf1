"""The tables of an office's mail: every employee whom a session serves has a mailbox of their own."""

from datetime import date, datetime

from sqlalchemy import JSON, ForeignKey, Index
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.domains.directory import PersonColumns
from toolgym.sandbox.kit.world import Database, computed, key

HOME = "@larkfield.example"
"""What addresses inside the company end in."""
CONFIDENTIAL = "Confidential"


class Base(DeclarativeBase):
    """The mailboxes' tables."""


def _of_owner() -> Mapped[str]:
    return mapped_column(ForeignKey("people.email"), index=True, info={"hidden": True})


class Person(PersonColumns, Base):
    """Somebody in the directory."""

    __tablename__ = "people"
    __brief__ = ("email", "name", "team", "department", "manager", "company")


class Thread(Base):
    """Messages that answer one another."""

    __tablename__ = "threads"
    __owned_by__ = "owner_email"

    thread_id: Mapped[str] = key("t-3081")
    owner_email: Mapped[str] = _of_owner()
    subject: Mapped[str]

    @computed
    def messages(self, db: Database) -> list[dict[str, str | bool]]:
        """Its messages, the oldest first, with their first words."""
        rows = db.select(Message, "thread_id = :thread ORDER BY sent_at, message_id", thread=self.thread_id)
        return [
            {
                "message_id": row.message_id,
                "sender_email": row.sender_email,
                "sender_name": name_of(db, row.sender_email),
                "sent_at": row.sent_at.isoformat(timespec="minutes"),
                "folder": row.folder,
                "first_words": first_words(row.body),
            }
            for row in rows
        ]


class Message(Base):
    """A mail that came or went."""

    __tablename__ = "messages"
    __owned_by__ = "owner_email"
    __brief__ = (
        "message_id", "sender_email", "sender_name", "topic", "sent_at", "folder", "unread", "starred", "first_words",
    )  # fmt: skip
    __table_args__ = (Index("messages_by_owner", "owner_email", "sent_at"), Index("messages_by_thread", "thread_id"))

    message_id: Mapped[str] = key("m-77120")
    thread_id: Mapped[str] = mapped_column(ForeignKey("threads.thread_id"))
    sender_email: Mapped[str] = mapped_column(ForeignKey("people.email"))
    to: Mapped[list[str]] = mapped_column(JSON)
    cc: Mapped[list[str]] = mapped_column(JSON)
    subject: Mapped[str]
    body: Mapped[str]
    sent_at: Mapped[datetime]
    folder: Mapped[str]
    unread: Mapped[bool]
    starred: Mapped[bool]
    deleted_on: Mapped[date | None]
    owner_email: Mapped[str] = mapped_column(ForeignKey("people.email"), info={"hidden": True})

    @computed
    def sender_name(self, db: Database) -> str:
        """Who wrote it."""
        return name_of(db, self.sender_email)

    @computed
    def topic(self, db: Database) -> str:
        """Its subject without what answers and forwarded mails begin with."""
        plain = bare_subject(self.subject)
        return plain[:1].lower() + plain[1:]

    @computed
    def first_words(self, db: Database) -> str:
        """How it begins."""
        return first_words(self.body)

    @computed
    def labels(self, db: Database) -> list[str]:
        """The names of its labels."""
        rows = db.query(
            "SELECT name FROM labels JOIN message_labels USING (label_id) WHERE message_id = :message ORDER BY name",
            message=self.message_id,
        )
        return [name for (name,) in rows]

    @computed
    def attachments(self, db: Database) -> list[dict[str, str | int]]:
        """Its files."""
        return [file_of(row) for row in db.find(Attachment, message_id=self.message_id)]

    @computed
    def attached_bytes(self, db: Database) -> int:
        """How large its files are in all."""
        return sum(row.bytes for row in db.find(Attachment, message_id=self.message_id))


class Label(Base):
    """What messages are filed under."""

    __tablename__ = "labels"
    __owned_by__ = "owner_email"

    label_id: Mapped[str] = key("lb-07")
    owner_email: Mapped[str] = _of_owner()
    name: Mapped[str]
    colour: Mapped[str]

    @computed
    def messages(self, db: Database) -> int:
        """How many messages bear it."""
        rows = db.query("SELECT count(*) FROM message_labels WHERE label_id = :label", label=self.label_id)
        return int(rows[0][0])


class MessageLabel(Base):
    """A label on a message."""

    __tablename__ = "message_labels"
    __table_args__ = (Index("message_labels_by_label", "label_id"),)

    message_id: Mapped[str] = mapped_column(ForeignKey("messages.message_id"), primary_key=True)
    label_id: Mapped[str] = mapped_column(ForeignKey("labels.label_id"), primary_key=True)


class Attachment(Base):
    """A file that came with a message."""

    __tablename__ = "attachments"
    __owned_by__ = "message_id"

    attachment_id: Mapped[str] = key("at-551")
    message_id: Mapped[str] = mapped_column(ForeignKey("messages.message_id"), index=True)
    name: Mapped[str]
    bytes: Mapped[int]
    kind: Mapped[str]

    @computed
    def labels(self, db: Database) -> list[str]:
        """Those of the message that it came with."""
        rows = db.query(
            "SELECT name FROM labels JOIN message_labels USING (label_id) WHERE message_id = :message ORDER BY name",
            message=self.message_id,
        )
        return [name for (name,) in rows]


class Draft(Base):
    """A mail that is written and has not gone out, or has gone out since."""

    __tablename__ = "drafts"
    __owned_by__ = "owner_email"

    draft_id: Mapped[str] = key("d-18")
    owner_email: Mapped[str] = _of_owner()
    to: Mapped[list[str]] = mapped_column(JSON)
    cc: Mapped[list[str]] = mapped_column(JSON)
    subject: Mapped[str]
    body: Mapped[str]
    reply_to: Mapped[str | None] = mapped_column(ForeignKey("messages.message_id"))
    forwards: Mapped[str | None] = mapped_column(ForeignKey("messages.message_id"))
    state: Mapped[str]
    send_at: Mapped[datetime | None]

    @computed
    def folder(self, db: Database) -> str:
        """Where it lies."""
        return "sent" if self.state == "sent" else "drafts"

    @computed
    def recipient_names(self, db: Database) -> str:
        """To whom it goes."""
        return ", ".join(name_of(db, email) for email in self.to)

    @computed
    def attachments(self, db: Database) -> list[dict[str, str | int]]:
        """Its files."""
        return [file_of(row) for row in files_of(db, self.draft_id)]

    @computed
    def attached_bytes(self, db: Database) -> int:
        """How large its files are in all."""
        return sum(row.bytes for row in files_of(db, self.draft_id))


class DraftAttachment(Base):
    """A file that goes with a draft."""

    __tablename__ = "draft_attachments"

    draft_id: Mapped[str] = mapped_column(ForeignKey("drafts.draft_id"), primary_key=True)
    attachment_id: Mapped[str] = mapped_column(ForeignKey("attachments.attachment_id"), primary_key=True)


class AutoReply(Base):
    """What whoever writes to somebody who is away is answered."""

    __tablename__ = "auto_replies"

    owner_email: Mapped[str] = mapped_column(ForeignKey("people.email"), primary_key=True)
    first_day: Mapped[date]
    last_day: Mapped[date]
    text: Mapped[str]
    outside: Mapped[bool]


def name_of(db: Database, email: str) -> str:
    """A person's name by address."""
    person = db.get(Person, email)
    return person.name if person else email


def bare_subject(subject: str) -> str:
    """A subject without `Re:` and `Fwd:`."""
    return subject.removeprefix("Re: ").removeprefix("Fwd: ")


def first_words(body: str) -> str:
    """How a text begins."""
    words = body.split()
    return " ".join(words[:7]) + (" ..." if len(words) > 7 else "")


def files_of(db: Database, draft_id: str) -> list[Attachment]:
    """The files of a draft."""
    found = (
        "attachment_id IN (SELECT attachment_id FROM draft_attachments WHERE draft_id = :draft) ORDER BY attachment_id"
    )
    return db.select(Attachment, found, draft=draft_id)


def file_of(row: Attachment) -> dict[str, str | int]:
    """A file as messages and drafts show it."""
    return {"attachment_id": row.attachment_id, "name": row.name, "bytes": row.bytes, "kind": row.kind}
