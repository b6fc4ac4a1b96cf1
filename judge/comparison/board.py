"""Two or more runs compared: the numbers as data, and as tables with one plain sentence each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from shlex import quote
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from toolgym.judge.comparison import difference as statistics
from toolgym.judge.comparison.difference import ALPHA, Difference
from toolgym.judge.comparison.runs import MEASURES, Measure, Shared, Side, differing_settings, shared_tasks
from toolgym.judge.evaluation.run_folder import BESIDE
from toolgym.judge.interop.opened import is_ours

_FLIPS = 5
"""Flips of each direction that the terminal names; all of them are in the data."""
_WIDTH = 15
"""Characters of the picture of an interval."""

MEANING = (
    "A difference is more than chance where its 95 % interval (bootstrap over tasks, a task's trials together) leaves "
    "0 out and p is below 0.05: the exact sign test over tasks, which is McNemar's test where each task was tried once."
)


def compare(sides: Sequence[Side]) -> dict[str, Any]:
    """Every run against the first one, as JSON-able data.

    Raises:
        BadInput: two were played on different data.
    """
    first = sides[0]
    pairs = [(second, shared_tasks(first, second)) for second in sides[1:]]
    found = [_pair(first, second, shared) for second, shared in pairs]
    for measure in MEASURES:  # several runs against one are several chances
        corrected = statistics.adjusted([_of(pair[measure]) for pair in found])
        for pair, one in zip(found, corrected, strict=True):
            pair[measure] = _data(one)
    for pair in found:
        pair["sentence"] = sentence(first.name, pair["second"], _of(pair[pair["headline"]]), pair["headline"])
    return {"meaning": MEANING, "first": first.name, "runs": [_run(each) for each in sides], "comparisons": found}


def _run(side: Side) -> dict[str, Any]:
    settings = side.run.settings
    return {
        "name": side.name,
        "path": str(side.path),
        "tasks": len(side.episodes),
        "trials": sorted({len(episodes) for episodes in side.episodes.values()}),
        "left_out": side.left_out,
        "basis": side.basis,
        "settings": {name: value for name, value in settings.items() if name not in BESIDE},
        "made_with": settings.get("made_with"),
    }


def _pair(first: Side, second: Side, common: Shared) -> dict[str, Any]:
    shared = common.tasks
    own = all(first.task(key).is_own for key in first.episodes)
    headline: Measure = "clean" if own else "pass"
    measured: dict[str, Any] = {measure: _data(_difference(first, second, shared, measure)) for measure in MEASURES}
    return {
        "second": second.name,
        "paired": bool(shared),
        "shared": len(shared),
        "moved": common.moved,
        "only_first": len(first.episodes) - len(shared) - len(common.moved),
        "only_second": len(second.episodes) - len(shared) - len(common.moved),
        "headline": headline,
        **measured,
        "families": _families(first, second, shared, headline),
        "flips": _flips(first, second, shared, headline),
        "differing_settings": differing_settings(first, second),
    }


def _difference(first: Side, second: Side, shared: Sequence[str], measure: Measure) -> Difference:
    if shared:
        return statistics.paired(first.outcomes(measure, shared), second.outcomes(measure, shared))
    return statistics.unpaired(*(each.outcomes(measure, each.episodes) for each in (first, second)))


def _families(first: Side, second: Side, shared: Sequence[str], measure: Measure) -> dict[str, Any]:
    found: dict[str, list[str]] = defaultdict(list)
    for key in shared:
        found[first.task(key).family or "-"].append(key)
    if len(found) < 2:
        return {}
    return {family: _data(_difference(first, second, keys, measure)) for family, keys in sorted(found.items())}


def _flips(first: Side, second: Side, shared: Sequence[str], measure: Measure) -> list[dict[str, Any]]:
    """The tasks that one run passes more often, with the trials of each and where to read one that failed."""
    found = []
    for key in shared:
        here, there = ({e.trial: e.came_to(measure) for e in each.episodes[key]} for each in (first, second))
        gap = sum(there.values()) / len(there) - sum(here.values()) / len(here)
        if gap == 0:
            continue
        loser, trials = (first, here) if gap > 0 else (second, there)
        task, trial = first.task(key).id, next(trial for trial, passed in trials.items() if not passed)
        read = f"toolgym show {quote(str(loser.path))} --task {quote(task)} --trial {trial}"
        if not is_ours(loser.path):
            read = f"{task}, trial {trial}, in {loser.path}"
        family = first.task(key).family
        found.append({"task": task, "family": family, "difference": gap, "first": here, "second": there, "read": read})
    return found


def _data(found: Difference) -> dict[str, Any]:
    return asdict(found) | {"more_than_chance": found.more_than_chance}


def _of(data: Mapping[str, Any]) -> Difference:
    return Difference(**{name: value for name, value in data.items() if name != "more_than_chance"})


def sentence(first: str, second: str, found: Difference, measure: Measure) -> str:
    """Which is better, by how much, and whether that is more than chance."""
    better, worse = (second, first) if found.value > 0 else (first, second)
    low, high = (found.low, found.high) if found.value > 0 else (0.0 - found.high, 0.0 - found.low)
    said = f"in {MEASURES[measure]} (95 % {low:+.3f} to {high:+.3f}, p {_p(found.p)})"
    if abs(found.value) < 1e-12:
        return f"{first} and {second} are equal {said}: not more than chance."
    verdict = "more than chance" if found.more_than_chance else "not more than chance"
    alone = found.p >= ALPHA and (found.low > 0 or found.high < 0)
    why = (
        f"; the interval leaves 0 out, but {counted(found.better + found.worse, 'flip')} say too little"
        if alone
        else ""
    )
    return f"{better} is better than {worse} by {abs(found.value):.3f} {said}: {verdict}{why}."


def counted(count: int, noun: str) -> str:
    """A number with its noun."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


