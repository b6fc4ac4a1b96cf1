"""What people want to know of their files."""

from collections import Counter
from dataclasses import replace
from typing import Any

from toolgym.domains.filesystem import tools
from toolgym.domains.filesystem.goals.draws import PATH, is_folder, is_own, is_text, may_go
from toolgym.domains.filesystem.schema import File
from toolgym.domains.people import LAST_NAMES
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


def _word(draw: Draw) -> str | None:
    """A name that stands on one line of all that the person may read."""
    words = Counter[str]()
    for node in draw.rows(File):
        if is_text(draw.view(node)):
            words.update(name for name in (node.text or "").replace(",", " ").split() if name in LAST_NAMES)
    once = sorted(word for word, count in words.items() if count == 1)
    return draw.one_of(once)


def _only(field: str) -> Any:
    return lambda result: result["items"][0][field] if result["total"] == 1 else None


def _draft(draw: Draw) -> File | None:
    path = draw.values["left"].path.removesuffix(".txt") + "-draft.txt"
    return draw.database.get(File, path)


def _differing(result: Any) -> list[int] | None:
    """The numbers of the lines that differ, where they are the same in both files."""
    blocks = result["differences"]
    if any(len(block["left_lines"]) != len(block["right_lines"]) for block in blocks):
        return None
    if any(block["left_from"] != block["right_from"] for block in blocks):
        return None
    return [block["left_from"] + at for block in blocks for at in range(len(block["left_lines"]))] or None


TEXT = replace(PATH, where=is_text)
LINES = ("line", "lines")

QUESTIONS = (
    Goal(
        tools.search_contents,
        name="which_line",
        slots=(Slot("text", draw=_word),),
        tells=(
            Tell("path", kind="text", value=_only("path")),
            Tell("line_number", kind="number", value=_only("line_number"), near=LINES),
        ),
    ),
    Goal(
        tools.compare_files,
        name="compare",
        slots=(
            Slot("left", where=lambda node: node.row.folder_name == "contracts" and "draft" not in node.row.name),
            Slot("right", draw=_draft),
        ),
        tells=(Tell("lines", kind="number", value=_differing),),
    ),
    Goal(
        tools.resolve_link,
        name="where_link",
        slots=(replace(PATH, where=lambda node: node.row.kind == "link"),),
        tells=(Tell("path", kind="text"),),
        share=0.7,
    ),
    Goal(
        tools.count_lines, name="ask_lines", slots=(TEXT,), tells=(Tell("lines", kind="number", near=LINES),), share=0.6
    ),
    Goal(
        tools.measure_folder,
        name="ask_size",
        slots=(replace(PATH, where=lambda node: is_folder(node) and is_own(node)),),
        tells=(
            Tell("bytes", kind="number", near=("bytes", "byte")),
            Tell("files", kind="number", near=("files", "file")),
        ),
        share=0.7,
    ),
    Goal(
        tools.get_checksum,
        name="ask_checksum",
        slots=(replace(PATH, where=lambda node: node.row.kind == "file" and may_go(node)),),
        tells=(Tell("checksum", kind="text"),),
        share=0.5,
    ),
    Goal(
        tools.get_info,
        name="ask_versions",
        slots=(replace(PATH, where=lambda node: node.row.versions > 0),),
        tells=(Tell("versions", kind="number", near=("versions", "version")),),
        share=0.5,
    ),
    Goal(
        tools.get_quota,
        name="ask_room",
        tells=(Tell("room", kind="number", value=lambda result: result["free"] + result["in_trash"]),),
        share=0.4,
    ),
)
