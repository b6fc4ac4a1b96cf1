"""What people want written in their files."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from toolgym.domains.filesystem.goals.draws import PATH, is_folder, is_own, is_text, lines_of, named
from toolgym.domains.filesystem.schema import File
from toolgym.domains.filesystem.tools.looking import list_folder
from toolgym.domains.filesystem.tools.reading import read_file
from toolgym.domains.filesystem.tools.writing import (
    append_to_file,
    create_file,
    delete_lines,
    replace_in_file,
    sort_lines,
)
from toolgym.domains.people import LAST_NAMES
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell

TEXT = replace(PATH, where=is_text)
_MONTHS = ("March", "April", "May", "June")
_BRANCHES = ("north", "south", "west")


def _old(draw: Draw) -> str | None:
    """A date of an offer, or a name that stands in the file."""
    lines = lines_of(draw)
    if lines and lines[0].startswith("Offer"):
        return lines[1].removeprefix("Date: ")
    words = [word.strip(",:") for line in lines for word in line.split()]
    names = sorted({word for word in words if word in LAST_NAMES})
    text = "\n".join(lines)
    names = [name for name in names if text.count(name) == words.count(name)]
    return draw.rng.choice(names) if names else None


def _new(draw: Draw) -> str | None:
    old = draw.values["old"]
    day = f"{draw.rng.randrange(2, 29)} {draw.rng.choice(_MONTHS)}"
    new = day if old[0].isdigit() else draw.rng.choice(LAST_NAMES)
    return None if new == old else new


def _line(draw: Draw) -> str:
    name, number = draw.rng.choice(LAST_NAMES), draw.rng.randrange(2, 90)
    return draw.rng.choice(("{}, {} lamps", "{}: {} chairs", "{} - {} screens")).format(name, number)


def _first(draw: Draw) -> int | None:
    count = len(lines_of(draw))
    return draw.rng.randrange(2, count) if count > 2 else None


def _last(draw: Draw) -> int | None:
    first, count = draw.values["line"], len(lines_of(draw))
    return draw.rng.randrange(first + 1, count + 1) if first < count else None


def _seen(draw: Draw) -> Any:
    return [(read_file, {"path": draw.values["path"]})]


def _report(draw: Draw, branch: str) -> File | None:
    return draw.database.get(File, f"{draw.values['reports'].path}/branch-{branch}.txt")


def _total(branch: str) -> Any:
    def value(draw: Draw) -> int | None:
        found = _report(draw, branch)
        lines = ((found.text if found else "") or "").splitlines()
        sums = [line.removeprefix("total: ") for line in lines if line.startswith("total: ")]
        return int(sums[0]) if len(sums) == 1 and sums[0].isdigit() else None

    return value


def _read(draw: Draw) -> Any:
    reports = [_report(draw, branch) for branch in _BRANCHES]
    return [(list_folder, {"path": draw.values["reports"]}), *((read_file, {"path": each}) for each in reports)]


CONTENT = (
    Goal(
        replace_in_file,
        name="fix_word",
        verbs=("change", "replace", "correct"),
        fixed={"every": True},
        says=(
            "In {path}, change {old} to {new} everywhere.",
            "Please replace {old} by {new} throughout {path}.",
            "{path} still says {old}; it should be {new} everywhere.",
            "Wherever {path} has {old}, put {new} instead.",
            "Can you correct {old} to {new} everywhere in {path}?",
            "It is no longer {old} but {new}; please fix that throughout {path}.",
            "I wrote {old} in {path}. Make it {new}, wherever it comes up.",
            "Swap {old} in {path} for {new}, everywhere.",
            "There is a mistake in {path}: {old} has to become {new} wherever it appears.",
            "Go through {path} and turn {old} into {new}, please.",
            "I need {new} instead of {old} everywhere in {path}.",
            "{old} is wrong in {path}[; {new} is right]. Please change it everywhere.",
        ),
        slots=(
            TEXT,
            Slot("old", draw=_old),
            Slot("new", draw=_new, withheld=0.4, says=("It should say {}.", "Put {} there.")),
        ),
        tells=(Tell("replaced", near=("time", "times", "place", "places", "replaced", "once", "twice")),),
    ),
    Goal(
        append_to_file,
        name="add_line",
        verbs=("add", "append", "write"),
        says=(
            'Add the line "{text}" to {path}.',
            'Please write "{text}" at the end of {path}.',
            '{path} needs one more line: "{text}".',
            'At the bottom of {path}, add "{text}".',
            'Put "{text}" under the rest of {path}, please.',
            'Can you append "{text}" to {path}?',
            'One thing is missing from {path}, namely "{text}". Add it at the end.',
            'I forgot something in {path}; the last line should be "{text}".',
            'Let {path} end with the line "{text}".',
            'Would you add a line to {path}? It says "{text}".',
            'Note "{text}" in {path}, after everything else.',
            '"{text}" has to go into {path}, right at the end.',
        ),
        slots=(TEXT, Slot("text", draw=_line)),
    ),
    Goal(
        delete_lines,
        name="drop_lines",
        verbs=("delete", "remove", "cut"),
        says=(
            "Delete lines {line} through {through} in {path}.",
            "Please cut lines {line} through {through} out of {path}.",
            "{path} is too long; lines {line} through {through} can go.",
            "I do not need lines {line} through {through} in {path} any more. Delete them.",
            "Can you take lines {line} through {through} out of {path}?",
            "In {path}, drop lines {line} through {through}.",
            "Remove lines {line} through {through} in {path}, please.",
            "From {path}, please delete lines {line} through {through} and leave the others.",
            "Lines {line} through {through} in {path} are out of date; throw them out.",
            "Shorten {path}: without lines {line} through {through}.",
            "Get rid of lines {line} through {through} in {path}.",
            "{path} should lose its lines {line} through {through}.",
        ),
        slots=(
            replace(TEXT, reads=_seen),
            Slot("line", draw=_first),
            Slot("through", draw=_last),
        ),
        tells=(Tell("left", near=("left", "lines", "line", "remain", "remaining", "has")),),
    ),
    Goal(
        sort_lines,
        name="sort",
        verbs=("sort", "order"),
        says=(
            "Sort the lines of {path}.",
            "Please put {path} in alphabetical order.",
            "{path} is a mess; sort it alphabetically.",
            "Can you order the lines of {path} from A to Z?",
            "I want {path} alphabetical.",
            "Bring the lines of {path} into alphabetical order, please.",
            "Everything in {path} should be in alphabetical order.",
            "Arrange {path} line by line from A to Z.",
            "{path} is hard to read. Sort its lines, please.",
            "Would you alphabetise {path}?",
            "Let the lines of {path} follow the alphabet.",
            "Put the entries of {path} in order, A first.",
        ),
        slots=(TEXT,),
        tells=(Tell("lines", near=("lines", "line")),),
        share=0.5,
    ),
    Goal(
        sort_lines,
        name="rank",
        verbs=("sort", "rank"),
        fixed={"numeric": True, "descending": True},
        says=(
            "Sort {path} by number, the largest first.",
            "Please rank the lines of {path} by their number, highest on top.",
            "In {path} the biggest numbers should come first.",
            "Can you order {path} by number, from high to low?",
            "Put {path} in order of the numbers, starting with the largest.",
            "I want the highest number of {path} at the top and the lowest at the bottom.",
            "Arrange the lines of {path} by number, going down.",
            "Let {path} begin with the largest number and go down from there.",
            "{path} should be sorted numerically, descending.",
            "Reorder {path} so that the numbers get smaller from line to line.",
            "Rank {path} for me: big numbers first.",
            "Would you sort {path} by number, in descending order?",
        ),
        slots=(replace(PATH, where=lambda node: node.row.name in ("price-list.txt", "inventory.txt")),),
        share=0.5,
    ),
    Goal(
        sort_lines,
        name="unique",
        verbs=("sort", "clean"),
        fixed={"unique": True},
        says=(
            "Sort {path} and drop lines that stand there twice.",
            "Please put {path} in alphabetical order, each line only once.",
            "{path} has duplicate lines. Sort it and keep one of each.",
            "Can you sort {path} and take out the duplicates?",
            "I want {path} alphabetical and without repeated lines.",
            "Clean up {path}: alphabetical order, nothing twice.",
            "Order {path} from A to Z and keep only one of any identical lines.",
            "Some entries of {path} are in it twice; sort them and remove the doubles.",
            "Let every line stand only once in {path}, in alphabetical order.",
            "Sort {path}, please, and throw out the repeats.",
            "Would you alphabetise {path} and get rid of the duplicates?",
            "Put {path} in order, and where a line comes twice, keep one.",
        ),
        slots=(replace(PATH, where=lambda node: node.row.name == "callers.txt"),),
        tells=(Tell("lines", near=("lines", "line", "left")),),
        share=0.5,
    ),
    Goal(
        create_file,
        name="notes",
        verbs=("write", "note"),
        says=(
            "Write a short file {new_name} in {folder} with the three branch totals from {reports}.",
            "I need the totals of the branch reports from {reports} in one file, {new_name} in {folder}.",
            "Please put together a file {new_name} in {folder}: the totals of the three branches from {reports}.",
            "Make a file {new_name} in {folder} that holds the total of each branch report from {reports}.",
            "Can you collect the totals of the branch reports from {reports} in a new file {new_name} in {folder}?",
            "Take the three branch totals from {reports} and write them down in {folder}, in a file {new_name}.",
            "My boss wants the three branch totals from {reports} on a page. Create {new_name} in {folder} with them.",
            "Read the branch reports from {reports} and note the three totals in a new file, {new_name}, in {folder}.",
            "Start a file {new_name} in {folder} with what each branch from {reports} comes to in total.",
            "With the branch reports from {reports}, make {new_name} in {folder}; it should give the three totals.",
            "Create {new_name} in {folder} and write down the three totals of the branch reports from {reports}.",
            "The three totals of the branch reports from {reports} should stand together in {new_name}, in {folder}.",
        ),
        slots=(
            Slot("text", mentions=_BRANCHES),
            Slot("reports", of=File, where=lambda node: is_own(node) and node.row.name == "reports", reads=_read),
            Slot("folder", of=File, where=lambda node: is_own(node) and is_folder(node)),
            Slot("new_name", draw=lambda draw: f"totals-{draw.rng.choice(_MONTHS).lower()}.txt"),
        ),
        worked_out={**{branch: _total(branch) for branch in _BRANCHES}, "path": named},
        where=lambda reports, folder: reports.row.path != folder.row.path,
        tells=(Tell("totals", kind="number", value=lambda result, drawn: [drawn.values[each] for each in _BRANCHES]),),
    ),
)
