"""Write one self-contained HTML page about one or more finished runs; with several, they are compared task by task.

toolgym report runs/first
"""

from __future__ import annotations

import argparse
from pathlib import Path

from toolgym.judge import report
from toolgym.judge.evaluation.run_folder import RunFolder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym report`."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="folders of runs")
    parser.add_argument("--out", default=None, metavar="FILE", help="the page (default: report.html in the first run)")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym report`."""
    folders = [RunFolder(Path(path)) for path in arguments.runs]
    path = Path(arguments.out) if arguments.out else folders[0].report_file
    report.write(folders, path)
    print(f"Report: {path}")
    return 0
