"""Users side by side: what `toolgym users audit` computes, as data and as tables for the terminal."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Group as Shown
from rich.table import Table
from rich.text import Text

from toolgym.judge.audit import statistics
from toolgym.judge.audit.group import Group
from toolgym.judge.audit.measures import MEASURES, Measured, measured
from toolgym.judge.audit.statistics import Estimate, Sample
from toolgym.judge.audit.style import DIMENSIONS, FEATURES
from toolgym.judge.evaluation.summary import judge_all
from toolgym.judge.evaluation.trait_success import trait_success, trait_table
from toolgym.judge.scoring.verifier import Basis

MEANING = (
    "Each number stands with its 95 % interval: a bootstrap over tasks, trials of one task together; for words, random "
    "orders of the conversations, cut to as many words in every group. ± is half the interval's width."
)
WORDS: Mapping[str, str] = {
    "distinct-1": "different words, of all words",
    "distinct-2": "different pairs of words, of all pairs",
    "overlap": "words in common with the reference; of the reference with itself in its own column",
}
"""Measures of a whole group's words, with their meaning."""
_WIDE = 2
"""Groups up to which the terminal shows whole intervals."""
_SHARED = 0.5
"""Share of the smallest group's words that is compared: less than all, so that orders differ."""


def audit(
    groups: Sequence[Group], people: str | None, basis: Basis = "state", tick: Callable[[], object] = lambda: None
) -> dict[str, Any]:
    """Compare groups of conversations, as JSON-able data.

    Args:
        groups: each sort of user.
        people: the name of the group that people were recorded in; None where there is none.
        basis: what success compares.
        tick: called after each conversation.
    """
    judged = {group.name: judge_all(group.talks) for group in groups}
    found: dict[str, list[Measured]] = {}
    for name, talks in judged.items():
        found[name] = []
        for talk in talks:
            found[name].append(measured(talk, basis))
            tick()
    samples = {name: Sample(talks) for name, talks in found.items()}
    words = {name: statistics.words_of(talks) for name, talks in found.items()}
    reference = people or groups[0].name
    count = int(_SHARED * min(sum(map(len, texts)) for texts in words.values()))
    pooled = _pooled(list(found.values()))
    columns = []
    for group in groups:
        sample = samples[group.name]
        column: dict[str, Any] = {
            "name": group.name,
            "conversations": len(sample.talks),
            "tasks": len({talk.task for talk in sample.talks}),
            "replies": sum(len(talk.texts) for talk in sample.talks),
            "left_out": group.skipped,
            "measures": _plain(statistics.ratios(sample)),
            "words": _plain(
                {
                    "distinct-1": statistics.distinct(words[group.name], 1, count),
                    "distinct-2": statistics.distinct(words[group.name], 2, count),
                    "overlap": statistics.overlap(words[group.name], words[reference], count),
                }
            ),
            "style": dict(zip(FEATURES, sample.style()[0].tolist(), strict=True)),
        }
        if people is not None and group.name != people:
            column["likeness"] = _plain(statistics.likeness(sample, samples[people], pooled))
        columns.append(column)
    traits = trait_success([talk for talks in judged.values() for talk in talks], basis)
    return {
        "meaning": MEANING,
        "reference": reference,
        "people": people,
        "words_compared": count,
        "groups": columns,
        "traits": traits,
    }


def _pooled(groups: Sequence[Sequence[Measured]]) -> dict[str, float]:
    return statistics.success([talk for talks in groups for talk in talks])


def _plain(estimates: Mapping[str, Estimate]) -> dict[str, list[float]]:
    return {name: [each.value, each.low, each.high] for name, each in estimates.items()}


def rows(found: Mapping[str, Any]) -> list[tuple[str, str, str, list[list[float]]]]:
    """The part, name and meaning of each measure, with its numbers by group."""
    groups = found["groups"]
    made = [("measures", name, meaning) for name, meaning in MEASURES.items()]
    made += [("words", name, meaning) for name, meaning in WORDS.items()]
    if found["people"] is not None:
        made += [("likeness", name, "likeness to the people, 0 to 100") for name in (*DIMENSIONS, "outcomes", "index")]
    nothing = [math.nan] * 3
    return [
        (part, name, meaning, [group.get(part, {}).get(name, nothing) for group in groups])
        for part, name, meaning in made
    ]


def style_rows(found: Mapping[str, Any]) -> list[tuple[str, str, list[list[float]]]]:
    """The dimension and name of each feature of style, with its mean by group."""
    groups = found["groups"]
    return [
        (dimension, name, [[group["style"][name], math.nan, math.nan] for group in groups])
        for dimension, names in DIMENSIONS.items()
        for name in names
    ]


def tables(found: Mapping[str, Any]) -> Shown:
    """The comparison for the terminal."""
    shown = Table(box=None, pad_edge=False)
    shown.add_column("the user", no_wrap=True)
    for group in found["groups"]:
        shown.add_column(group["name"], justify="right", overflow="fold")
    for name, key in (("conversations", "conversations"), ("messages", "replies")):
        shown.add_row(name, *(str(group[key]) for group in found["groups"]))
    last = "measures"
    for part, name, _, numbers in rows(found):
        if part != last:
            shown.add_row()
            last = part
        shown.add_row(name, *(short(each) if len(numbers) > _WIDE else cell(each) for each in numbers))
    parts: list[Table | Text] = [shown]
    if found["traits"]:
        parts += [Text(), trait_table(found["traits"])]
    return Shown(*parts)


def short(numbers: Sequence[float]) -> str:
    """A number with half the width of its interval."""
    value, low, high = numbers
    shown = cell([value, math.nan, math.nan])
    return shown if math.isnan(low) else f"{shown} ±{(high - low) / 2:.2f}"


def cell(numbers: Sequence[float]) -> str:
    """A number with its interval."""
    value, low, high = numbers
    if math.isnan(value):
        return "-"
    digits = 1 if abs(value) >= 10 else 2
    return f"{value:.{digits}f}" + ("" if math.isnan(low) else f" ({low:.{digits}f} {high:.{digits}f})")
