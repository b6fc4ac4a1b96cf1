"""What the network lets an agent do for the owner of an account."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from toolgym.domains.social_media import schema
from toolgym.domains.social_media.schema import BLOCKED, VISIBLE
from toolgym.sandbox.kit.world import Database, Free, Page, PageNumber, Ref, Refusal, View, tool

Audience = Literal["public", "followers", "close"]
Message = Annotated[Free, Field(min_length=1, max_length=1000)]


@tool("read")
def get_my_profile(db: Database) -> View[schema.Account]:
    """Get the present moment, the owner's account, how many ask to follow it, and how many messages are unread."""
    me = db.owner(schema.Account)
    asking = len(db.find(schema.Relation, target=me.handle, kind="request"))
    unread = len(db.mine(schema.DirectMessage, receiver_handle=me.handle, unread=True))
    return View(me, now=db.now, weekday=f"{db.now:%A}", requests=asking, unread_messages=unread)


_CALLED = "instr(lower(name || '|' || handle || '|' || trade || '|' || city || '|' || bio), :text)"
_FOUND = f"""{schema.Account.__visible__} AND {_CALLED} AND (:verified IS NULL OR verified = :verified)
    ORDER BY name, handle"""


@tool("read")
def search_accounts(
    db: Database, text: str, verified: bool | None = None, page: PageNumber = 1
) -> Page[schema.Account]:
    """Find accounts by name, with what the owner has to do with them.

    Args:
        text: part of a handle, a name, a trade, a city or what accounts say of themselves.
        verified: only those that are verified, or that are not.
        page: ten a page.
    """
    about = {"text": text.strip().lower(), "verified": verified, "owner": db.owner(schema.Account).handle}
    return Page(db.select(schema.Account, _FOUND, **about), page)


@tool("read")
def get_account(db: Database, account: Ref[schema.Account]) -> View[schema.Account]:
    """Get what an account says of itself, its counts, and what it and the owner have to do with each other."""
    return View(account)


_RELATED = f"""{schema.Account.__visible__} AND {_CALLED} AND EXISTS (SELECT 1 FROM relations r WHERE kind = :kind AND
    (:ours AND source = :owner AND target = handle OR NOT :ours AND target = :owner AND source = handle)) ORDER BY
    (SELECT since FROM relations WHERE kind = :kind AND source = iif(:ours, :owner, handle)
    AND target = iif(:ours, handle, :owner)) DESC, handle"""
_KINDS = {
    "followers": ("follow", False), "following": ("follow", True), "requests": ("request", False),
    "muted": ("mute", True), "blocked": ("block", True),
}  # fmt: skip


@tool("read")
def list_relations(
    db: Database,
    kind: Literal["followers", "following", "requests", "muted", "blocked"],
    text: str | None = None,
    page: PageNumber = 1,
) -> Page[schema.Account]:
    """List who follows the owner or asks to, and whom the owner follows, has muted or blocked; the newest first.

    Args:
        kind: which of these.
        text: only those with this in their handle, name, trade, city or in what they say of themselves.
        page: ten a page.
    """
    stored, ours = _KINDS[kind]
    about = {"text": (text or "").strip().lower(), "owner": db.owner(schema.Account).handle}
    return Page(db.select(schema.Account, _RELATED, kind=stored, ours=ours, **about), page)


_FOLLOWED = "SELECT target FROM relations WHERE source = :owner AND kind = 'follow'"
_MUTED = "SELECT target FROM relations WHERE source = :owner AND kind = 'mute'"
_FEED = f"""{VISIBLE} AND +reply_to_id IS NULL AND author_handle NOT IN ({_MUTED}) AND author_handle != :owner
    AND (author_handle IN ({_FOLLOWED}) OR post_id IN (SELECT post_id FROM reactions
    WHERE kind = 'repost' AND handle IN ({_FOLLOWED} EXCEPT {_MUTED}))) ORDER BY created_at DESC, post_id DESC"""


@tool("read")
def get_feed(db: Database, page: PageNumber = 1) -> Page[schema.Post]:
    """Read what those whom the owner follows have posted or reposted, without the muted; the newest posts first.

    Args:
        page: ten a page.
    """
    return Page(db.select(schema.Post, _FEED, owner=db.owner(schema.Account).handle), page)


