"""What is where: the current folder, lists, trees and what is known of a file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from toolgym.domains.filesystem.paths import FileAt, Path, below, here, led_to, require_folder, used_by
from toolgym.domains.filesystem.schema import VISIBLE, CurrentFolder, File, Membership, Person, Quota, size_of
from toolgym.sandbox.kit.world import Database, Page, PageNumber, View, tool

PAGE = 20
LARGEST = 5


@tool("read")
def where_am_i(db: Database) -> dict[str, str | list[str]]:
    """Tell the current folder, whom you act for with their groups, and what time it is."""
    me = db.owner(Person)
    groups = [row.group_name for row in db.find(Membership, email=me.email)]
    now = db.now.isoformat(timespec="minutes")
    return {"folder": here(db), "name": me.name, "email": me.email, "groups": groups, "now": now}


@tool("neutral")
def change_folder(db: Database, path: FileAt) -> dict[str, str]:
    """Change the current folder, from which relative paths begin.

    Args:
        path: the folder; ".." is the one above.
    """
    folder = led_to(db, path)
    require_folder(folder)
    me = db.owner(Person).email
    found = db.get(CurrentFolder, me)
    if found is None:
        db.insert(CurrentFolder, email=me, path=folder.path)
    else:
        db.update(found, path=folder.path)
    return {"folder": folder.path}


@tool("read")
def list_folder(
    db: Database,
    path: FileAt | None = None,
    hidden: bool = False,
    sort: Literal["name", "size", "changed"] = "name",
    page: PageNumber = 1,
) -> Page[File]:
    """List what is in a folder.

    Args:
        path: the folder; the current one without it.
        hidden: also what begins with a dot.
        sort: by name, by size with the largest first, or by when it was changed with the newest first.
        page: twenty a page.
    """
    orders: dict[str, Any] = {"name": lambda row: row.name.casefold(), "size": lambda row: -size_of(row)}
    orders["changed"] = lambda row: -row.changed_at.timestamp()
    within = f"folder = :folder AND ({VISIBLE}) ORDER BY name"
    found = db.select(File, within, folder=_folder(db, path), owner=db.owner(Person).email)
    rows = [row for row in found if hidden or not row.name.startswith(".")]
    return Page(sorted(rows, key=orders[sort]), page, size=PAGE)


@tool("read")
def show_tree(
    db: Database, path: FileAt | None = None, levels: Annotated[int, Field(ge=1, le=4)] = 2
) -> dict[str, str | list[str]]:
    """Show the names of what is below a folder; names of folders end in "/".

    Args:
        path: the folder; the current one without it.
        levels: how deep to look.
    """
    top = _folder(db, path)
    start = len(top.rstrip("/")) + 1
    names = [(row.path[start:], "/" if row.kind == "folder" else "") for row in below(db, top)]
    return {"folder": top, "names": [name + sign for name, sign in names if name.count("/") < levels]}


@tool("read")
def get_info(db: Database, path: FileAt) -> View[File]:
    """Get all that is known of a file, folder or link: size, owner, group, rights, lock, when it was changed."""
    return View(path)


@tool("read")
def resolve_link(db: Database, path: Annotated[File, Path()]) -> View[File]:
    """Tell where a link leads in the end, through links to links."""
    return View(led_to(db, path))


@tool("read")
def measure_folder(db: Database, path: FileAt | None = None) -> dict[str, Any]:
    """Measure all that is below a folder: bytes, number of files, and its five largest files.

    Args:
        path: the folder; the current one without it.
    """
    top = _folder(db, path)
    files = [row for row in below(db, top) if row.kind == "file"]
    largest = sorted(files, key=lambda row: (-size_of(row), row.path))[:LARGEST]
    shown = [{"path": row.path, "bytes": size_of(row)} for row in largest]
    return {"path": top, "bytes": sum(size_of(row) for row in files), "files": len(files), "largest": shown}


@tool("read")
def get_quota(db: Database) -> dict[str, int]:
    """Get how many bytes your files come to with those in the trash, those in the trash alone, and how many may be."""
    me = db.owner(Person).email
    quota = db.get(Quota, me)
    used, trash = used_by(db, me)
    allowed = quota.allowed if quota else used
    return {"used": used, "in_trash": trash, "allowed": allowed, "free": allowed - used}


def _folder(db: Database, path: File | None) -> str:
    if path is None:
        return here(db)
    found = led_to(db, path)
    require_folder(found)
    return found.path
