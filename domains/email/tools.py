"""What an employee's mailbox lets an agent do."""

from datetime import date, datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field

from toolgym.domains.email import schema
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.reference import NOT_BLANK, Free, PageNumber, Ref
from toolgym.sandbox.kit.search import contains_text
from toolgym.sandbox.kit.tool import tool
from toolgym.sandbox.kit.view import Page, View

Messages = Annotated[list[Ref[schema.Message]], Field(min_length=1, max_length=50)]
Recipients = Annotated[list[Ref[schema.Person]], Field(min_length=1, max_length=20)]
Copies = Annotated[list[Ref[schema.Person]], Field(max_length=20)]
LEADS_TO = {
    "inbox": ("archive", "trash", "spam"), "archive": ("inbox", "trash", "spam"), "sent": ("trash",),
    "spam": ("inbox", "trash"), "trash": ("inbox",),
}  # fmt: skip
"""From which folder a message may be moved to which."""


@tool("read")
def get_mailbox(db: Database) -> View[schema.Person]:
    """Get the present moment, whose mailbox it is, unread messages by folder, and the automatic reply if one is set."""
    me = db.owner(schema.Person)
    unread = db.query(
        "SELECT folder, count(*) FROM messages WHERE owner_email = :owner AND unread GROUP BY folder", owner=me.email
    )
    reply = db.get(schema.AutoReply, me.email)
    told = None if reply is None else {"first_day": reply.first_day, "last_day": reply.last_day, "text": reply.text}
    return View(me, now=db.now, weekday=f"{db.now:%A}", unread=dict(unread), auto_reply=told)


_CALLED = "(SELECT email FROM people WHERE instr(lower(name), :text))"
_GOES_TO = f'EXISTS (SELECT 1 FROM json_each("to") WHERE value IN {_CALLED})'
_GETS_IT = (
    """(:recipient = '' OR :recipient IN (SELECT value FROM json_each("to") UNION SELECT value FROM json_each(cc)))"""
)
_WRITTEN = f"""owner_email = :owner AND (:text = '' OR instr(lower(subject || '|' || body), :text)
    OR sender_email IN {_CALLED} OR folder = 'sent' AND {_GOES_TO})
    AND (:sender = '' OR sender_email = :sender) AND {_GETS_IT}
    AND (:folder = '' OR folder = :folder) AND sent_at >= :first AND sent_at < :after
    AND (:label = '' OR message_id IN (SELECT message_id FROM message_labels WHERE label_id = :label))
    AND (:unread IS NULL OR unread = :unread) AND (:attached IS NULL OR :attached = EXISTS
        (SELECT 1 FROM attachments a WHERE a.message_id = messages.message_id))
    ORDER BY sent_at DESC, message_id DESC"""
_UNSENT = f"""owner_email = :owner AND state != 'sent' AND (:text = '' OR instr(lower(subject || '|' || body), :text)
    OR {_GOES_TO}) AND {_GETS_IT} ORDER BY draft_id DESC"""


@tool("read")
def search_messages(
    db: Database,
    text: str | None = None,
    sender: Ref[schema.Person] | None = None,
    recipient: Ref[schema.Person] | None = None,
    folder: Literal["inbox", "archive", "sent", "drafts", "trash", "spam"] | None = None,
    label: Ref[schema.Label] | None = None,
    unread: bool | None = None,
    first_day: date | None = None,
    last_day: date | None = None,
    has_attachment: bool | None = None,
    page: PageNumber = 1,
) -> Page[schema.Message] | Page[schema.Draft]:
    """Find messages, the newest first; without a folder in all folders but drafts. In drafts: what is not sent yet.

    Args:
        text: only those with this in their subject or body, or in the name of who wrote it, or to whom one was sent.
        folder: only those in this folder.
        unread: only unread or only read ones.
        first_day: the first day to list, included.
        last_day: the last day to list, included.
        has_attachment: only those with files, or without.
        page: ten a page.
    """
    common = {
        "owner": db.owner(schema.Person).email,
        "text": (text or "").strip().lower(),
        "recipient": "" if recipient is None else recipient.email,
    }
    if folder == "drafts":
        return Page(db.select(schema.Draft, _UNSENT, **common), page)
    about = {
        "sender": "" if sender is None else sender.email,
        "folder": folder or "",
        "label": "" if label is None else label.label_id,
        "unread": unread,
        "first": (first_day or date.min).isoformat(),
        "after": (date.max if last_day is None else last_day + timedelta(days=1)).isoformat(),
        "attached": has_attachment,
    }
    return Page(db.select(schema.Message, _WRITTEN, **common, **about), page)


@tool("read")
def get_message(db: Database, message: Ref[schema.Message]) -> View[schema.Message]:
    """Get a message with its text, recipients, files, labels and thread."""
    return View(message)


