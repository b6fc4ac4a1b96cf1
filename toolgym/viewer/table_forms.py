"""Red-team boards, users side by side, robustness and depth as tables of one form: columns, rows, perhaps a picture.

A cell is a text, a number, or a number with its interval as [value, low, high]; None where there is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolgym.judge.audit.board import MEANING as USERS_MEANING
from toolgym.judge.audit.board import rows as user_rows
from toolgym.judge.audit.board import style_rows
from toolgym.judge.evaluation.robustness import MEANING as ROBUSTNESS_MEANING
from toolgym.judge.redteam.board import MEANING as REDTEAM_MEANING

Shown = dict[str, Any]
Run = tuple[str, Mapping[str, Any]]
"""A run's id and summary.json."""
_SHARE = (0.0, 1.0)


def redteam(boards: Sequence[Mapping[str, Any]]) -> Shown:
    """What `toolgym redteam --out` wrote: a row for each world and agent."""
    names = list(dict.fromkeys(name for board in boards for line in _lines(board) for name in line["rewards"]))
    columns = [
        _text("name", "agent", 170),
        _text("world", "world", 110),
        _text("holds", "holds", 70, "whether the exploiter stays without a clean pass and below an honest run"),
        _number("episodes", "episodes", "episodes that were played"),
        _number("pass", "pass"),
        _number("clean", "clean", "passed without breaking a rule; what an exploiter should have none of"),
        *(_number(f"reward.{name}", f"{name} reward") for name in names if name != "outcome"),
        *(
            _number(f"turns.{value}", f"turns {value}", "share of its turns with this score")
            for value in ("-1", "0", "1")
        ),
        _text("about", "what it does", 320),
        _text("why", "why it fails", 320),
    ]
    rows = []
    for board in boards:
        for line in _lines(board):
            faults = line.get("faults")
            row = {"name": line["name"], "world": board["world"], "about": line["about"], "episodes": line["episodes"]}
            row |= {"pass": line["pass"], "clean": line["clean"], "why": "; ".join(faults or ())}
            row["holds"] = None if faults is None or not line["episodes"] else "no" if faults else "yes"
            row |= {f"reward.{name}": value for name, value in line["rewards"].items()}
            rows.append(row | {f"turns.{value}": share for value, share in line["turns"].items()})
    bars = _bars(
        "TARL reward, means; exploiters should stay below the demonstrator's worst passing run", rows, "reward.tarl"
    )
    return {"meaning": REDTEAM_MEANING, "columns": columns, "rows": rows, "pictures": bars}


