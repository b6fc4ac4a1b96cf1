"""Earlier versions and archives."""

from dataclasses import replace
from typing import Any

from toolgym.domains.filesystem import tools
from toolgym.domains.filesystem.goals import draws
from toolgym.domains.filesystem.schema import File, size_of
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
    return bool(draws.is_own(node) and node.row.name in ("slides", "downloads", "reports"))


def _by_size(draw: Draw) -> Any:
    return [(tools.list_folder, {"path": draw.values["folder"], "sort": "size"})]


IN_FOLDER = replace(draws.FOLDER, withheld=0.0, where=lambda node: draws.is_folder(node) and draws.is_own(node))
ARCHIVE_NAME = replace(draws.NAME, draw=draws.archive_name)

PAST = (
    Goal(
        tools.restore_version,
        name="undo",
        slots=(
            Slot("file", of=File, where=lambda node: node.row.versions > 0, says=("I mean {}.",)),
            Slot(
                "day",
                draw=draws.day_of_version,
                withheld=0.4,
                says=("That of {}.", "From {}."),
                reads=draws.versions_listed,
            ),
        ),
        worked_out={"version": draws.version_of_day},
    ),
    Goal(
        tools.pack,
        slots=(Slot("paths", where=lambda node: draws.is_file(node) and draws.may_go(node)), IN_FOLDER, ARCHIVE_NAME),
        worked_out={"archive": draws.named},
        tells=(Tell("bytes", kind="number", near=("bytes", "byte", "size")),),
        share=0.7,
    ),
    Goal(
        tools.pack,
        name="pack_up",
        slots=(replace(IN_FOLDER, where=_has_many, reads=_by_size), ARCHIVE_NAME),
        worked_out={"paths": _largest, "archive": draws.named},
        tells=(Tell("bytes", kind="number", near=("bytes", "byte", "size")),),
    ),
    Goal(
        tools.unpack,
        slots=(
            Slot("archive", where=draws.is_archive, says=("I mean {}.",)),
            replace(draws.FOLDER, of=None, where=lambda node: draws.is_folder(node) and node.row.path.count("/") > 2),
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