@tool("read")
def get_thread(db: Database, thread: Ref[schema.Thread]) -> View[schema.Thread]:
    """Get the messages of a thread, the oldest first, with the first words of each."""
    return View(thread)


_SOMEWHERE = """instr(lower(name || '|' || email || '|' || coalesce(team, '') || '|' || coalesce(department, '')
    || '|' || company), :text) ORDER BY name, email"""


@tool("read")
def search_contacts(db: Database, text: str, page: PageNumber = 1) -> Page[schema.Person]:
    """Find people at Larkfield and at its clients, by name.

    Args:
        text: part of a name, an address, a team, a department or a company.
        page: ten a page.
    """
    return Page(db.select(schema.Person, _SOMEWHERE, text=text.strip().lower()), page)


@tool("read")
def list_labels(db: Database, name: str | None = None) -> list[View[schema.Label]]:
    """List the labels, and how many messages bear each.

    Args:
        name: only those whose name holds this.
    """
    return [View(row) for row in db.mine(schema.Label) if contains_text(row.name, name)]


@tool("write")
def create_label(
    db: Database,
    name: Annotated[str, Field(min_length=1, max_length=40), NOT_BLANK],
    colour: Literal["red", "green", "blue", "grey"] = "grey",
) -> View[schema.Label]:
    """Make a new label.

    Args:
        name: what it is called.
        colour: how it is shown.
    """
    me, new = db.owner(schema.Person).email, db.new_id(schema.Label)
    return View(db.insert(schema.Label, label_id=new, owner_email=me, name=name.strip(), colour=colour))


@tool("write")
def label_messages(
    db: Database, messages: Messages, add: Ref[schema.Label] | None = None, remove: Ref[schema.Label] | None = None
) -> dict[str, int]:
    """Put a label on messages, take one off them, or both.

    Args:
        messages: which messages.
        add: the label that they are to bear.
        remove: the label that they are to bear no longer.
    """
    if add == remove:
        raise Refusal("invalid_argument", "Name a label to add or one to remove, and not the same one twice.")
    changed = set()
    for message in messages:
        has = {row.label_id for row in db.find(schema.MessageLabel, message_id=message.message_id)}
        if add is not None and add.label_id not in has:
            db.add(schema.MessageLabel, message=message, label=add)
            changed.add(message.message_id)
        if remove is not None and remove.label_id in has:
            db.delete(db.find(schema.MessageLabel, message_id=message.message_id, label_id=remove.label_id)[0])
            changed.add(message.message_id)
    return {"changed": _some(len(changed))}


@tool("write")
def move_messages(
    db: Database, messages: Messages, folder: Literal["inbox", "archive", "trash", "spam"]
) -> dict[str, int | str]:
    """Move messages to another folder; out of the trash and out of spam they go to the inbox only.

    Args:
        messages: which messages.
        folder: where to.
    """
    moving = [message for message in _each(messages) if message.folder != folder]
    for message in moving:
        if folder not in LEADS_TO[message.folder]:
            places = " or ".join(LEADS_TO[message.folder])
            raise Refusal("wrong_state", f"{message.message_id} lies in {message.folder} and can only go to {places}.")
        db.update(message, folder=folder, deleted_on=db.now.date() if folder == "trash" else None)
    return {"moved": _some(len(moving)), "folder": folder}


@tool("write")
def mark_messages(
    db: Database, messages: Messages, flag: Literal["read", "unread", "starred", "unstarred"]
) -> dict[str, int]:
    """Mark messages as read or unread, or with a star or without.

    Args:
        messages: which messages.
        flag: how.
    """
    column = "unread" if flag in ("read", "unread") else "starred"
    value = flag in ("unread", "starred")
    changing = [message for message in _each(messages) if getattr(message, column) != value]
    for message in changing:
        db.update(message, **{column: value})
    return {"changed": _some(len(changing))}


@tool("write")
def create_draft(db: Database, to: Recipients, subject: Free, body: Free, cc: Copies = []) -> View[schema.Draft]:  # noqa: B006  # read only
    """Write a mail without sending it.

    Args:
        to: the addresses of those whom it is for.
        subject: its subject.
        body: its text.
        cc: the addresses of those who are to know of it.
    """
    return View(_draft(db, [person.email for person in to], [person.email for person in cc], subject, body))


@tool("write")
def create_reply_draft(
    db: Database, message: Ref[schema.Message], body: Free, everyone: bool = False
) -> View[schema.Draft]:
    """Write an answer to a message without sending it, to its sender alone or to everyone who got it.

    Args:
        body: its text.
        everyone: whether all others who got the message get the answer as well.
    """
    to, cc = answered(message, db.owner(schema.Person).email, everyone)
    made = _draft(db, to, cc, f"Re: {schema.bare_subject(message.subject)}", body)
    return View(db.update(made, reply_to=message.message_id))


