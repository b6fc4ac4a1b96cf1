"""What takes several changes, each of which goes on with what the one before has made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from toolgym.domains.filesystem.goals import draws
from toolgym.domains.filesystem.schema import File
from toolgym.domains.filesystem.tools.looking import list_folder
from toolgym.domains.filesystem.tools.moving import copy, empty_trash, move
from toolgym.domains.filesystem.tools.reading import count_lines, get_checksum
from toolgym.domains.filesystem.tools.rights import set_group, set_rights
from toolgym.domains.filesystem.tools.versions import pack, restore_version, unpack
from toolgym.domains.filesystem.tools.writing import append_to_file, create_folder, delete_lines, sort_lines
from toolgym.sandbox.kit.world import Draw, Goal, Made, Slot, Tell, Tool

Calls = list[tuple[Tool, Mapping[str, Any]]]
DEEP = 2.0
"""How often what builds four calls and more on one another is drawn: hardly anything else of a workspace is so deep."""
DOWNLOADS = "downloads"
SORTS = {"log": "log files", "jpg": "photos"}
MANIFEST = Slot(
    "manifest",
    of=File,
    where=lambda node: draws.is_text(node) and draws.is_own(node) and node.row.folder_name == "notes",
    says=("To {}.", "It goes to {}."),
    withheld=0.4,
)


def _with_letters(result: Mapping[str, str]) -> str | None:
    """A checksum that nobody takes for a number."""
    checksum = result["checksum"]
    return None if checksum.replace("e", "").isdigit() else checksum


CHECKSUM = Tell("checksum", kind="text", by=get_checksum, value=_with_letters)

# --- tidy ---


def _downloads(draw: Draw) -> str:
    return f"{draws.home_of(draw)}/{DOWNLOADS}"


def _of_the_sort(draw: Draw) -> list[File]:
    ending = f".{draw.values['sort']}"
    found = [row for row in draw.rows(File) if row.folder == _downloads(draw) and row.name.endswith(ending)]
    return sorted(found, key=lambda row: row.name)


def _put_away(draw: Draw) -> Calls:
    return [(move, {"item": row, "target": Made("path")}) for row in _of_the_sort(draw)]


TIDY = Goal(
    create_folder,
    name="tidy",
    verbs=("move", "put", "sort"),
    slots=(
        Slot("sort", draw=tuple(SORTS), words=SORTS, reads=lambda draw: [(list_folder, {"path": DOWNLOADS})]),
        replace(draws.NAME, draw=draws.new_name, withheld=0.4),
    ),
    worked_out={"path": lambda draw: f"{_downloads(draw)}/{draw.values['new_name']}" if _of_the_sort(draw) else None},
    also=_put_away,
    tells=(
        Tell(
            "moved",
            kind="number",
            value=lambda result, draw: len(_of_the_sort(draw)),
            near=("files", "photos", "file", "moved", "them"),
        ),
    ),
)

# --- who may write ---

LET_TEAM_WRITE = Goal(
    set_group,
    name="let_team_write",
    verbs=("let", "allow"),
    slots=(
        replace(
            draws.PATH,
            where=lambda node: draws.may_go(node) and draws.is_own(node) and node.row.group_rights != "write",
        ),
        Slot("group", says=("To {}.", "{}, please.")),
    ),
    also=lambda draw: [(set_rights, {"path": draw.values["path"], "who": "group", "rights": "write"})],
    where=lambda path, group: path.row.group_name != group.row.group_name,
)

# --- an earlier version, packed ---


def _packed(draw: Draw) -> Calls:
    file, manifest = draw.values["item"], draw.values["manifest"]
    last = Made("lines", by=count_lines)
    return [
        (count_lines, {"path": file}),
        (delete_lines, {"path": file, "line": last, "through": last}),
        (pack, {"paths": [file], "archive": f"{file.folder}/{draw.values['new_name']}"}),
        (get_checksum, {"path": Made("path", by=pack)}),
        (append_to_file, {"path": manifest, "text": Made("checksum", by=get_checksum)}),
    ]


RESTORE_AND_PACK = Goal(
    restore_version,
    name="restore_and_pack",
    verbs=("restore", "go back"),
    slots=(
        Slot("item", of=File, where=lambda node: node.row.versions > 0, says=("I mean {}.",)),
        Slot(
            "day",
            draw=lambda draw: draws.day_of_version(draw, "item"),
            reads=lambda draw: draws.versions_listed(draw, "item"),
        ),
        replace(draws.NAME, draw=draws.archive_name, withheld=0.0),
        MANIFEST,
    ),
    worked_out={"version": lambda draw: draws.version_of_day(draw, "item")},
    also=_packed,
    tells=(
        CHECKSUM,
        Tell("left", kind="number", by=delete_lines, near=("left", "lines", "line", "remain", "remaining", "has")),
    ),
    where=lambda item, manifest: item.row.path != manifest.row.path,
    share=DEEP,
)

# --- an archive, taken out where there is room ---


def _taken_out(archive: File, folder: str, member: str) -> Calls:
    """What follows when an archive is unpacked where it is."""
    name = f"{archive.name.removesuffix('.zip')}-{member}.txt"
    return [
        (sort_lines, {"path": f"{archive.folder}/{name}"}),
        (copy, {"item": Made("path", by=sort_lines), "target": f"{folder}/{name}"}),
        (get_checksum, {"path": Made("path", by=copy)}),
    ]


def _moved_out(draw: Draw) -> Calls:
    archive = draw.values["archive"]
    return [
        (unpack, {"archive": archive, "folder": archive.folder}),
        *_taken_out(archive, f"{draws.home_of(draw)}/lists", "guests"),
        (append_to_file, {"path": draw.values["manifest"], "text": Made("checksum", by=get_checksum)}),
    ]


ARCHIVE_HERE = Slot(
    "archive",
    of=File,
    where=lambda node: draws.is_archive(node) and draws.is_own(node),
    says=("I mean {}.", "It is {}."),
)
TAKE_OUT = Goal(
    unpack,
    name="take_out",
    verbs=("unpack", "extract"),
    slots=(
        ARCHIVE_HERE,
        Slot(
            "target",
            of=File,
            where=lambda node: draws.is_folder(node) and draws.is_own(node) and node.row.name != DOWNLOADS,
            withheld=0.4,
            says=("Into {}.", "{}, please."),
        ),
    ),
    worked_out={"folder": lambda draw: draw.database.get(File, draw.values["archive"].folder)},
    also=lambda draw: _taken_out(draw.values["archive"], draw.values["target"].path, "costs"),
    tells=(CHECKSUM,),
    share=DEEP,
)
MOVE_OUT = Goal(
    empty_trash,
    name="move_out",
    verbs=("unpack", "empty"),
    slots=(
        replace(ARCHIVE_HERE, reads=lambda draw: [(list_folder, {})]),
        MANIFEST,
    ),
    also=_moved_out,
    tells=(
        Tell("bytes_freed", kind="number", near=("bytes", "byte", "freed", "free")),
        CHECKSUM,
    ),
    share=DEEP,
)
COMPOSED = (TIDY, LET_TEAM_WRITE, RESTORE_AND_PACK, TAKE_OUT, MOVE_OUT)
