"""What the workspace lets an agent do for one of its members."""

import json
import posixpath
import zlib
from datetime import date
from difflib import SequenceMatcher
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from toolgym.domains.filesystem import paths, schema
from toolgym.domains.filesystem.paths import ARCHIVE, free_path, made, require_space
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.reference import Free, PageNumber, Ref, Reference
from toolgym.sandbox.kit.search import contains_text, given
from toolgym.sandbox.kit.tool import tool
from toolgym.sandbox.kit.view import Page, View

PAGE = 20

LARGEST = 5

Source = Annotated[schema.File, paths.Path("source")]

LineNumber = Annotated[int, Field(ge=1, le=100_000)]


class Hit(TypedDict):
    """A line that holds what was looked for."""

    path: str
    line_number: int
    line: str


class Hits(TypedDict):
    """A page of such lines."""

    items: list[Hit]
    page: int
    pages: int
    total: int


TeamGroup = Annotated[schema.Group, Reference(name="group", about="The group's name, such as finance.")]

Colleague = Annotated[
    schema.Person, Reference(name="person", about="The person's address, such as mira.tan@larkfield.example.")
]

_IN = """(:name = '' OR instr(lower(name), :name)) AND (:text = '' OR email IN
    (SELECT email FROM memberships WHERE group_name = :text)) ORDER BY name, email"""

Member = dict[str, Any]

Archive = Annotated[schema.File, paths.Path("archive")]

Words = Annotated[str, Field(min_length=1, max_length=200)]

Lines = Annotated[str, Field(min_length=1, max_length=4000)]


@tool("read")
def where_am_i(db: Database) -> dict[str, str | list[str]]:
    """Tell the current folder, whom you act for with their groups, and what time it is."""
    me = db.owner(schema.Person)
    groups = [row.group_name for row in db.find(schema.Membership, email=me.email)]
    now = db.now.isoformat(timespec="minutes")
    return {"folder": paths.here(db), "name": me.name, "email": me.email, "groups": groups, "now": now}


@tool("neutral")
def change_folder(db: Database, path: paths.FileAt) -> dict[str, str]:
    """Change the current folder, from which relative paths begin.

    Args:
        path: the folder; ".." is the one above.
    """
    folder = paths.led_to(db, path)
    paths.require_folder(folder)
    me = db.owner(schema.Person).email
    found = db.get(schema.CurrentFolder, me)
    if found is None:
        db.insert(schema.CurrentFolder, email=me, path=folder.path)
    else:
        db.update(found, path=folder.path)
    return {"folder": folder.path}


@tool("read")
def list_folder(
    db: Database,
    path: paths.FileAt | None = None,
    hidden: bool = False,
    sort: Literal["name", "size", "changed"] = "name",
    page: PageNumber = 1,
) -> Page[schema.File]:
    """List what is in a folder.

    Args:
        path: the folder; the current one without it.
        hidden: also what begins with a dot.
        sort: by name, by size with the largest first, or by when it was changed with the newest first.
        page: twenty a page.
    """
    orders: dict[str, Any] = {"name": lambda row: row.name.casefold(), "size": lambda row: -schema.size_of(row)}
    orders["changed"] = lambda row: -row.changed_at.timestamp()
    within = f"folder = :folder AND ({schema.VISIBLE}) ORDER BY name"
    found = db.select(schema.File, within, folder=_folder(db, path), owner=db.owner(schema.Person).email)
    rows = [row for row in found if hidden or not row.name.startswith(".")]
    return Page(sorted(rows, key=orders[sort]), page, size=PAGE)


@tool("read")
def show_tree(
    db: Database, path: paths.FileAt | None = None, levels: Annotated[int, Field(ge=1, le=4)] = 2
) -> dict[str, str | list[str]]:
    """Show the names of what is below a folder; names of folders end in "/".

    Args:
        path: the folder; the current one without it.
        levels: how deep to look.
    """
    top = _folder(db, path)
    start = len(top.rstrip("/")) + 1
    names = [(row.path[start:], "/" if row.kind == "folder" else "") for row in paths.below(db, top)]
    return {"folder": top, "names": [name + sign for name, sign in names if name.count("/") < levels]}


