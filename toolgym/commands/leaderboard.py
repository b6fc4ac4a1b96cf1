"""Rank published runs: results files (`toolgym export RUN --to results`), or runs' folders.

Each is verified first, as `toolgym verify-results` does it: its calls are made again and its episodes scored again.
Only runs with the same tasks, rows, policy, tools, user (with its number) and consent are ranked together.

toolgym leaderboard runs/a runs/b
toolgym leaderboard results/*.jsonl.gz --export leaderboard.html
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.table import Table
from rich.text import Text

from toolgym.commands.evaluate import floor
from toolgym.judge.evaluation.metrics import mean
from toolgym.judge.evaluation.run_folder import RunFolder, write_lines
from toolgym.judge.evaluation.summary import FLOORS, outcomes
from toolgym.judge.published.file import ENDING, write_results
from toolgym.judge.published.leaderboard import Entry, Figure, boards, entry, in_words
from toolgym.judge.published.replay import settings_of
from toolgym.judge.report.leaderboard_page import page
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.progress import Progress
from toolgym.sandbox.runtime.terminal import SafeConsole

_TITLE = "toolgym leaderboard"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym leaderboard`."""
    parser.add_argument("runs", nargs="+", metavar="RUN", type=Path, help="results files, or folders of runs")
    parser.add_argument("--export", default=None, metavar="FILE", type=Path, help="write the board as one HTML page")
    parser.add_argument("--title", default=_TITLE, help="of the page")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym leaderboard`."""
    console = SafeConsole()
    entries, refused = [], []
    for path in arguments.runs:
        try:
            entries.append(_entry(path, console))
        except BadInput as error:
            refused.append(str(error))
    found = [(board, _floors(board[0], console)) for board in boards(entries)]
    for board, floors in found:
        console.print(*_shown(board, floors), sep="\n")
    for sentence in refused:
        console.print(f"Left out: {sentence}", highlight=False, markup=False, soft_wrap=True)
    if not entries:
        raise BadInput("None of them can be ranked.")
    if arguments.export is not None:
        write_lines(arguments.export, [page(found, arguments.title)])
        console.print(f"Saved in {arguments.export}.", highlight=False, soft_wrap=True)
    return 1 if refused else 0


def _entry(path: Path, console: SafeConsole) -> Entry:
    with Progress(console, f"verifying {path.name}") as bar, TemporaryDirectory() as scratch:
        if not path.is_dir():
            return entry(path, path.name.removesuffix(ENDING), bar.update)
        written = Path(scratch) / f"run{ENDING}"
        write_results(RunFolder(path), written)
        return entry(written, path.resolve().name, bar.update)


def _floors(one: Entry, console: SafeConsole) -> dict[str, float]:
    """pass^1 of agents of no use on the tasks of a board; none where its user is no scripted one."""
    if one.header.settings.get("user") != "scripted" or "imported" in one.header.settings:
        return {}
    settings = settings_of(one.header.settings, None)
    played = {words: outcomes(floor(settings, agent, console), settings.basis) for agent, words in FLOORS.items()}
    return {words: mean([mean([*map(float, trials)]) for trials in found.values()]) for words, found in played.items()}


def _shown(board: Sequence[Entry], floors: Mapping[str, float]) -> list[Table | Text]:
    told, digests = in_words(board[0])
    ks = sorted({k for each in board for k in each.passed})
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("", "agent", "clean pass", *(f"pass^{k}" for k in ks), "$", "results"):
        table.add_column(name, justify="left" if name in {"agent", "results"} else "right", overflow="fold")
    for place, each in enumerate(board, start=1):
        passed = [_figure(each.passed[k]) if k in each.passed else "–" for k in ks]
        cost = f"{each.dollars:.4f}" if each.dollars else "–"
        table.add_row(str(place), Text(each.agent), _figure(each.clean), *passed, cost, Text(each.name))
    for words, value in floors.items():
        table.add_row("", Text(words, style="dim"), "", Text(f"{value:.3f}", style="dim"))
    return [Text(told, style="bold"), Text(digests, style="dim"), table, Text()]


def _figure(figure: Figure) -> str:
    return f"{figure.value:.3f} ({figure.low:.2f} to {figure.high:.2f})"
