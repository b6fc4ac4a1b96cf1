"""Who may read and write: rights, groups, locks and shares."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from toolgym.domains.filesystem.paths import FileAt
from toolgym.domains.filesystem.schema import File, Group, Person, Share
from toolgym.domains.filesystem.tools.looking import PAGE
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.reference import PageNumber, Ref, Reference
from toolgym.sandbox.kit.search import contains_text, given
from toolgym.sandbox.kit.tool import tool
from toolgym.sandbox.kit.view import Page, View

TeamGroup = Annotated[Group, Reference(name="group", about="The group's name, such as finance.")]
Colleague = Annotated[
    Person, Reference(name="person", about="The person's address, such as mira.tan@larkfield.example.")
]


@tool("write")
def set_rights(
    db: Database, path: FileAt, who: Literal["group", "others"], rights: Literal["none", "read", "write"]
) -> View[File]:
    """Set what the group of a file or folder, or everybody else, may do with it.

    Args:
        who: its group, or all others.
        rights: nothing, read, or read and write.
    """
    if who == "group" and path.group_name is None:
        raise Refusal("wrong_state", f"{path.path} belongs to no group; set one first.")
    if getattr(path, f"{who}_rights") == rights:
        raise Refusal("no_change", "These are the rights already.")
    return View(db.update(path, group_rights=rights) if who == "group" else db.update(path, others_rights=rights))


@tool("write")
def set_group(db: Database, path: FileAt, group: TeamGroup) -> View[File]:
    """Set the group of a file or folder; what the group may do stays as it is."""
    if path.group_name == group.group_name:
        raise Refusal("no_change", f"{path.path} belongs to the group {group.group_name} already.")
    return View(db.update(path, group_name=group.group_name))


_IN = """(:name = '' OR instr(lower(name), :name)) AND (:text = '' OR email IN
    (SELECT email FROM memberships WHERE group_name = :text)) ORDER BY name, email"""


@tool("read")
def list_groups(
    db: Database, group: TeamGroup | None = None, name: str | None = None, page: PageNumber = 1
) -> Page[Person]:
    """List the members of groups with their addresses, offices and all groups that they are in.

    Args:
        group: only the members of this group; of all groups without it. People of other companies are guests.
        name: only people whose name holds this.
        page: twenty a page.
    """
    words = {"name": (name or "").strip().lower(), "text": group.group_name if group else ""}
    return Page(db.select(Person, _IN, **words), page, size=PAGE)


@tool("write")
def lock_file(db: Database, path: FileAt) -> View[File]:
    """Lock a file, so that others may only read it."""
    if path.kind != "file":
        raise Refusal("invalid_argument", f"{path.path} is a {path.kind}; only files are locked.")
    if path.locked_by is not None:
        raise Refusal("no_change", "You have locked it already.")
    return View(db.update(path, locked_by=db.owner(Person).email))


@tool("write")
def unlock_file(db: Database, path: FileAt) -> View[File]:
    """Unlock a file that you have locked."""
    if path.locked_by is None:
        raise Refusal("no_change", f"{path.path} is not locked.")
    return View(db.update(path, locked_by=None))


@tool("write")
def share(db: Database, path: FileAt, person: Colleague, rights: Literal["read", "write"], until: date) -> View[Share]:
    """Share a file or folder with one person by a link.

    Args:
        rights: read, or read and write.
        until: the last day on which the link works.
    """
    me = db.owner(Person).email
    if person.email == me:
        raise Refusal("invalid_argument", "It is your own; nobody shares with themself.")
    given = {"email": person.email, "rights": rights, "until": until}
    if any(row.until == until and row.rights == rights for row in _given(db, path, person) if not row.revoked):
        raise Refusal("no_change", "It is shared like this already.")
    return View(db.insert(Share, share_id=db.new_id(Share), owner_email=me, path=path.path, revoked=False, **given))


@tool("read")
def list_shares(
    db: Database,
    path: FileAt | None = None,
    person: Colleague | None = None,
    name: str | None = None,
    state: Literal["active", "expired", "revoked"] | None = None,
    page: PageNumber = 1,
) -> Page[Share]:
    """List what you have shared, the latest first.

    Args:
        path: only shares of this.
        person: only shares with this person.
        name: only shares of what has this in its name.
        state: only these.
        page: twenty a page.
    """
    found = [row for row in _given(db, path, person) if _is_asked(db, row, name, state)]
    return Page(sorted(found, key=lambda row: int(row.share_id[3:]), reverse=True), page, size=PAGE)


@tool("write")
def revoke_share(db: Database, share: Ref[Share]) -> View[Share]:
    """End a share, so that its link does not work any more."""
    if share.revoked or share.until < db.now.date():
        raise Refusal("no_change", "This share has ended already.")
    return View(db.update(share, revoked=True))


def _given(db: Database, path: File | None, person: Person | None) -> list[Share]:
    return db.mine(Share, **given(path=path and path.path, email=person and person.email))


def _is_asked(db: Database, row: Share, name: str | None, state: str | None) -> bool:
    seen = View(row).bound(db).row
    return state in (None, seen.state) and contains_text(str(seen.name), name)