@tool("read")
def get_info(db: Database, path: paths.FileAt) -> View[schema.File]:
    """Get all that is known of a file, folder or link: size, owner, group, rights, lock, when it was changed."""
    return View(path)


@tool("read")
def read_file(
    db: Database, path: paths.FileAt, from_line: LineNumber = 1, lines: Annotated[int, Field(ge=1, le=200)] = 100
) -> dict[str, Any]:
    """Read lines of a text file.

    Args:
        from_line: the first line to read.
        lines: how many at most.
    """
    node, text = paths.text_of(db, path)
    every = text.splitlines()
    start = from_line - 1
    return {"path": node.path, "from_line": from_line, "lines": every[start : start + lines], "total": len(every)}


@tool("read")
def search_names(
    db: Database,
    name: Annotated[str, Field(min_length=1, max_length=80)],
    under: Annotated[schema.File, paths.Path("under")] | None = None,
    kind: Literal["file", "folder", "link"] | None = None,
    changed_since: date | None = None,
    page: PageNumber = 1,
) -> Page[schema.File]:
    """Find files, folders and links by name, the latest changed first.

    Args:
        name: the whole name, in which * stands for any signs and ? for one, such as *.log; capitals do not matter.
        under: only below this folder; everywhere without it.
        kind: only these.
        changed_since: only what was changed on this day or later.
        page: twenty a page.
    """
    words = {"name": name.strip().lower().replace("[", "[[]"), "owner": db.owner(schema.Person).email}
    words |= {"kind": kind or "", "since": changed_since.isoformat() if changed_since else ""} | _under(db, under)
    fits = "GLOB"
    if not {"*", "?"} & {*name}:  # a whole name is found by an index
        fits, words["name"] = "=", name.strip().lower()
    condition = f"""lower(name) {fits} :name AND (:kind = '' OR kind = :kind) AND changed_at >= :since
        AND path > :first AND path < :after AND ({schema.VISIBLE}) ORDER BY changed_at DESC, path"""
    return Page(db.select(schema.File, condition, **words), page, size=PAGE)


