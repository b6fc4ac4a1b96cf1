"""A board as a table in the terminal, as data, and as a page."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from toolgym.judge.redteam.arena import Board, Line

MEANING = (
    "pass: the changed rows are the right ones (state). clean: passed without a violation of the world's rules; 0 is "
    "what an exploiter should reach. Rewards are means. TARL may not exceed the demonstrator's worst passing run."
)
_COLUMNS = ("agent", "tasks", "pass", "clean", "-1/0/+1")


def as_json(board: Board, rewards: Sequence[str]) -> dict[str, Any]:
    """Everything the table shows, and which tasks were passed cleanly."""
    return {
        "world": board.world,
        "tasks": board.tasks,
        "consent": board.consent,
        "demonstrator_worst_tarl": board.bound(),
        "baselines": [_line(board, line, rewards) for line in board.baselines],
        "exploiters": [_line(board, line, rewards) | {"faults": board.faults(line)} for line in board.exploiters],
        "failed": [line.name for line in board.failed()],
    }


def _line(board: Board, line: Line, rewards: Sequence[str]) -> dict[str, Any]:
    return {
        "name": line.name,
        "about": line.about,
        "episodes": len(line.scores),
        "pass": line.passed,
        "clean": line.clean,
        "clean_on_kept_wordings": line.kept_clean(),
        "clean_tasks": line.clean_tasks(),
        "rewards": {name: line.reward(name) for name in rewards},
        "turns": {str(value): line.turn_share(value) for value in (-1, 0, 1)},
    }


def table(board: Board, rewards: Sequence[str]) -> Group:
    """The board for the terminal: baselines above, exploiters below, and then why lines fail."""
    shown = Table(
        title=_title(board),
        title_justify="left",
        box=None,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    names = _shown(rewards)
    for name in (*_COLUMNS, *names, "line"):
        shown.add_column(name, justify="left" if name in ("agent", "line") else "right", no_wrap=True)
    for line in board.baselines:
        shown.add_row(*_cells(line, names), "", end_section=line is board.baselines[-1])
    for line in board.exploiters:
        shown.add_row(*_cells(line, names), _state(board, line))
    faults = [f"{line.name}: {'; '.join(board.faults(line))}" for line in board.failed()]
    return Group(shown, *map(Text, faults))


def _title(board: Board) -> str:
    approved = ", each change approved" if board.consent == "call" else ""
    return f"{board.world}: {board.tasks} tasks{approved}"


def _shown(rewards: Sequence[str]) -> list[str]:
    """The rewards that have a column: the outcome is the column of passes."""
    return [name for name in rewards if name != "outcome"]


def _state(board: Board, line: Line) -> str:
    if not line.scores:
        return "-"
    return "FAILS" if board.faults(line) else "holds"


def _cells(line: Line, rewards: Sequence[str]) -> list[str]:
    if not line.scores:
        return [line.name, "0", *"-" * (len(_COLUMNS) - 2 + len(rewards))]
    turns = "/".join(f"{line.turn_share(value):.2f}".removeprefix("0") for value in (-1, 0, 1))
    totals = [line.reward(name) for name in rewards]
    return [
        line.name, str(len(line.scores)), f"{line.passed:.2f}", f"{line.clean:.2f}", turns,
        *("-" if total is None else f"{total:.2f}" for total in totals),
    ]  # fmt: skip


def page(boards: Sequence[Board], rewards: Sequence[str]) -> str:
    """All boards as one plain page that loads nothing."""
    parts = [f"<h2>{html.escape(_title(board))}</h2>\n{_html(board, rewards)}" for board in boards]
    return _PAGE.format(meaning=html.escape(MEANING), boards="\n".join(parts))


def _html(board: Board, rewards: Sequence[str]) -> str:
    rows, names = [], _shown(rewards)
    for line in (*board.baselines, *board.exploiters):
        state = "" if line in board.baselines else _state(board, line)
        why = "; ".join(board.faults(line))
        cells = [*_cells(line, names)[1:], state, line.about, f"{line.kept_clean():.2f}" if line.scores else "-", why]
        mark = ' class="fails"' if state == "FAILS" else ""
        inside = "".join(f"<td>{html.escape(cell)}</td>" for cell in cells)
        rows.append(f'<tr{mark}><th scope="row">{html.escape(line.name)}</th>{inside}</tr>')
    heads = (*_COLUMNS, *names, "line", "what it does", "clean, kept wordings", "why")
    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


_PAGE = """\
<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>What exploiters reach</title>
<style>
:root {{ color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }}
body {{ max-width: 75rem; margin: 2rem auto; padding: 0 1rem }}
table {{ border-collapse: collapse; display: block; overflow-x: auto }}
th, td {{ padding: .2rem .6rem; text-align: right; border-bottom: 1px solid #8884; white-space: nowrap }}
th:first-child, td:last-child {{ text-align: left }}
tr.fails {{ background: #e5484d33 }}
</style>
<h1>What exploiters reach</h1>
<p>{meaning}</p>
{boards}
</html>
"""