@tool("write")
def create_forward_draft(
    db: Database, message: Ref[schema.Message], to: Recipients, body: Free = ""
) -> View[schema.Draft]:
    """Write a mail that passes a message on with its files, without sending it.

    Args:
        to: the addresses of those whom it is for.
        body: what is said above it.
    """
    made = _draft(db, [person.email for person in to], [], f"Fwd: {schema.bare_subject(message.subject)}", body)
    for row in db.find(schema.Attachment, message_id=message.message_id):
        db.add(schema.DraftAttachment, draft=made, attachment=row)
    return View(db.update(made, forwards=message.message_id))


@tool("write")
def attach_to_draft(db: Database, draft: Ref[schema.Draft], attachment: Ref[schema.Attachment]) -> View[schema.Draft]:
    """Put a file that came with a message into a draft."""
    _require_open(draft)
    if db.get(schema.DraftAttachment, draft.draft_id, attachment.attachment_id):
        raise Refusal("no_change", "This file is in the draft already.")
    db.add(schema.DraftAttachment, draft=draft, attachment=attachment)
    return View(draft)


@tool("write")
def send_draft(db: Database, draft: Ref[schema.Draft]) -> View[schema.Draft]:
    """Send a draft now, for good."""
    _require_open(draft)
    sent, about = db.update(draft, state="sent", send_at=db.now), draft.reply_to or draft.forwards
    earlier = None if about is None else db.get(schema.Message, about)
    message = db.add(
        schema.Message,
        owner_email=draft.owner_email,
        thread_id=earlier.thread_id if earlier else _new_thread(db, draft),
        sender_email=draft.owner_email,
        to=draft.to,
        cc=draft.cc,
        subject=draft.subject,
        body=draft.body,
        sent_at=db.now,
        folder="sent",
        unread=False,
        starred=False,
    )
    for row in schema.files_of(db, draft.draft_id):
        copy = {"name": row.name, "bytes": row.bytes, "kind": row.kind}
        db.add(schema.Attachment, message=message, **copy)
    return View(sent, message_id=message.message_id)


@tool("write")
def schedule_draft(db: Database, draft: Ref[schema.Draft], send_at: datetime) -> View[schema.Draft]:
    """Let a draft go out by itself later.

    Args:
        send_at: when it goes out.
    """
    _require_open(draft)
    return View(db.update(draft, state="scheduled", send_at=send_at))


@tool("write")
def set_auto_reply(
    db: Database, first_day: date, last_day: date, text: Free, outside: bool = False
) -> dict[str, str | bool]:
    """Answer whoever writes while the employee is away, in place of an automatic reply that there may be.

    Args:
        first_day: the first day away.
        last_day: the last day away, not the first one back.
        text: what they read.
        outside: whether people outside the company get it as well.
    """
    if last_day < max(first_day, db.now.date()):
        raise Refusal("invalid_argument", "The last day away is neither before the first nor before today.")
    me = db.owner(schema.Person).email
    values = {"first_day": first_day, "last_day": last_day, "text": text, "outside": outside}
    known = db.get(schema.AutoReply, me)
    if known is None:
        db.insert(schema.AutoReply, owner_email=me, **values)
    else:
        db.update(known, **values)
    return {"first_day": first_day.isoformat(), "last_day": last_day.isoformat(), "text": text, "outside": outside}


def answered(message: schema.Message, me: str, everyone: bool) -> tuple[list[str], list[str]]:
    """Whom an answer to a message goes to, and who gets a copy; an answer to one's own mail goes to its recipients."""
    to = message.to if message.sender_email == me else [message.sender_email, *(message.to if everyone else ())]
    addressed = sorted({email for email in to if email != me}) or [me]
    return addressed, sorted({email for email in message.cc if email != me} - {*addressed}) if everyone else []


def _draft(db: Database, to: list[str], cc: list[str], subject: str, body: str) -> schema.Draft:
    me, new, addressed = db.owner(schema.Person).email, db.new_id(schema.Draft), sorted({*to})
    written = {"to": addressed, "cc": sorted({*cc} - {*addressed}), "subject": subject, "body": body}
    return db.insert(schema.Draft, draft_id=new, owner_email=me, state="open", **written)


def _each(messages: list[schema.Message]) -> list[schema.Message]:
    """Each of them once."""
    return list({message.message_id: message for message in messages}.values())


def _new_thread(db: Database, draft: schema.Draft) -> str:
    new = db.new_id(schema.Thread)
    db.insert(schema.Thread, thread_id=new, owner_email=draft.owner_email, subject=schema.bare_subject(draft.subject))
    return new


def _require_open(draft: schema.Draft) -> None:
    if draft.state != "open":
        raise Refusal("wrong_state", f"This mail is {draft.state} already.")


def _some(count: int) -> int:
    if not count:
        raise Refusal("no_change", "All of these messages are like that already.")
    return count
