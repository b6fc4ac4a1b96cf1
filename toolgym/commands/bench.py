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
from rich.table import Table

from toolgym.judge.benchmarks.contract import Benchmark, Found, benchmark, in_its_form
from toolgym.judge.benchmarks.papers import PAPERS
from toolgym.judge.benchmarks.settings import BenchSettings
from toolgym.sandbox.kit.errors import BadInput, ConfigurationError
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.settings import add_flags, resolve
from toolgym.sandbox.runtime.terminal import SafeConsole

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
    console = SafeConsole()
    if arguments.action == "list":
        return _list(console)
    if arguments.name is None:
        what, names = ("paper", PAPERS) if arguments.action == "table" else ("benchmark", registry.names("bench"))
        raise BadInput(f"`toolgym bench {arguments.action}` takes a {what}: {', '.join(names)}.")
    if arguments.action == "table":
        from toolgym.commands.bench_table import show_table

        return show_table(arguments.name, arguments.runs, resolve(BenchSettings, arguments), console)
    with closing(benchmark(arguments.name)) as chosen:
        if arguments.action == "get":
            return _get(chosen, console)
        from toolgym.commands.bench_run import play_rows  # what plays and reports takes as long to load as the rest

        return play_rows(chosen, resolve(BenchSettings, arguments), console)


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
        found = in_its_form(each.name, each.find)
    except ConfigurationError:
        return f"not installed; `toolgym bench get {each.name}` tells how"
    return f"{found.version}, {sum(found.rows.values())} rows in {len(found.rows)} categories{_unknown(found)}"


def _unknown(found: Found) -> str:
    return "" if found.known else "; not a version that was checked: its scores are its own, not comparable"


def _get(chosen: Benchmark, console: Console) -> int:
    facts = chosen.facts()
    console.print(
        f"{facts.title} ({facts.licence}): {facts.source}", *facts.get, sep="\n", highlight=False, soft_wrap=True
    )
    try:
        found = in_its_form(chosen.name, chosen.find)
    except ConfigurationError as error:
        console.print(f"\nNot here yet: {str(error).splitlines()[0]}", highlight=False, soft_wrap=True)
        return 1
    console.print(f"\nHere: {found.version}, digest {found.digest}{_unknown(found)}", highlight=False, soft_wrap=True)
    for category, count in found.rows.items():
        console.print(f"  {count:5} {category}", highlight=False)
    return 0