_POSTS = f"""(:tag = '' OR instr(lower(text) || ' ', '#' || :tag || ' ')) AND +created_at >= :since AND
    (:text = '' OR instr(lower(text), :text) OR author_handle IN (SELECT handle FROM accounts
    WHERE instr(lower(name), :text))) AND {VISIBLE} AND (:likes = 0 OR :likes <=
    (SELECT count(*) FROM reactions r WHERE r.post_id = posts.post_id AND kind = 'like'))
    ORDER BY created_at DESC, post_id DESC"""
_BY = f"author_handle = :author AND {_POSTS}"


@tool("read")
def search_posts(
    db: Database,
    text: str | None = None,
    tag: str | None = None,
    author: Ref[schema.Account] | None = None,
    since: date | None = None,
    min_likes: Annotated[int, Field(ge=0, le=10_000)] = 0,
    page: PageNumber = 1,
) -> Page[schema.Post]:
    """Find posts and replies that the owner may see, the owner's own among them, the newest first.

    Args:
        text: only those that hold this, or whose author's name does.
        tag: only those with this hashtag.
        author: only by this account, by its handle.
        since: only what was posted on this day or later.
        min_likes: only those that so many like at least.
        page: ten a page.
    """
    about = {"text": (text or "").strip().lower(), "tag": (tag or "").strip().lower().removeprefix("#")}
    more = {"author": author.handle if author else "", "since": (since or date.min).isoformat(), "likes": min_likes}
    return Page(
        db.select(schema.Post, _BY if author else _POSTS, owner=db.owner(schema.Account).handle, **about, **more), page
    )


@tool("read")
def get_post(db: Database, post: Ref[schema.Post]) -> View[schema.Post]:
    """Get a post with its replies and the keys of the posts that quote it, as far as the owner may see them."""
    replies = [row for row in db.find(schema.Post, reply_to_id=post.post_id) if db.is_own(row)]
    quoting = [row.post_id for row in db.find(schema.Post, quote_id=post.post_id) if db.is_own(row)]
    shown = [{"post_id": row.post_id, "author_handle": row.author_handle, "text": row.text} for row in replies]
    return View(post, replies=shown, quoted_by=quoting)


@tool("write")
def create_post(
    db: Database,
    text: Annotated[Free, Field(min_length=1, max_length=300)],
    audience: Audience,
    reply_to: Ref[schema.Post] | None = None,
    quote: Ref[schema.Post] | None = None,
) -> View[schema.Post]:
    """Post something, reply to a post, or quote one.

    Args:
        text: the text, of 300 characters at most.
        audience: who sees it: everybody, followers, or close friends.
        reply_to: the key of the post that it replies to.
        quote: the key of the post that it quotes.
    """
    if not text.strip():
        raise Refusal("invalid_argument", "A post without words is not posted.")
    about = {"reply_to_id": reply_to and reply_to.post_id, "quote_id": quote and quote.post_id, "deleted": False}
    me = db.owner(schema.Account).handle
    return View(db.add(schema.Post, author_handle=me, text=text, audience=audience, created_at=db.now, **about))


@tool("write")
def delete_post(db: Database, post: Ref[schema.Post]) -> dict[str, str]:
    """Delete a post for good; its replies are no longer seen either."""
    db.update(post, deleted=True)
    return {"deleted": post.post_id, "text": post.text}


@tool("write")
def react(db: Database, post: Ref[schema.Post], kind: Literal["like", "repost"], on: bool) -> View[schema.Post]:
    """Like a post or show it to one's followers, or take that back.

    Args:
        kind: which of the two.
        on: true to do it, false to take it back.
    """
    me = db.owner(schema.Account).handle
    known = db.get(schema.Reaction, post.post_id, kind, me)
    if (known is not None) == on:
        raise Refusal("no_change", "It is like this already.")
    if known is None:
        db.insert(schema.Reaction, post_id=post.post_id, kind=kind, handle=me)
    else:
        db.delete(known)
    return View(post)


