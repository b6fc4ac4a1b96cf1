"""What people want written in their files."""

from dataclasses import replace
from typing import Any

from toolgym.domains.filesystem import tools
from toolgym.domains.filesystem.goals.draws import PATH, is_folder, is_own, is_text, lines_of, named
from toolgym.domains.filesystem.schema import File
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
    return draw.one_of(names)


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
    return [(tools.read_file, {"path": draw.values["path"]})]


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
    return [
        (tools.list_folder, {"path": draw.values["reports"]}),
        *((tools.read_file, {"path": each}) for each in reports),
    ]


CONTENT = (
    Goal(
        tools.replace_in_file,
        name="fix_word",
        fixed={"every": True},
        slots=(
            TEXT,
            Slot("old", draw=_old),
            Slot("new", draw=_new, withheld=0.4, says=("It should say {}.", "Put {} there.")),
        ),
        tells=(Tell("replaced", near=("time", "times", "place", "places", "replaced", "once", "twice")),),
    ),
    Goal(tools.append_to_file, name="add_line", slots=(TEXT, Slot("text", draw=_line))),
    Goal(
        tools.delete_lines,
        name="drop_lines",
        slots=(replace(TEXT, reads=_seen), Slot("line", draw=_first), Slot("through", draw=_last)),
        tells=(Tell("left", near=("left", "lines", "line", "remain", "remaining", "has")),),
    ),
    Goal(tools.sort_lines, name="sort", slots=(TEXT,), tells=(Tell("lines", near=("lines", "line")),), share=0.5),
    Goal(
        tools.sort_lines,
        name="rank",
        fixed={"numeric": True, "descending": True},
        slots=(replace(PATH, where=lambda node: node.row.name in ("price-list.txt", "inventory.txt")),),
        share=0.5,
    ),
    Goal(
        tools.sort_lines,
        name="unique",
        fixed={"unique": True},
        slots=(replace(PATH, where=lambda node: node.row.name == "callers.txt"),),
        tells=(Tell("lines", near=("lines", "line", "left")),),
        share=0.5,
    ),
    Goal(
        tools.create_file,
        name="notes",
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
