"""The tables of a team's workspace: a tree of files, folders and links, what was there before, and who may see it."""

import posixpath
from datetime import date, datetime
from typing import Literal

from sqlalchemy import ForeignKey, Index
from sqlalchemy import text as sql
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.domains.directory import PersonColumns
from toolgym.sandbox.kit.world import Database, computed, key, part

Rights = Literal["none", "read", "write"]
TRASH = "/.trash"
"""Where removed things wait, out of everybody's sight."""
VISIBLE = f"""path NOT LIKE '{TRASH}/%' AND (owner_email = :owner OR others_rights != 'none' OR group_rights != 'none'
    AND group_name IN (SELECT group_name FROM memberships WHERE email = :owner))"""
"""The nodes that somebody may read."""


class Base(DeclarativeBase):
    """The workspace's tables."""


class Person(PersonColumns, Base):
    """Somebody in the directory."""

    __tablename__ = "people"
    __brief__ = ("email", "name", "team", "office", "company", "groups")

    @computed
    def groups(self, db: Database) -> list[str]:
        """The groups that the person is in."""
        return [row.group_name for row in db.find(Membership, email=self.email)]


class Group(Base):
    """People who are given rights together."""

    __tablename__ = "groups"

    group_name: Mapped[str] = key("finance")


class Membership(Base):
    """That somebody is in a group."""

    __tablename__ = "memberships"
    __table_args__ = (Index("memberships_by_person", "email"),)

    group_name: Mapped[str] = mapped_column(ForeignKey("groups.group_name"), primary_key=True)
    email: Mapped[str] = mapped_column(ForeignKey("people.email"), primary_key=True)


class File(Base):
    """A file, a folder or a link. Of a picture and the like the size alone is known; an archive has text and size."""

    __tablename__ = "files"
    __brief__ = ("path", "name", "kind", "bytes", "changed_at", "folder_name")
    __visible__ = VISIBLE
    __table_args__ = (
        Index("files_by_folder", "folder"),
        Index("files_by_owner", "owner_email"),
        Index("files_by_name", sql("lower(name)")),
    )

    path: Mapped[str] = key("/home/mira.tan/reports/q1.txt")
    folder: Mapped[str] = part()
    name: Mapped[str]
    kind: Mapped[str]
    size: Mapped[int | None] = part()
    text: Mapped[str | None] = part()
    target: Mapped[str | None]
    owner_email: Mapped[str | None] = mapped_column(ForeignKey("people.email"))
    group_name: Mapped[str | None] = mapped_column(ForeignKey("groups.group_name"))
    group_rights: Mapped[str]
    others_rights: Mapped[str]
    changed_at: Mapped[datetime]
    locked_by: Mapped[str | None]

    @computed
    def bytes(self, db: Database) -> int:
        """How large it is: a text file as long as its text."""
        return size_of(self)

    @computed
    def folder_name(self, db: Database) -> str:
        """The name of the folder that it is in; none for what is right in somebody's home, which has no other name."""
        above, name = posixpath.split(self.folder)
        return "" if above == "/home" else name

    @computed
    def my_rights(self, db: Database) -> Rights:
        """What the session's owner may do with it."""
        return rights_on(db, self)

    @computed
    def versions(self, db: Database) -> int:
        """How many earlier versions are kept."""
        return len(db.find(Version, path=self.path))


class Version(Base):
    """A file's text as it was until somebody wrote it. Which ones a right run leaves behind is not compared."""

    __tablename__ = "versions"
    __scratch__ = True
    __brief__ = ("version_id", "saved_at", "bytes")
    __visible__ = f"path IN (SELECT path FROM files WHERE {VISIBLE})"
    __table_args__ = (Index("versions_by_path", "path"),)

    version_id: Mapped[str] = key("v-4410")
    path: Mapped[str] = mapped_column(ForeignKey("files.path"))
    saved_at: Mapped[datetime]
    bytes: Mapped[int]
    text: Mapped[str] = part()

    @computed
    def my_rights(self, db: Database) -> Rights:
        """What the session's owner may do with the file."""
        node = db.get(File, self.path)
        return rights_on(db, node) if node else "none"

    @computed
    def locked_by(self, db: Database) -> str | None:
        """Who has locked the file."""
        node = db.get(File, self.path)
        return node.locked_by if node else None


class TrashEntry(Base):
    """Something that was removed and can be restored for a while."""

    __tablename__ = "trash"
    __owned_by__ = "owner_email"

    trash_id: Mapped[str] = key("tr-31")
    owner_email: Mapped[str] = mapped_column(ForeignKey("people.email"), index=True, info={"hidden": True})
    name: Mapped[str]
    kind: Mapped[str]
    old_path: Mapped[str]
    held_at: Mapped[str] = part()
    removed_at: Mapped[datetime]
    bytes: Mapped[int]


class Share(Base):
    """A link by which one person may read or write something until a day."""

    __tablename__ = "shares"
    __owned_by__ = "owner_email"
    __brief__ = ("share_id", "path", "name", "email", "person_name", "company", "rights", "until", "state")

    share_id: Mapped[str] = key("sh-90")
    owner_email: Mapped[str] = mapped_column(ForeignKey("people.email"), index=True, info={"hidden": True})
    path: Mapped[str] = mapped_column(ForeignKey("files.path"), index=True)
    email: Mapped[str] = mapped_column(ForeignKey("people.email"))
    rights: Mapped[str]
    until: Mapped[date]
    revoked: Mapped[bool] = part()

    @computed
    def link(self, db: Database) -> str:
        """What the person opens."""
        return f"https://files.larkfield.example/{self.share_id}"

    @computed
    def name(self, db: Database) -> str:
        """The name of what is shared."""
        return self.path.rsplit("/", 1)[-1]

    @computed
    def person_name(self, db: Database) -> str:
        """With whom."""
        person = db.get(Person, self.email)
        return person.name if person else self.email

    @computed
    def company(self, db: Database) -> str:
        """Where that person works."""
        person = db.get(Person, self.email)
        return person.company if person else ""

    @computed
    def state(self, db: Database) -> Literal["active", "expired", "revoked"]:
        """Whether the link still works."""
        return "revoked" if self.revoked else "expired" if self.until < db.now.date() else "active"


class Quota(Base):
    """How many bytes somebody's files may come to, with those in the trash."""

    __tablename__ = "quotas"
    __owned_by__ = "email"

    email: Mapped[str] = mapped_column(ForeignKey("people.email"), primary_key=True)
    allowed: Mapped[int]


class CurrentFolder(Base):
    """Where relative paths of a session begin."""

    __tablename__ = "current_folders"
    __scratch__ = True

    email: Mapped[str] = mapped_column(ForeignKey("people.email"), primary_key=True)
    path: Mapped[str]


def size_of(node: File) -> int:
    """The bytes of a node; those of a text file follow from its text."""
    return node.size if node.size is not None else len((node.text or "").encode())


def rights_on(db: Database, node: File) -> Rights:
    """What the session's owner may do with a node: as its owner, as one of its group, or as anybody."""
    me = db.owner(Person).email
    if node.owner_email == me:
        return "write"
    in_group = node.group_name is not None and db.get(Membership, node.group_name, me) is not None
    given = {node.others_rights, node.group_rights if in_group else "none"}
    return "write" if "write" in given else "read" if "read" in given else "none"
