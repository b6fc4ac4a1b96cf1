"""The page of a leaderboard: plain HTML with its style inside; it runs no script and loads nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from toolgym.judge.published.leaderboard import Entry, Figure, in_words
from toolgym.judge.report.page import style

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def _sheet() -> str:
    """The pages' sheet; as no script sets a theme, its dark colours stand where the browser asks for them."""
    sheet = style()
    dark = sheet.partition(':root[data-theme="dark"] {')[2].partition("}")[0]
    return f"{sheet}\n@media (prefers-color-scheme: dark) {{ :root {{{dark}}} }}"


def page(boards: Sequence[tuple[Sequence[Entry], Mapping[str, float]]], title: str) -> str:
    """The page.

    Args:
        boards: entries that were played alike, the best first, with what agents of no use achieve on the same tasks.
        title: of the page.
    """
    parts = "".join(_board(entries, floors) for entries, floors in boards)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{_sheet()}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
<p class="quiet">Every figure was recomputed: all tool calls were made again and all episodes scored again
(<code>toolgym verify-results</code>). Ranked together are only runs with the same tasks, rows, policy and tools, user
and consent. Bars have 95 % intervals; marks are agents that do nothing and that guess.</p>
{parts}</main>
</body>
</html>
"""


def _board(entries: Sequence[Entry], floors: Mapping[str, float]) -> str:
    told, digests = in_words(entries[0])
    ks = sorted({k for each in entries for k in each.passed})
    heads = ["", "agent", "clean pass", *(f"pass^{k}" for k in ks), "tasks", "left out", "$ an episode", "results"]
    rows = "".join(_row(place, each, ks, floors) for place, each in enumerate(entries, start=1))
    below = ", ".join(f"{escape(name)} {value:.3f}" for name, value in floors.items())
    head = "".join(f'<th scope="col">{name or "<span class=unseen>rank</span>"}</th>' for name in heads)
    return f"""<section>
<h2>{escape(told)}</h2>
<p class="quiet">{escape(digests)}{f"<br>pass^1 of agents of no use: {below}" if below else ""}</p>
<div class="scroll" tabindex="0" role="region" aria-label="{escape(told)}"><table>
<thead><tr>{head}</tr></thead>
<tbody>{rows}</tbody>
</table></div>
</section>
"""


def _row(place: int, one: Entry, ks: Sequence[int], floors: Mapping[str, float]) -> str:
    figures = [_meter(one.clean, floors.values())]
    figures += [_meter(one.passed[k], floors.values() if k == 1 else ()) if k in one.passed else "–" for k in ks]
    cost = f"{one.dollars:.4f}" if one.dollars else "–"
    rest = [str(one.tasks), str(one.left_out), cost, escape(one.name)]
    cells = [str(place), f"<b>{escape(one.agent)}</b>", *figures, *rest]
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _meter(figure: Figure, floors: Iterable[float]) -> str:
    """A share with its interval, drawn as the list of runs draws it (judge/report/assets/plots.js, `meter`)."""
    x = [1 + 98 * min(1.0, max(0.0, each)) for each in (figure.value, figure.low, figure.high)]
    marks = "".join(f'<path class="floor" d="M{1 + 98 * each:.1f},0v14"/>' for each in floors)
    words = f"{figure.value:.3f}, 95 % {figure.low:.2f} to {figure.high:.2f}"
    return (
        f'<svg class="meter" viewBox="0 0 100 14" preserveAspectRatio="none" role="img" aria-label="{words}">'
        f'<rect class="track" x="1" y="3" width="98" height="8"/><rect class="plus" x="1" y="3" '
        f'width="{x[0] - 1:.1f}" height="8"/>'
        f'<path class="spread" d="M{x[1]:.1f},4v6M{x[1]:.1f},7H{x[2]:.1f}M{x[2]:.1f},4v6"/>'
        f'{marks}</svg> {figure.value:.3f} <span class="quiet">({figure.low:.2f} to {figure.high:.2f})</span>'
    )
