"""`toolgym bench run`: plays a benchmark's rows into a run folder, and prints what its checker says of them."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from toolgym.judge import report
from toolgym.judge.benchmarks.contract import Benchmark, in_its_form
from toolgym.judge.benchmarks.play import run as play
from toolgym.judge.benchmarks.play import score_lines, silence
from toolgym.judge.benchmarks.settings import BenchSettings
from toolgym.judge.benchmarks.summary import summarise, table
from toolgym.judge.evaluation import times
from toolgym.judge.evaluation.run_folder import RunFolder, write_json, write_lines
from toolgym.sandbox.runtime.progress import Progress


def play_rows(chosen: Benchmark, settings: BenchSettings, console: Console) -> int:
    """Play what the settings name of a benchmark, and say what it came to; returns the exit status."""
    found = in_its_form(chosen.name, chosen.find)
    label = settings.agent_label()
    name = f"{chosen.name}-{label}".replace(":", "-").replace("/", "-").replace(" ", "-")
    folder = RunFolder(settings.out or Path("runs") / name)
    with Progress(console, f"{label} on {chosen.name}") as bar:
        played = play(
            chosen,
            found,
            settings,
            folder,
            bar.begin,
            lambda trajectory: bar.advance(),
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
    times.end(folder.path)
    console.print(table(summary, f"{label} on {chosen.facts().title}"))
    if every:
        report.write([folder], folder.report_file)
        console.print(f"\nReport: {folder.report_file}", highlight=False, soft_wrap=True)
    example = folder.path if every else folder.failures_file
    console.print(f"Saved in {folder.path}. Read one: toolgym show {example}", highlight=False, soft_wrap=True)
    if played.stopped is not None:
        console.print(played.stopped["sentence"], highlight=False, soft_wrap=True)
        return 1
    return 1 if summary["infrastructure_failures"] and not judged else 0
