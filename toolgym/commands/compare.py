"""Say whether one run is better than another by more than chance, on the same tasks.

toolgym compare RUN RUN ...           every run against the first one
toolgym compare old=RUN new=RUN       with names of your own
toolgym compare RUN results.json      a recorded run of tau-bench or tau2-bench
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import get_args

from toolgym.judge.comparison.board import compare, tables
from toolgym.judge.comparison.runs import side
from toolgym.judge.evaluation.run_folder import write_json
from toolgym.judge.interop.opened import named_apart, open_run
from toolgym.judge.scoring.verifier import Basis
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.terminal import SafeConsole


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym compare`."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="runs, as PATH or NAME=PATH; at least two")
    parser.add_argument("--env", default=None, help="environment or domain of recorded runs, where they do not tell")
    parser.add_argument("--data", default="tau2", help="body of data that recorded runs were played on (default: tau2)")
    parser.add_argument("--basis", choices=get_args(Basis), default=None, help="what success compares; as in each run")
    parser.add_argument("--json", type=Path, default=None, metavar="FILE", help="write all of it, every flip included")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym compare`."""
    if len(arguments.runs) < 2:
        raise BadInput("A comparison takes two runs or more: toolgym compare RUN RUN.")
    opened = [open_run(named, env=arguments.env, data=arguments.data) for named in arguments.runs]
    named_apart(opened)
    found = compare([side(each, arguments.basis) for each in opened])
    SafeConsole().print(tables(found), highlight=False, soft_wrap=False)
    if arguments.json is not None:
        write_json(arguments.json, found)
        print(f"Saved in {arguments.json}.")
    return 0