# --- for the terminal ---


def tables(found: Mapping[str, Any]) -> Group:
    """Every comparison, with its sentence first."""
    parts: list[RenderableType] = []
    for pair in found["comparisons"]:
        parts += [*_shown(found["first"], pair, found["runs"]), Text()]
    many = len(found["comparisons"])
    holm = f" p is corrected for {many} comparisons (Holm)." if many > 1 else ""
    return Group(*parts, Text(MEANING + holm, style="dim"))


def _shown(first: str, pair: Mapping[str, Any], runs: Sequence[Mapping[str, Any]]) -> list[RenderableType]:
    headline = pair["headline"]
    parts: list[RenderableType] = [Text(pair["sentence"], style="bold"), *_notes(first, pair, runs), Text()]
    order = (headline, *(measure for measure in MEASURES if measure != headline))
    rows = [(MEASURES[measure], _of(pair[measure])) for measure in order]
    rows += [(f"  {family}", _of(data)) for family, data in pair["families"].items()]
    parts.append(_table(rows))
    return [*parts, *_flips_shown(first, pair)]


def _notes(first: str, pair: Mapping[str, Any], runs: Sequence[Mapping[str, Any]]) -> list[Text]:
    second, lines = pair["second"], []
    if not pair["paired"]:
        lines.append("No task is in both, so the runs are compared as two samples of one split, not in pairs.")
    elif pair["only_first"] or pair["only_second"]:
        rest = f"only {first} has {pair['only_first']} more, only {second} {pair['only_second']}"
        lines.append(f"Compared on {counted(pair['shared'], 'task')} of both; {rest}.")
    if pair["moved"]:
        some = ", ".join(pair["moved"][:_FLIPS])
        more = f" and {len(pair['moved']) - _FLIPS} more" if len(pair["moved"]) > _FLIPS else ""
        lines.append(
            f"Left out, as they ask for something else in {second} (another version of the data): {some}{more}."
        )
    for run in runs:
        if run["name"] in (first, second) and run["left_out"]:
            left = counted(run["left_out"], "episode")
            lines.append(f"{run['name']}: {left} left out (infrastructure failures or unreadable).")
    lines += [_trials(run) for run in runs if run["name"] in (first, second) and run["trials"] != [1]]
    differing = [f"{name} ({_short(a)}, {_short(b)})" for name, (a, b) in pair["differing_settings"].items()]
    lines += [f"They differ in {', '.join(differing)}."] if differing else []
    lines.append(f"A is {first}, B is {second}.")
    return [Text(line) for line in [*lines, _power(_of(pair[pair["headline"]]))] if line]


def _trials(run: Mapping[str, Any]) -> str:
    counts = " or ".join(map(str, run["trials"]))
    return f"{run['name']} has {counts} trials a task; a task counts by the share that passed."


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _power(found: Difference) -> str:
    kind = ("pair" if found.tasks == 1 else "pairs") + " of tasks" if found.paired else "tasks in all"
    if found.visible is None:
        return ""
    shows = f"These {found.tasks} {kind} show a difference of {found.visible:.3f} with a chance of 80 %"
    if found.needed is None or found.more_than_chance:
        return f"{shows}."
    return f"{shows}; one of {abs(found.value):.3f} would take about {found.needed:,}."


def _table(rows: Sequence[tuple[str, Difference]]) -> Table:
    most = max(0.05, *(max(abs(found.low), abs(found.high)) for _, found in rows))
    shown = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    shown.add_column("", no_wrap=True)
    for heading in ("tasks", "A", "B", "B - A (95 %)", "p"):
        shown.add_column(heading, justify="right", no_wrap=True)
    shown.add_column(f"{-most:+.2f}".ljust(_WIDTH // 2) + "0" + f"{most:+.2f}".rjust(_WIDTH // 2), no_wrap=True)
    for name, found in rows:
        gap = f"{found.value:+.3f} ({found.low:+.2f} {found.high:+.2f})"
        cells = (str(found.tasks), f"{found.first:.3f}", f"{found.second:.3f}", gap, _p(found.p))
        shown.add_row(name, *cells, picture(found, most))
    return shown


def picture(found: Difference, most: float) -> str:
    """An interval as characters, from -most to +most: `─` where it reaches, `●` its value, `│` nought."""
    place = [round((value / most + 1) / 2 * (_WIDTH - 1)) for value in (found.low, found.value, found.high)]
    low, value, high = (min(_WIDTH - 1, max(0, each)) for each in place)
    line = ["─" if low <= at <= high else "·" for at in range(_WIDTH)]
    line[_WIDTH // 2] = "│"
    line[value] = "●"
    return "".join(line)


def _flips_shown(first: str, pair: Mapping[str, Any]) -> list[Text]:
    lines: list[Text] = []
    for winner, loser, sign in ((first, pair["second"], -1), (pair["second"], first, 1)):
        flips = [flip for flip in pair["flips"] if flip["difference"] * sign > 0]
        if not flips:
            continue
        lines.append(
            Text(f"\nPassed more often by {winner} than by {loser}, {counted(len(flips), 'task')}:", style="italic")
        )
        lines += [Text(f"  {flip['read']}") for flip in flips[:_FLIPS]]
        lines += [Text(f"  and {len(flips) - _FLIPS} more (--json FILE lists all)")] if len(flips) > _FLIPS else []
    return lines
