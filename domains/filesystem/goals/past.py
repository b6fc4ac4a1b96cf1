"""Earlier versions and archives."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from toolgym.domains.filesystem.goals.draws import (
    FOLDER,
    NAME,
    archive_name,
    day_of_version,
    is_archive,
    is_file,
    is_folder,
    is_own,
    may_go,
    named,
    version_of_day,
    versions_listed,
)
from toolgym.domains.filesystem.schema import File, size_of
from toolgym.domains.filesystem.tools.looking import list_folder
from toolgym.domains.filesystem.tools.versions import pack, restore_version, unpack
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell

LARGEST = 3


def _files(draw: Draw) -> list[File]:
    folder = draw.values["folder"].path
    return [row for row in draw.rows(File) if row.folder == folder and row.kind == "file"]


def _largest(draw: Draw) -> list[File] | None:
    """The three largest files of the folder, where it is clear which these are."""
    files = sorted(_files(draw), key=lambda row: -size_of(row))
    if len(files) <= LARGEST or size_of(files[LARGEST - 1]) == size_of(files[LARGEST]):
        return None
    return sorted(files[:LARGEST], key=lambda row: row.path)


def _has_many(node: Any) -> bool:
    """Whether it is a folder with more than three files, not all of them small."""
    return bool(is_own(node) and node.row.name in ("slides", "downloads", "reports"))


def _by_size(draw: Draw) -> Any:
    return [(list_folder, {"path": draw.values["folder"], "sort": "size"})]


IN_FOLDER = replace(FOLDER, withheld=0.0, where=lambda node: is_folder(node) and is_own(node))
ARCHIVE_NAME = replace(NAME, draw=archive_name)

PAST = (
    Goal(
        restore_version,
        name="undo",
        verbs=("restore", "go back"),
        says=(
            "Bring back the version of {file} from {day}.",
            "Please go back to how {file} was on {day}.",
            "I want {file} as it was on {day}.",
            "Can you restore an earlier version of {file}[, the one of {day}]?",
            "{file} was right on {day}; restore that version.",
            "Undo what was done to {file} since {day}.",
            "Take {file} back to {day}.",
            "The present text of {file} is wrong[; the version of {day} is the right one].",
            "Put the version of {day} back in place of {file}.",
            "Let {file} be as on {day} again.",
            "I messed up {file}[; please return to the version of {day}].",
            "Would you roll {file} back[ to {day}]?",
        ),
        slots=(
            Slot("file", of=File, where=lambda node: node.row.versions > 0, says=("I mean {}.",)),
            Slot("day", draw=day_of_version, withheld=0.4, says=("That of {}.", "From {}."), reads=versions_listed),
        ),
        worked_out={"version": version_of_day},
    ),
    Goal(
        pack,
        verbs=("pack", "bundle"),
        says=(
            "Pack {paths} as {new_name} into {folder}.",
            "Please zip {paths} and put {new_name} into {folder}.",
            "I need {paths} in an archive[, {new_name},] that goes into {folder}.",
            "Can you pack {paths} for me, into {folder}[, and call the archive {new_name}]?",
            "Make an archive {new_name} with {paths} and put it into {folder}.",
            "Put {paths} into a new archive[ by the name of {new_name}] and that into {folder}.",
            "An archive {new_name} that holds {paths} should go into {folder}.",
            "Create {new_name} out of these: {paths}. It goes into {folder}.",
            "Bundle {paths}[ as {new_name}] into {folder}.",
            "Would you zip up {paths} for me? Put {new_name} into {folder}, please.",
            "Into {folder}, please pack these: {paths}[, as {new_name}].",
            "I'd like {paths} packed[ as {new_name}]; the archive goes into {folder}.",
        ),
        slots=(Slot("paths", where=lambda node: is_file(node) and may_go(node)), IN_FOLDER, ARCHIVE_NAME),
        worked_out={"archive": named},
        tells=(Tell("bytes", kind="number", near=("bytes", "byte", "size")),),
        share=0.7,
    ),
    Goal(
        pack,
        name="pack_up",
        verbs=("pack", "bundle"),
        says=(
            "Pack the three largest files in {folder} into one archive there, {new_name}.",
            "Please zip the three biggest files in {folder} as {new_name}, in the same place.",
            "In {folder}, make an archive[ {new_name}] out of its three largest files.",
            "Can you put the three largest files in {folder} into an archive[ called {new_name}] there?",
            "The three biggest files in {folder} should go into one archive[, {new_name},] right there.",
            "Take the three largest files that are in {folder} and pack them there[ as {new_name}].",
            "I want {new_name} in {folder}, with its three largest files.",
            "Find the three biggest files in {folder} and zip them there[; the archive is called {new_name}].",
            "Bundle the three largest files in {folder}[ as {new_name}] and leave the archive there.",
            "Would you pack the three files in {folder} that take the most space[ into {new_name}], right there?",
            "Make me {new_name} in {folder}, out of the three largest files in it.",
            "Three files fill most of {folder}: pack the largest three into an archive there[, {new_name}].",
        ),
        slots=(replace(IN_FOLDER, where=_has_many, reads=_by_size), ARCHIVE_NAME),
        worked_out={"paths": _largest, "archive": named},
        tells=(Tell("bytes", kind="number", near=("bytes", "byte", "size")),),
    ),
    Goal(
        unpack,
        verbs=("unpack", "extract"),
        says=(
            "Unpack {archive} into {folder}.",
            "Please extract {archive} to {folder}.",
            "I need what is in {archive}; unpack it into {folder}.",
            "Can you unzip {archive}[ into {folder}]?",
            "What {archive} holds should go into {folder}; unpack it.",
            "Open {archive} and unpack it[ into {folder}].",
            "Let the files in {archive} be unpacked to {folder}.",
            "Take out what is in {archive} and put it into {folder}.",
            "Extract {archive}[; it goes into {folder}].",
            "Would you unpack {archive} to {folder} for me?",
            "Somebody sent me {archive}. Unpack it into {folder}, please.",
            "I want {archive} unpacked[, into {folder}].",
        ),
        slots=(
            Slot("archive", where=is_archive, says=("I mean {}.",)),
            replace(FOLDER, of=None, where=lambda node: is_folder(node) and node.row.path.count("/") > 2),
        ),
        tells=(
            Tell(
                "unpacked",
                kind="number",
                value=lambda result: len(result["unpacked"]),
                near=("files", "file", "unpacked", "items"),
            ),
        ),
    ),
)
