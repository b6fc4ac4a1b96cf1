"""Check a results file that somebody has published (`toolgym export RUN --to results`).

Every tool call is made again in a fresh session of the world and data it names, scripted users and agents speak anew,
every episode is scored again, and the scores are computed from that. Exits with 1 when anything does not agree.

toolgym verify-results runs/first/results.jsonl.gz
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from toolgym.judge.evaluation.run_folder import write_json
from toolgym.judge.published.verify import Findings, check
from toolgym.sandbox.runtime.progress import Progress
from toolgym.sandbox.runtime.terminal import SafeConsole

_SHOWN = 20
"""Problems that the terminal names; `--json` writes all of them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym verify-results`."""
    parser.add_argument("file", type=Path, help="the results file")
    parser.add_argument("--data", default=None, help="where its data are here: tau2:PATH, or own:FILE of its tasks")
    parser.add_argument("--json", type=Path, default=None, metavar="FILE", help="write what was found, in full")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym verify-results`."""
    console = SafeConsole()
    with Progress(console, "playing again") as bar:
        found = check(arguments.file, arguments.data, bar.update)
    for text in _lines(found, arguments.file):
        console.print(text, highlight=False, markup=False, soft_wrap=True)
    if arguments.json is not None:
        write_json(arguments.json, asdict(found) | {"verified": found.verified})
        console.print(f"Saved in {arguments.json}.", highlight=False, soft_wrap=True)
    return 0 if found.verified else 1


def _player(settings: Mapping[str, Any], role: str) -> str:
    model = settings.get(f"{role}_model")
    return f"{settings.get(role)}{f' ({model})' if model else ''}"


def _lines(found: Findings, file: Path) -> list[str]:
    settings, scores = found.header.settings, found.scores
    world = f"{settings.get('env')}, {settings.get('data')} data, {settings.get('split')} split"
    first = next(iter(scores["pass_hat"].values()), None)
    figures = "nothing to score" if first is None else f"clean pass {scores['clean']:.3f}, pass^1 {first:.3f}"
    made = f"{scores['tasks']} tasks, {scores['episodes']} episodes"
    players = " with user ".join(_player(settings, role) for role in ("agent", "user"))
    lines = [f"{players} on {world}", f"{figures} (recomputed; {made})"]
    lines.append(f"{found.episodes} episodes played again, {found.calls} tool calls made again")
    lines += [f"note: {note}" for note in found.notes]
    lines += [f"not checked: {each}" for each in found.unchecked]
    lines += [f"problem: {problem}" for problem in found.problems[:_SHOWN]]
    if len(found.problems) > _SHOWN:
        lines.append(f"and {len(found.problems) - _SHOWN} more problems (--json FILE writes all)")
    count = len(found.problems)
    verdict = "VERIFIED" if found.verified else f"NOT VERIFIED: {count} problem{'' if count == 1 else 's'}"
    return [*lines, f"{file}: {verdict}"]
