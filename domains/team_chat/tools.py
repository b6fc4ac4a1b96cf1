"""What an employee's chat lets an agent do."""

from datetime import date, datetime
from typing import Annotated

from pydantic import Field

from toolgym.domains.team_chat import schema
from toolgym.sandbox.kit.world import Database, Free, Page, PageNumber, Ref, Refusal, View, tool

Mentioned = Annotated[list[Ref[schema.Person]], Field(max_length=8)]
Addressed = Annotated[list[Ref[schema.Person]], Field(min_length=1, max_length=20)]
_NEW = (
    "(SELECT count(*) FROM messages WHERE messages.channel_id = c.channel_id AND posted_at > read_until"
    " AND author_email != :me"
)
_UNREAD = f"""SELECT c.channel_id, c.name, {_NEW} AND +thread_of IS NULL),
    {_NEW} AND EXISTS (SELECT 1 FROM json_each(mentions) WHERE value = :me)),
    {_NEW} AND +thread_of IN (SELECT coalesce(thread_of, message_id) FROM messages WHERE author_email = :me))
    FROM memberships s JOIN channels c USING (channel_id) WHERE email = :me ORDER BY c.name"""
_NAMED = "instr(lower(name || '|' || email || '|' || team || '|' || title), :text) ORDER BY name, email"
_LISTED = """instr(lower(name || '|' || topic), :text) AND (:joined IS NULL OR :joined =
    (channel_id IN (SELECT channel_id FROM memberships WHERE email = :owner))) ORDER BY name"""
_SHOWN = """channel_id = :channel AND (thread_of IS NULL OR pinned) AND posted_at >= :since
    ORDER BY pinned DESC, posted_at DESC, message_id DESC"""
_FOUND = f"""+posted_at >= :since AND (:channel = '' OR channel_id = :channel) AND (:author = '' OR
    author_email = :author) AND (instr(lower(text), :text) OR
    author_email IN (SELECT email FROM people WHERE instr(lower(name), :text))) AND
    +{schema.ChatMessage.__visible__} ORDER BY posted_at DESC, message_id DESC"""  # one pass: keys are no help


@tool("read")
def get_me(db: Database) -> View[schema.Person]:
    """Get the present moment, the employee, and unread messages, mentions and answers to the employee by channel."""
    me, names = db.owner(schema.Person), ("channel_id", "name", "messages", "mentions", "answers")
    unread = [dict(zip(names, row, strict=True)) for row in db.query(_UNREAD, me=me.email) if any(row[2:])]
    return View(me, now=db.now, weekday=f"{db.now:%A}", unread=unread)


@tool("read")
def search_members(db: Database, text: str, page: PageNumber = 1) -> Page[schema.Person]:
    """Find colleagues with their status, their local time and their channels.

    Args:
        text: part of a name, an address, a team or a title.
        page: ten a page.
    """
    return Page(db.select(schema.Person, _NAMED, text=text.strip().lower()), page)


@tool("read")
def list_channels(
    db: Database, text: str | None = None, joined: bool | None = None, page: PageNumber = 1
) -> Page[schema.Channel]:
    """List channels by name: their topic, how many are in them, and what the employee is there.

    Args:
        text: only those with this in their name or topic.
        joined: only those that the employee is in, or is not in.
        page: ten a page.
    """
    about = {"text": (text or "").strip().lower(), "joined": joined, "owner": db.owner(schema.Person).email}
    return Page(db.select(schema.Channel, _LISTED, **about), page)


@tool("write")
def join_channel(db: Database, channel: Ref[schema.Channel]) -> View[schema.Channel]:
    """Join a channel."""
    me = db.owner(schema.Person).email
    if db.get(schema.Membership, channel.channel_id, me):
        raise Refusal("no_change", "The employee is in this channel already.")
    db.add(schema.Membership, channel=channel, email=me, is_admin=False, read_until=db.now)
    return View(channel)


@tool("read")
def read_channel(
    db: Database, channel: Ref[schema.Channel], since: date | None = None, page: PageNumber = 1
) -> Page[schema.ChatMessage]:
    """Read a channel: what is pinned, then the newest messages; answers in threads stand in their threads alone.

    Args:
        since: only what was written on this day or later.
        page: ten a page.
    """
    return Page(db.select(schema.ChatMessage, _SHOWN, channel=channel.channel_id, since=f"{since or date.min}"), page)


