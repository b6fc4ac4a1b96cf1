"""The comparison of users as one plain page that loads nothing: a table, and each measure drawn with its intervals."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from typing import Any

from toolgym.judge.audit.board import cell, rows, style_rows

_WIDTH, _LINE, _LEFT = 320, 16, 6
_COLOURS = ("#3e63dd", "#e5484d", "#30a46c", "#ab6400", "#8e4ec6", "#0588f0")


def page(found: Mapping[str, Any]) -> str:
    """The page."""
    names = [group["name"] for group in found["groups"]]
    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in names)
    legend = "".join(
        f'<li><i style="background:{_colour(place)}"></i>{html.escape(name)}: {group["conversations"]} conversations, '
        f"{group['replies']} messages</li>"
        for place, (name, group) in enumerate(zip(names, found["groups"], strict=True))
    )
    body = "".join(_row(name, meaning, numbers) for _, name, meaning, numbers in rows(found))
    style = "".join(_row(name, dimension, numbers) for dimension, name, numbers in style_rows(found))
    traits = _traits(found["traits"]) if found["traits"] else ""
    return _PAGE.format(
        meaning=html.escape(found["meaning"]), legend=legend, head=head, body=body, style=style, traits=traits
    )


def _row(name: str, meaning: str, numbers: Sequence[Sequence[float]]) -> str:
    cells = "".join(f"<td>{html.escape(cell(each))}</td>" for each in numbers)
    label = f'<th scope="row">{html.escape(name)}<small>{html.escape(meaning)}</small></th>'
    return f"<tr>{label}{cells}<td>{_plot(name, numbers)}</td></tr>\n"


def _plot(name: str, numbers: Sequence[Sequence[float]]) -> str:
    """Each group's number as a dot on a line from 0, its interval beside it."""
    most = max((number for each in numbers for number in each if not math.isnan(number)), default=0.0) or 1.0
    height = _LINE * len(numbers)
    marks = []
    for place, (value, low, high) in enumerate(numbers):
        if math.isnan(value):
            continue
        y, colour = _LINE * place + _LINE / 2, _colour(place)
        if not math.isnan(low):
            marks.append(
                f'<line x1="{_x(low, most):.1f}" x2="{_x(high, most):.1f}" y1="{y}" y2="{y}" stroke="{colour}"/>'
            )
        marks.append(f'<circle cx="{_x(value, most):.1f}" cy="{y}" r="4" fill="{colour}"/>')
    inside = "".join(marks)
    label = html.escape(f"{name}: " + ", ".join(map(cell, numbers)))
    return f'<svg role="img" aria-label="{label}" width="{_WIDTH}" height="{height}">{inside}</svg>'


def _x(value: float, most: float) -> float:
    return _LEFT + max(value, 0.0) / most * (_WIDTH - 2 * _LEFT)


def _colour(place: int) -> str:
    return _COLOURS[place % len(_COLOURS)]


def _traits(traits: Mapping[str, Any]) -> str:
    lines = []
    for name, sides in traits.items():
        cells = [f"{sides[side][key]:.3g}" for side in ("with", "without") for key in ("conversations", "pass")]
        gap = sides.get("difference")
        cells.append("-" if gap is None else "{:+.3f} ({:+.2f} {:+.2f})".format(*gap))
        lines.append(
            f'<tr><th scope="row">{html.escape(name)}</th>{"".join(f"<td>{each}</td>" for each in cells)}</tr>'
        )
    heads = ("trait", "with", "pass", "without", "pass", "difference (95 %)")
    head = "".join(f'<th scope="col">{each}</th>' for each in heads)
    return f"<h2>Success by trait</h2><table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


_PAGE = """\
<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Users side by side</title>
<style>
:root {{ color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }}
body {{ max-width: 80rem; margin: 2rem auto; padding: 0 1rem }}
table {{ border-collapse: collapse; display: block; overflow-x: auto }}
th, td {{ padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #8884; white-space: nowrap }}
th:first-child {{ text-align: left; font-weight: 600 }}
small {{ display: block; max-width: 24rem; font-weight: 400; white-space: normal; opacity: .8 }}
ul {{ list-style: none; padding: 0 }}
i {{ display: inline-block; width: .8em; height: .8em; border-radius: 50%; margin-right: .5em }}
line {{ stroke-width: 2; opacity: .6 }}
</style>
<h1>Users side by side</h1>
<p>{meaning}</p>
<ul>{legend}</ul>
<table><thead><tr><th scope="col">measure</th>{head}<th scope="col">from 0</th></tr></thead>
<tbody>
{body}</tbody></table>
<h2>Features of style</h2>
<table><thead><tr><th scope="col">feature</th>{head}<th scope="col">from 0</th></tr></thead>
<tbody>
{style}</tbody></table>
{traits}
</html>
"""
