"""What takes several changes, each of which goes on with what the one before has made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from toolgym.domains.filesystem.goals.draws import (
    NAME,
    PATH,
    archive_name,
    day_of_version,
    home_of,
    is_archive,
    is_folder,
    is_own,
    is_text,
    may_go,
    new_name,
    version_of_day,
    versions_listed,
)
from toolgym.domains.filesystem.schema import File
from toolgym.domains.filesystem.tools.looking import list_folder
from toolgym.domains.filesystem.tools.moving import copy, empty_trash, move
from toolgym.domains.filesystem.tools.reading import count_lines, get_checksum
from toolgym.domains.filesystem.tools.rights import set_group, set_rights
from toolgym.domains.filesystem.tools.versions import pack, restore_version, unpack
from toolgym.domains.filesystem.tools.writing import append_to_file, create_folder, delete_lines, sort_lines
from toolgym.sandbox.kit.goal import Draw, Goal, Made, Slot, Tell
from toolgym.sandbox.kit.tool import Tool

Calls = list[tuple[Tool, Mapping[str, Any]]]
DEEP = 2.0
"""How often what builds four calls and more on one another is drawn: hardly anything else of a workspace is so deep."""
DOWNLOADS = "downloads"
SORTS = {"log": "log files", "jpg": "photos"}
MANIFEST = Slot(
    "manifest",
    of=File,
    where=lambda node: is_text(node) and is_own(node) and node.row.folder_name == "notes",
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
    return f"{home_of(draw)}/{DOWNLOADS}"


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
    says=(
        "Move all {sort} from my downloads into a new folder called {new_name} in there.",
        "My downloads are a mess. Please put all {sort} from there into a new subfolder {new_name}.",
        "Can you make a folder {new_name} inside my downloads and move all {sort} from there into it?",
        "All {sort} in my downloads should go into a new subfolder[, {new_name}].",
        "Please tidy my downloads: all {sort} belong in a new folder in there[ by the name of {new_name}].",
        "I want all {sort} in my downloads moved to a new folder in the same place[; call it {new_name}].",
        "Put all {sort} from my downloads together in a new folder there[, {new_name}].",
        "Would you clear up my downloads? Make a new folder[ {new_name}] in there and move all {sort} into it.",
        "Create the folder {new_name} in my downloads and move every one of the {sort} from there into it.",
        "There are too many {sort} loose in my downloads; move them all into a new folder there[, {new_name}].",
        "Sort out my downloads, please: a new folder in there[ called {new_name}], and all {sort} moved into it.",
        "Take all the {sort} that lie in my downloads and move them to a new folder {new_name} in there.",
    ),
    slots=(
        Slot("sort", draw=tuple(SORTS), words=SORTS, reads=lambda draw: [(list_folder, {"path": DOWNLOADS})]),
        replace(NAME, draw=new_name, withheld=0.4),
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
    says=(
        "Let {group} change {path}; it has to belong to them for that.",
        "{path} should belong to {group}, and they should be able to change it.",
        "Make {path} belong to {group} and give them the right to write.",
        "Please let {group} have {path}, with the right to change it.",
        "Can you see to it that {path} belongs to {group} and that they may write to it?",
        "{group} will look after {path} from now on. Make it theirs and let them write.",
        "I want {path} to belong to {group}, and the group to have write access.",
        "Set things up so that {path} is with {group} and they can edit it.",
        "Allow {group} to work on {path}: make it theirs, with the right to write.",
        "Would you assign {path} to {group} and let them change it?",
        "From today {path} should be with {group}, who should be able to write to it.",
        "{path} needs to be open to {group}: it should belong to them, and they should be able to write.",
    ),
    slots=(
        replace(PATH, where=lambda node: may_go(node) and is_own(node) and node.row.group_rights != "write"),
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
    says=(
        "Restore {item} as it was on {day}, cut off its last line, pack it as {new_name} in the same folder, and add "
        "the archive's checksum to {manifest}, at the end.",
        "Take {item} back to its version of {day} and drop the last line. Then pack it as {new_name} right there and "
        "add the checksum of the archive to {manifest}, below everything else.",
        "I need {item} as it was on {day}, without its last line, packed as {new_name} beside it. The archive's "
        "checksum goes[ to {manifest}| to one of my notes], as the last line.",
        "Please change {item} back to how it was on {day} and delete the last line; pack that as {new_name} in its "
        "folder and append the archive's checksum to {manifest}.",
        "Can you restore {item} to its version of {day}, remove the last line, zip it as {new_name} next to it, and "
        "append the checksum of the zip[ to {manifest}| to one of my notes]?",
        "On {day}, {item} was right but for its last line. Bring that version back without the line, pack it as "
        "{new_name} in the same folder, and add the archive's checksum to {manifest} as a last line.",
        "Bring back {item} as of {day}; its last line should be deleted. Pack it where it is as {new_name}, and "
        "append the checksum of that archive to {manifest}.",
        "Would you roll {item} back to {day}, take out the last line and pack it in the same folder as {new_name}? "
        "Add the archive's checksum to {manifest}, under the rest.",
        "For our records I want {item} as it was on {day}, with the last line deleted, packed as {new_name} in its "
        "own folder, and the checksum of the archive appended to {manifest}.",
        "Undo what was done since {day}: restore {item} and cut its last line. Once it is packed in its folder as "
        "{new_name}, append the archive's checksum[ to {manifest}| to one of my notes].",
        "Let {item} be as it was on {day}, minus its last line. Make an archive {new_name} out of it in its folder, "
        "and add the checksum of the archive to {manifest} as a new last line.",
        "Put {item} back as it was on {day} and delete its last line. Then zip the file there as {new_name}, and "
        "append the checksum of the zip[ to {manifest}| to one of my notes].",
    ),
    slots=(
        Slot("item", of=File, where=lambda node: node.row.versions > 0, says=("I mean {}.",)),
        Slot("day", draw=lambda draw: day_of_version(draw, "item"), reads=lambda draw: versions_listed(draw, "item")),
        replace(NAME, draw=archive_name, withheld=0.0),
        MANIFEST,
    ),
    worked_out={"version": lambda draw: version_of_day(draw, "item")},
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
        *_taken_out(archive, f"{home_of(draw)}/lists", "guests"),
        (append_to_file, {"path": draw.values["manifest"], "text": Made("checksum", by=get_checksum)}),
    ]


ARCHIVE_HERE = Slot(
    "archive", of=File, where=lambda node: is_archive(node) and is_own(node), says=("I mean {}.", "It is {}.")
)
TAKE_OUT = Goal(
    unpack,
    name="take_out",
    verbs=("unpack", "extract"),
    says=(
        "Unpack {archive} where it is, sort the costs file in it, copy that to {target}, and tell me the copy's "
        "checksum.",
        "Please extract {archive} where it is. The costs file that comes out should be sorted and copied[ to "
        "{target}]; what checksum does the copy have?",
        "I need the costs that {archive} holds: unpack it right there, sort the lines in the costs file, and copy it "
        "to {target}. What checksum does the copy have?",
        "Can you unpack {archive} right there, put its costs file in alphabetical order, copy it[ to {target}], and "
        "give me the checksum of the copy?",
        "Open up {archive} on the spot, sort its costs file from A to Z and copy the file[ to {target}]. I'd like to "
        "know the copy's checksum.",
        "Unzip {archive} where it lies. Then sort the costs file, copy it to {target}, and tell me the checksum of "
        "the copy.",
        "The costs file in {archive} should be in alphabetical order and copied to {target}. Unpack the archive "
        "where it is for that, and tell me the checksum of the copy.",
        "Extract {archive} right where it is, order the lines in its costs file and copy it[ to {target}]. My "
        "colleague will ask for the copy's checksum, so tell me that, too.",
        "Would you unpack {archive} on the spot, alphabetise the costs file, and copy it[ to {target}]? Please tell "
        "me the checksum of the copy.",
        "Unpack {archive} right there; sort the costs file and copy it to {target}. What is the copy's checksum?",
        "First unpack {archive} where it is, then sort the costs file that it holds, and copy that to {target}. In "
        "the end I want the checksum of the copy.",
        "Unpack {archive} in place, bring its costs file into alphabetical order and copy it[ to {target}]. Let me "
        "have the copy's checksum.",
    ),
    slots=(
        ARCHIVE_HERE,
        Slot(
            "target",
            of=File,
            where=lambda node: is_folder(node) and is_own(node) and node.row.name != DOWNLOADS,
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
    says=(
        "Unpack {archive} where it is after emptying my trash, sort the guest list in it, copy the list to my lists "
        "folder, and add the copy's checksum to {manifest}, at the end.",
        "I need some room, so empty the trash. After that, unpack {archive} right there, put its guest list in "
        "alphabetical order and copy it to my lists folder; append the checksum of the copy[ to {manifest}| to one "
        "of my notes].",
        "Please clear out my trash for good and unpack {archive} where it is. The guest list that comes out should "
        "be sorted and copied to my lists folder, and the copy's checksum added to {manifest} as the last line.",
        "Can you empty my trash and unpack {archive} right there? Then sort its guest list, copy it into my lists "
        "folder, and append the copy's checksum to {manifest}.",
        "First empty the trash. Then unpack {archive} where it lies, sort the lines in its guest list, copy the list "
        "to my lists folder, and append the copy's checksum[ to {manifest}| to one of my notes].",
        "What is in my trash can go for good. Unpack {archive} on the spot, order its guest list from A to Z, copy "
        "it to my lists folder, and add the checksum of the copy[ to {manifest}| to one of my notes], as a last "
        "line.",
        "There is too little space, so empty the trash before you unpack {archive} in place. Its guest list is to be "
        "sorted and copied to my lists folder. Add the checksum of the copy to {manifest} as a last line, and change "
        "nothing else in there.",
        "Empty my trash, unpack {archive} where it is and sort the guest list. Copy the list to my lists folder, and "
        "add the copy's checksum to {manifest} as a new last line.",
        "Would you empty my trash, unpack {archive} right where it is, and sort the guest list that comes out? Copy "
        "it to my lists folder and add the copy's checksum[ to {manifest}| to one of my notes], under the rest.",
        "Throw out my trash for good and unpack {archive} on the spot; alphabetise the guest list and copy it into "
        "my lists folder. Finally append the copy's checksum[ to {manifest}| to one of my notes].",
        "I want a sorted guest list: empty the trash, unpack {archive} where it is, sort the guest list that it "
        "holds, copy that to my lists folder, and append the copy's checksum[ to {manifest}| to one of my notes].",
        "Once the trash is emptied, unpack {archive} on the spot, sort its guest list alphabetically, copy it to my "
        "lists folder, and add a last line to {manifest} with the checksum of the copy.",
    ),
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
