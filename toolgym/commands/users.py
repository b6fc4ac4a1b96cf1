"""Measure how users talk: scripted ones, language models and recorded people side by side.

toolgym users audit RUN RUN ...                   runs, files of trajectories, records of tau-bench and tau2-bench
toolgym users audit llm=RUN --humans people.json  likeness to recorded people beside it
toolgym users audit RUN --out runs/audit          users.json and users.html
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import get_args

from toolgym.judge.audit.board import MEANING, audit, tables
from toolgym.judge.audit.group import read_group
from toolgym.judge.audit.page import page
from toolgym.judge.evaluation.run_folder import write_json, write_lines
from toolgym.judge.interop.opened import named_apart
from toolgym.judge.scoring.verifier import Basis
from toolgym.sandbox.runtime.progress import Progress
from toolgym.sandbox.runtime.terminal import SafeConsole


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym users`."""
    parser.add_argument("action", choices=("audit",), help="what to do")
    parser.add_argument("runs", nargs="+", metavar="RUN", help="conversations, as PATH or NAME=PATH")
    parser.add_argument("--humans", default=None, metavar="RUN", help="recorded people to compare the others with")
    parser.add_argument("--env", default=None, help="environment or domain of recorded runs, where they do not tell")
    parser.add_argument("--data", default="tau2", help="body of data that recorded runs were played on (default: tau2)")
    parser.add_argument("--basis", choices=get_args(Basis), default="state", help="what success compares")
    parser.add_argument("--out", type=Path, default=None, metavar="DIR", help="write users.json and users.html")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym users`."""
    console = SafeConsole()
    paths = [*arguments.runs, *([arguments.humans] if arguments.humans else [])]
    groups = [read_group(path, env=arguments.env, data=arguments.data) for path in paths]
    named_apart(groups)
    with Progress(console, "listening", sum(len(group.talks) for group in groups)) as bar:
        people = groups[-1].name if arguments.humans else None
        found = audit(groups, people, arguments.basis, bar.advance)
    console.print(tables(found))
    console.print()
    console.print(MEANING, style="dim", highlight=False)
    for group in groups:
        if group.skipped:
            console.print(f"{group.name}: {group.skipped} episodes left out (no user, or unreadable).", highlight=False)
    if arguments.out is not None:
        _write(arguments.out, found)
        console.print(f"Saved in {arguments.out}.", highlight=False)
    return 0


def _write(folder: Path, found: dict[str, object]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "users.json", found)
    write_lines(folder / "users.html", page(found).splitlines())
