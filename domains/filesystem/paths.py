"""Paths: absolute or relative to the current folder, and what is made, changed and carried along under them."""

import posixpath
from typing import Annotated, Any

from pydantic import Field
from sqlalchemy.orm import DeclarativeBase

from toolgym.domains.filesystem import schema
from toolgym.sandbox.kit.world import NOT_BLANK, Database, Reference, Refusal

NewPath = Annotated[str, Field(min_length=1, max_length=300), NOT_BLANK]
"""A path at which nothing is yet, absolute or relative to the current folder."""
ARCHIVE = ".zip"
MAY_NOT = "You may read this file but not change it."
NO_SPACE = "There is not enough space for that, with what is in the trash."


class Path(Reference):
    """Marks a parameter as the path of something that is there, absolute or relative to the current folder.

    Args:
        name: what agents call the parameter.
    """

    def __init__(self, name: str | None = None) -> None:
        about = "A path such as /home/mira.tan/reports/q1.txt, or one from the current folder on, such as ../q1.txt."
        super().__init__(name=name, about=about, message="There is nothing at {key}.")

    def look_up(self, database: Database, model: type[DeclarativeBase], given: str) -> DeclarativeBase | None:
        """The node at this path, or None where there is none that the person may read."""
        return super().look_up(database, model, absolute(database, given))


FileAt = Annotated[schema.File, Path()]
"""What is at a path."""


def home(db: Database) -> str:
    """The folder of the session's owner."""
    return f"/home/{db.owner(schema.Person).email.split('@')[0]}"


def here(db: Database) -> str:
    """The current folder; home, where it was never changed or is gone."""
    found = db.get(schema.CurrentFolder, db.owner(schema.Person).email)
    return found.path if found is not None and db.get(schema.File, found.path) is not None else home(db)


def absolute(db: Database, path: str) -> str:
    """A path from the root on, without "." and ".."; "~" is the owner's home."""
    whole = home(db) + path[1:] if path == "~" or path.startswith("~/") else posixpath.join(here(db), path)
    return "/" + posixpath.normpath(whole).lstrip("/")


def below(db: Database, folder: str, *, all_of_them: bool = False) -> list[schema.File]:
    """What the owner may read below a folder, or everything, in the order of paths."""
    start = folder.rstrip("/")
    within = {"first": f"{start}/", "after": f"{start}0"}  # "0" is what follows "/"
    if all_of_them:
        return db.select(schema.File, "path > :first AND path < :after ORDER BY path", **within)
    condition = f"path > :first AND path < :after AND ({schema.VISIBLE}) ORDER BY path"
    return db.select(schema.File, condition, owner=db.owner(schema.Person).email, **within)


def require_folder(node: schema.File) -> None:
    """Refuse what is no folder."""
    if node.kind != "folder":
        raise Refusal("invalid_argument", f"{node.path} is a {node.kind}, not a folder.")


def require_rights(db: Database, folder: str) -> None:
    """Refuse to write in a folder that the owner may only read."""
    node = db.get(schema.File, folder)
    if node is None or schema.rights_on(db, node) != "write":
        raise Refusal("rights", f"You may not write in {folder}.")


def require_free(db: Database, path: str) -> None:
    """Refuse to take away what holds something that somebody else has locked."""
    me = db.owner(schema.Person).email
    for node in below(db, path, all_of_them=True):
        if node.locked_by not in (None, me):
            raise Refusal("locked", f"{node.path} is locked by {node.locked_by}.")


def free_path(db: Database, path: str) -> str:
    """A path at which something can be made.

    Raises:
        Refusal: something is there, there is no such folder, or the owner may not write in it.
    """
    whole = absolute(db, path)
    folder, name = posixpath.split(whole)
    if any(sign in name for sign in "*?\\") or not name.isprintable() or len(name) > 80:
        raise Refusal("invalid_argument", "A name has at most 80 signs, none of them *, ? or \\.")
    if db.get(schema.File, whole) is not None:
        raise Refusal("taken", f"{whole} exists already.")
    found = db.get(schema.File, folder)
    if found is None or folder.startswith(schema.TRASH) or schema.rights_on(db, found) == "none":
        raise Refusal("not_found", f"There is no folder {folder}.")
    require_folder(found)
    require_rights(db, folder)
    return whole


