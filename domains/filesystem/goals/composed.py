"""What takes several changes, each of which goes on with what the one before has made."""

from collections.abc import Mapping
from dataclasses import replace

from toolgym.domains.filesystem import tools
from toolgym.domains.filesystem.goals import draws
from toolgym.domains.filesystem.schema import File
from toolgym.sandbox.kit.goal import Calls, Draw, Goal, Made, Slot, Tell

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


CHECKSUM = Tell("checksum", kind="text", by=tools.get_checksum, value=_with_letters)

# --- tidy ---


def _downloads(draw: Draw) -> str:
    return f"{draws.home_of(draw)}/{DOWNLOADS}"


def _of_the_sort(draw: Draw) -> list[File]:
    ending = f".{draw.values['sort']}"
    found = [row for row in draw.rows(File) if row.folder == _downloads(draw) and row.name.endswith(ending)]
    return sorted(found, key=lambda row: row.name)


def _put_away(draw: Draw) -> Calls:
    return [(tools.move, {"item": row, "target": Made("path")}) for row in _of_the_sort(draw)]


TIDY = Goal(
    tools.create_folder,
    name="tidy",
    slots=(
        Slot("sort", draw=tuple(SORTS), words=SORTS, reads=lambda draw: [(tools.list_folder, {"path": DOWNLOADS})]),
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
    tools.set_group,
    name="let_team_write",
    slots=(
        replace(
            draws.PATH,
            where=lambda node: draws.may_go(node) and draws.is_own(node) and node.row.group_rights != "write",
        ),
        Slot("group", says=("To {}.", "{}, please.")),
    ),
    also=lambda draw: [(tools.set_rights, {"path": draw.values["path"], "who": "group", "rights": "write"})],
    where=lambda path, group: path.row.group_name != group.row.group_name,
)

# --- an earlier version, packed ---


def _packed(draw: Draw) -> Calls:
    file, manifest = draw.values["item"], draw.values["manifest"]
    last = Made("lines", by=tools.count_lines)
    return [
        (tools.count_lines, {"path": file}),
        (tools.delete_lines, {"path": file, "line": last, "through": last}),
        (tools.pack, {"paths": [file], "archive": f"{file.folder}/{draw.values['new_name']}"}),
        (tools.get_checksum, {"path": Made("path", by=tools.pack)}),
        (tools.append_to_file, {"path": manifest, "text": Made("checksum", by=tools.get_checksum)}),
    ]


RESTORE_AND_PACK = Goal(
    tools.restore_version,
    name="restore_and_pack",
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
        Tell(
            "left", kind="number", by=tools.delete_lines, near=("left", "lines", "line", "remain", "remaining", "has")
        ),
    ),
    where=lambda item, manifest: item.row.path != manifest.row.path,
    share=DEEP,
)

# --- an archive, taken out where there is room ---


def _taken_out(archive: File, folder: str, member: str) -> Calls:
    """What follows when an archive is unpacked where it is."""
    name = f"{archive.name.removesuffix('.zip')}-{member}.txt"
    return [
        (tools.sort_lines, {"path": f"{archive.folder}/{name}"}),
        (tools.copy, {"item": Made("path", by=tools.sort_lines), "target": f"{folder}/{name}"}),
        (tools.get_checksum, {"path": Made("path", by=tools.copy)}),
    ]


def _moved_out(draw: Draw) -> Calls:
    archive = draw.values["archive"]
    return [
        (tools.unpack, {"archive": archive, "folder": archive.folder}),
        *_taken_out(archive, f"{draws.home_of(draw)}/lists", "guests"),
        (tools.append_to_file, {"path": draw.values["manifest"], "text": Made("checksum", by=tools.get_checksum)}),
    ]


ARCHIVE_HERE = Slot(
    "archive",
    of=File,
    where=lambda node: draws.is_archive(node) and draws.is_own(node),
    says=("I mean {}.", "It is {}."),
)
TAKE_OUT = Goal(
    tools.unpack,
    name="take_out",
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
    tools.empty_trash,
    name="move_out",
    slots=(replace(ARCHIVE_HERE, reads=lambda draw: [(tools.list_folder, {})]), MANIFEST),
    also=_moved_out,
    tells=(Tell("bytes_freed", kind="number", near=("bytes", "byte", "freed", "free")), CHECKSUM),
    share=DEEP,
)
COMPOSED = (TIDY, LET_TEAM_WRITE, RESTORE_AND_PACK, TAKE_OUT, MOVE_OUT)