@tool("read")
def read_thread(db: Database, message: Ref[schema.ChatMessage]) -> list[View[schema.ChatMessage]]:
    """Read the thread that a message is in, the one that began it first."""
    about = "message_id = :root OR thread_of = :root ORDER BY thread_of IS NOT NULL, posted_at, message_id"
    return [View(row) for row in db.select(schema.ChatMessage, about, root=message.thread_of or message.message_id)]


@tool("read")
def search_messages(
    db: Database,
    text: str,
    channel: Ref[schema.Channel] | None = None,
    author: Ref[schema.Person] | None = None,
    since: date | None = None,
    page: PageNumber = 1,
) -> Page[schema.ChatMessage]:
    """Find messages and answers in open channels and in those that the employee is in, the newest first.

    Args:
        text: what they hold, or a part of the author's name.
        since: only what was written on this day or later.
        page: ten a page.
    """
    only = {"channel": channel.channel_id if channel else "", "author": author.email if author else ""}
    about = {"text": text.strip().lower(), "since": (since or date.min).isoformat()}
    return Page(db.select(schema.ChatMessage, _FOUND, owner=db.owner(schema.Person).email, **only, **about), page)


@tool("write")
def post_message(
    db: Database,
    channel: Ref[schema.Channel],
    text: Free,
    thread: Ref[schema.ChatMessage] | None = None,
    mention: Mentioned = [],  # noqa: B006  # read only
) -> View[schema.ChatMessage]:
    """Write in a channel, or an answer in a thread of it; whoever writes there has read it up to now.

    Args:
        text: what is written.
        thread: the key of a message in the thread that is answered; without one a new thread begins.
        mention: the addresses of those who are told of it.
    """
    if thread and thread.channel_id != channel.channel_id:
        raise Refusal("other_channel", f"This thread is in {thread.channel_id}; answer it there.")
    me, root = db.owner(schema.Person).email, thread and (thread.thread_of or thread.message_id)
    if mine := db.get(schema.Membership, channel.channel_id, me):
        db.update(mine, read_until=db.now)
    about = {"mentions": sorted({person.email for person in mention}), "posted_at": db.now, "pinned": False}
    values = {"author_email": me, "text": _written(text), "thread_of": root}
    return View(db.add(schema.ChatMessage, channel=channel, **values, **about))


@tool("write")
def send_direct_message(db: Database, people: Addressed, text: Free) -> View[schema.DirectMessage]:
    """Write to colleagues outside of channels, in the one conversation that the same people have.

    Args:
        people: their addresses, without the employee's own.
        text: what is written.
    """
    me = db.owner(schema.Person).email
    emails = sorted({person.email for person in people} | {me})
    sent = db.add(schema.DirectMessage, people=emails, author_email=me, text=_written(text), posted_at=db.now)
    return View(sent, sent_to=len(emails) - 1, sent_before=len(db.find(schema.DirectMessage, people=emails)) - 1)


@tool("write")
def set_pin(db: Database, message: Ref[schema.ChatMessage], pinned: bool) -> View[schema.ChatMessage]:
    """Pin a message to the top of its channel, or take its pin off.

    Args:
        pinned: whether it is pinned from now on.
    """
    if message.pinned == pinned:
        raise Refusal("no_change", "It is like this already.")
    return View(db.update(message, pinned=pinned))


@tool("write")
def set_status(
    db: Database, text: Free, until: datetime | None = None, do_not_disturb: bool = False
) -> View[schema.Person]:
    """Say what the employee is up to, in place of what stood there.

    Args:
        text: what colleagues see.
        until: when it lapses; it stays without one.
        do_not_disturb: whether nobody should mention the employee meanwhile.
    """
    if until is not None and until <= db.now:
        raise Refusal("invalid_argument", "A status lapses later than now.")
    me, values = db.owner(schema.Person), {"text": text, "until": until, "do_not_disturb": do_not_disturb}
    if known := db.get(schema.Status, me.email):
        db.delete(known)
    db.insert(schema.Status, email=me.email, **values)
    return View(me)


def _written(text: str) -> str:
    if not text.strip():
        raise Refusal("invalid_argument", "A message without words is not sent.")
    return text
