"""What copies, moves and removes, and the trash."""

from __future__ import annotations

from typing import Annotated

from toolgym.domains.filesystem import paths
from toolgym.domains.filesystem.schema import TRASH, File, Person, Share, TrashEntry, Version, size_of
from toolgym.domains.filesystem.tools.looking import PAGE
from toolgym.sandbox.kit.world import Database, Page, PageNumber, Ref, Refusal, View, contains_text, tool

Source = Annotated[File, paths.Path("source")]


@tool("write")
def copy(db: Database, item: Source, target: paths.NewPath) -> View[File]:
    """Copy a file, a folder with all below it, or a link as a link. Nothing is overwritten.

    Args:
        item: what is copied.
        target: the path of the copy, or a folder to put it into.
    """
    path = paths.landing(db, item, target)
    nodes = [item, *paths.below(db, item.path)] if item.kind == "folder" else [item]
    paths.require_space(db, sum(size_of(node) for node in nodes))
    for node in nodes:
        content = {"size": node.size, "text": node.text, "target": node.target}
        paths.made(db, path + node.path[len(item.path) :], node.kind, **content)
    return _at(db, path)


@tool("write")
def move(db: Database, item: Source, target: paths.NewPath) -> View[File]:
    """Move or rename a file, a folder with all below it, or a link. Nothing is overwritten.

    Args:
        item: what is moved.
        target: its new path, or a folder to put it into.
    """
    path = paths.landing(db, item, target)
    paths.require_rights(db, item.folder)
    paths.require_free(db, item.path)
    return View(paths.carried(db, item, path))


@tool("write")
def remove_to_trash(db: Database, path: paths.FileAt) -> View[TrashEntry]:
    """Put a file, a folder with all below it, or a link into the trash; who it was shared with loses it."""
    paths.require_rights(db, path.folder)
    paths.require_free(db, path.path)
    nodes = [path, *paths.below(db, path.path, all_of_them=True)]
    for node in nodes:
        for share in db.find(Share, path=node.path):
            db.update(share, revoked=True)
    entry = db.insert(
        TrashEntry,
        trash_id=db.new_id(TrashEntry),
        owner_email=db.owner(Person).email,
        name=path.name,
        kind=path.kind,
        old_path=path.path,
        held_at=_place(db, path),
        removed_at=db.now,
        bytes=sum(size_of(node) for node in nodes),
    )
    paths.carried(db, path, entry.held_at)
    return View(entry)


@tool("read")
def list_trash(db: Database, name: str | None = None, page: PageNumber = 1) -> Page[TrashEntry]:
    """List what you have removed, the latest first.

    Args:
        name: only what has this in its name.
        page: twenty a page.
    """
    found = [row for row in db.mine(TrashEntry) if contains_text(row.name, name)]
    rows = sorted(found, key=lambda row: (row.removed_at, row.trash_id), reverse=True)
    return Page(rows, page, size=PAGE)


@tool("write")
def restore_from_trash(db: Database, trash: Ref[TrashEntry]) -> View[File]:
    """Put something from the trash back to where it was."""
    node = db.get_one(File, trash.held_at)
    path = paths.free_path(db, trash.old_path)
    db.delete(trash)
    return View(paths.carried(db, node, path))


@tool("write")
def empty_trash(db: Database) -> dict[str, int]:
    """Delete for good what is in your trash; tell how many things and bytes that were."""
    entries = db.mine(TrashEntry)
    if not entries:
        raise Refusal("no_change", "The trash is empty.")
    for entry in entries:
        held = db.get_one(File, entry.held_at)
        for node in [held, *paths.below(db, entry.held_at, all_of_them=True)]:
            for row in [*db.find(Version, path=node.path), *db.find(Share, path=node.path)]:
                db.delete(row)
            db.delete(node)
        db.delete(entry)
    return {"deleted": len(entries), "bytes_freed": sum(entry.bytes for entry in entries)}


def _place(db: Database, node: File) -> str:
    """Where something removed waits: by when it was, not by its key, which is another one in another order."""
    place = f"{TRASH}/{db.now:%Y%m%d%H%M}{node.path}"
    while db.get(File, place) is not None:
        place += "~"
    return place


def _at(db: Database, path: str) -> View[File]:
    node = db.get_one(File, path)
    return View(node)