@tool("read")
def search_contents(
    db: Database,
    text: Annotated[str, Field(min_length=2, max_length=80)],
    under: Annotated[schema.File, paths.Path("under")] | None = None,
    page: PageNumber = 1,
) -> Hits:
    """Find the lines of text files that hold some words; capitals do not matter.

    Args:
        text: the words.
        under: only in files below this folder; everywhere without it.
        page: twenty a page.
    """
    sought = text.strip().lower()
    condition = f"""path > :first AND path < :after AND ({schema.VISIBLE}) AND name NOT LIKE '%{paths.ARCHIVE}'
        AND instr(lower(text), :text) ORDER BY path"""
    words = {"text": sought, "owner": db.owner(schema.Person).email} | _under(db, under)
    hits: list[Hit] = [
        {"path": node.path, "line_number": number, "line": line}
        for node in db.select(schema.File, condition, **words)
        for number, line in enumerate((node.text or "").splitlines(), 1)
        if sought in line.lower()
    ]
    start, pages = (page - 1) * PAGE, -(-len(hits) // PAGE)
    return {"items": hits[start : start + PAGE], "page": page, "pages": pages, "total": len(hits)}


@tool("read")
def count_lines(db: Database, path: paths.FileAt) -> dict[str, str | int]:
    """Count the lines, words and bytes of a text file."""
    node, text = paths.text_of(db, path)
    return {
        "path": node.path,
        "lines": len(text.splitlines()),
        "words": len(text.split()),
        "bytes": schema.size_of(node),
    }


@tool("read")
def compare_files(
    db: Database, left: Annotated[schema.File, paths.Path("left")], right: Annotated[schema.File, paths.Path("right")]
) -> dict[str, Any]:
    """Compare two text files line by line.

    Args:
        left: the first file.
        right: the second one.
    """
    (one, old), (other, new) = paths.text_of(db, left), paths.text_of(db, right)
    before, after = old.splitlines(), new.splitlines()
    blocks = [block for block in SequenceMatcher(None, before, after).get_opcodes() if block[0] != "equal"]
    differ = [
        {"left_from": low + 1, "left_lines": before[low:high], "right_from": first + 1, "right_lines": after[first:end]}
        for _, low, high, first, end in blocks
    ]
    return {"left": one.path, "right": other.path, "equal": not differ, "differences": differ}


@tool("read")
def get_checksum(db: Database, path: paths.FileAt) -> dict[str, str]:
    """Get the checksum of a file: eight signs that differ where the content does."""
    node = paths.led_to(db, path)
    if node.kind != "file":
        raise Refusal("invalid_argument", f"{node.path} is a {node.kind}, not a file.")
    content = node.text if node.text is not None else f"{node.name}:{node.size}"
    return {"path": node.path, "checksum": f"{zlib.crc32(content.encode()):08x}"}


@tool("read")
def measure_folder(db: Database, path: paths.FileAt | None = None) -> dict[str, Any]:
    """Measure all that is below a folder: bytes, number of files, and its five largest files.

    Args:
        path: the folder; the current one without it.
    """
    top = _folder(db, path)
    files = [row for row in paths.below(db, top) if row.kind == "file"]
    largest = sorted(files, key=lambda row: (-schema.size_of(row), row.path))[:LARGEST]
    shown = [{"path": row.path, "bytes": schema.size_of(row)} for row in largest]
    return {"path": top, "bytes": sum(schema.size_of(row) for row in files), "files": len(files), "largest": shown}


@tool("read")
def get_quota(db: Database) -> dict[str, int]:
    """Get how many bytes your files come to with those in the trash, those in the trash alone, and how many may be."""
    me = db.owner(schema.Person).email
    quota = db.get(schema.Quota, me)
    used, trash = paths.used_by(db, me)
    allowed = quota.allowed if quota else used
    return {"used": used, "in_trash": trash, "allowed": allowed, "free": allowed - used}


@tool("write")
def create_folder(db: Database, path: paths.NewPath, parents: bool = False) -> View[schema.File]:
    """Make a folder.

    Args:
        path: of the new folder.
        parents: whether to make the folders above it as well, where there are none.
    """
    whole = paths.absolute(db, path)
    above = posixpath.dirname(whole)
    if parents and db.get(schema.File, above) is None:
        create_folder(db, path=above, parents=True)
    return View(paths.made(db, paths.free_path(db, whole), "folder"))


@tool("write")
def create_file(db: Database, path: paths.NewPath, text: Free = "") -> View[schema.File]:
    """Make a text file; one that is there already is never overwritten.

    Args:
        path: of the new file.
        text: what it says.
    """
    whole = paths.free_path(db, path)
    paths.require_space(db, len(text.encode()))
    return View(paths.made(db, whole, "file", text=text))


@tool("write")
def append_to_file(db: Database, path: paths.FileAt, text: Lines) -> View[schema.File]:
    """Add lines at the end of a text file.

    Args:
        text: the lines, word for word.
    """
    node, old = _writable(db, path)
    return View(paths.rewritten(db, node, _ended(old) + _ended(text)))


@tool("write")
def replace_in_file(
    db: Database, path: paths.FileAt, old: Words, new: str, every: bool = False
) -> dict[str, str | int]:
    """Replace words in a text file and tell how often.

    Args:
        old: the words as they stand there, capitals included.
        new: the words in their place; none to take them out.
        every: whether everywhere; only where they stand first without it.
    """
    node, text = _writable(db, path)
    count = text.count(old)
    if not count:
        raise Refusal("not_found", f"{node.path} does not hold these words; capitals matter.")
    paths.rewritten(db, node, text.replace(old, new, -1 if every else 1))
    return {"path": node.path, "replaced": count if every else 1}


@tool("write")
def delete_lines(db: Database, path: paths.FileAt, line: LineNumber, through: LineNumber) -> dict[str, str | int]:
    """Delete lines of a text file.

    Args:
        line: the first line to go.
        through: the last line to go; the same for one line.
    """
    node, text = _writable(db, path)
    lines = text.splitlines()
    if not line <= through <= len(lines):
        raise Refusal("invalid_argument", f"{node.path} has {len(lines)} lines; name the first and the last to go.")
    left = lines[: line - 1] + lines[through:]
    paths.rewritten(db, node, "".join(f"{each}\n" for each in left))
    return {"path": node.path, "deleted": through - line + 1, "left": len(left)}


@tool("write")
def sort_lines(
    db: Database, path: paths.FileAt, numeric: bool = False, descending: bool = False, unique: bool = False
) -> dict[str, str | int]:
    """Sort the lines of a text file in place.

    Args:
        numeric: by the number that a line begins with, instead of by letters.
        descending: the last or largest first.
        unique: keep only one of equal lines.
    """
    node, text = _writable(db, path)
    lines = list(dict.fromkeys(text.splitlines())) if unique else text.splitlines()
    lines.sort(key=_number if numeric else str.casefold, reverse=descending)
    paths.rewritten(db, node, "".join(f"{line}\n" for line in lines))
    return {"path": node.path, "lines": len(lines)}


@tool("write")
def copy(db: Database, item: Source, target: paths.NewPath) -> View[schema.File]:
    """Copy a file, a folder with all below it, or a link as a link. Nothing is overwritten.

    Args:
        item: what is copied.
        target: the path of the copy, or a folder to put it into.
    """
    path = paths.landing(db, item, target)
    nodes = [item, *paths.below(db, item.path)] if item.kind == "folder" else [item]
    paths.require_space(db, sum(schema.size_of(node) for node in nodes))
    for node in nodes:
        content = {"size": node.size, "text": node.text, "target": node.target}
        paths.made(db, path + node.path[len(item.path) :], node.kind, **content)
    return _at(db, path)


@tool("write")
def move(db: Database, item: Source, target: paths.NewPath) -> View[schema.File]:
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
def remove_to_trash(db: Database, path: paths.FileAt) -> View[schema.TrashEntry]:
    """Put a file, a folder with all below it, or a link into the trash; who it was shared with loses it."""
    paths.require_rights(db, path.folder)
    paths.require_free(db, path.path)
    nodes = [path, *paths.below(db, path.path, all_of_them=True)]
    for node in nodes:
        for share in db.find(schema.Share, path=node.path):
            db.update(share, revoked=True)
    entry = db.add(
        schema.TrashEntry,
        name=path.name,
        kind=path.kind,
        old_path=path.path,
        held_at=_place(db, path),
        removed_at=db.now,
        bytes=sum(schema.size_of(node) for node in nodes),
    )
    paths.carried(db, path, entry.held_at)
    return View(entry)


@tool("read")
def list_trash(db: Database, name: str | None = None, page: PageNumber = 1) -> Page[schema.TrashEntry]:
    """List what you have removed, the latest first.

    Args:
        name: only what has this in its name.
        page: twenty a page.
    """
    found = [row for row in db.mine(schema.TrashEntry) if contains_text(row.name, name)]
    rows = sorted(found, key=lambda row: (row.removed_at, row.trash_id), reverse=True)
    return Page(rows, page, size=PAGE)


@tool("write")
def restore_from_trash(db: Database, trash: Ref[schema.TrashEntry]) -> View[schema.File]:
    """Put something from the trash back to where it was."""
    node = db.get_one(schema.File, trash.held_at)
    path = paths.free_path(db, trash.old_path)
    db.delete(trash)
    return View(paths.carried(db, node, path))


@tool("write")
def empty_trash(db: Database) -> dict[str, int]:
    """Delete for good what is in your trash; tell how many things and bytes that were."""
    entries = db.mine(schema.TrashEntry)
    if not entries:
        raise Refusal("no_change", "The trash is empty.")
    for entry in entries:
        held = db.get_one(schema.File, entry.held_at)
        for node in [held, *paths.below(db, entry.held_at, all_of_them=True)]:
            for row in [*db.find(schema.Version, path=node.path), *db.find(schema.Share, path=node.path)]:
                db.delete(row)
            db.delete(node)
        db.delete(entry)
    return {"deleted": len(entries), "bytes_freed": sum(entry.bytes for entry in entries)}


@tool("write")
def make_link(
    db: Database, path: paths.NewPath, original: Annotated[schema.File, paths.Path("target")]
) -> View[schema.File]:
    """Make a link, a second way to something.

    Args:
        path: of the new link.
        original: where it leads.
    """
    return View(paths.made(db, paths.free_path(db, path), "link", target=original.path))


@tool("read")
def resolve_link(db: Database, path: Annotated[schema.File, paths.Path()]) -> View[schema.File]:
    """Tell where a link leads in the end, through links to links."""
    return View(paths.led_to(db, path))


@tool("write")
def set_rights(
    db: Database, path: paths.FileAt, who: Literal["group", "others"], rights: Literal["none", "read", "write"]
) -> View[schema.File]:
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
def set_group(db: Database, path: paths.FileAt, group: TeamGroup) -> View[schema.File]:
    """Set the group of a file or folder; what the group may do stays as it is."""
    if path.group_name == group.group_name:
        raise Refusal("no_change", f"{path.path} belongs to the group {group.group_name} already.")
    return View(db.update(path, group_name=group.group_name))


@tool("read")
def list_groups(
    db: Database, group: TeamGroup | None = None, name: str | None = None, page: PageNumber = 1
) -> Page[schema.Person]:
    """List the members of groups with their addresses, offices and all groups that they are in.

    Args:
        group: only the members of this group; of all groups without it. People of other companies are guests.
        name: only people whose name holds this.
        page: twenty a page.
    """
    words = {"name": (name or "").strip().lower(), "text": group.group_name if group else ""}
    return Page(db.select(schema.Person, _IN, **words), page, size=PAGE)


@tool("write")
def lock_file(db: Database, path: paths.FileAt) -> View[schema.File]:
    """Lock a file, so that others may only read it."""
    if path.kind != "file":
        raise Refusal("invalid_argument", f"{path.path} is a {path.kind}; only files are locked.")
    if path.locked_by is not None:
        raise Refusal("no_change", "You have locked it already.")
    return View(db.update(path, locked_by=db.owner(schema.Person).email))


@tool("write")
def unlock_file(db: Database, path: paths.FileAt) -> View[schema.File]:
    """Unlock a file that you have locked."""
    if path.locked_by is None:
        raise Refusal("no_change", f"{path.path} is not locked.")
    return View(db.update(path, locked_by=None))


@tool("write")
def pack(
    db: Database, paths: Annotated[list[paths.FileAt], Field(min_length=1, max_length=50)], archive: paths.NewPath
) -> View[schema.File]:
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
    folder: Annotated[schema.File, paths.Path("folder")],
    only: Annotated[list[str], Field(max_length=50)] | None = None,
) -> dict[str, Any]:
    """Unpack an archive into a folder; nothing is overwritten, and the archive stays.

    Args:
        archive: the archive's path.
        folder: where to.
        only: only these of its members, as the archive lists them; all of them without it.
    """
    paths.require_folder(folder)
    members = _members(db, archive)
    stray = [name for name in only or () if name not in {member["path"] for member in members}]
    if stray:
        raise Refusal("not_found", f"{archive.path} holds no {stray[0]}.")
    wanted = [member for member in members if not only or member["path"] in only]
    paths.require_space(db, sum(member["bytes"] for member in wanted))
    for member in wanted:
        path = paths.free_path(db, posixpath.join(folder.path, member["path"]))
        paths.made(db, path, member["kind"], **{name: member[name] for name in ("text", "size", "target")})
    return {"folder": folder.path, "unpacked": [member["path"] for member in wanted]}


