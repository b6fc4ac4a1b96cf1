"""The tables of a social network: follows, blocks and audiences decide who sees what."""

import re
from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.sandbox.kit.world import Database, computed, hidden, key, via

BLOCKED = """(SELECT target FROM relations WHERE source = :owner AND kind = 'block'
    UNION ALL SELECT source FROM relations WHERE target = :owner AND kind = 'block')"""
"""Whom the owner has blocked, and who has blocked the owner."""
_FOLLOWED = "SELECT target FROM relations WHERE source = :owner AND kind = 'follow'"
VISIBLE = f"""NOT deleted AND NOT EXISTS (SELECT 1 FROM posts p WHERE p.post_id = posts.reply_to_id AND p.deleted)
    AND author_handle NOT IN {BLOCKED} AND (+author_handle = :owner
    OR audience = 'public' AND author_handle IN (SELECT handle FROM accounts WHERE NOT private)
    OR audience != 'close' AND author_handle IN ({_FOLLOWED}) OR audience = 'close' AND author_handle IN
    (SELECT source FROM relations WHERE target = :owner AND kind = 'close'))"""
"""The posts that the owner may see."""
_TAG = re.compile(r"#(\w+)")


class Base(DeclarativeBase):
    """The network's tables."""


class Account(Base):
    """Somebody's place in the network; who has blocked the owner cannot be found."""

    __tablename__ = "accounts"
    __brief__ = ("handle", "name", "trade", "city", "private", "verified", "relation", "follows_me")
    __visible__ = "handle NOT IN (SELECT source FROM relations WHERE target = :owner AND kind = 'block')"

    handle: Mapped[str] = key("@lena.builds")
    name: Mapped[str]
    trade: Mapped[str]
    city: Mapped[str]
    bio: Mapped[str]
    private: Mapped[bool]
    verified: Mapped[bool]

    @computed
    def relation(self, db: Database) -> list[str]:
        """What the owner has to do with it: follow, request, mute, block; empty for nothing."""
        return sorted(kind_of(db, db.owner(Account).handle, self.handle) - {"close"})

    @computed
    def follows_me(self, db: Database) -> bool:
        """Whether it follows the owner."""
        return "follow" in kind_of(db, self.handle, db.owner(Account).handle)

    @computed
    def followers(self, db: Database) -> int:
        """How many follow it."""
        return _count(db, "relations WHERE target = :key AND kind = 'follow'", self.handle)

    @computed
    def following(self, db: Database) -> int:
        """How many it follows."""
        return _count(db, "relations WHERE source = :key AND kind = 'follow'", self.handle)

    @computed
    def posts_today(self, db: Database) -> int:
        """How many posts and replies it has made since midnight, those deleted since among them."""
        return _count(
            db, "posts WHERE author_handle = :key AND created_at >= :day", self.handle, day=f"{db.now:%Y-%m-%d}"
        )

    @computed
    def has_to_answer(self, db: Database) -> bool:
        """Whether the last direct message between it and the owner is the owner's."""
        me = db.owner(Account).handle
        both = "sender_handle IN (:me, :it) AND receiver_handle IN (:me, :it) ORDER BY sent_at DESC, message_id DESC"
        rows = db.select(DirectMessage, f"{both} LIMIT 1", me=me, it=self.handle)
        return bool(rows) and rows[0].sender_handle == me


