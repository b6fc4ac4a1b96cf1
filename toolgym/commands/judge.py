"""Score a finished run again, with another judge or other rewards; nothing is played.

Writes scores.jsonl and summary.json in the run's folder.

toolgym judge runs/first --rewards tarl
"""

from __future__ import annotations

import argparse

from toolgym.judge.evaluation.folder_lock import mark_running
from toolgym.judge.evaluation.judging import JudgeSettings, judge_folder
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.evaluation.scoring_summary import score_table
from toolgym.sandbox.runtime.settings import add_flags, resolve
from toolgym.sandbox.runtime.terminal import SafeConsole


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym judge`."""
    add_flags(parser, JudgeSettings, positional=("run",))


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym judge`."""
    settings = resolve(JudgeSettings, arguments)
    folder, console = RunFolder(settings.run), SafeConsole()
    if folder.path.is_dir():
        mark_running(folder, folder.path)
    summary = judge_folder(folder, settings, console)
    console.print(score_table(summary))
    console.print(f"\nSaved in {folder.path}.", highlight=False)
    return 0 if summary["judged"] else 1
