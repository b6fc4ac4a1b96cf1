"""Play other people's benchmarks, scored by their own checkers.

toolgym bench list                    what there is, and what of it is left out
toolgym bench get NAME                what to install or fetch; checks what is there
toolgym bench run NAME --agent-model M --agent-base-url U --category C --tasks 20
toolgym bench table PAPER --agent-model M         the tables of prove, tier or toolrl, with the model's finished runs
"""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from judge import report
from judge.benchmarks.contract import Benchmark, Found, benchmark
from judge.benchmarks.papers.tables import PAPERS, Runs, paper, tables, used
from judge.benchmarks.play import run as play
from judge.benchmarks.play import score_lines, silence
from judge.benchmarks.settings import BenchSettings
from judge.benchmarks.summary import summarise, table
from judge.evaluation import times
from judge.evaluation.run_folder import RunFolder, write_json, write_lines
from sandbox.kit.errors import BadInput, ConfigurationError
from sandbox.runtime import registry
from sandbox.runtime.settings import add_flags, resolve

_ACTIONS = ("list", "get", "run", "table")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym bench`."""
    add_flags(parser, BenchSettings)
    parser.usage = f"{parser.prog} list | get NAME | run NAME [options] | table PAPER [options]"
    parser.add_argument("action", metavar="ACTION", choices=_ACTIONS, help=", ".join(_ACTIONS))
    parser.add_argument("name", metavar="NAME", nargs="?", help="the benchmark; `toolgym bench list` lists them")
    parser.add_argument(
        "--runs", type=Path, default=Path("runs"), metavar="PATH", help="table: the folder of the runs (default: runs)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym bench`."""
    console = Console()
    if arguments.action == "list":
        return _list(console)
    if arguments.name is None:
        what, names = ("paper", PAPERS) if arguments.action == "table" else ("benchmark", registry.names("bench"))
        raise BadInput(f"`toolgym bench {arguments.action}` takes a {what}: {', '.join(names)}.")
    if arguments.action == "table":
        return _table(arguments.name, arguments.runs, resolve(BenchSettings, arguments), console)
    with closing(benchmark(arguments.name)) as chosen:
        if arguments.action == "get":
            return _get(chosen, console)
        return _run(chosen, resolve(BenchSettings, arguments), console)


def _list(console: Console) -> int:
    for name in registry.names("bench"):
        with closing(benchmark(name)) as each:
            facts = each.facts()
            here = _here(each)
        shown = Table(title=f"{name}: {facts.title}", title_justify="left", show_header=False, box=None, pad_edge=False)
        shown.add_column(style="bold")
        shown.add_column()
        shown.add_row("here", escape(here))
        shown.add_row("licence", facts.licence)
        shown.add_row("source", escape(facts.source))
        reasons: dict[str, list[str]] = {}
        for part, why in facts.left_out.items():
            reasons.setdefault(why, []).append(part)
        shown.add_row(
            "left out", escape("\n".join(f"{', '.join(parts)}: {why}" for why, parts in reasons.items()) or "-")
        )
        console.print(shown, "")
    return 0


def _here(each: Benchmark) -> str:
    try:
        found = each.find()
    except ConfigurationError:
        return f"not installed; `toolgym bench get {each.name}` tells how"
    return f"{found.version}, {sum(found.rows.values())} rows in {len(found.rows)} categories{_unknown(found)}"


def _unknown(found: Found) -> str:
    return "" if found.known else "; not a version that was checked: its scores are its own, not comparable"


def _get(chosen: Benchmark, console: Console) -> int:
    facts = chosen.facts()
    console.print(f"{facts.title} ({facts.licence}): {facts.source}", *facts.get, sep="\n", highlight=False)
    try:
        found = chosen.find()
    except ConfigurationError as error:
        console.print(f"\nNot here yet: {str(error).splitlines()[0]}", highlight=False, soft_wrap=True)
        return 1
    console.print(f"\nHere: {found.version}, digest {found.digest}{_unknown(found)}", highlight=False, soft_wrap=True)
    for category, count in found.rows.items():
        console.print(f"  {count:5} {category}", highlight=False)
    return 0


def _run(chosen: Benchmark, settings: BenchSettings, console: Console) -> int:
    found = chosen.find()
    label = settings.agent_label()
    name = f"{chosen.name}-{label}".replace(":", "-").replace("/", "-").replace(" ", "-")
    folder = RunFolder(settings.out or Path("runs") / name)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        line = bar.add_task(f"{label} on {chosen.name}", total=None)
        played = play(
            chosen,
            found,
            settings,
            folder,
            lambda done, total: bar.update(line, completed=done, total=total),
            lambda sentence: console.print(sentence, highlight=False, soft_wrap=True),
        )
    every = played.every
    rows = list({each.row.id: each.row for each in every}.values())
    floor = every if settings.agent == "inert" else silence(chosen, settings, rows)
    failures = folder.failures()
    summary = summarise(chosen, found, every, failures, floor, settings.unpriced(("agent",)))
    if played.stopped is not None:
        summary["stopped"] = played.stopped
    write_json(folder.summary_file, summary)
    write_lines(folder.scores_file, score_lines(every))
    judged = [(each.row, each.trajectory, each.score) for each in every if each.score is not None]
    chosen.export(folder.path, label, judged)
    console.print(table(summary, f"{label} on {chosen.facts().title}"))
    if every:
        report.write([folder], folder.report_file)
        console.print(f"\nReport: {folder.report_file}", highlight=False, soft_wrap=True)
    times.end(folder.path)
    example = folder.path if every else folder.failures_file
    console.print(f"Saved in {folder.path}. Read one: toolgym show {example}", highlight=False, soft_wrap=True)
    if played.stopped is not None:
        console.print(played.stopped["sentence"], highlight=False, soft_wrap=True)
        return 1
    return 1 if summary["infrastructure_failures"] and not judged else 0


def _table(name: str, folder: Path, settings: BenchSettings, console: Console) -> int:
    """A paper's tables with the model's row; nothing is played."""
    runs = Runs(folder, settings.agent_model, settings.agent)
    if settings.agent == "llm" and not settings.agent_model:
        raise BadInput("`toolgym bench table` takes the model whose runs are meant: --agent-model NAME.")
    found = tables(name, runs)
    label = settings.agent_model or settings.agent
    console.print(paper(name)["source"], style="bold", highlight=False)
    for each in found:
        shown = Table(title=f"\n{each.title}", title_justify="left", box=None, pad_edge=False)
        shown.add_column("%")
        for column in each.columns:
            shown.add_column(column, justify="right")
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
