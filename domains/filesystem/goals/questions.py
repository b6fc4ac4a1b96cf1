"""What people want to know of their files."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from toolgym.domains.filesystem.goals.draws import PATH, is_folder, is_own, is_text, may_go
from toolgym.domains.filesystem.schema import File
from toolgym.domains.filesystem.tools.looking import get_info, get_quota, measure_folder, resolve_link
from toolgym.domains.filesystem.tools.reading import compare_files, count_lines, get_checksum, search_contents
from toolgym.domains.people import LAST_NAMES
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell


def _word(draw: Draw) -> str | None:
    """A name that stands on one line of all that the person may read."""
    words = Counter[str]()
    for node in draw.rows(File):
        if is_text(draw.view(node)):
            words.update(name for name in (node.text or "").replace(",", " ").split() if name in LAST_NAMES)
    once = sorted(word for word, count in words.items() if count == 1)
    return draw.rng.choice(once) if once else None


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
        search_contents,
        name="which_line",
        verbs=("tell", "find"),
        says=(
            "In which of my files is {text} mentioned, and on what line?",
            "Where do I have something about {text}? I need the file and the line.",
            "Which file mentions {text}, and in which line?",
            "Please find the file and the line that speak of {text}.",
            "I noted something on {text} somewhere. In what file and line is it?",
            "Can you tell me where {text} comes up, with the number of the line?",
            "{text} is in one of my files. Which one, and what line?",
            "Search my files for {text} and tell me file and line.",
            "What file holds the name {text}, and on which line is it?",
            "I am looking for {text}: file and number of the line, please.",
            "Tell me in what file I wrote about {text}, and the line.",
            "Is {text} anywhere in my files? If so, in which one and on what line?",
        ),
        slots=(Slot("text", draw=_word),),
        tells=(
            Tell("path", kind="text", value=_only("path")),
            Tell("line_number", kind="number", value=_only("line_number"), near=LINES),
        ),
    ),
    Goal(
        compare_files,
        name="compare",
        verbs=("compare", "tell"),
        says=(
            "Which lines differ between {left} and {right}?",
            "Please compare {left} with {right} and tell me the lines that differ.",
            "What lines are not the same in {left} and {right}?",
            "In which lines does {left} differ from {right}?",
            "Can you tell me on which lines {left} and {right} are different?",
            "I need to know where {left} and {right} part; the numbers of the lines will do.",
            "Go through {left} and {right}: which lines are different?",
            "Hold {left} against {right} and give me the lines in which they differ.",
            "What is the difference between {left} and {right}? Just the numbers of the lines.",
            "Somebody changed {left} after {right} was written; in which lines?",
            "Look for differences of {left} and {right} and name the lines.",
            "Tell me which lines of {left} are not as in {right}.",
        ),
        slots=(
            Slot("left", where=lambda node: node.row.folder_name == "contracts" and "draft" not in node.row.name),
            Slot("right", draw=_draft),
        ),
        tells=(Tell("lines", kind="number", value=_differing),),
    ),
    Goal(
        resolve_link,
        name="where_link",
        verbs=("tell",),
        says=(
            "Where does {path} lead?",
            "What is behind {path}?",
            "Which file does {path} open?",
            "Tell me where {path} leads in the end.",
            "I forgot what {path} stands for; which file is it?",
            "Can you look up what {path} leads to?",
            "What does {path} point to?",
            "Please follow {path} and tell me where one ends up.",
            "If I open {path}, what file do I get?",
            "Which file is meant by {path}?",
            "To which path does {path} lead, please?",
            "I'd like to know the target of {path}.",
        ),
        slots=(replace(PATH, where=lambda node: node.row.kind == "link"),),
        tells=(Tell("path", kind="text"),),
        share=0.7,
    ),
    Goal(
        count_lines,
        name="ask_lines",
        verbs=("count", "tell"),
        says=(
            "How many lines does {path} have?",
            "Count the lines of {path}, please.",
            "How long is {path}, in lines?",
            "Tell me the number of lines in {path}.",
            "Of how many lines is {path} made?",
            "Can you count how many lines there are in {path}?",
            "What is the number of lines of {path}?",
            "I need to know how many lines {path} has.",
            "How many entries, line by line, does {path} hold?",
            "Please tell me how many lines {path} comes to.",
            "Line count of {path}, please.",
            "Do you know how many lines stand in {path}?",
        ),
        slots=(TEXT,),
        tells=(Tell("lines", kind="number", near=LINES),),
        share=0.6,
    ),
    Goal(
        measure_folder,
        name="ask_size",
        verbs=("measure", "tell"),
        says=(
            "How many bytes does {path} take, and how many files is that?",
            "How large is {path}? Bytes and number of files, please.",
            "Measure {path} for me: bytes, and how many files.",
            "What does {path} come to in bytes, and in files?",
            "Tell me how many files {path} has and how many bytes they are.",
            "I need the size of {path} in bytes and the number of its files.",
            "How much is in {path}, in bytes and in files?",
            "Can you tell me the bytes and the count of files in {path}?",
            "How many files are there in {path}, and what do they weigh in bytes?",
            "Please look how big {path} is, with the number of files.",
            "Bytes and files of {path}, please.",
            "What is the total size of {path} in bytes, and of how many files?",
        ),
        slots=(replace(PATH, where=lambda node: is_folder(node) and is_own(node)),),
        tells=(
            Tell("bytes", kind="number", near=("bytes", "byte")),
            Tell("files", kind="number", near=("files", "file")),
        ),
        share=0.7,
    ),
    Goal(
        get_checksum,
        name="ask_checksum",
        verbs=("tell",),
        says=(
            "What is the checksum of {path}?",
            "Please give me the checksum of {path}.",
            "I need the checksum of {path}.",
            "Can you work out the checksum of {path}?",
            "Tell me which checksum {path} has.",
            "Read me the checksum of {path}, please.",
            "Somebody asked for the checksum of {path}; what is it?",
            "Look up the checksum of {path}.",
            "Which checksum belongs to {path}?",
            "To check a download I need the checksum of {path}.",
            "What checksum do you get for {path}?",
            "I'd like the checksum of {path}.",
        ),
        slots=(replace(PATH, where=lambda node: node.row.kind == "file" and may_go(node)),),
        tells=(Tell("checksum", kind="text"),),
        share=0.5,
    ),
    Goal(
        get_info,
        name="ask_versions",
        verbs=("tell",),
        says=(
            "How many versions of {path} are kept?",
            "How often has {path} been changed? I mean, how many versions are there?",
            "Tell me how many earlier versions {path} has.",
            "How many old versions of {path} do we have?",
            "What number of versions is there of {path}?",
            "Are there earlier versions of {path}, and how many?",
            "Can you tell me how many versions of {path} I could go back to?",
            "How many times was {path} saved before? The number of versions will do.",
            "I'd like to know the number of versions of {path}.",
            "Please check how many versions {path} has.",
            "To how many versions of {path} can I return?",
            "How many versions of {path} did the workspace keep?",
        ),
        slots=(replace(PATH, where=lambda node: node.row.versions > 0),),
        tells=(Tell("versions", kind="number", near=("versions", "version")),),
        share=0.5,
    ),
    Goal(
        get_quota,
        name="ask_room",
        verbs=("tell",),
        says=(
            "How much space would I have if I emptied my trash?",
            "If the trash were empty, how many bytes would be free?",
            "Suppose I empty the trash: how many bytes can I use then?",
            "How many free bytes would there be without what is in my trash?",
            "Tell me how much room I would have after emptying the trash, in bytes.",
            "I am thinking of emptying the trash. How much space would that leave me?",
            "What would be free, in bytes, once the trash is empty?",
            "Can you work out how many bytes I could use with an empty trash?",
            "With the trash gone, how much space do I have?",
            "How much room is there for me if I do not count the trash?",
            "I want to know my free space as it would be with an empty trash.",
            "Add what is free and what is in the trash: how many bytes is that?",
        ),
        tells=(Tell("room", kind="number", value=lambda result: result["free"] + result["in_trash"]),),
        share=0.4,
    ),
)