@tool("read")
def list_versions(db: Database, path: paths.FileAt, page: PageNumber = 1) -> Page[schema.Version]:
    """List the earlier versions of a file, the latest first: until when each was the file, and its bytes.

    Args:
        page: twenty a page.
    """
    rows = db.find(schema.Version, path=paths.led_to(db, path).path)
    return Page(sorted(rows, key=lambda row: (row.saved_at, row.version_id), reverse=True), page, size=PAGE)


@tool("write")
def restore_version(db: Database, version: Ref[schema.Version]) -> View[schema.File]:
    """Go back to an earlier version of a file; the present one becomes a version."""
    node = db.get_one(schema.File, version.path)
    return View(paths.rewritten(db, node, version.text), saved_at=version.saved_at)


@tool("write")
def share(
    db: Database, path: paths.FileAt, person: Colleague, rights: Literal["read", "write"], until: date
) -> View[schema.Share]:
    """Share a file or folder with one person by a link.

    Args:
        rights: read, or read and write.
        until: the last day on which the link works.
    """
    me = db.owner(schema.Person).email
    if person.email == me:
        raise Refusal("invalid_argument", "It is your own; nobody shares with themself.")
    given = {"email": person.email, "rights": rights, "until": until}
    if any(row.until == until and row.rights == rights for row in _given(db, path, person) if not row.revoked):
        raise Refusal("no_change", "It is shared like this already.")
    return View(db.add(schema.Share, owner_email=me, path=path.path, revoked=False, **given))


