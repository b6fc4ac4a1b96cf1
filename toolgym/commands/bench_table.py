"""`toolgym bench table`: prints a paper's tables with a model's finished runs; nothing is played."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from toolgym.judge.benchmarks.papers.tables import Runs, paper, tables, used
from toolgym.judge.benchmarks.settings import BenchSettings
from toolgym.sandbox.kit.errors import BadInput


def show_table(name: str, folder: Path, settings: BenchSettings, console: Console) -> int:
    """Print a paper's tables with the model's row; returns the exit status.

    Raises:
        BadInput: no such paper, no model named, or no folder of runs.
    """
    runs = Runs(folder, settings.agent_model, settings.agent)
    if settings.agent == "llm" and not settings.agent_model:
        raise BadInput("`toolgym bench table` takes the model whose runs are meant: --agent-model NAME.")
    found = tables(name, runs)
    label = settings.agent_model or settings.agent
    console.print(paper(name)["source"], style="bold", highlight=False)
    for each in found:
        shown = Table(title=f"\n{each.title}", title_justify="left", box=None, pad_edge=False)
        shown.add_column("%", no_wrap=True)  # a model is told by its whole name
        for column in each.columns:
            shown.add_column(column, justify="right", overflow="fold")
        for paper_name, *numbers in each.rows:
            shown.add_row(escape(paper_name), *map(str, numbers), style="dim")
        cells = [f"{cell.value:.2f}" if cell.value is not None else cell.missing for cell in each.cells]
        shown.add_row(escape(label), *cells, style="bold")
        console.print(shown)
        for letter, remark in each.remarks.items():
            console.print(f"  ({letter}) {remark}", highlight=False, markup=False)
        for command in each.play:
            console.print(f"  to play: {command}", highlight=False, markup=False, soft_wrap=True)
    names = used(found)
    console.print(f"\nFrom the runs in {folder}: {', '.join(names) or 'none fits'}.", highlight=False, soft_wrap=True)
    return 0
