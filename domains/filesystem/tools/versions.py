"""Archives, and what files were before."""

from __future__ import annotations

import json
import posixpath
from typing import Annotated, Any

from pydantic import Field

from toolgym.domains.filesystem.paths import (
    ARCHIVE,
    FileAt,
    NewPath,
    Path,
    below,
    free_path,
    led_to,
    made,
    require_folder,
    require_space,
    rewritten,
)
from toolgym.domains.filesystem.schema import File, Version, size_of
from toolgym.domains.filesystem.tools.looking import PAGE
from toolgym.sandbox.kit.world import Database, Page, PageNumber, Ref, Refusal, View, tool

Member = dict[str, Any]
Archive = Annotated[File, Path("archive")]


@tool("write")
def pack(
    db: Database, paths: Annotated[list[FileAt], Field(min_length=1, max_length=50)], archive: NewPath
) -> View[File]:
    """Pack files and folders into a new archive; they stay where they are.

    Args:
        paths: what is packed.
        archive: the path of the new archive, which ends in .zip.
    """
    if not archive.endswith(ARCHIVE):
        raise Refusal("invalid_argument", f"The name of an archive ends in {ARCHIVE}.")
    path = free_path(db, archive)
    members = sorted((member for node in paths for member in _packed(db, node)), key=lambda member: str(member["path"]))
    if len({member["path"] for member in members}) < len(members):
        raise Refusal("conflict", "Two of these have the same name; pack them into different archives.")
    size = sum(member["bytes"] for member in members)
    require_space(db, size)
    return View(made(db, path, "file", text=json.dumps(members), size=size), files=len(members))


@tool("read")
def list_archive(db: Database, archive: Archive) -> dict[str, Any]:
    """List what is in an archive, with the bytes of each.

    Args:
        archive: the archive's path.
    """
    members = [{name: member[name] for name in ("path", "kind", "bytes")} for member in _members(db, archive)]
    return {"archive": archive.path, "members": members}


@tool("write")
def unpack(
    db: Database,
    archive: Archive,
    folder: Annotated[File, Path("folder")],
    only: Annotated[list[str], Field(max_length=50)] | None = None,
) -> dict[str, Any]:
    """Unpack an archive into a folder; nothing is overwritten, and the archive stays.

    Args:
        archive: the archive's path.
        folder: where to.
        only: only these of its members, as the archive lists them; all of them without it.
    """
    require_folder(folder)
    members = _members(db, archive)
    stray = [name for name in only or () if name not in {member["path"] for member in members}]
    if stray:
        raise Refusal("not_found", f"{archive.path} holds no {stray[0]}.")
    wanted = [member for member in members if not only or member["path"] in only]
    require_space(db, sum(member["bytes"] for member in wanted))
    for member in wanted:
        path = free_path(db, posixpath.join(folder.path, member["path"]))
        made(db, path, member["kind"], **{name: member[name] for name in ("text", "size", "target")})
    return {"folder": folder.path, "unpacked": [member["path"] for member in wanted]}


@tool("read")
def list_versions(db: Database, path: FileAt, page: PageNumber = 1) -> Page[Version]:
    """List the earlier versions of a file, the latest first: until when each was the file, and its bytes.

    Args:
        page: twenty a page.
    """
    rows = db.find(Version, path=led_to(db, path).path)
    return Page(sorted(rows, key=lambda row: (row.saved_at, row.version_id), reverse=True), page, size=PAGE)


@tool("write")
def restore_version(db: Database, version: Ref[Version]) -> View[File]:
    """Go back to an earlier version of a file; the present one becomes a version."""
    node = db.get_one(File, version.path)
    return View(rewritten(db, node, version.text), saved_at=version.saved_at)


def _packed(db: Database, node: File) -> list[Member]:
    """A node and all below it, as an archive holds them."""
    start = len(posixpath.dirname(node.path).rstrip("/")) + 1
    rows = [node, *below(db, node.path)] if node.kind == "folder" else [node]
    content = ("kind", "size", "text", "target")
    return [
        {"path": row.path[start:], "bytes": size_of(row)} | {name: getattr(row, name) for name in content}
        for row in rows
    ]


def _members(db: Database, archive: File) -> list[Member]:
    node = led_to(db, archive)
    if node.kind != "file" or not node.name.endswith(ARCHIVE) or node.text is None:
        raise Refusal("invalid_argument", f"{node.path} is no archive.")
    found: list[Member] = json.loads(node.text)
    return found