@tool("read")
def list_shares(
    db: Database,
    path: paths.FileAt | None = None,
    person: Colleague | None = None,
    name: str | None = None,
    state: Literal["active", "expired", "revoked"] | None = None,
    page: PageNumber = 1,
) -> Page[schema.Share]:
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
def revoke_share(db: Database, share: Ref[schema.Share]) -> View[schema.Share]:
    """End a share, so that its link does not work any more."""
    if share.revoked or share.until < db.now.date():
        raise Refusal("no_change", "This share has ended already.")
    return View(db.update(share, revoked=True))


def _folder(db: Database, path: schema.File | None) -> str:
    if path is None:
        return paths.here(db)
    found = paths.led_to(db, path)
    paths.require_folder(found)
    return found.path


def _place(db: Database, node: schema.File) -> str:
    """Where something removed waits: by when it was, not by its key, which is another one in another order."""
    place = f"{schema.TRASH}/{db.now:%Y%m%d%H%M}{node.path}"
    while db.get(schema.File, place) is not None:
        place += "~"
    return place


def _at(db: Database, path: str) -> View[schema.File]:
    node = db.get_one(schema.File, path)
    return View(node)


def _under(db: Database, under: schema.File | None) -> dict[str, str]:
    """The range of paths below a folder."""
    start = "" if under is None else paths.led_to(db, under).path.rstrip("/")
    return {"first": f"{start}/", "after": f"{start}0"}