@tool("write")
def set_relation(
    db: Database, account: Ref[schema.Account], relation: Literal["follow", "none", "mute", "block"]
) -> View[schema.Account]:
    """Follow an account, mute it, block it, or have nothing to do with it any more; a private one is asked first.

    Args:
        relation: `follow`, also with a request; `mute` beside a follow; `block` ends all else, on both sides; `none`
            ends a follow, a request, a mute or a block.
    """
    me, it = db.owner(schema.Account).handle, account.handle
    mine = schema.kind_of(db, me, it) - {"close"}
    if (relation == "none" and not mine) or relation in mine or (relation == "follow" and "request" in mine):
        raise Refusal("no_change", "It is like this already.")
    if me == it:
        raise Refusal("invalid_argument", "This is the owner's own account.")
    for row in db.find(schema.Relation, source=me, target=it) if relation in ("none", "block") else ():
        if row.kind != "close" or relation == "block":
            db.delete(row)
    for row in db.find(schema.Relation, source=it, target=me) if relation == "block" else ():
        if row.kind != "block":
            db.delete(row)
    if relation != "none":
        kind = "request" if relation == "follow" and account.private else relation
        db.insert(schema.Relation, source=me, target=it, kind=kind, since=db.now)
    return View(account)


@tool("write")
def answer_request(db: Database, account: Ref[schema.Account], accept: bool) -> View[schema.Account]:
    """Let an account that asks to follow the owner do so, or not.

    Args:
        accept: whether it may.
    """
    me = db.owner(schema.Account).handle
    asked = db.get(schema.Relation, account.handle, me, "request")
    if asked is None:
        raise Refusal("no_request", "This account does not ask to follow the owner.")
    db.delete(asked)
    if accept:
        db.insert(schema.Relation, source=account.handle, target=me, kind="follow", since=db.now)
    return View(account)


_WRITTEN = f"""(sender_handle = :owner AND receiver_handle NOT IN {BLOCKED}
    OR receiver_handle = :owner AND sender_handle NOT IN {BLOCKED})
    AND (:with = '' OR :with IN (sender_handle, receiver_handle))
    AND (:unread IS NULL OR receiver_handle = :owner AND unread = :unread) ORDER BY sent_at DESC, message_id DESC"""


@tool("read")
def list_direct_messages(
    db: Database, account: Ref[schema.Account] | None = None, unread: bool | None = None, page: PageNumber = 1
) -> Page[schema.DirectMessage]:
    """List messages to the owner and from the owner, the newest first, without those of blocked accounts.

    Args:
        account: only those from this account or to it, by its handle.
        unread: only what the owner has not read, or has read.
        page: ten a page.
    """
    about = {"owner": db.owner(schema.Account).handle, "unread": unread, "with": account.handle if account else ""}
    return Page(db.select(schema.DirectMessage, _WRITTEN, **about), page)


@tool("write")
def send_direct_message(db: Database, account: Ref[schema.Account], text: Message) -> View[schema.DirectMessage]:
    """Write to an account; what it has written to the owner is read then.

    Args:
        text: what is written.
    """
    me = db.owner(schema.Account).handle
    if account.handle == me or not text.strip():
        raise Refusal("invalid_argument", "A message has words and goes to somebody else.")
    for row in db.find(schema.DirectMessage, sender_handle=account.handle, receiver_handle=me, unread=True):
        db.update(row, unread=False)
    sent = {"receiver_handle": account.handle, "text": text, "sent_at": db.now, "unread": True}
    return View(db.add(schema.DirectMessage, sender_handle=me, **sent))


@tool("write")
def report_post(
    db: Database, post: Ref[schema.Post], reason: Literal["spam", "abuse", "false", "private"], details: Free
) -> View[schema.Report]:
    """Tell the network's staff of a post by somebody else.

    Args:
        reason: what is wrong with it.
        details: what the staff should know.
    """
    me = db.owner(schema.Account).handle
    if post.author_handle == me:
        raise Refusal("invalid_argument", "The owner's own post can be deleted, not reported.")
    if db.find(schema.Report, post_id=post.post_id, reporter_handle=me):
        raise Refusal("no_change", "The owner has reported this post already.")
    return View(db.add(schema.Report, post=post, reason=reason, details=details))