def landing(db: Database, source: schema.File, target: str) -> str:
    """Where a copied or moved thing goes: to the target, or into it where that is a folder.

    Raises:
        Refusal: as `free_path`, or the target is inside the source.
    """
    whole = absolute(db, target)
    found = db.get(schema.File, whole)
    if found is not None and found.kind == "folder" and db.is_own(found):
        whole = posixpath.join(whole, source.name)
    if source.kind == "folder" and f"{whole}/".startswith(source.path.rstrip("/") + "/"):
        raise Refusal("into_itself", f"{whole} is inside the folder {source.path}.")
    return free_path(db, whole)


def require_space(db: Database, more: int, owner: str | None = None) -> None:
    """Refuse what would take more bytes than the owner of the files has left."""
    quota = db.get(schema.Quota, owner or db.owner(schema.Person).email)
    if quota is not None and used_by(db, quota.email)[0] + more > quota.allowed:
        raise Refusal("quota", NO_SPACE)


def used_by(db: Database, email: str) -> tuple[int, int]:
    """The bytes of somebody's files with those in the trash, and those in the trash alone."""
    one = "coalesce(size, length(CAST(text AS BLOB)), 0)"
    sums = f"SELECT coalesce(sum({one}), 0), coalesce(sum({one} * (path LIKE :trash)), 0) FROM files"
    all_of_them, removed = db.query(f"{sums} WHERE owner_email = :email", email=email, trash=f"{schema.TRASH}/%")[0]
    return int(all_of_them), int(removed)


def made(db: Database, path: str, kind: str, **values: Any) -> schema.File:
    """A new node of the owner's, with the rights of the folder that it is in."""
    folder, name = posixpath.split(path)
    parent = db.get_one(schema.File, folder)
    shared = {name: getattr(parent, name) for name in ("group_name", "group_rights", "others_rights")}
    fixed = {"path": path, "folder": folder, "name": name, "kind": kind, "changed_at": db.now}
    whose = {"owner_email": db.owner(schema.Person).email, "locked_by": None}
    return db.insert(schema.File, **{"size": None, "text": None, "target": None} | fixed | whose | shared | values)


def rewritten(db: Database, node: schema.File, text: str) -> schema.File:
    """A file with another text; the one before becomes a version.

    Raises:
        Refusal: there is not enough space, or nothing would change.
    """
    if text == node.text:
        raise Refusal("no_change", f"{node.path} would stay as it is.")
    require_space(db, len(text.encode()) - schema.size_of(node), node.owner_email)
    old = {"saved_at": node.changed_at, "bytes": schema.size_of(node), "text": node.text}
    db.add(schema.Version, path=node.path, **old)
    return db.update(node, text=text, changed_at=db.now)


def carried(db: Database, node: schema.File, path: str) -> schema.File:
    """A node at another path, with all below it, its versions and its shares."""
    for each in [node, *below(db, node.path, all_of_them=True)]:
        whole = path + each.path[len(node.path) :]
        folder, name = posixpath.split(whole)
        columns = {column.name: getattr(each, column.name) for column in schema.File.__table__.columns}
        db.insert(schema.File, **columns | {"path": whole, "folder": folder, "name": name})
        for version in db.find(schema.Version, path=each.path):
            db.update(version, path=whole)
        for share in db.find(schema.Share, path=each.path):
            db.update(share, path=whole)
    for each in [*below(db, node.path, all_of_them=True), node]:
        db.delete(each)
    return db.get_one(schema.File, path)


def led_to(db: Database, node: schema.File) -> schema.File:
    """Where a link leads, through chains; anything else is itself.

    Raises:
        Refusal: it leads nowhere.
    """
    seen: list[str] = []
    while node.kind == "link":
        seen.append(node.path)
        found = db.get(schema.File, node.target or "")
        if found is None or found.path in seen or not db.is_own(found):
            raise Refusal("not_found", f"{seen[0]} leads to {node.target}, where nothing is.")
        node = found
    return node


def text_of(db: Database, node: schema.File) -> tuple[schema.File, str]:
    """A text file, through links, with its text.

    Raises:
        Refusal: it is a folder, an archive, or no text.
    """
    found = led_to(db, node)
    if found.kind != "file" or found.text is None or found.name.endswith(ARCHIVE):
        raise Refusal("invalid_argument", f"{found.path} is no text file.")
    return found, found.text