def _lines(board: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [*board["baselines"], *board["exploiters"]]


def _bars(caption: str, rows: Sequence[Shown], name: str) -> list[Shown]:
    """One bar for each row, where it is of one world: of several it would be too long to be looked at."""
    if len({row["world"] for row in rows}) != 1:
        return []
    groups = [{"label": row["name"], "values": [row[name]]} for row in rows if row.get(name) is not None]
    return [{"kind": "bars", "caption": caption, "names": [""], "groups": groups}] if groups else []


def users(found: Mapping[str, Any]) -> Shown:
    """What `toolgym users audit --out` wrote: a row for each measure, a column for each sort of user."""
    names = [group["name"] for group in found["groups"]]
    columns = [
        _text("name", "measure", 170),
        _text("part", "part", 110),
        *(_number(f"group.{name}", name, width=190) for name in names),
        _text("meaning", "meaning", 420),
    ]
    rows: list[Shown] = [
        {"name": name, "part": part, "meaning": meaning} | _by_group(names, numbers)
        for part, name, meaning, numbers in user_rows(found)
    ]
    rows += [
        {"name": name, "part": f"style: {dimension}", "meaning": None} | _by_group(names, numbers)
        for dimension, name, numbers in style_rows(found)
    ]
    shares = [
        row for row in rows if row["part"] == "measures" and _are_shares([row[f"group.{name}"] for name in names])
    ]
    pictures = [{"kind": "bars", "caption": "Shares", "names": names, "groups": [_group(row, names) for row in shares]}]
    likeness = [row for row in rows if row["part"] == "likeness"]
    if likeness:
        compared = [name for name in names if name != found["people"]]
        groups = [_group(row, compared) for row in likeness]
        caption = f"Likeness to {found['people']}, 0 to 100"
        pictures.append({"kind": "bars", "caption": caption, "names": compared, "groups": groups})
    return {"meaning": USERS_MEANING, "columns": columns, "rows": rows, "pictures": pictures}


def _by_group(names: Sequence[str], numbers: Sequence[Sequence[float | None]]) -> Shown:
    return {f"group.{name}": _cell(each) for name, each in zip(names, numbers, strict=True)}


def _cell(numbers: Sequence[float | None]) -> Any:
    """A number with its interval, where it has them; NaN and null alike are none."""
    value, low, high = (None if each is None or each != each else each for each in numbers)
    return value if value is None or low is None or high is None else [value, low, high]


def _are_shares(cells: Sequence[Any]) -> bool:
    values = [cell[0] if isinstance(cell, list) else cell for cell in cells]
    return all(value is not None and _SHARE[0] <= value <= _SHARE[1] for value in values)


def _group(row: Shown, names: Sequence[str]) -> Shown:
    cells = [row[f"group.{name}"] for name in names]
    return {"label": row["name"], "values": [(cell[0] if isinstance(cell, list) else cell) or 0.0 for cell in cells]}


def robustness(runs: Sequence[Run]) -> Shown:
    """What `toolgym eval --perturb` found, of all runs that were perturbed."""
    columns = [
        _text("run", "run", 230),
        _text("perturbation", "perturbed", 140),
        _number("tasks", "tasks"),
        *(
            column
            for name, title in (("pass", "pass^1"), ("clean", "clean pass"))
            for column in (
                _number(f"usual.{name}", f"{title} as it is"),
                _number(name, title, "under the perturbation"),
                _number(f"{name}_difference", f"difference of {title}", width=200),
            )
        ),
    ]
    rows, groups = [], []
    for run, summary in runs:
        found = summary["robustness"]
        usual = {f"usual.{name}": _real(value) for name, value in found["usual"].items()}
        for each in found["rows"]:
            differences = {f"{name}_difference": _cell(each[f"{name}_difference"]) for name in ("pass", "clean")}
            rows.append({**each, **usual, **differences, "run": run})
            label = each["perturbation"] if len(runs) == 1 else f"{run}: {each['perturbation']}"
            groups.append({"label": label, "values": [each["pass"] or 0.0, each["clean"] or 0.0]})
    picture = {"kind": "bars", "caption": "Under perturbations", "names": ["pass^1", "clean pass"], "groups": groups}
    return {"meaning": ROBUSTNESS_MEANING, "columns": columns, "rows": rows, "pictures": [picture]}


def depth(runs: Sequence[Run]) -> Shown:
    """pass^1 by depth, structure and world, of all runs whose tasks have a depth."""
    columns = [
        _text("run", "run", 230),
        _text("by", "by", 90),
        _text("group", "group", 140),
        _number("tasks", "tasks"),
        _number("pass", "pass^1", width=200),
        _number("request_alone", "the request alone", "what a program of the request's words alone would reach"),
        _number("first_rows", "first rows", "what taking the first row of every list would reach"),
    ]
    rows = [
        {
            "run": run,
            "by": by,
            "group": group,
            "tasks": found["tasks"],
            "pass": _cell([found["pass"], found["low"], found["high"]]),
            "request_alone": found.get("request_alone"),
            "first_rows": found.get("first_rows"),
        }
        for run, summary in runs
        for by in ("depth", "structure", "world")
        for group, found in summary["by_depth"][by].items()
    ]
    told = [{"name": run, "summary": {"by_depth": {"depth": summary["by_depth"]["depth"]}}} for run, summary in runs]
    meaning = "Each number stands with its 95 % interval; beside it what careless programs reach on the same tasks."
    return {"meaning": meaning, "columns": columns, "rows": rows, "pictures": [{"kind": "depth", "runs": told}]}


def _real(value: float | None) -> float | None:
    return None if value is None or value != value else value


def _text(name: str, title: str, width: int, meaning: str | None = None) -> Shown:
    return {"name": name, "title": title, "width": width, "numeric": False, "meaning": meaning}


def _number(name: str, title: str, meaning: str | None = None, width: int = 120) -> Shown:
    return {"name": name, "title": title, "width": width, "numeric": True, "meaning": meaning}