class Relation(Base):
    """That one account follows another, has asked to, has muted or blocked it, or counts it among its close friends."""

    __tablename__ = "relations"
    __table_args__ = (Index("relations_by_target", "target", "kind"),)

    source: Mapped[str] = mapped_column(ForeignKey("accounts.handle"), primary_key=True)
    target: Mapped[str] = mapped_column(ForeignKey("accounts.handle"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    since: Mapped[datetime]


class Post(Base):
    """Something posted, alone, in reply to another post or with one quoted."""

    __tablename__ = "posts"
    __visible__ = VISIBLE
    __table_args__ = (
        Index("posts_by_author", "author_handle", "created_at"),
        Index("posts_by_reply", "reply_to_id"),
        Index("posts_by_quote", "quote_id"),
    )

    post_id: Mapped[str] = key("po-66201")
    author_handle: Mapped[str] = mapped_column(ForeignKey("accounts.handle"))
    text: Mapped[str]
    audience: Mapped[str]
    created_at: Mapped[datetime]
    reply_to_id: Mapped[str | None] = mapped_column(ForeignKey("posts.post_id"), info={"hidden": True})
    quote_id: Mapped[str | None] = mapped_column(ForeignKey("posts.post_id"), info={"hidden": True})
    deleted: Mapped[bool] = hidden()
    author_private = via("author_handle", "private")

    @computed
    def author_name(self, db: Database) -> str | None:
        """Who posted it; null for the owner."""
        author = db.get_one(Account, self.author_handle)
        return None if author == db.owner(Account) else author.name

    @computed
    def reply_to(self, db: Database) -> str | None:
        """The post that it replies to; null where the owner may not see that."""
        return _seen(db, self.reply_to_id)

    @computed
    def quote_of(self, db: Database) -> str | None:
        """The post that it quotes; null where the owner may not see that."""
        return _seen(db, self.quote_id)

    @computed
    def tag(self, db: Database) -> str | None:
        """Its first hashtag."""
        found = _TAG.search(self.text)
        return found[1] if found else None

    @computed
    def likes(self, db: Database) -> int:
        """How many like it."""
        return _count(db, "reactions WHERE post_id = :key AND kind = 'like'", self.post_id)

    @computed
    def my_reactions(self, db: Database) -> list[str]:
        """Whether the owner likes it or has reposted it."""
        return [row.kind for row in db.find(Reaction, post_id=self.post_id, handle=db.owner(Account).handle)]

    @computed
    def quotes(self, db: Database) -> int:
        """How many posts that the owner may see quote it."""
        return len([row for row in db.find(Post, quote_id=self.post_id) if db.is_own(row)])


class Reaction(Base):
    """That somebody likes a post, or shows it to those who follow them."""

    __tablename__ = "reactions"
    __table_args__ = (Index("reactions_by_account", "handle", "kind"),)

    post_id: Mapped[str] = mapped_column(ForeignKey("posts.post_id"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    handle: Mapped[str] = mapped_column(ForeignKey("accounts.handle"), primary_key=True)


class DirectMessage(Base):
    """Something that one account has written to another."""

    __tablename__ = "direct_messages"
    __visible__ = f"""sender_handle = :owner AND receiver_handle NOT IN {BLOCKED}
        OR receiver_handle = :owner AND sender_handle NOT IN {BLOCKED}"""
    __table_args__ = (Index("messages_by_sender", "sender_handle"), Index("messages_by_receiver", "receiver_handle"))

    message_id: Mapped[str] = key("dm-771")
    sender_handle: Mapped[str] = mapped_column(ForeignKey("accounts.handle"))
    receiver_handle: Mapped[str] = mapped_column(ForeignKey("accounts.handle"))
    text: Mapped[str]
    sent_at: Mapped[datetime]
    unread: Mapped[bool]


class Report(Base):
    """What somebody has told the network's staff of a post."""

    __tablename__ = "reports"
    __owned_by__ = "reporter_handle"

    report_id: Mapped[str] = key("rp-31")
    reporter_handle: Mapped[str] = mapped_column(ForeignKey("accounts.handle"), index=True)
    post_id: Mapped[str] = mapped_column(ForeignKey("posts.post_id"))
    reason: Mapped[str]
    details: Mapped[str]


def kind_of(db: Database, source: str, target: str) -> set[str]:
    """What one account has to do with another."""
    return {row.kind for row in db.find(Relation, source=source, target=target)}


def _seen(db: Database, key: str | None) -> str | None:
    return key if key and db.is_own(db.get_one(Post, key)) else None


def _count(db: Database, rows: str, key: str, **more: str) -> int:
    return int(db.query(f"SELECT count(*) FROM {rows}", key=key, **more)[0][0])