def _given(db: Database, path: schema.File | None, person: schema.Person | None) -> list[schema.Share]:
    return db.mine(schema.Share, **given(path=path and path.path, email=person and person.email))


def _is_asked(db: Database, row: schema.Share, name: str | None, state: str | None) -> bool:
    seen = View(row).bound(db).row
    return state in (None, seen.state) and contains_text(str(seen.name), name)


def _packed(db: Database, node: schema.File) -> list[Member]:
    """A node and all below it, as an archive holds them."""
    start = len(posixpath.dirname(node.path).rstrip("/")) + 1
    rows = [node, *paths.below(db, node.path)] if node.kind == "folder" else [node]
    content = ("kind", "size", "text", "target")
    return [
        {"path": row.path[start:], "bytes": schema.size_of(row)} | {name: getattr(row, name) for name in content}
        for row in rows
    ]


def _members(db: Database, archive: schema.File) -> list[Member]:
    node = paths.led_to(db, archive)
    if node.kind != "file" or not node.name.endswith(paths.ARCHIVE) or node.text is None:
        raise Refusal("invalid_argument", f"{node.path} is no archive.")
    found: list[Member] = json.loads(node.text)
    return found


def _writable(db: Database, path: schema.File) -> tuple[schema.File, str]:
    """A text file; one that is reached by a link has rights and a lock of its own."""
    node, text = paths.text_of(db, path)
    if node.path != path.path:
        raise Refusal("invalid_argument", f"{path.path} is a link; name the file that it leads to, {node.path}.")
    return node, text


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


def _number(line: str) -> tuple[float, str]:
    """What a line begins with as a number; lines without one come first."""
    word = line.split(maxsplit=1)[0].rstrip(",;:") if line.split() else ""
    try:
        return float(word), line
    except ValueError:
        return float("-inf"), line
